/**
 * Writes the pictures of the cards: 52 and a back, 26 for those who want a colour for each suit,
 * and one file with the signs of ranks and suits for cards that are shown small.
 *
 * The drawings are in the public domain (CC0). We take the address and the emblem off the ace of
 * spades, give every picture a name, and use colours of our own.
 */

import * as pictures from '@letele/playing-cards';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { cardName, RANKS, SUITS } from '../src/card';

const OUT = '.made/public/cards';
const RED = '#c1121f';
const BACK = '#24503f';
/** Hearts and spades keep their colours. */
const FOUR_COLOURS: Record<string, [from: string, to: string]> = {
  d: [RED, '#0b5cad'],
  c: ['#000', '#0d7033'],
};

const deck = { ...pictures } as Record<string, () => unknown>;

function drawn(component: string): string {
  const found = deck[component];
  if (!found) throw new Error(`the deck has no ${component}`);
  return renderToStaticMarkup(createElement(found));
}

function named(svg: string, name: string): string {
  return svg
    .replace(/ class="[^"]*"/, ` role="img" aria-label="${name}"`)
    .replaceAll(/[A-Z]-[0-9A-Z]+_svg__/g, '')
    .replaceAll('xlink:href', 'href')
    .replace(/ xmlns:xlink="[^"]*"/, '');
}

/** The picture of a card; its component is called after suit and rank: "Sq", "D10". */
function picture(rank: string, suit: string): string {
  const sign = rank === 'T' ? '10' : rank.toLowerCase();
  return named(drawn(suit.toUpperCase() + sign), cardName(rank + suit))
    .replaceAll(/<text.*?<\/text>/g, '')
    .replace(/<path fill="#fff" d="m0-34[^>]*><\/path>/, '')
    .replaceAll('"red"', `"${RED}"`);
}

/** Which symbols of a picture are its rank and its suit, by their heights in the corner. */
function index(svg: string): { rank: string; suit: string } {
  const [rank, suit] = ['32', '26.769'].map((height) => svg.match(new RegExp(`<use href="#(\\w+)" height="${height}"`))?.[1]);
  if (!rank || !suit) throw new Error('a picture has no index');
  return { rank, suit };
}

/** The signs of a picture in another colour: the pips and the index, and nothing of a court's dress. */
function recoloured(svg: string, from: string, to: string): string {
  const { rank, suit } = index(svg);
  return svg.replaceAll(new RegExp(`<symbol id="(?:${rank}|${suit})".*?</symbol>`, 'g'), (symbol) => {
    const painted = symbol.replaceAll(`"${from}"`, `"${to}"`);
    // A path without a fill is black.
    return from === '#000' ? painted.replaceAll(/<path d="([^"]*)"><\/path>/g, `<path d="$1" fill="${to}"></path>`) : painted;
  });
}

/** One sign of a picture, in whatever colour the text has. */
function sign(svg: string, id: string, name: string): string {
  const symbol = svg.match(new RegExp(`<symbol id="${id}".*?</symbol>`))?.[0];
  if (!symbol) throw new Error(`a picture has no symbol ${id}`);
  const coloured = symbol.replaceAll(/(fill|stroke)="(?:#000|#c1121f)"/g, '$1="currentColor"');
  const filled = coloured.replaceAll(/<path d="([^"]*)"><\/path>/g, '<path d="$1" fill="currentColor"></path>');
  // Shown small, thin strokes get lost.
  const bold = filled.replaceAll('stroke-width="80"', 'stroke-width="130"');
  return bold.replace(/id="[^"]*"/, `id="${name}"`).replace('xMinYMid', 'xMidYMid');
}

mkdirSync(join(OUT, 'four'), { recursive: true });
for (const suit of SUITS) {
  for (const rank of RANKS) {
    const svg = picture(rank, suit);
    writeFileSync(join(OUT, `${rank}${suit}.svg`), svg);
    const colours = FOUR_COLOURS[suit];
    if (colours) writeFileSync(join(OUT, 'four', `${rank}${suit}.svg`), recoloured(svg, ...colours));
  }
}

const back = named(drawn('B1'), 'Card face down').replace('<path d="m3 0 3 3-3 3-3-3Z">', `<path fill="${BACK}" d="m3 0 3 3-3 3-3-3Z">`);
writeFileSync(join(OUT, 'back.svg'), back);

const signs = [
  ...RANKS.map((rank) => {
    const svg = picture(rank, 's');
    return sign(svg, index(svg).rank, rank);
  }),
  ...SUITS.map((suit) => {
    const svg = picture('2', suit);
    return sign(svg, index(svg).suit, suit);
  }),
];
writeFileSync(join(OUT, 'signs.svg'), `<svg xmlns="http://www.w3.org/2000/svg">${signs.join('')}</svg>`);
