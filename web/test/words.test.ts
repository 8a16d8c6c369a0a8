import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onePartMore, readParts, typedParts } from '../src/administration/parts';
import { read, typed } from '../src/administration/settings';
import { cardName, deck, readCards } from '../src/card';
import { dollars, percent, plain, plainSigned, readDollars, readPercent, signed } from '../src/money';
import { roll, shownAt } from '../src/rolling';
import { routeOf } from '../src/route';
import { asked, filterOf, NO_FILTER } from '../src/audit/filter';
import type { RecalledStep } from '../src/api';
import { phaseBegun, positionOf, roundName, stepText, toldLines } from '../src/recall/told';
import { chipAdded, chipsWorth, chipTaken, fraction, isEmpty, nothing, toggled } from '../src/training/answers';
import { elapsed, secondsBetween } from '../src/time';
import { knowGames } from '../src/games';

test('every amount that is written reads back', () => {
  for (const cents of [0, 1, 99, 100, 250, 123_456, -550]) {
    assert.equal(readDollars(plain(cents)), cents);
    assert.equal(readDollars(dollars(cents)), cents);
    assert.equal(readDollars(plainSigned(cents)), cents);
  }
  assert.equal(dollars(1_243_107), '$12,431.07');
  assert.equal(signed(-500), '-$5.00');
});

test('what is no amount is not guessed', () => {
  for (const text of ['', '1.234', '1,23', 'ten', '--1', '1e3', '5 6', '.5']) assert.equal(readDollars(text), null, text);
});

test('rates are parts per million', () => {
  for (const ppm of [0, 1, 265_000, 1_000_000]) assert.equal(readPercent(percent(ppm)), ppm);
  assert.equal(readPercent('12.34567'), null);
});

test('settings of meters come back as they were', () => {
  const settings = { contribution_ppm: 200_000, reserve_ppm: 50_000, meter_seed_cents: 250_000, cap_cents: null };
  assert.deepEqual(read([typed('single', settings)]), { single: settings });
  assert.deepEqual(read([typed('mega', { ...settings, cap_cents: 1 })]), { mega: { ...settings, cap_cents: 1 } });
  assert.equal(read([typed('mega', null)]), null);
});

test('a deck has 52 cards, each with a name of its own', () => {
  assert.equal(new Set(deck().map(cardName)).size, 52);
  assert.equal(cardName('Qs'), 'Queen of spades');
  assert.equal(cardName('??'), 'Card face down');
  assert.deepEqual(readCards(deck().join(' ')), deck());
  assert.deepEqual(readCards('qsTD, 2c'), ['Qs', 'Td', '2c']);
  for (const text of ['Qs Qs', '1s', 'Qx', 'Q']) assert.equal(readCards(text), null, text);
});

test('a sign rolls up, never above the ledger, and goes down at once', () => {
  const rising = roll(1000, 1500, 0, false);
  let before = 1000;
  for (let now = 0; now <= rising.ms + 50; now += 7) {
    const shown = shownAt(rising, now);
    assert.ok(shown >= before && shown <= 1500 && Number.isInteger(shown));
    before = shown;
  }
  assert.equal(before, 1500);
  assert.equal(shownAt(roll(1500, 200, 0, false), 0), 200);
  assert.equal(shownAt(roll(1000, 1500, 0, true), 0), 1500);
});

test('paths', () => {
  assert.deepEqual(routeOf('/audit'), { screen: 'audit', of: '' });
  assert.deepEqual(routeOf('/recall/T%201'), { screen: 'recall', of: 'T 1' });
  assert.deepEqual(routeOf('/recall/T1/12'), { screen: 'round', of: 'T1', number: 12 });
  for (const path of ['/recall', '/recall/T1/0', '/recall/T1/-1', '/recall/T1/x', '/recall/T1/1/2', '/audit/x']) {
    assert.equal(routeOf(path).screen, 'unknown', path);
  }
  assert.deepEqual(routeOf('/'), { screen: 'lobby', of: '' });
  assert.deepEqual(routeOf('/tables/T%201'), { screen: 'table', of: 'T 1' });
  assert.deepEqual(routeOf('/sign/Royal/'), { screen: 'sign', of: 'Royal' });
  assert.deepEqual(routeOf('/practice'), { screen: 'practice', of: '' });
  assert.deepEqual(routeOf('/practice/abc'), { screen: 'practice-table', of: 'abc' });
  assert.deepEqual(routeOf('/practice/abc/dealer'), { screen: 'practice-dealer', of: 'abc' });
  for (const path of ['/tables', '/inbox/x', '/tables/a/b', '/practice/a/b', '/practice/a/dealer/c', '/else']) assert.equal(routeOf(path).screen, 'unknown', path);
});

