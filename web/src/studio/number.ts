/** How figures are written. */

import type { Exact } from '../api';

/** "3.3730%" */
export function percent(value: number, places = 4): string {
  return `${(value * 100).toFixed(places)}%`;
}

/** A figure in per cent, or as the fraction that it is. */
export function share(figure: Exact, fractions: boolean): string {
  return fractions ? figure.exact : percent(figure.value);
}

/** "1,234.5" */
export function plain(value: number, places = 4): string {
  return value.toLocaleString('en-US', { minimumFractionDigits: places, maximumFractionDigits: places });
}

/** "+0.0211" */
export function signed(value: number, places = 4): string {
  return `${value > 0 ? '+' : ''}${value.toFixed(places)}`;
}

/** "407,170,400", and of what nobody would read "2.17 × 10^23". */
export function counted(cases: string): string {
  if (cases.length > 12) return `${Number(cases.slice(0, 4)) / 1000} × 10^${cases.length - 1}`;
  return BigInt(cases).toLocaleString('en-US');
}
