import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chosenOf, rulesAsked, rulesQuery, withOption } from '../src/rules';

test('rules go into an address and come out of it', () => {
  const rules = { options: { tie_rule: 'push' }, paytables: { 'pair-plus': 'A:flush=3,pair=none' } };
  assert.deepEqual(rulesAsked(new URLSearchParams(rulesQuery(rules))), rules);
  assert.equal(rulesQuery({ options: {}, paytables: {} }), '');
});

test('what was chosen for another game is left out, what an address says is kept', () => {
  const chosen = { 'pair-plus': 'B', poker: 'TSB-02' };
  assert.deepEqual(chosenOf(chosen, ['pair-plus']), { 'pair-plus': 'B' });
  assert.deepEqual(chosenOf(chosen, ['pair-plus'], { 'pair-plus': 'A', progressive: '2' }), { 'pair-plus': 'B', progressive: '2' });
  // Back at the usual, it is the usual that is played.
  assert.deepEqual(chosenOf({}, ['pair-plus'], { 'pair-plus': 'A' }), {});
});

test('what is usual or empty is not chosen', () => {
  const chosen = { tie_rule: 'lose' };
  assert.deepEqual(withOption(chosen, 'settle_style', 'lay_and_pay', 'pick_and_pay'), { tie_rule: 'lose', settle_style: 'lay_and_pay' });
  assert.deepEqual(withOption(chosen, 'tie_rule', 'push', 'push'), {});
  assert.deepEqual(withOption(chosen, 'tie_rule', ' ', 'push'), {});
});
