/** Sending commands from a screen: one touch at a time, with what came of it. */

import { Problem, type Extra } from './client';
import type { Step } from './console/steps';
import { session } from './session.svelte';

export class Acting {
  busy = $state(false);
  problem = $state.raw<Problem | null>(null);

  #after: () => Promise<unknown>;
  /** What is under way, and the last of those that wait for it. */
  #under: Promise<unknown> = Promise.resolve();
  #turn: Promise<unknown> = Promise.resolve();

  /** `after` is awaited before the next touch, so that nobody presses what was there before. */
  constructor(after: () => Promise<unknown> = async () => undefined) {
    this.#after = after;
  }

  /** Does steps once those before are done: for touches that mean the same whatever came before. */
  inTurn(steps: Step[]): Promise<boolean> {
    const done = this.#turn.then(async () => {
      while (this.busy) await this.#under;
      return this.run(steps);
    });
    this.#turn = done.catch(() => undefined);
    return done;
  }

  /** Does steps in turn and stops at the first that is refused; true when all are done. */
  async run(steps: Step[], extra: Extra = {}): Promise<boolean> {
    if (this.busy) return false;
    const done = this.#do(steps, extra);
    this.#under = done;
    return done;
  }

  async #do(steps: Step[], extra: Extra): Promise<boolean> {
    this.busy = true;
    this.problem = null;
    try {
      for (const step of steps) {
        const beside = step.expects ? { ...extra, expects: step.expects } : extra;
        await session.client.command(step.name, step.arguments, beside);
      }
      return true;
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      this.problem = problem;
      return false;
    } finally {
      await this.#after();
      this.busy = false;
    }
  }

  forget(): void {
    this.problem = null;
  }
}
