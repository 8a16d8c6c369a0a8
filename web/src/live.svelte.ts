/**
 * A view that follows the floor. The server sends the whole view whenever it changes, so whoever
 * comes back after a lost connection sees the present state and has missed nothing.
 */

import { Problem } from './client';
import { session } from './session.svelte';
import { offset } from './time';

const LOST_AFTER_MS = 2500;
const AGAIN_AFTER_MS = 3000;
/** A connection that has died may look open: without news for so long, we ask. */
const QUIET_MS = 20_000;

export class Live<V extends object> {
  view = $state.raw<V | null>(null);
  problem = $state.raw<Problem | null>(null);
  /** True while nothing is heard of the server: what is shown may be old. */
  lost = $state(false);
  /** How far the clock of the server is ahead of ours, in milliseconds. */
  ahead = $state(0);

  #path: string;
  #topic: string;
  #source: EventSource | null = null;
  #heard = 0;
  #timers = new Set<ReturnType<typeof setTimeout>>();
  #lostTimer: ReturnType<typeof setTimeout> | null = null;
  #stopped = true;

  constructor(path: string, topic: string) {
    this.#path = path;
    this.#topic = topic;
  }

  /** Follows until the function that is returned is called. */
  start(): () => void {
    this.#stopped = false;
    void this.refresh();
    this.#open();
    const watch = setInterval(() => {
      if (Date.now() - this.#heard > QUIET_MS) void this.refresh();
    }, QUIET_MS / 2);
    return () => {
      this.#stopped = true;
      this.#source?.close();
      clearInterval(watch);
      this.#timers.forEach(clearTimeout);
      this.#timers.clear();
    };
  }

  /** Asks for the view, as after a command; what came in the meantime is newer and stays. */
  async refresh(): Promise<void> {
    const before = this.#heard;
    try {
      const found = await session.client.get<V>(this.#path);
      if (this.#heard === before || isNewer(found, this.view)) this.#take(found);
      this.#found();
    } catch (problem) {
      if (this.#stopped) return;
      if (problem instanceof Problem && !problem.open) this.problem = problem;
      else this.#missed();
    }
  }

  /** Takes a view that came as the answer of a change, unless a newer one is here already. */
  show(found: V): void {
    if (!isNewer(this.view, found)) this.#take(found);
    this.#found();
  }

  #open(): void {
    if (this.#stopped) return;
    const source = new EventSource(`/api/live?topic=${encodeURIComponent(this.#topic)}`);
    this.#source = source;
    source.addEventListener('open', () => {
      this.#found();
    });
    source.addEventListener(this.#topic, (event) => {
      const found = JSON.parse((event as MessageEvent<string>).data) as V;
      if (!isNewer(this.view, found)) this.#take(found);
      this.#found();
    });
    source.addEventListener('error', () => {
      this.#missed();
      // A browser tries again by itself, but not after an answer that is no stream.
      if (source.readyState === EventSource.CLOSED) {
        this.#later(() => {
          void this.refresh();
          this.#open();
        }, AGAIN_AFTER_MS);
      }
    });
  }

  #take(found: V): void {
    this.#heard = Date.now();
    this.view = found;
    this.problem = null;
    if ('now' in found && typeof found.now === 'string') this.ahead = offset(found.now, Date.now());
  }

  #found(): void {
    this.#heard = Date.now();
    this.lost = false;
    if (this.#lostTimer) clearTimeout(this.#lostTimer);
    this.#lostTimer = null;
  }

  /** A short break is not worth a word. */
  #missed(): void {
    if (this.#lostTimer || this.#stopped) return;
    this.#lostTimer = this.#later(() => (this.lost = true), LOST_AFTER_MS);
  }

  #later(what: () => void, ms: number): ReturnType<typeof setTimeout> {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      if (!this.#stopped) what();
    }, ms);
    this.#timers.add(timer);
    return timer;
  }
}

/** True when one view is surely of a later version than another; most have no version. */
function isNewer(one: object | null, other: object | null): boolean {
  const [a, b] = [one, other].map((view) => (view && 'version' in view && typeof view.version === 'number' ? view.version : null));
  return a !== null && b !== null && a !== undefined && b !== undefined && a > b;
}
