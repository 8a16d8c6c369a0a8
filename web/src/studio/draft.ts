/** Drafts: codes of paytables with changes, and drafts kept in this browser. */

import type { Draft } from '../api';

const NOW = 'houseway:studio:draft';
const SAVED = 'houseway:studio:saved';
const MOST_SAVED = 100;

/** A paytable as it is edited: a known one, and hands that are paid otherwise. */
export interface Edited {
  base: string;
  changes: Record<string, string>;
}

/** The parts of a code such as `A:flush=3,pair=none`. */
export function edited(code: string): Edited {
  const at = code.indexOf(':');
  if (at < 0) return { base: code, changes: {} };
  const pairs = code
    .slice(at + 1)
    .split(',')
    .map((part): [string, string] => {
      const equals = part.indexOf('=');
      return [part.slice(0, equals).trim(), part.slice(equals + 1).trim()];
    });
  return { base: code.slice(0, at), changes: Object.fromEntries(pairs) };
}

/** The code of an edited paytable; hands without a word are as they were. */
export function codeOf({ base, changes }: Edited): string {
  const said = Object.entries(changes);
  return said.length ? `${base}:${said.map(([hand, pay]) => `${hand}=${pay}`).join(',')}` : base;
}

/** A pay as it goes into a code: "1,000" is a thousand, and "2,5" is no twenty-five. */
export function payTyped(text: string): string {
  return text
    .trim()
    .replace(/(\d),(?=\d{3}(?!\d))/g, '$1')
    .replace(/,/g, '.');
}

/** What of a draft bears on its figures, to tell whether something was made of another. */
export function rulesOf({ game, options, paytables }: Draft): string {
  return JSON.stringify([game, options, paytables]);
}

/** The command of a sheet that somebody answers for, as a shell reads it. */
export function signedCommand(command: string, author: string): string {
  const name = author.trim().replaceAll("'", `'"'"'`);
  return name ? command.replace(' --pdf ', () => ` --author '${name}' --pdf `) : command;
}

/** A new draft of a game. */
export function newDraft(game: string, name: string): Draft {
  return { name, game, options: {}, paytables: {}, note: '' };
}

/** True for what has the shape of a draft; what is kept may be old or from elsewhere. */
export function isDraft(data: unknown): data is Draft {
  if (typeof data !== 'object' || data === null) return false;
  const { name, game, options, paytables, note } = data as Record<string, unknown>;
  return [name, game, note].every((value) => typeof value === 'string') && isTexts(options) && isTexts(paytables);
}

function isTexts(data: unknown): boolean {
  return typeof data === 'object' && data !== null && Object.values(data).every((value) => typeof value === 'string');
}

function kept<T>(key: string, is: (data: unknown) => data is T): T | null {
  try {
    const data: unknown = JSON.parse(localStorage.getItem(key) ?? 'null');
    return is(data) ? data : null;
  } catch {
    return null;
  }
}

function keep(key: string, data: unknown): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(data));
    return true;
  } catch {
    return false;
  }
}

const isDrafts = (data: unknown): data is Draft[] => Array.isArray(data) && data.every(isDraft);

/** The draft that was worked on last. */
export function lastDraft(): Draft | null {
  return kept(NOW, isDraft);
}

export function keepLast(draft: Draft): void {
  keep(NOW, draft);
}

/** Drafts that were saved, by name. */
export function savedDrafts(): Draft[] {
  return kept(SAVED, isDrafts) ?? [];
}

/** Saves a draft under its name, in place of one of that name; false where there is no room. */
export function save(draft: Draft): boolean {
  const others = savedDrafts().filter((one) => one.name !== draft.name);
  if (others.length >= MOST_SAVED) return false;
  return keep(SAVED, [...others, draft].sort((a, b) => a.name.localeCompare(b.name)));
}

export function forget(name: string): void {
  keep(
    SAVED,
    savedDrafts().filter((one) => one.name !== name),
  );
}
