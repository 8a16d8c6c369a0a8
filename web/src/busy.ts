/**
 * The page's busy mark. While anything the page began is under way (a request, a screen that loads,
 * the focus on its way to a new title) the root element carries `data-busy`. Whoever drives the page
 * from outside waits until the mark is gone before it presses a key.
 */

import { tick } from 'svelte';

const MARK = 'data-busy';
let underWay = 0;

/** Marks the page busy until the work is done, whatever comes of it. */
export async function during<T>(work: Promise<T>): Promise<T> {
  underWay += 1;
  document.documentElement.setAttribute(MARK, '');
  try {
    return await work;
  } finally {
    underWay -= 1;
    void settle();
  }
}

/** Does something later, and keeps the page busy until then; the function returned calls it off. */
export function later(what: () => void, ms: number): () => void {
  let stop = (): void => undefined;
  void during(
    new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        resolve();
        what();
      }, ms);
      stop = () => {
        clearTimeout(timer);
        resolve();
      };
    }),
  );
  return () => stop();
}

/** Takes the mark away once what was answered is drawn, and the focus is where the page puts it. */
async function settle(): Promise<void> {
  // Callers go on in microtasks, and some move the focus in a task of their own.
  for (let turn = 0; turn < 2; turn++) {
    await tick();
    await new Promise((resolve) => setTimeout(resolve));
  }
  if (!underWay) document.documentElement.removeAttribute(MARK);
}
