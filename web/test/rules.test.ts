import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chosenOf, rulesAsked, rulesQuery } from '../src/rules';

test('rules go into an address and come out of it', () => {
  const rules = { options: { tie_rule: 'push' }, paytables: { 'pair-plus': 'A:flush=3,pair=none' } };
  assert.deepEqual(rulesAsked(new URLSearchParams(rulesQuery(rules))), rules);
  assert.equal(rulesQuery({ options: {}, paytables: {} }), '');
});

test('what was chosen for another game is left out, what an address says is kept', () => {
  const chosen = { 'pair-plus': 'B', poker: 'TSB-02' };
  assert.deepEqual(chosenOf(chosen, ['pair-plus']), { 'pair-plus': 'B' });
  assert.deepEqual(chosenOf(chosen, ['pair-plus'], { 'pair-plus': 'A', progressive: '2' }), { 'pair-plus': 'B', progressive: '2' });
});
