/** Which events are looked for, as the address of the page has it. */

export interface Filter {
  stream: string;
  kind: string;
  person: string;
  /** A round of the table whose stream is chosen. */
  round: string;
  /** Only records before this one. */
  before: string;
}

export const NO_FILTER: Filter = { stream: '', kind: '', person: '', round: '', before: '' };
const NUMBERS: (keyof Filter)[] = ['round', 'before'];

/** The filter of an address. */
export function filterOf(search: string): Filter {
  const given = new URLSearchParams(search);
  const found = { ...NO_FILTER };
  for (const name of Object.keys(NO_FILTER) as (keyof Filter)[]) {
    const text = given.get(name) ?? '';
    found[name] = NUMBERS.includes(name) && !/^[1-9]\d{0,17}$/.test(text) ? '' : text;
  }
  return found;
}

/** What is asked of the server; a round only of a table. */
export function asked(filter: Filter): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, text] of Object.entries(filter)) {
    const given = text.trim();
    if (given && !(NUMBERS.includes(name as keyof Filter) && !/^[1-9]\d{0,17}$/.test(given))) query.set(name, given);
  }
  if (!filter.stream.startsWith('table:')) query.delete('round');
  return query;
}
