/** Drafts of the studio. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOf, edited, isDraft, newDraft, payTyped, signedCommand } from '../src/studio/draft';

test('codes of paytables come apart and together again', () => {
  for (const code of ['A', 'A:flush=3', 'A:straight=13 to 2,flush=3,pair=none', 'Play:1-5=3', '1:envy.akq_spades=50']) {
    assert.equal(codeOf(edited(code)), code);
  }
  assert.deepEqual(edited('TCP-6B1:flush=12,straight=9'), { base: 'TCP-6B1', changes: { flush: '12', straight: '9' } });
});

test('a comma in a pay never makes another number of it', () => {
  const typed = { ' 1,000 ': '1000', '100,000': '100000', '2,5': '2.5', '10,5': '10.5', '3 to 2': '3 to 2', '3,pair=9': '3.pair=9', '': '' };
  for (const [text, pay] of Object.entries(typed)) assert.equal(payTyped(text), pay);
});

test('drafts are known by their shape', () => {
  assert.ok(isDraft(newDraft('three-card-poker', 'Mine')));
  for (const wrong of [null, 7, {}, { ...newDraft('x', 'y'), options: { a: 1 } }, { ...newDraft('x', 'y'), name: 3 }]) {
    assert.ok(!isDraft(wrong));
  }
});

test('the command of a sheet names who answers for it', () => {
  const command = 'houseway par three-card-poker --pdf a.pdf --html a.html';
  assert.equal(signedCommand(command, ' '), command);
  assert.equal(signedCommand(command, 'Ann $& Author'), "houseway par three-card-poker --author 'Ann $& Author' --pdf a.pdf --html a.html");
  assert.equal(signedCommand(command, "O'Neil"), `houseway par three-card-poker --author 'O'"'"'Neil' --pdf a.pdf --html a.html`);
});
