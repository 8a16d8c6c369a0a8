import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CommandBody } from '../src/api';
import { makeClient, newKey, Problem, sentence, type Surroundings } from '../src/client';

type Answered = { status: number; data?: unknown } | 'nothing';

/** A server that gives these answers in turn, and what was sent to it. */
function server(...answers: Answered[]) {
  const sent: { path: string; headers: Record<string, string>; body: CommandBody }[] = [];
  const told: string[] = [];
  const here: Surroundings = {
    fetch: ((path: string, init: RequestInit) => {
      sent.push({ path, headers: init.headers as Record<string, string>, body: JSON.parse(String(init.body ?? 'null')) as CommandBody });
      const answer = answers.shift();
      if (!answer || answer === 'nothing') return Promise.reject(new TypeError('no network'));
      return Promise.resolve(new Response(JSON.stringify(answer.data ?? {}), { status: answer.status }));
    }) as typeof fetch,
    csrf: () => 'token',
    signedOut: () => told.push('signed out'),
    waiting: (on) => told.push(on ? 'waits' : 'done'),
    keep: (body) => told.push(body ? 'kept' : 'let go'),
    pause: () => Promise.resolve(),
    during: (work) => work,
  };
  return { client: makeClient(here), sent, told };
}

const DONE = { status: 200, data: { answer: { round: '000001' } } };
const REFUSED = { status: 409, data: { error: { reason: 'wrong_phase', clause: 'TCP-17', message: 'bets are closed' } } };

test('a command carries the token and a key', async () => {
  const { client, sent } = server(DONE);
  assert.deepEqual(await client.command('open_round', { table: 'T1' }), { round: '000001' });
  assert.equal(sent[0]?.headers['X-Houseway-Token'], 'token');
  assert.match(sent[0]?.body.key ?? '', /^[0-9a-f]{32}$/);
});

test('a command without an answer is tried again with its key', async () => {
  const { client, sent, told } = server('nothing', { status: 503 }, DONE);
  await client.command('open_round', { table: 'T1' });
  assert.equal(sent.length, 3);
  assert.equal(new Set(sent.map((one) => one.body.key)).size, 1);
  assert.deepEqual(told, ['kept', 'waits', 'waits', 'let go', 'done']);
});

test('a refusal is not tried again, and keeps its words and clause', async () => {
  const { client, sent, told } = server(REFUSED);
  await assert.rejects(client.command('open_round', { table: 'T1' }), (problem: Problem) => {
    assert.deepEqual([problem.status, problem.clause, problem.message], [409, 'TCP-17', 'Bets are closed.']);
    return true;
  });
  assert.equal(sent.length, 1);
  assert.deepEqual(told, ['kept', 'let go', 'done']);
});

test('what is never answered stays kept, and nobody says it was not done', async () => {
  const { client, sent, told } = server();
  await assert.rejects(client.command('open_round', { table: 'T1' }), (problem: Problem) => problem.open && /not known/.test(problem.message));
  assert.equal(sent.length, 6);
  assert.ok(!told.includes('let go'));
});

test('a command with a PIN is never kept', async () => {
  const { client, told } = server(DONE);
  await client.command('open_link', { link: 'Royal' }, { pin: '2468' });
  assert.deepEqual(told, ['done']);
});

test('a session that is over is told', async () => {
  const { client, told } = server({ status: 401 });
  await assert.rejects(client.get('/api/lobby'), Problem);
  assert.deepEqual(told, ['signed out']);
});

test('keys differ, and refusals read as sentences', () => {
  assert.notEqual(newKey(), newKey());
  assert.equal(sentence('the key is at JPH'), 'The key is at JPH.');
  assert.equal(sentence('Play or fold?'), 'Play or fold?');
});
