/** The studio's requests: what takes time is a task, asked for again until it is done. */

import { anybody } from '../anybody';
import { Problem } from '../client';
import type { Draft, StudioOffer, TaskState } from '../api';

const { offer, get, post } = anybody<StudioOffer>('/api/studio');
export { offer as studioOffer };

/** Something the studio does: what is known of it so far, and what went wrong. */
export class Asking<T, K = T> {
  busy = $state(false);
  known = $state.raw<T | K | null>(null);
  result = $state.raw<T | null>(null);
  problem = $state.raw<Problem | null>(null);
  /** True while what is known belongs to something asked before, also when the problem was read and put away. */
  failed = $state(false);
  /** What it was asked of, as the asker writes it down. */
  about = $state('');
  task = 0;
  #turn = 0;

  /** Asks anew; what was asked before is no longer heard. Resolves with true when it is done. */
  async ask(what: string, body: object): Promise<boolean> {
    const turn = ++this.#turn;
    this.busy = true;
    this.problem = null;
    this.failed = false;
    try {
      let state = await post<TaskState<T | K>>(what, body);
      for (;;) {
        if (turn !== this.#turn) return false;
        this.task = state.task;
        if (state.known !== null) this.known = state.known;
        if (state.done) break;
        state = await get<TaskState<T | K>>(`tasks/${state.task}?seen=${state.version}`);
      }
      this.result = state.known as T;
      return true;
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      if (turn === this.#turn) {
        this.problem = problem;
        this.failed = true;
      }
      return false;
    } finally {
      if (turn === this.#turn) this.busy = false;
    }
  }

  /** Stops what is under way. */
  async stop(): Promise<void> {
    this.#turn++;
    this.busy = false;
    if (this.task) await post(`tasks/${this.task}/stop`, {}).catch(() => undefined);
  }

  forget(): void {
    this.problem = null;
  }
}

/** The draft of a file that somebody was given. */
export function readFile(text: string): Promise<Draft> {
  return post<Draft>('import', { text });
}

/** Where the file of a task is. */
export function fileOf(task: number): string {
  return `/api/studio/tasks/${task}/file`;
}
