/** Steps of a recalled round, in words. */

import type { Doer, RecalledStep } from '../api';
import { stageName } from '../games';
import { words } from '../words';

/** The number of a round as it is written everywhere. */
export function roundName(number: number): string {
  return String(number).padStart(6, '0');
}

/** "Decide 1: play", as the journal has it, begun large. */
export function stepText(step: RecalledStep): string {
  if (step.kind === 'opened') return words.recall.openedStep;
  const text = begun(step.text);
  return step.kind === 'undo' ? words.recall.undo(text) : text;
}

/** What came of a step, without the marks of phases. */
export function toldLines(step: RecalledStep): string[] {
  return step.told.filter((line) => !line.startsWith('-- ')).map(begun);
}

/** The position that a step is about; 0 where it is about the whole table. */
export function positionOf(step: RecalledStep): number {
  const found = step.text.match(/^(?:bets|decide|reconcile|deliver|exposed|late wager|handed over|correct) ([1-9])\b/);
  return found ? Number(found[1]) : 0;
}

/** The phase that a step led to, where it led to another. */
export function phaseBegun(step: RecalledStep): string | null {
  const last = step.told.filter((line) => line.startsWith('-- ')).at(-1);
  if (!last) return null;
  const [phase = '', stage = ''] = last.slice(3).split(', ');
  return [words.phase[phase] ?? phase, stageName(stage)].filter(Boolean).join(' · ');
}

/** "Dan, Dealer, card d1". */
export function doer(one: Doer): string {
  return words.recall.by(one.name, one.role ? words.role(one.role) : '', one.card);
}

function begun(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
