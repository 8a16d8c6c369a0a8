import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namesakes } from '../src/administration/namesakes';
import type { AdminPerson } from '../src/api';

function held(card: string, name: string, person: string): AdminPerson {
  return { card, name, person, role: 'cage', active: true, locked: false, failures: 0, second_factor: false };
}

const people = [held('s1', 'Sue', 'sue'), held('c1', 'Susan', 'sue'), held('c2', 'SUE', 'sue #2'), held('d1', 'Weiß', 'weiss')];

test('people of a name are told apart, each with all cards', () => {
  assert.deepEqual(namesakes(people, ' ｓue '), [
    { person: 'sue', name: 'Sue', card: 's1', cards: 's1, c1' },
    { person: 'sue #2', name: 'SUE', card: 'c2', cards: 'c2' },
  ]);
});

test('names are compared as the floor compares them', () => {
  assert.deepEqual(namesakes(people, 'WEISS').map((one) => one.card), ['d1']);
  assert.deepEqual(namesakes(people, 'Su'), []);
  assert.deepEqual(namesakes(people, '  '), []);
});
