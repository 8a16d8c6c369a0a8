/** Who is signed in, the client that speaks for them, and what the header tells of both. */

import type { CommandBody, Games, Me, Role, SetUp, SignIn } from './api';
import { during } from './busy';
import { makeClient, Problem } from './client';
import { knowGames } from './games';
import { router } from './router.svelte';

const UNANSWERED = 'houseway.unanswered';

class Session {
  me = $state.raw<Me | null>(null);
  /** True while a command waits longer than it should. */
  waiting = $state(false);
  /** A command that was sent before the page was loaded again, and never answered. */
  unanswered = $state.raw<CommandBody | null>(readKept());
  problem = $state.raw<Problem | null>(null);

  readonly client = makeClient({
    fetch: (...given) => fetch(...given),
    csrf: () => this.me?.csrf ?? null,
    signedOut: () => this.#forget(),
    waiting: (on) => (this.waiting = on),
    keep,
    pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    during,
  });

  get person() {
    return this.me?.person ?? null;
  }

  is(...roles: Role[]): boolean {
    return this.person !== null && roles.includes(this.person.role);
  }

  async load(): Promise<void> {
    try {
      const [me, { games }] = await Promise.all([this.client.get<Me>('/api/me'), this.client.get<Games>('/api/games')]);
      knowGames(games);
      this.me = me;
      this.problem = null;
    } catch (problem) {
      this.problem = problem as Problem;
    }
  }

  /** Signs in; where a second factor is missing, says which. */
  async signIn(given: SignIn): Promise<Me['second_factor']> {
    this.me = await this.client.post<Me>('/api/sign-in', given);
    return this.me.second_factor;
  }

  async setup(given: SetUp): Promise<void> {
    this.me = await this.client.post<Me>('/api/setup', given);
  }

  async signOut(): Promise<void> {
    await this.client.post('/api/sign-out', {}).catch(() => undefined);
    this.#forget();
    await this.load();
  }

  /** Sends the unanswered command again, with its key. */
  async sendAgain(): Promise<void> {
    const body = this.unanswered;
    if (!body) return;
    this.unanswered = null;
    await this.client.command(body.name, body.arguments, { key: body.key, ...(body.expects ? { expects: body.expects } : {}) });
  }

  forgetUnanswered(): void {
    this.unanswered = null;
    keep(null);
  }

  #forget(): void {
    if (!this.me) return;
    this.me = { ...this.me, person: null };
    const path = location.pathname;
    if (path !== '/sign-in') router.go(path === '/' ? '/sign-in' : `/sign-in?then=${encodeURIComponent(path + location.search)}`, true);
  }
}

function keep(body: CommandBody | null): void {
  try {
    if (body) sessionStorage.setItem(UNANSWERED, JSON.stringify(body));
    else sessionStorage.removeItem(UNANSWERED);
  } catch {
    // Without storage a command is only as safe as the page.
  }
}

function readKept(): CommandBody | null {
  try {
    return JSON.parse(sessionStorage.getItem(UNANSWERED) ?? 'null') as CommandBody | null;
  } catch {
    return null;
  }
}

export const session = new Session();
