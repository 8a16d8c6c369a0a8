/** Rules in an address, such as `?paytable=pair-plus=A&option=tie_rule=push`. */

export interface Rules {
  options: Record<string, string>;
  paytables: Record<string, string>;
}

/** Something that a house decides: its name, what it means, and what it may be. */
export interface HouseOption {
  option: string;
  text: string;
  source: string;
  default: string;
  values: string[];
  /** True where the values are no list, and one is written. */
  open: boolean;
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

/** What was chosen with one option more, or one less where it is the usual or nothing. */
export function withOption(chosen: Record<string, string>, name: string, value: string, usual: string): Record<string, string> {
  const { [name]: _, ...others } = chosen;
  return value.trim() === '' || value === usual ? others : { ...others, [name]: value };
}
