/**
 * Requests to the server. A command has its key before the first try and keeps it until an answer
 * comes, so that trying again never does a thing twice.
 */

import type { Answer, CommandBody, CommandName, Commands, Refusal, Versions } from './api';
import { words } from './words';

const PAUSES_MS = [400, 1000, 2000, 4000, 8000];
/** A command is tried again with its key, so it is given up soon. */
const COMMAND_PATIENCE_MS = 10_000;
/** Nothing else is tried again, and a long report on a busy machine takes its time. */
const PATIENCE_MS = 120_000;

/** What went wrong, in words for the one who pressed. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly reason: string,
    message: string,
    readonly clause: string | null = null,
  ) {
    super(message);
  }

  /** True when nobody knows whether it was done: no answer came, or none that says. */
  get open(): boolean {
    return this.status === 0 || this.status >= 500;
  }
}

/** Random enough that no two commands ever share one; also where a page is not served by TLS. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export interface Client {
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body: unknown): Promise<T>;
  command<N extends CommandName>(name: N, given: Commands[N], extra?: Extra): Promise<Answer>;
}

export interface Extra {
  pin?: string;
  second_pin?: string;
  expects?: Versions;
  /** The key of a command that was sent before and is sent again. */
  key?: string;
}

/** What a client needs of its surroundings; tests have their own. */
export interface Surroundings {
  fetch: typeof fetch;
  csrf(): string | null;
  /** Called when the server no longer knows who is signed in. */
  signedOut(): void;
  /** Called while an answer is waited for that should have come, and with false when it has. */
  waiting(on: boolean): void;
  /** Keeps a command until it is answered, so that it survives a page that is loaded again. */
  keep(body: CommandBody | null): void;
  pause(ms: number): Promise<void>;
  /** Marks the page busy while an answer is waited for. */
  during<T>(work: Promise<T>): Promise<T>;
}

export function makeClient(here: Surroundings): Client {
  async function send<T>(method: 'GET' | 'POST', path: string, body?: unknown, patience = PATIENCE_MS): Promise<T> {
    const headers: Record<string, string> = { Accept: 'application/json' };
    const token = here.csrf();
    if (method === 'POST') {
      headers['Content-Type'] = 'application/json';
      if (token) headers['X-Houseway-Token'] = token;
    }
    let response: Response;
    try {
      response = await here.fetch(path, {
        method,
        headers,
        credentials: 'same-origin',
        cache: 'no-store',
        signal: AbortSignal.timeout(patience),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    } catch {
      throw new Problem(0, 'no_answer', words.errors.noAnswer);
    }
    const data: unknown = await response.json().catch(() => null);
    if (response.ok) return data as T;
    if (response.status === 401) here.signedOut();
    throw refused(response.status, data);
  }

  async function command<N extends CommandName>(name: N, given: Commands[N], extra: Extra = {}): Promise<Answer> {
    const { key = newKey(), ...beside } = extra;
    const body: CommandBody<N> = { name, arguments: given, key, ...beside };
    // A PIN is never kept.
    const kept = !extra.pin && !extra.second_pin;
    if (kept) here.keep(body);
    try {
      for (let tried = 0; ; tried++) {
        try {
          const done = await send<{ answer: Answer }>('POST', '/api/commands', body, COMMAND_PATIENCE_MS);
          if (kept) here.keep(null);
          return done.answer;
        } catch (problem) {
          const pause = PAUSES_MS[tried];
          if (!(problem instanceof Problem) || !problem.open) {
            if (kept) here.keep(null);
            throw problem;
          }
          if (pause === undefined) throw new Problem(problem.status, problem.reason, words.errors.notKnown, problem.clause);
          here.waiting(true);
          await here.pause(pause);
        }
      }
    } finally {
      here.waiting(false);
    }
  }

  return {
    get: (path) => here.during(send('GET', path)),
    post: (path, body) => here.during(send('POST', path, body)),
    command: (name, given, extra) => here.during(command(name, given, extra)),
  };
}

/** The problem of a response; what is no refusal of ours gets words of its own. */
function refused(status: number, data: unknown): Problem {
  const error = (data as { error?: Partial<Refusal> } | null)?.error;
  if (error?.message) return new Problem(status, error.reason ?? '', sentence(error.message), error.clause ?? null);
  const known = words.errors.byStatus[status];
  return new Problem(status, 'unknown', known ?? words.errors.status(status));
}

/** A refusal begins small, because it may stand within a sentence. */
export function sentence(text: string): string {
  const trimmed = text.trim();
  const begun = trimmed.charAt(0).toUpperCase() + trimmed.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
