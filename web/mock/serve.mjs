/**
 * The screens on a floor of fixtures: `npm run build && npm run mock`, then open the address. Any
 * card signs in as the role of its name (dealer, supervisor, administrator, ...), with PIN 2468.
 * Commands are printed and answered; the bets of a position are kept, nothing else changes.
 */

import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { administration, games, inbox, lobby, openings, sign, tables, trail } from './fixtures.mjs';

const SCREENS = fileURLToPath(new URL('../../houseway/server/screens/', import.meta.url));
const PORT = Number(process.env.PORT ?? 8099);
const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.json': 'application/json' };
const STRICT = {
  'Content-Security-Policy': "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
};
const NAMES = { dealer: 'Dana', supervisor: 'Sasha', executive: 'Emery', cage: 'Charlie', auditor: 'Alex', surveillance: 'Sidney', administrator: 'Avery', trainer: 'Terry' };
const began = Date.now();
const listeners = new Set();

/** A meter that grows, so that a sign has something to roll. */
const added = () => Math.floor((Date.now() - began) / 2000) * 23;

function me(role, setup = false) {
  return {
    person: role ? { card: role, name: NAMES[role] ?? role, role } : null,
    csrf: role ? 'mock' : null,
    floor: { demo: true, version: '0', digest: '0'.repeat(64), setup },
  };
}

function view(topic, role) {
  const [kind, name = ''] = topic.split(/:(.*)/);
  if (kind === 'lobby') return lobby();
  if (kind === 'inbox') return inbox(role);
  if (kind === 'sign') return sign(name, added());
  return tables[name];
}

function json(response, status, data, headers = {}) {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...STRICT, ...headers });
  response.end(JSON.stringify(data));
}

const refusal = (reason, message, clause = null) => ({ error: { reason, clause, message } });

async function body(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return JSON.parse(Buffer.concat(parts).toString() || '{}');
}

function command(asked) {
  const { name, arguments: given } = asked;
  const bets = name === 'round' && given.text.match(/^bets (\d+)(?: by ([^:]+))?: (.+)$/);
  if (!bets) return null;
  const [, position, player = '', text] = bets;
  const round = tables[given.table]?.round;
  const wagers = text === 'none' ? {} : Object.fromEntries(text.split(', ').map((one) => [one.split(' ')[0], Math.round(Number(one.split(' ')[1]) * 100)]));
  if (wagers.ante && wagers.ante < 500) return refusal('below_minimum', `ante ${wagers.ante / 100} is below the minimum of 5`, 'TCP-16');
  round.positions = round.positions.filter((seat) => seat.position !== Number(position));
  if (Object.keys(wagers).length) {
    round.positions.push({ ...structuredClone(tables.T1.round.positions[0] ?? {}), position: Number(position), player, wagers, cards: [], decisions: [], folded: false, tucked: false, gone: false, net: 0, lines: [], felt: wagers });
    round.positions.sort((a, b) => a.position - b.position);
  }
  tables[given.table].version += 1;
  for (const tell of listeners) tell();
  return null;
}

const server = createServer(async (request, response) => {
  const url = new URL(request.url, 'http://mock');
  const role = /(?:^|; )role=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? '';
  const path = url.pathname;
  if (path === '/api/me') return json(response, 200, me(role, /(?:^|; )setup=1/.test(request.headers.cookie ?? '')));
  if (path === '/api/games') return json(response, 200, games());
  if (path === '/api/sign-in') {
    const { card, pin } = await body(request);
    if (!(card in NAMES) || pin !== '2468') return json(response, 403, refusal('not_approved', `the PIN of card '${card}' is wrong; 2 tries are left`));
    return json(response, 200, me(card), { 'Set-Cookie': `role=${card}; Path=/` });
  }
  if (path === '/api/sign-out') return json(response, 200, me(''), { 'Set-Cookie': 'role=; Path=/; Max-Age=0' });
  if (path.startsWith('/api/links/')) return json(response, 200, sign(decodeURIComponent(path.split('/')[3]), added()));
  if (path === '/api/live') {
    const topic = url.searchParams.get('topic');
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', ...STRICT });
    const tell = () => response.write(`event: ${topic}\nid: 1\ndata: ${JSON.stringify(view(topic, role))}\n\n`);
    tell();
    listeners.add(tell);
    const ticking = topic.startsWith('sign:') ? setInterval(tell, 2000) : null;
    request.on('close', () => {
      listeners.delete(tell);
      clearInterval(ticking);
    });
    return undefined;
  }
  if (path.startsWith('/api/')) {
    if (!role) return json(response, 401, refusal('not_signed_in', 'sign in first'));
    if (path === '/api/commands') {
      const asked = await body(request);
      console.log(role, JSON.stringify({ ...asked, pin: asked.pin && '(given)', second_pin: asked.second_pin && '(given)' }));
      const refused = command(asked);
      return refused ? json(response, 409, refused) : json(response, 200, { answer: {} });
    }
    if (path === '/api/lobby') return json(response, 200, lobby());
    if (path === '/api/inbox') return json(response, 200, inbox(role));
    if (path === '/api/openings') return json(response, 200, openings());
    if (path === '/api/administration') return json(response, 200, administration());
    if (path === '/api/trail') return json(response, 200, trail(url.searchParams.get('stream'), Number(url.searchParams.get('before'))));
    const table = tables[decodeURIComponent(path.split('/')[3] ?? '')];
    return table ? json(response, 200, table) : json(response, 404, refusal('unknown_value', `table '${path.split('/')[3]}' is unknown`));
  }
  const wanted = join(SCREENS, normalize(path));
  const file = wanted.startsWith(SCREENS) && existsSync(wanted) && statSync(wanted).isFile() ? wanted : join(SCREENS, 'index.html');
  response.writeHead(200, { 'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream', ...STRICT });
  createReadStream(file)
    .on('error', () => response.end())
    .pipe(response);
  return undefined;
});

server.listen(PORT, '127.0.0.1', () => console.log(`http://127.0.0.1:${PORT}`));
