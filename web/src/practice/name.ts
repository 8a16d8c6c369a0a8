/** The name that somebody goes by at practice tables, kept by the browser. */

import { words } from '../words';

const NAME = 'houseway.practice.name';

export function knownName(): string {
  try {
    return localStorage.getItem(NAME) ?? words.practice.usualName;
  } catch {
    return words.practice.usualName;
  }
}

export function keepName(name: string): void {
  try {
    localStorage.setItem(NAME, name);
  } catch {
    // It is asked for again next time.
  }
}
