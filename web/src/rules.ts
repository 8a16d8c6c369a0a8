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

/** Of what was chosen for any game, what is offered for this one; on top of what is played anyway. */
export function chosenOf(chosen: Record<string, string>, offered: string[], anyway: Record<string, string> = {}): Record<string, string> {
  return { ...anyway, ...Object.fromEntries(Object.entries(chosen).filter(([name]) => offered.includes(name))) };
}

/** True for a seed that can be typed, and for none. */
export function isSeed(text: string): boolean {
  return text.trim() === '' || (/^\d{1,16}$/.test(text.trim()) && Number(text) <= Number.MAX_SAFE_INTEGER);
}
