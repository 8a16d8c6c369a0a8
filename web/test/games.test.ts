import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GameView } from '../src/api';
import { betName, decisionKey, decisionName, isFold, keyRows, knowGames, shortBet, stageName } from '../src/games';

const act = { key: '', puts: null, folds: false, offer: false };
const game: GameView = {
  game: 'street-stud',
  name: 'Street Stud',
  about: '',
  unit: 'ante',
  first_cards: 2,
  decides_on: ['ante'],
  bets: [{ code: 'third-street', name: 'Third Street', short: '3rd' }],
  actions: [
    { ...act, action: 'raise-4', label: 'Raise 4', key: '4' },
    { ...act, action: 'leave', label: 'Leave', key: 'L', folds: true },
    { ...act, action: 'ride', label: 'Ride' },
  ],
  stages: { first: 'First' },
};

test('every word of a game comes from the server', () => {
  knowGames([game]);
  assert.equal(betName('third-street'), 'Third Street');
  assert.equal(shortBet('third-street'), '3rd');
  assert.deepEqual([decisionName('raise-4'), decisionKey('raise-4')], ['Raise 4', '4']);
  assert.deepEqual([isFold('leave'), isFold('raise-4')], [true, false]);
  assert.equal(stageName('first'), 'First');
  assert.deepEqual(keyRows('street-stud'), [['4 L', 'raise 4, leave']]);
});

test('an offer is declined by a name of its own, and an unknown word is shown as it is', () => {
  knowGames([game]);
  assert.deepEqual([decisionName('no-even-money'), decisionKey('no-even-money')], ['No even money', 'N']);
  assert.deepEqual([betName('odd'), stageName('second'), keyRows('other')], ['odd', 'second', []]);
});
