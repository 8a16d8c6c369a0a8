/** Words for what the server sends of a practice table. */

import { signed } from '../money';

/** "+1.8700", "-1.0000". */
export function signedUnits(units: number): string {
  return `${units > 0 ? '+' : ''}${units.toFixed(4)}`;
}

/** Cents that are no whole ones, as "$0.34"; below half a cent as what it is. */
export function about(cents: number): string {
  return signed(Math.round(cents)).replace('+', '');
}
