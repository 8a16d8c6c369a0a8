/** Cards by their short names, as the journal writes them: "Qs", "Td". */

export const RANKS = ['2', '3', '4', '5', '6', '7', '8', '9', 'T', 'J', 'Q', 'K', 'A'] as const;
export const SUITS = ['c', 'd', 'h', 's'] as const;
export const FACE_DOWN = '??';

const RANK_NAMES: Record<string, string> = {
  '2': 'Deuce',
  '3': 'Three',
  '4': 'Four',
  '5': 'Five',
  '6': 'Six',
  '7': 'Seven',
  '8': 'Eight',
  '9': 'Nine',
  T: 'Ten',
  J: 'Jack',
  Q: 'Queen',
  K: 'King',
  A: 'Ace',
};
const SUIT_NAMES: Record<string, string> = { c: 'clubs', d: 'diamonds', h: 'hearts', s: 'spades' };

/** "Queen of spades". */
export function cardName(card: string): string {
  const rank = RANK_NAMES[card[0] ?? ''];
  const suit = SUIT_NAMES[card[1] ?? ''];
  return card.length === 2 && rank && suit ? `${rank} of ${suit}` : 'Card face down';
}

/** All 52 cards, Aces first in each suit, as people look for them. */
export function deck(): string[] {
  return [...SUITS].reverse().flatMap((suit) => [...RANKS].reverse().map((rank) => rank + suit));
}

/** The cards of a text like "Qs Td 2c" or "QsTd2c"; null where something is no card or comes twice. */
export function readCards(text: string): string[] | null {
  const found = text.replaceAll(/[\s,]+/g, '').match(/../g) ?? [];
  const cards = found.map((pair) => (pair[0] ?? '').toUpperCase() + (pair[1] ?? '').toLowerCase());
  const known = new Set(deck());
  const odd = text.replaceAll(/[\s,]+/g, '').length % 2 === 1;
  return odd || cards.some((card) => !known.has(card)) || new Set(cards).size < cards.length ? null : cards;
}
