/**
 * Requests of pages for anybody: nobody signs in, and a browser is known by a cookie of its own. What
 * may be chosen tells the page its token; a server that was started anew knows it by another.
 */

import { during } from './busy';
import { makeClient, Problem } from './client';

export interface Anybody<Offer> {
  /** What may be chosen; the browser is known from then on. */
  offer(): Promise<Offer>;
  get<T>(path: string): Promise<T>;
  /** Sends something; whoever is not known yet, or no longer, is made known first. */
  post<T>(path: string, body: object): Promise<T>;
}

/** The requests below a path, such as `/api/practice`. */
export function anybody<Offer extends { token: string }>(root: string): Anybody<Offer> {
  let token: string | null = null;
  const client = makeClient({
    fetch: (...given) => fetch(...given),
    csrf: () => token,
    signedOut: () => undefined,
    waiting: () => undefined,
    keep: () => undefined,
    pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    during,
  });

  async function offer(): Promise<Offer> {
    const found = await client.get<Offer>(root);
    token = found.token;
    return found;
  }

  return {
    offer,
    get: (path) => client.get(`${root}/${path}`),
    async post(path, body) {
      if (token === null) await offer();
      try {
        return await client.post(`${root}/${path}`, body);
      } catch (problem) {
        if (!(problem instanceof Problem) || problem.reason !== 'forged') throw problem;
        await offer();
        return client.post(`${root}/${path}`, body);
      }
    },
  };
}
