/** The exact edge of every bet that a table would offer, asked of the studio while rules are chosen. */

import { later } from '../busy';
import { Asking } from '../studio/client.svelte';
import type { Board } from '../api';

const PAUSE_MS = 300;

export interface Rules {
  game: string;
  options: Record<string, string>;
  paytables: Record<string, string>;
}

export class Edges {
  #asking = new Asking<Board>();

  /** Asks for the edges of these rules, soon; the function returned calls it off. */
  ask({ game, options, paytables }: Rules): () => void {
    // A jurisdiction brings limits and dates, and changes no pay.
    const { profile: _, ...played } = options;
    const variant = { name: game, game, options: played, paytables };
    return later(() => void this.#asking.ask('board', { variant }), PAUSE_MS);
  }

  get busy(): boolean {
    return this.#asking.busy;
  }

  /** The edge of the bet that a paytable prices, as a fraction. */
  of(bet: string): string | null {
    if (this.#asking.busy || this.#asking.failed) return null;
    const found = this.#asking.result?.bets.find((one) => one.paytable?.bet === bet);
    return found?.house_edge.exact ?? null;
  }
}
