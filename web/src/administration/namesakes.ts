/** Who is known by a name already, so that a new card is not taken for somebody else's. */

import type { AdminPerson } from '../api';

export interface Namesake {
  person: string;
  name: string;
  /** One of the cards, by which the person is named to the floor. */
  card: string;
  /** All of them, as people read them. */
  cards: string;
}

/** A name as the floor compares it: in other letters or with other spaces it is the same. */
function knownAs(name: string): string {
  return name.normalize('NFKC').split(/\s+/).filter(Boolean).join(' ').toUpperCase().toLowerCase();
}

/** The people of a name, each once with all cards. */
export function namesakes(people: AdminPerson[], name: string): Namesake[] {
  const wanted = knownAs(name);
  if (!wanted) return [];
  const ids = new Set(people.filter((one) => knownAs(one.name) === wanted).map((one) => one.person));
  return [...ids].map((person) => {
    const held = people.filter((one) => one.person === person);
    const cards = held.map((one) => one.card);
    return { person, name: held[0]?.name ?? '', card: cards[0] ?? '', cards: cards.join(', ') };
  });
}