test('times of the journal are UTC whether they say so or not', () => {
  const now = Date.UTC(2026, 10, 16, 12, 0, 41);
  assert.equal(secondsBetween('2026-11-16T12:00:00.000000', now), 41);
  assert.equal(secondsBetween('2026-11-16T12:00:00+00:00', now), 41);
  assert.equal(secondsBetween('2026-11-16T13:00:00Z', now), 0);
  assert.deepEqual([elapsed(41), elapsed(3761)], ['00:41', '1:02:41']);
});

test('parts come back as they were, and none hides another', () => {
  const parts = { 'GM Atlas': '5.4.0', display: 'any monitor' };
  const lines = typedParts(parts);
  assert.deepEqual(readParts(lines), parts);
  assert.deepEqual(readParts([]), {});
  const more = onePartMore(lines);
  assert.equal(new Set(more.map((line) => line.key)).size, 3);
  const last = more[2];
  assert.ok(last);
  last.name = ' display ';
  assert.equal(readParts(more), null);
});

test('a filter is kept by its address, and a round is of a table', () => {
  const filter = { ...NO_FILTER, stream: 'table:T1', kind: 'round', person: 'd1', round: '12' };
  assert.deepEqual(filterOf(`?${asked(filter)}`), filter);
  assert.equal(asked({ ...filter, stream: 'link:L' }).has('round'), false);
  assert.deepEqual(filterOf('?round=x&before=-1&else=1'), NO_FILTER);
  assert.equal(asked({ ...filter, round: 'x' }).has('round'), false);
  assert.equal(asked(NO_FILTER).toString(), '');
});

test('steps of a recalled round in words', () => {
  knowGames([{ game: 'one', name: 'One', about: '', unit: 'ante', first_cards: 3, decides_on: [], bets: [], actions: [], stages: { war: 'War' } }]);
  const step = { kind: 'command', text: 'decide 2: play', told: ['position 2 puts up 10', '-- dealing, war'] } as RecalledStep;
  assert.equal(stepText(step), 'Decide 2: play');
  assert.equal(stepText({ ...step, kind: 'undo' }), 'Taken back: Decide 2: play');
  assert.equal(stepText({ ...step, kind: 'opened', text: '' }), 'The round is opened');
  assert.deepEqual(toldLines(step), ['Position 2 puts up 10']);
  assert.equal(phaseBegun(step), 'Dealing · War');
  assert.equal(phaseBegun({ ...step, told: [] }), null);
  assert.equal(positionOf(step), 2);
  assert.equal(positionOf({ ...step, text: 'deliver' }), 0);
  assert.equal(roundName(317), '000317');
});

test('chips go out one by one in the order of paying, and come back the same way', () => {
  let out: string[] = [];
  for (const worth of ['10000', '10000', '2500', '500', '500']) out = chipAdded(out, worth);
  assert.deepEqual(out, ['10000x2', '2500x1', '500x2']);
  assert.equal(chipsWorth(out), 23_500);
  out = chipTaken(chipTaken(chipTaken(out)));
  assert.deepEqual(out, ['10000x2']);
  assert.deepEqual(chipTaken(chipTaken(chipTaken(out))), []);
  // A denomination that comes again later is paid again later.
  assert.deepEqual(chipAdded(['500x1', '100x1'], '500'), ['500x1', '100x1', '500x1']);
});

test('an order is picked and taken back', () => {
  assert.deepEqual(toggled(['a', 'b'], 'c'), ['a', 'b', 'c']);
  assert.deepEqual(toggled(['a', 'b'], 'a'), ['b']);
  const field = { name: 'x', label: 'X', choices: [] };
  assert.ok(isEmpty(nothing({ ...field, kind: 'order' })));
  assert.ok(isEmpty(nothing({ ...field, kind: 'amount' })));
  assert.ok(isEmpty('  '));
  assert.ok(!isEmpty('0'));
  assert.equal(fraction('3/4'), 0.75);
  assert.equal(fraction('2'), 2);
});

test('addresses of training', () => {
  assert.deepEqual(routeOf('/training'), { screen: 'training', of: '' });
  assert.deepEqual(routeOf('/training/abc'), { screen: 'training-session', of: 'abc' });
  assert.deepEqual(routeOf('/training/abc/exam'), { screen: 'exam', of: 'abc' });
  assert.deepEqual(routeOf('/learn/triple-shot-rummy'), { screen: 'lessons', of: 'triple-shot-rummy' });
  assert.deepEqual(routeOf('/training/abc/other'), { screen: 'unknown', of: '' });
});
