import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MeterPoints } from '../src/api';
import { cardsOf, edgeAt, fairAt, firstCents, placeOn, stepOf } from '../src/training/lessons';
import { edgeWords } from '../src/training/lessonWords';

const single: MeterPoints = {
  paytable: 'X',
  wager_cents: 100,
  empty_exact: '1/2',
  empty: 0.5,
  envy: 0.01,
  hit_frequency: 0.04,
  levels: [{ level: 'single', name: 'Meter', per_dollar_exact: '1/20000', per_dollar: 0.00005, start_cents: 0, fair_part_cents: 1_000_000, most_cents: 2_000_000 }],
};
const two: MeterPoints = {
  ...single,
  levels: [
    { level: 'mega', name: 'Mega meter', per_dollar_exact: '1/100000', per_dollar: 0.00001, start_cents: 0, fair_part_cents: 2_500_000, most_cents: 5_000_000 },
    { level: 'minor', name: 'Minor meter', per_dollar_exact: '1/2000', per_dollar: 0.0005, start_cents: 50_000, fair_part_cents: 50_000, most_cents: 100_000 },
  ],
};

test('a dollar costs less the more stands on the meter, and nothing at the fair one', () => {
  assert.equal(edgeAt(single, {}), 0.5);
  assert.ok(Math.abs(edgeAt(single, { single: 500_000 }) - 0.25) < 1e-12);
  assert.equal(fairAt(single, 'single', {}), 1_000_000);
  assert.ok(Math.abs(edgeAt(single, { single: 1_000_000 })) < 1e-12);
  assert.equal(fairAt(single, 'single', {}, 10), 800_000);
});

test('several meters share what is missing, and never less than nothing is needed', () => {
  assert.equal(fairAt(two, 'mega', { minor: 50_000 }), 2_500_000);
  assert.equal(fairAt(two, 'mega', { minor: 200_000 }), 0);
  assert.equal(fairAt(two, 'else', {}), 0);
  assert.deepEqual(firstCents(two), { mega: 1_250_000, minor: 50_000 });
});

test('a scale has whole steps and ends', () => {
  assert.equal(stepOf(single.levels[0]!), 20_000);
  assert.equal(placeOn(3, 2), 100);
  assert.equal(placeOn(-1, 2), 0);
  assert.equal(placeOn(1, 0), 0);
});

test('the edge is said as what a dollar does', () => {
  assert.equal(edgeWords(0.1234), 'A dollar costs 12.34 cents on average.');
  assert.equal(edgeWords(-0.05), 'A dollar gains 5.00 cents on average.');
  assert.equal(edgeWords(0), 'A dollar costs nothing on average.');
  assert.deepEqual(cardsOf('Kh 9c 4d'), ['Kh', '9c', '4d']);
  assert.deepEqual(cardsOf(''), []);
});
