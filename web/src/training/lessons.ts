/** Lessons and meters as the server sends them, and the little that a screen works out of them. */

/** One bet of an example, settled. */
export interface LessonLine {
  bet: string;
  name: string;
  hand: number | null;
  wager: number;
  outcome: string;
  net: number;
  clause: string;
  why: string;
}

/** A seat that was dealt and settled. */
export interface LessonExample {
  about: string;
  /** Cards with blanks between: "Kh 9c 4d". */
  hands: { label: string; cards: string }[];
  lines: LessonLine[];
  net: number;
}

/** A question to check what was read: whoever has both has the drill. */
export interface LessonCheck {
  skill: string;
  seed: number;
}

/** `Lesson.to_json()`; a page may have the questions themselves in place of what makes them. */
export interface LessonView<Check = LessonCheck> {
  code: string;
  title: string;
  sentences: string[];
  clauses: string[];
  pays: { columns: string[]; rows: string[][] } | null;
  example: LessonExample | null;
  checks: Check[];
}

export interface MeterPoint {
  level: string;
  name: string;
  /** What each dollar on it gives back of a dollar wagered. */
  per_dollar: number;
  /** What it starts again from; 0 where nothing is set. */
  start_cents: number;
  /** Its part where all meters together make the wager fair. */
  fair_part_cents: number;
  /** The end of the scale. */
  most_cents: number;
}

/** `meter_points(ruleset)`. */
export interface MeterPoints {
  paytable: string;
  wager_cents: number;
  /** What a dollar costs with nothing on any meter. */
  empty: number;
  /** What each other lit hand gives back. */
  envy: number;
  hit_frequency: number;
  levels: MeterPoint[];
}

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
