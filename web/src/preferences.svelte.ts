/** How somebody wants the screens on this machine: kept by the browser, sent nowhere. */

export type Theme = 'system' | 'light' | 'dark';

interface Kept {
  theme: Theme;
  /** A colour for each suit. */
  fourColours: boolean;
  /** Shortcuts of one key, which get in the way of some who speak to their machine. */
  shortcuts: boolean;
  /** Position 1 at the left instead of the right. */
  firstAtLeft: boolean;
}

const NAME = 'houseway.preferences';
const USUAL: Kept = { theme: 'system', fourColours: false, shortcuts: true, firstAtLeft: false };

function read(): Kept {
  try {
    return { ...USUAL, ...(JSON.parse(localStorage.getItem(NAME) ?? '{}') as Partial<Kept>) };
  } catch {
    return USUAL;
  }
}

class Preferences {
  #kept = $state<Kept>(read());

  get theme() {
    return this.#kept.theme;
  }
  /** Whether it is dark now. */
  get dark() {
    return this.theme === 'dark' || (this.theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  }
  get fourColours() {
    return this.#kept.fourColours;
  }
  get shortcuts() {
    return this.#kept.shortcuts;
  }
  get firstAtLeft() {
    return this.#kept.firstAtLeft;
  }

  set(changes: Partial<Kept>): void {
    Object.assign(this.#kept, changes);
    try {
      localStorage.setItem(NAME, JSON.stringify(this.#kept));
    } catch {
      // A browser that keeps nothing shows it until the page is left.
    }
    this.apply();
  }

  /** The theme is an attribute of the page, so that one stylesheet does for all three. */
  apply(): void {
    document.documentElement.dataset['theme'] = this.#kept.theme;
  }
}

export const preferences = new Preferences();
