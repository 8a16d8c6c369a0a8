/** Practice tables: what this browser is known by there, and changes at a table one after the other. */

import type { MakePracticeTable, PracticeOffer, PracticeView } from '../api';
import { anybody } from '../anybody';
import { Problem } from '../client';
import type { Live } from '../live.svelte';

const { offer, post } = anybody<PracticeOffer>('/api/practice');
export { offer as practiceOffer };

export function makeTable(asked: MakePracticeTable): Promise<PracticeView> {
  return post<PracticeView>('tables', asked);
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
      this.live.show(await post<PracticeView>(`tables/${encodeURIComponent(this.table)}/${what}`, body));
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

  forget(): void {
    this.problem = null;
  }
}
