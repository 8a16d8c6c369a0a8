/** What a screen works out of the meters of a lesson. */

import type { MeterPoint, MeterPoints } from '../api';

export type MeterCents = Record<string, number>;

/** What a dollar costs with these meters and so many other lit hands, in dollars; below 0 it gains. */
export function edgeAt(points: MeterPoints, cents: MeterCents, others = 0): number {
  const given = points.levels.reduce((sum, each) => sum + (each.per_dollar * (cents[each.level] ?? 0)) / 100, 0);
  return points.empty - given - points.envy * others;
}

/** What must stand on one meter for a dollar to cost nothing, in cents; 0 where the others do it alone. */
export function fairAt(points: MeterPoints, level: string, cents: MeterCents, others = 0): number {
  const of = points.levels.find((each) => each.level === level);
  if (!of?.per_dollar) return 0;
  return Math.max(0, Math.round((edgeAt(points, { ...cents, [level]: 0 }, others) / of.per_dollar) * 100));
}

/** Where every meter begins on the screen: at its part of what is fair. */
export function firstCents(points: MeterPoints): MeterCents {
  return Object.fromEntries(points.levels.map((each) => [each.level, each.start_cents || onStep(each.fair_part_cents / 2, each)]));
}

/** A hundredth of the scale, in whole dollars. */
export function stepOf(point: MeterPoint): number {
  return Math.max(100, Math.round(point.most_cents / 10_000) * 100);
}

function onStep(cents: number, point: MeterPoint): number {
  return Math.round(cents / stepOf(point)) * stepOf(point);
}

/** A place on a scale from 0 to 100. */
export function placeOn(cents: number, most: number): number {
  return most > 0 ? Math.min(100, Math.max(0, (cents / most) * 100)) : 0;
}

/** The cards of a text with blanks between. */
export function cardsOf(text: string): string[] {
  return text.split(' ').filter(Boolean);
}
