/** Words for what the server sends of a practice table. */

import { signed } from '../money';
import { words } from '../words';

/** A decision by its name. */
export function decisionName(decision: string): string {
  return words.practice.decide[decision] ?? words.console.decide[decision] ?? decision;
}

/** The key of a decision. */
export function decisionKey(decision: string): string {
  return words.practice.decideKeys[decision] ?? words.console.decideKeys[decision] ?? '';
}

/** "+1.8700", "-1.0000". */
export function signedUnits(units: number): string {
  return `${units > 0 ? '+' : ''}${units.toFixed(4)}`;
}

/** Cents that are no whole ones, as "$0.34"; below half a cent as what it is. */
export function about(cents: number): string {
  return signed(Math.round(cents)).replace('+', '');
}
