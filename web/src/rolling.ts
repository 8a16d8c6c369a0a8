/**
 * How an amount rolls up on a sign: from what was shown to what the ledger has, and never above it.
 * Down it goes at once, because the money is gone.
 */

const SHORTEST_MS = 600;
const LONGEST_MS = 2500;
const MS_PER_CENT = 25;

export interface Roll {
  from: number;
  to: number;
  began: number;
  ms: number;
}

/** The roll that begins now, from what is shown to a new figure. */
export function roll(shown: number, to: number, now: number, still: boolean): Roll {
  const rises = to > shown && !still;
  const ms = rises ? Math.min(LONGEST_MS, Math.max(SHORTEST_MS, (to - shown) * MS_PER_CENT)) : 0;
  return { from: rises ? shown : to, to, began: now, ms };
}

/** Whole cents that are shown at a moment. */
export function shownAt({ from, to, began, ms }: Roll, now: number): number {
  if (ms === 0 || now >= began + ms) return to;
  const part = Math.max(0, (now - began) / ms);
  const eased = 1 - (1 - part) ** 2;
  return Math.min(to, Math.floor(from + (to - from) * eased));
}
