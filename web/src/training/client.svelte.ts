/** Training: what this browser is known by there, and what is asked of the server. */

import { anybody } from '../anybody';
import { Problem } from '../client';
import type { TrainingOffer } from '../api';

export const { offer: trainingOffer, get, post } = anybody<TrainingOffer>('/api/training');

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
