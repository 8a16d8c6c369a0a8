/** Rules in an address, such as `?paytable=pair-plus=A&option=tie_rule=push`. */

export interface Rules {
  options: Record<string, string>;
  paytables: Record<string, string>;
}

/** What is played differently from the usual rules, as a part of an address; empty for nothing. */
export function rulesQuery({ options, paytables }: Rules): string {
  const pairs = (kind: string, all: Record<string, string>): string[][] => Object.entries(all).map(([name, value]) => [kind, `${name}=${value}`]);
  return new URLSearchParams([...pairs('option', options), ...pairs('paytable', paytables)]).toString();
}

/** What an address says of the rules. */
export function rulesAsked(asked: URLSearchParams): Rules {
  const pairs = (kind: string): Record<string, string> =>
    Object.fromEntries(asked.getAll(kind).map((one) => [one.split('=')[0] ?? '', one.slice(one.indexOf('=') + 1)]));
  return { options: pairs('option'), paytables: pairs('paytable') };
}

/** True where an address says a seed or rules: who comes by it sees them before cards are dealt by them. */
export function isAsked(asked: URLSearchParams): boolean {
  return ['rng_seed', 'option', 'paytable'].some((name) => asked.has(name));
}

/** Of what was chosen for any game, what is offered for this one; and what is played anyway, offered or not. */
export function chosenOf(chosen: Record<string, string>, offered: string[], anyway: Record<string, string> = {}): Record<string, string> {
  const only = (all: Record<string, string>, kept: (name: string) => boolean) => Object.entries(all).filter(([name]) => kept(name));
  return Object.fromEntries([...only(anyway, (name) => !offered.includes(name)), ...only(chosen, (name) => offered.includes(name))]);
}

/** Bits of a seed: of a practice table, and of a course of training. */
export const PRACTICE_BITS = 64;
export const TRAINING_BITS = 53;

/** True for a seed of at most so many bits, and where none is typed. */
export function isSeed(text: string, bits: number): boolean {
  return text.trim() === '' || (/^\d{1,20}$/.test(text.trim()) && BigInt(text) < 1n << BigInt(bits));
}

/** What was chosen with one option more, or one less where it is the usual or nothing. */
export function withOption(chosen: Record<string, string>, name: string, value: string, usual: string): Record<string, string> {
  const { [name]: _, ...others } = chosen;
  return value.trim() === '' || value === usual ? others : { ...others, [name]: value };
}
