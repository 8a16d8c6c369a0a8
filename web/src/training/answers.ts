/** Answers as they are put together: in order, several, chips. Pure, so that they can be tried without a page. */

import type { Given, TrainingField } from '../api';

/** What no answer looks like. */
export function nothing(field: TrainingField): Given {
  return field.kind === 'amount' || field.kind === 'number' || field.kind === 'choice' ? '' : [];
}

export function isEmpty(given: Given): boolean {
  return typeof given === 'string' ? given.trim() === '' : given.length === 0;
}

/** The list with a value at its end; one that is in it already is taken out. */
export function toggled(given: string[], value: string): string[] {
  return given.includes(value) ? given.filter((one) => one !== value) : [...given, value];
}

/** One chip more: of the denomination that was put out last, or of a new one behind it. */
export function chipAdded(given: string[], worth: string): string[] {
  const last = given.at(-1);
  const [of, count] = last?.split('x') ?? [];
  if (last && of === worth) return [...given.slice(0, -1), `${worth}x${Number(count) + 1}`];
  return [...given, `${worth}x1`];
}

/** The last chip taken back. */
export function chipTaken(given: string[]): string[] {
  const [worth, count] = given.at(-1)?.split('x') ?? [];
  if (!worth) return given;
  const rest = given.slice(0, -1);
  return Number(count) > 1 ? [...rest, `${worth}x${Number(count) - 1}`] : rest;
}

/** What the chips come to, in cents. */
export function chipsWorth(given: string[]): number {
  return given.reduce((all, one) => {
    const [worth, count] = one.split('x');
    return all + Number(worth) * Number(count);
  }, 0);
}

/** A fraction such as "3/4" as a number. */
export function fraction(text: string): number {
  const [over, under = '1'] = text.split('/');
  return Number(over) / Number(under);
}
