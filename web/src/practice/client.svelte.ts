/** Practice tables: what this browser is known by there, and changes at a table one after the other. */

import type { PracticeOffer, PracticeView } from '../api';
import { makeClient, Problem } from '../client';
import type { Live } from '../live.svelte';

let offer: PracticeOffer | null = null;

const client = makeClient({
  fetch: (...given) => fetch(...given),
  csrf: () => offer?.token ?? null,
  signedOut: () => undefined,
  waiting: () => undefined,
  keep: () => undefined,
  pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
});

/** What may be chosen; the browser is known from then on. */
export async function practiceOffer(): Promise<PracticeOffer> {
  offer = await client.get<PracticeOffer>('/api/practice');
  return offer;
}

export interface NewTable {
  game: string;
  options: Record<string, string>;
  paytables: Record<string, string>;
  seed: number | null;
  positions: number;
  dealing: 'automatic' | 'person';
}

export function makeTable(asked: NewTable): Promise<PracticeView> {
  return client.post<PracticeView>('/api/practice/tables', asked);
}

export function tablePath(table: string): string {
  return `/api/practice/tables/${encodeURIComponent(table)}`;
}

/** Changes at a table: one at a time, with what was refused. */
export class Changes {
  busy = $state(false);
  problem = $state.raw<Problem | null>(null);

  /** The last change that is under way, and when all of them are done. */
  #asked = '';
  #turn: Promise<unknown> = Promise.resolve();

  constructor(
    readonly table: string,
    readonly live: Live<PracticeView>,
  ) {}

  /** Does a change once those before are done; the same one pressed twice is done once. */
  do(what: string, body: object = {}): Promise<boolean> {
    const asked = what + JSON.stringify(body);
    if (asked === this.#asked) return Promise.resolve(false);
    this.#asked = asked;
    const done = this.#turn.then(() => this.#do(what, body));
    this.#turn = done.then(
      () => this.#rest(asked),
      () => this.#rest(asked),
    );
    return done;
  }

  async #do(what: string, body: object): Promise<boolean> {
    this.busy = true;
    this.problem = null;
    try {
      this.live.show(await this.#sent(what, body));
      return true;
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      this.problem = problem;
      // What was pressed may no longer be what there is.
      await this.live.refresh();
      return false;
    } finally {
      this.busy = false;
    }
  }

  #rest(asked: string): void {
    if (this.#asked === asked) this.#asked = '';
  }

  async #sent(what: string, body: object): Promise<PracticeView> {
    const path = `${tablePath(this.table)}/${what}`;
    try {
      return await client.post<PracticeView>(path, body);
    } catch (problem) {
      if (!(problem instanceof Problem) || problem.reason !== 'forged') throw problem;
      // A server that was started anew knows this browser by another token.
      await practiceOffer();
      return client.post<PracticeView>(path, body);
    }
  }

  forget(): void {
    this.problem = null;
  }
}
