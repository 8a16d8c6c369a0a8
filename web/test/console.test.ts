import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Console, RoundView } from '../src/api';
import { betsLine, decisions, line, otherLines, primary, withChip, withoutBet } from '../src/console/steps';
import { tables } from '../mock/fixtures.mjs';

const floor = tables as unknown as Record<string, Console>;
const shown = (name: string): Console => structuredClone(floor[name] as Console);
const roundOf = (name: string): RoundView => shown(name).round as RoundView;

test('bets are written in the order of the game', () => {
  const order = ['ante', 'pair-plus', 'progressive'];
  assert.equal(betsLine(3, '', { progressive: 100, ante: 1050 }, order), 'bets 3: ante 10.50, progressive 1');
  assert.equal(betsLine(3, ' Robin: 2 ', { ante: 500 }, order), 'bets 3 by Robin  2: ante 5');
  assert.equal(betsLine(7, '', {}, order), 'bets 7: none');
  assert.equal(betsLine(7, '', withoutBet(withChip({}, 'ante', 500), 'ante'), order), 'bets 7: none');
});

test('the primary action is the next line, for what the screen shows', () => {
  assert.deepEqual(primary(shown('T1')), {
    what: 'no more bets',
    step: { name: 'round', arguments: { table: 'T1', text: 'no more bets' }, expects: { 'table:T1': 12 } },
    blocked: [],
  });
});

test('somebody has to choose: nothing is pressed', () => {
  assert.equal(primary(shown('T2')), null);
  assert.equal(primary(shown('T8')), null);
});

test('a step that is blocked says by what, and does nothing', () => {
  const call = 'Call a supervisor, who confirms the award at position 4.';
  assert.deepEqual(primary(shown('T4')), { what: 'pay envy', step: null, blocked: [call] });
  assert.deepEqual(primary(shown('T5')), { what: 'end game', step: null, blocked: ['the key is at JPH'] });
});

test('a settled hand that waits for its button is pressed by the primary button', () => {
  const table = shown('T4');
  Object.assign(table.round as RoundView, { next: 'press 4: akq_spades', blocked: null });
  assert.deepEqual(primary(table), {
    what: 'press 4: akq_spades',
    step: { name: 'round', arguments: { table: 'T4', text: 'press 4: akq_spades' }, expects: { 'table:T4': 12 } },
    blocked: [],
  });
});

test('without a round one is opened', () => {
  assert.equal(primary(shown('T9'))?.step?.name, 'open_round');
});

test('our shuffler is asked; a deck of real cards is shuffled and nobody knows it', () => {
  const table = shown('T7');
  const shuffled = 'shuffle 000012 by automatic, packets of 3: unknown';
  assert.deepEqual(primary(table)?.step?.arguments, { table: 'T7', text: shuffled });
  const round = table.round as RoundView;
  round.next = 'shuffle';
  assert.equal(primary(table)?.step?.name, 'shuffle');
});

test('decisions come from the lines that are legal', () => {
  const found = decisions(roundOf('T6'));
  assert.deepEqual([...found.keys()], [3]);
  assert.deepEqual(found.get(3), ['hit', 'stand', 'double', 'split']);
  const insurance = { ...roundOf('T6'), legal: ['decide 1: insurance', 'close insurance'] };
  assert.deepEqual(otherLines(insurance), ['close insurance']);
  assert.deepEqual(otherLines(roundOf('T3')), []);
  // The keypad has the hand buttons.
  assert.deepEqual(otherLines({ ...roundOf('T4'), next: 'reconcile 1', legal: ['reconcile', 'press 4: akq_spades'] }), []);
});

test('reports are lines of a round file', () => {
  assert.equal(line.void('wrong_card_count', ' 4 cards\nat position 3 '), 'void wrong_card_count: 4 cards at position 3');
  assert.equal(line.exposed(0, 2), 'exposed dealer: card 2');
  assert.equal(line.late(2, 'pair-plus', 550), 'late wager 2: pair-plus 5.50');
  assert.equal(line.handedOver(1, 'blackjack', 2, -500), 'handed over 1: blackjack/2 -5');
  assert.equal(line.handedOver(1, 'ante', null, 1000), 'handed over 1: ante +10');
  assert.equal(line.correct(1, 'ante', null, 'wrong_odds'), 'correct 1: ante wrong_odds');
  assert.equal(line.rule('play_on', 'no harm'), 'rule play_on: no harm');
  assert.equal(line.expose(2, ['Qs', 'Qd']), 'expose 2: Qs Qd');
  assert.equal(line.expose(0, ['Qs']), 'expose dealer: Qs');
  assert.equal(line.expose('community', ['2c', '3d']), 'expose community: 2c 3d');
});
