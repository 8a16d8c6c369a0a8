/** The studio's requests: what takes time is a task, asked for again until it is done. */

import { makeClient, Problem } from '../client';
import type { Draft, StudioOffer, TaskState } from './shapes';

let token: string | null = null;

const client = makeClient({
  fetch: (...given) => fetch(...given),
  csrf: () => token,
  signedOut: () => undefined,
  waiting: () => undefined,
  keep: () => undefined,
  pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
});

/** What may be chosen; the browser is known from then on. */
export async function studioOffer(): Promise<StudioOffer> {
  const offer = await client.get<StudioOffer>('/api/studio');
  token = offer.token;
  return offer;
}

async function post<T>(path: string, body: unknown): Promise<T> {
  try {
    return await client.post<T>(path, body);
  } catch (problem) {
    if (!(problem instanceof Problem) || problem.reason !== 'forged') throw problem;
    // A server that was started anew knows this browser by another token.
    await studioOffer();
    return client.post<T>(path, body);
  }
}

/** Something the studio does: what is known of it so far, and what went wrong. */
export class Asking<T, K = T> {
  busy = $state(false);
  known = $state.raw<T | K | null>(null);
  result = $state.raw<T | null>(null);
  problem = $state.raw<Problem | null>(null);
  /** True while what is known belongs to something asked before, also when the problem was read and put away. */
  failed = $state(false);
  task = 0;
  #turn = 0;

  /** Asks anew; what was asked before is no longer heard. Resolves with true when it is done. */
  async ask(what: string, body: unknown): Promise<boolean> {
    const turn = ++this.#turn;
    this.busy = true;
    this.problem = null;
    this.failed = false;
    try {
      let state = await post<TaskState<T | K>>(`/api/studio/${what}`, body);
      for (;;) {
        if (turn !== this.#turn) return false;
        this.task = state.task;
        if (state.known !== null) this.known = state.known;
        if (state.done) break;
        state = await client.get<TaskState<T | K>>(`/api/studio/tasks/${state.task}?seen=${state.version}`);
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
    if (this.task) await post(`/api/studio/tasks/${this.task}/stop`, {}).catch(() => undefined);
  }

  forget(): void {
    this.problem = null;
  }
}

/** The draft of a file that somebody was given. */
export function readFile(text: string): Promise<Draft> {
  return post<Draft>('/api/studio/import', { text });
}

/** Where the file of a task is. */
export function fileOf(task: number): string {
  return `/api/studio/tasks/${task}/file`;
}
