/**
 * Bets as they are put down. A touch shows at once and is sent when the dealer's hand has rested a
 * moment, or before anything else is done, so that one line has all bets of a position.
 */

import type { Console, SeatView } from '../api';
import type { Acting } from '../acting.svelte';
import type { Problem } from '../client';
import { betsStep, withChip, withoutBet, type Wagers } from './steps';

const REST_MS = 700;

interface Draft {
  wagers: Wagers;
  player: string;
}

export class Felt {
  drafts = $state<Record<number, Draft>>({});
  /** Why the bets of a position were not taken. */
  refused = $state.raw<Record<number, Problem>>({});
  /** The chip that a touch puts down, in cents; 0 clears. */
  chip = $state(500);

  #view: () => Console | null;
  #acting: Acting;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #sending: Promise<boolean> | null = null;

  constructor(view: () => Console | null, acting: Acting) {
    this.#view = view;
    this.#acting = acting;
  }

  at(position: number): Draft {
    const seat = this.#seat(position);
    return this.drafts[position] ?? { wagers: seat?.wagers ?? {}, player: seat?.player ?? '' };
  }

  isDraft(position: number): boolean {
    return position in this.drafts;
  }

  /** A touch on a spot, with the chip or the clear that is chosen. */
  touch(position: number, bet: string): void {
    const { wagers } = this.at(position);
    this.#change(position, this.chip ? withChip(wagers, bet, this.chip) : withoutBet(wagers, bet));
  }

  clear(position: number, bet: string): void {
    this.#change(position, withoutBet(this.at(position).wagers, bet));
  }

  clearPosition(position: number): void {
    this.#change(position, {});
  }

  /** The progressive is one wager that is there or not. */
  light(position: number): void {
    const { wagers } = this.at(position);
    const cents = this.#view()?.bets.find((bet) => bet.code === 'progressive')?.cents ?? 100;
    this.#change(position, wagers['progressive'] ? withoutBet(wagers, 'progressive') : { ...wagers, progressive: cents });
  }

  name(position: number, player: string): void {
    this.#change(position, this.at(position).wagers, player);
  }

  /** Puts the bets of the round before on positions that have none. */
  repeat(): void {
    const view = this.#view();
    if (!view) return;
    for (const { position, player, wagers } of readLast(view.table)) {
      const there = this.at(position);
      if (position <= view.positions && !Object.keys(there.wagers).length) this.#change(position, wagers, there.player || player);
    }
  }

  canRepeat(table: string): boolean {
    return readLast(table).length > 0;
  }

  /** Keeps the bets of a round, for the next one. */
  remember(view: Console): void {
    const kept = (view.round?.positions ?? []).map(({ position, player, wagers }) => ({ position, player, wagers }));
    try {
      localStorage.setItem(nameOf(view.table), JSON.stringify(kept));
    } catch {
      // Without storage nothing can be repeated.
    }
  }

  /** Sends what is not yet sent; true when all of it was taken. */
  async flush(): Promise<boolean> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#sending) await this.#sending;
    this.#sending = this.#send();
    const done = await this.#sending;
    this.#sending = null;
    return done;
  }

  async #send(): Promise<boolean> {
    let all = true;
    for (const position of Object.keys(this.drafts).map(Number)) {
      const view = this.#view();
      const draft = this.drafts[position];
      if (!view || !draft || position in this.refused) {
        all &&= !(position in this.refused);
        continue;
      }
      while (this.#acting.busy) await new Promise((resolve) => setTimeout(resolve, 30));
      const done = await this.#acting.run([betsStep(view, position, draft.player, draft.wagers)]);
      if (!done && this.#acting.problem) {
        this.refused = { ...this.refused, [position]: this.#acting.problem };
        this.#acting.forget();
        all = false;
      } else if (this.drafts[position] === draft) {
        delete this.drafts[position];
      }
    }
    return all;
  }

  #change(position: number, wagers: Wagers, player = this.at(position).player): void {
    this.drafts[position] = { wagers, player };
    this.refused = Object.fromEntries(Object.entries(this.refused).filter(([at]) => Number(at) !== position));
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), REST_MS);
  }

  /** Drafts of a phase that is over are of no use. */
  forget(): void {
    this.drafts = {};
    this.refused = {};
  }

  #seat(position: number): SeatView | undefined {
    return this.#view()?.round?.positions.find((seat) => seat.position === position);
  }
}

function nameOf(table: string): string {
  return `houseway.bets.${table}`;
}

function readLast(table: string): { position: number; player: string; wagers: Wagers }[] {
  try {
    return JSON.parse(localStorage.getItem(nameOf(table)) ?? '[]') as { position: number; player: string; wagers: Wagers }[];
  } catch {
    return [];
  }
}
