/** Training: what this browser is known by there, and what is asked of the server. */

import { makeClient, Problem } from '../client';
import type { TrainingOffer } from './api';

let token: string | null = null;

const client = makeClient({
  fetch: (...given) => fetch(...given),
  csrf: () => token,
  signedOut: () => undefined,
  waiting: () => undefined,
  keep: () => undefined,
  pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
});

/** What may be learned; the browser is known from then on. */
export async function trainingOffer(): Promise<TrainingOffer> {
  const offer = await client.get<TrainingOffer>('/api/training');
  token = offer.token;
  return offer;
}

export function get<T>(path: string): Promise<T> {
  return client.get<T>(`/api/training/${path}`);
}

/** Sends something; whoever is not known yet, or no longer, is made known first. */
export async function post<T>(path: string, body: object): Promise<T> {
  if (token === null) await trainingOffer();
  try {
    return await client.post<T>(`/api/training/${path}`, body);
  } catch (problem) {
    if (!(problem instanceof Problem) || problem.reason !== 'forged') throw problem;
    await trainingOffer();
    return client.post<T>(`/api/training/${path}`, body);
  }
}

export function learnerPath(learner: string, what = ''): string {
  return `learners/${encodeURIComponent(learner)}${what ? `/${what}` : ''}`;
}

/** Things that are asked for one at a time, with what was refused. */
export class Asking {
  busy = $state(false);
  problem = $state.raw<Problem | null>(null);

  /** The answer; null where it was refused, or where something is under way. */
  async do<T>(ask: () => Promise<T>): Promise<T | null> {
    if (this.busy) return null;
    this.busy = true;
    this.problem = null;
    try {
      return await ask();
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      this.problem = problem;
      return null;
    } finally {
      this.busy = false;
    }
  }

  forget(): void {
    this.problem = null;
  }
}
