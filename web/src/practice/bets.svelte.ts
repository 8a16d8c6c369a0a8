/** Chips on the spots of the own seat: here until they are placed, and remembered for the next round. */

import type { PracticeView } from '../api';
import { CHIPS, withChip, withoutBet, type Wagers } from '../console/steps';

const NAME = 'houseway.practice.bets';

export class Bets {
  chip = $state<number>(CHIPS[1]);
  wagers = $state.raw<Wagers>({});
  /** True while somebody changes bets although the last round is still shown. */
  changing = $state(false);

  put(bet: string): void {
    this.wagers = this.chip === 0 ? withoutBet(this.wagers, bet) : withChip(this.wagers, bet, this.chip);
  }

  takeOff(bet: string): void {
    this.wagers = withoutBet(this.wagers, bet);
  }

  clear(): void {
    this.wagers = {};
  }

  usual(view: PracticeView): void {
    this.wagers = Object.fromEntries(view.bets.map((bet) => [bet.code, bet.cents]));
  }

  /** The bets of the last round of this game on this machine. */
  last(game: string): Wagers | null {
    return read()[game] ?? null;
  }

  same(view: PracticeView): void {
    const last = this.last(view.game);
    const offered = new Set(view.bets.map((bet) => bet.code));
    if (last) this.wagers = Object.fromEntries(Object.entries(last).filter(([bet]) => offered.has(bet)));
  }

  remember(game: string): void {
    try {
      localStorage.setItem(NAME, JSON.stringify({ ...read(), [game]: this.wagers }));
    } catch {
      // Without storage there is nothing to repeat after a reload.
    }
  }
}

function read(): Record<string, Wagers> {
  try {
    return JSON.parse(localStorage.getItem(NAME) ?? '{}') as Record<string, Wagers>;
  } catch {
    return {};
  }
}
