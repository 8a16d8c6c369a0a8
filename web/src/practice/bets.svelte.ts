/** Chips on the spots of the own seat: here until they are placed, and remembered for the next round. */

import type { PracticeView } from '../api';
import { CHIPS, withChip, withoutBet, type Wagers } from '../console/steps';

const NAME = 'houseway.practice.bets';
const DRAFT = 'houseway.practice.draft.';

export class Bets {
  chip = $state<number>(CHIPS[1]);
  wagers = $state.raw<Wagers>({});
  /** True while somebody changes bets although the last round is still shown. */
  changing = $state(false);

  #table: string;

  constructor(table: string) {
    this.#table = table;
  }

  put(bet: string): void {
    this.#lay(this.chip === 0 ? withoutBet(this.wagers, bet) : withChip(this.wagers, bet, this.chip));
  }

  takeOff(bet: string): void {
    this.#lay(withoutBet(this.wagers, bet));
  }

  clear(): void {
    this.#lay({});
  }

  usual(view: PracticeView): void {
    this.#lay(Object.fromEntries(view.bets.map((bet) => [bet.code, bet.cents])));
  }

  /** Chips that were laid in this window and never placed, so that a reload takes none of them. */
  draft(view: PracticeView): Wagers | null {
    const found = parsed(() => sessionStorage.getItem(DRAFT + this.#table)) as Wagers | null;
    return found && offered(view, found);
  }

  /** Chips that are placed are the table's to keep. */
  placed(): void {
    try {
      sessionStorage.removeItem(DRAFT + this.#table);
    } catch {
      // Without storage there is nothing to forget.
    }
  }

  /** The bets of the last round of this game on this machine. */
  last(game: string): Wagers | null {
    return read()[game] ?? null;
  }

  same(view: PracticeView): void {
    const last = this.last(view.game);
    if (last) this.#lay(offered(view, last));
  }

  remember(game: string): void {
    try {
      localStorage.setItem(NAME, JSON.stringify({ ...read(), [game]: this.wagers }));
    } catch {
      // Without storage there is nothing to repeat after a reload.
    }
  }

  #lay(wagers: Wagers): void {
    this.wagers = wagers;
    try {
      sessionStorage.setItem(DRAFT + this.#table, JSON.stringify(wagers));
    } catch {
      // Without storage a reload takes the chips off.
    }
  }
}

function read(): Record<string, Wagers> {
  return (parsed(() => localStorage.getItem(NAME)) ?? {}) as Record<string, Wagers>;
}

/** What a store has of something; null where it has nothing that can be read. */
function parsed(stored: () => string | null): unknown {
  try {
    return JSON.parse(stored() ?? 'null');
  } catch {
    return null;
  }
}

function offered(view: PracticeView, wagers: Wagers): Wagers {
  const spots = new Set(view.bets.map((bet) => bet.code));
  return Object.fromEntries(Object.entries(wagers).filter(([bet]) => spots.has(bet)));
}
