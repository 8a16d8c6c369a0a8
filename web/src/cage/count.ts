/** Counts by denomination. */

import type { Count } from '../api';

/** What a count comes to, in cents. */
export function totalOf(count: Count): number {
  return Object.entries(count).reduce((sum, [worth, pieces]) => sum + Number(worth) * pieces, 0);
}

/** A count without what there is none of. */
export function counted(count: Count): Count {
  return Object.fromEntries(Object.entries(count).filter(([, pieces]) => pieces > 0));
}
