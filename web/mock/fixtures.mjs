/**
 * A floor that stands still: one table for each thing that a console shows. What is here has the
 * shapes of src/api.ts and no rules.
 */

const ago = (seconds) => new Date(Date.now() - seconds * 1000).toISOString();
const later = (hours) => new Date(Date.now() + hours * 3600_000).toISOString();

const POKER = [
  { code: 'ante', name: 'Ante', cents: 1000, paytable: null },
  { code: 'pair-plus', name: 'Pair Plus', cents: 1000, paytable: 'A' },
  { code: 'six-card-bonus', name: '6 Card Bonus', cents: 100, paytable: 'TCP-6B1' },
];
const LIT = { code: 'progressive', name: 'Progressive', cents: 100, paytable: '1' };
const BONUS = [
  { code: 'war', name: 'War', cents: 1000, paytable: null },
  { code: 'blackjack', name: 'Blackjack', cents: 1000, paytable: null },
  { code: 'poker', name: 'Poker', cents: 1000, paytable: 'TSB-01' },
  { code: 'hat-trick', name: 'Hat Trick', cents: 500, paytable: '9' },
];
const DOWN = ['??', '??', '??'];

function seat(position, wagers, more = {}) {
  return {
    position,
    player: '',
    wagers,
    cards: [],
    decisions: [],
    folded: false,
    tucked: false,
    gone: false,
    net: 0,
    lines: [],
    felt: Object.fromEntries(Object.entries(wagers).filter(([bet]) => !(more.lines ?? []).some((made) => made.bet === bet))),
    ...more,
  };
}

function round(phase, positions, more = {}) {
  return {
    number: '000317',
    phase,
    stage: null,
    void: null,
    over: false,
    say: '',
    do: '',
    clause: null,
    version: 9,
    dealer: [],
    community: null,
    positions,
    panel: null,
    waiting: [],
    awaited: null,
    reported: null,
    runbook: null,
    wrong: [],
    deck: { mode: 'automatic', loaded: true, packet: 3 },
    legal: [],
    next: null,
    blocked: null,
    undo: false,
    ...more,
  };
}

const HANDS = [
  { code: 'akq_spades', name: 'A-K-Q of spades', pays: '100% of the meter' },
  { code: 'akq_other_suit', name: 'A-K-Q of another suit', pays: '500 for 1' },
  { code: 'straight_flush', name: 'Straight flush', pays: '70 for 1' },
  { code: 'three_of_a_kind', name: 'Three of a kind', pays: '60 for 1' },
  { code: 'straight', name: 'Straight', pays: '6 for 1' },
];
const NEXUS = { name: 'Nexus Command', start: 'START GAME', end: 'END GAME', spot_first: true, confirms: 'card' };
const MANAGER = { name: 'Game Manager', start: 'COIN IN', end: 'GAME OVER', spot_first: false, confirms: 'key' };

const CALL_REASONS = [
  { reason: 'award', name: 'award', needs_text: false, why_not: 'no winning hand is chosen; choose it first, or call for another reason' },
  { reason: 'misdeal', name: 'misdeal', needs_text: false, why_not: '' },
  { reason: 'other', name: 'something else', needs_text: true, why_not: '' },
];

function progressive(more = {}) {
  return {
    profile: NEXUS,
    started: false,
    earlier: false,
    round: 41,
    ordered: false,
    key: 'run',
    called_at: null,
    lights: [],
    awards: [],
    hands: HANDS,
    meters: [{ level: 'single', shown_cents: 1243107, pending: false }],
    envy: [],
    on_camera: [],
    blocks_end: [],
    unchosen: [],
    blocks_envy: [],
    ...more,
  };
}

function light(position, more = {}) {
  return { position, cents: 100, player: `position ${position}`, folded: false, carried: false, ...more };
}

function line(bet, wager, net, clause, why, outcome = net > 0 ? 'win' : net < 0 ? 'lose' : 'push') {
  return { bet, hand: null, wager, outcome, net, stage: null, now: false, handed: net, apart: null, clause, why };
}

const UNCONFIRMED = 'the award at position 4 is not confirmed';
const CALL = 'Call a supervisor, who confirms the award at position 4.';
const QUEENS = [
  line('play', 1000, 1000, 'TCP-07', 'A pair of Queens and a Seven beats King-Nine-Four high, so Play wins 1 to 1.'),
  line('ante', 1000, 1000, 'TCP-07', 'A pair of Queens and a Seven beats King-Nine-Four high, so the Ante wins 1 to 1.'),
  line('pair-plus', 500, 500, 'TCP-11', 'Pair Plus is paid on a pair of Queens and a Seven whatever the dealer holds: 1 to 1.'),
];
const ROYAL = [
  line('play', 2500, 2500, 'TCP-07', 'A suited Ace-King-Queen beats King-Nine-Four high, so Play wins 1 to 1.'),
  line('ante', 2500, 2500, 'TCP-07', 'A suited Ace-King-Queen beats King-Nine-Four high, so the Ante wins 1 to 1.'),
];
/** An award has a line only when it is confirmed, or recorded by J-POT. */
const RECORDED = { ...line('progressive', 100, 1243007, 'PGM-09', 'An Ace-King-Queen of spades wins $12,431.07 of the meter.'), apart: 'award' };
const UNPAID = line('progressive', 100, -100, 'PNX-10', 'The hand wins no progressive.');

function table(name, more) {
  return { table: name, version: 12, game: 'three-card-poker', name: 'Three Card Poker', positions: 7, link: null, bets: POKER, calls: [], call_reasons: CALL_REASONS, round: null, progressive: null, ...more };
}

const AWARD = {
  position: 4,
  hand: 'akq_spades',
  name: 'A-K-Q of spades',
  level: 'single',
  whole: true,
  amount_cents: 1243107,
  status: 'chosen',
  page: 0,
  needs: 'executive',
};

const settled = (more) => ({ gone: true, ...more });

export const tables = {
  T1: table('T1', {
    link: 'Royal',
    bets: [...POKER, LIT],
    round: round(
      'betting',
      [
        seat(1, { ante: 1000, 'pair-plus': 500, progressive: 100 }),
        seat(2, { ante: 500 }),
        seat(4, { ante: 2500, 'pair-plus': 500, 'six-card-bonus': 100, progressive: 100 }, { player: 'Robin' }),
        seat(6, { ante: 1000 }),
        seat(7, { 'pair-plus': 500 }),
      ],
      {
        say: 'No more bets. No Pair Plus, position 2 and 6.',
        do: 'Say so before any card is dispensed.',
        clause: 'TCP-17',
        deck: { mode: 'automatic', loaded: false, packet: 3 },
        legal: ['no more bets'],
        next: 'no more bets',
        undo: true,
      },
    ),
    progressive: progressive(),
  }),
  T2: table('T2', {
    round: round(
      'decisions',
      [
        seat(1, { ante: 1000, 'pair-plus': 500 }, { cards: DOWN, decisions: ['play'] }),
        seat(2, { ante: 500 }, { cards: DOWN }),
        seat(3, { ante: 2500, 'six-card-bonus': 100 }, { cards: DOWN }),
        seat(4, { 'pair-plus': 500 }, { cards: DOWN }),
        seat(5, { ante: 500 }, { cards: DOWN, decisions: ['fold'], folded: true }),
        seat(6, { ante: 1000, 'pair-plus': 500 }, { cards: DOWN }),
      ],
      {
        say: 'Play or fold?',
        do: 'Wait for position 2, 3 and 6.',
        clause: 'TCP-19',
        dealer: DOWN,
        waiting: [],
        legal: [2, 3, 6].flatMap((p) => [`decide ${p}: play`, `decide ${p}: fold`]),
        undo: true,
      },
    ),
  }),
  T3: table('T3', {
    round: round(
      'reconcile',
      [
        seat(1, { ante: 1000, 'pair-plus': 500 }, { cards: DOWN, decisions: ['play'] }),
        seat(2, { ante: 500 }, settled({ cards: DOWN, decisions: ['fold'], folded: true, net: -500, lines: [line('ante', 500, -500, 'TCP-05', 'The player folded and gives up the Ante.', 'forfeit')] })),
        seat(3, { ante: 2500 }, { cards: DOWN, decisions: ['play'] }),
        seat(4, { 'pair-plus': 500 }, { cards: DOWN }),
        seat(6, { ante: 1000, 'pair-plus': 500 }, settled({ cards: ['Qs', 'Qd', '7h'], decisions: ['play'], net: 2500, lines: QUEENS.map((made) => ({ ...made, now: true })) })),
        seat(7, { ante: 500 }, settled({ cards: ['Jc', '8d', '2h'], decisions: ['play'], net: -1000, lines: [line('play', 500, -500, 'TCP-08', 'King-Nine-Four high beats Jack-Eight-Deuce high.'), line('ante', 500, -500, 'TCP-08', 'King-Nine-Four high beats Jack-Eight-Deuce high.')] })),
      ],
      {
        do: 'Position 6: hand over $25.00. Then position 4: pick the cards up into the work area, pay or take, and take them in (pair-plus).',
        panel: { step: 14, stage: null, hand_over: 2500, take_in: 0, payments: [{ position: 6, hand_over: 2500, take_in: 0, chips: '1 x 25' }] },
        clause: 'TCP-22',
        say: 'Dealer plays with a King.',
        dealer: ['Kc', '9c', '4s'],
        waiting: [4, 3, 1],
        legal: ['reconcile'],
        next: 'reconcile 4',
      },
    ),
  }),
  T4: table('T4', {
    link: 'Royal',
    bets: [...POKER, LIT],
    round: round(
      'reconcile',
      [
        seat(1, { ante: 1000, progressive: 100 }, settled({ cards: ['9s', '7s', '2s'], decisions: ['play'], net: 1900, lines: [UNPAID, QUEENS[0], QUEENS[1]] })),
        seat(4, { ante: 2500, progressive: 100 }, settled({ cards: ['As', 'Ks', 'Qs'], decisions: ['play'], player: 'Robin', net: 5000, lines: ROYAL })),
        seat(6, { ante: 1000, progressive: 100 }, settled({ cards: ['Tc', '8h', '3d'], decisions: ['fold'], folded: true, net: -1100, lines: [line('ante', 1000, -1000, 'TCP-05', 'The player folded and gives up the Ante.', 'forfeit'), UNPAID] })),
      ],
      {
        say: 'Supervisor, please.',
        do: CALL,
        clause: 'PNX-11',
        dealer: ['Kc', '9c', '4d'],
        blocked: { line: 'pay envy', by: [CALL] },
      },
    ),
    progressive: progressive({
      started: true,
      called_at: ago(41),
      lights: [light(1), light(4, { player: 'Robin' }), light(6, { folded: true })],
      awards: [AWARD],
      meters: [{ level: 'single', shown_cents: 1243107, pending: true }],
      envy: [
        { position: 1, from: 4, cents: 10000 },
        { position: 6, from: 4, cents: 10000 },
      ],
      blocks_envy: [UNCONFIRMED],
      blocks_end: [UNCONFIRMED],
    }),
  }),
  T5: table('T5', {
    link: 'Manager',
    bets: [...POKER, LIT],
    round: round(
      'reconcile',
      [
        seat(2, { ante: 1000, progressive: 100 }, settled({ cards: ['As', 'Ks', 'Qs'], decisions: ['play'], net: 1244007, lines: [QUEENS[1], RECORDED] })),
        seat(5, { progressive: 100 }, settled({ cards: ['6c', '6d', 'Ah'], decisions: ['play'], net: -100, lines: [UNPAID] })),
      ],
      {
        do: 'The round cannot end yet: the key is at JPH.',
        dealer: ['Td', '5h', '4c'],
        blocked: { line: 'close', by: ['the key is at JPH'] },
      },
    ),
    progressive: progressive({
      profile: MANAGER,
      started: true,
      key: 'jph',
      called_at: ago(75),
      lights: [light(2), light(5)],
      awards: [{ ...AWARD, position: 2, status: 'recorded', page: 8, needs: null }],
      meters: [{ level: 'single', shown_cents: 1243107, pending: true }],
      blocks_end: ['the key is at JPH'],
    }),
  }),
  T6: table('T6', {
    game: 'triple-shot-bonus',
    name: 'Triple Shot Bonus',
    bets: BONUS,
    positions: 5,
    round: round(
      'decisions',
      [
        seat(1, { war: 1000, blackjack: 1000, poker: 500, 'hat-trick': 500 }, { cards: ['Kh', 'Ts'], decisions: ['stand'], net: 1000, lines: [{ ...line('war', 1000, 1000, 'TSB-06', 'The King of hearts is higher than the Seven of spades and pays 1 to 1.'), stage: 'war' }] }),
        seat(2, { war: 500, blackjack: 1000, poker: 500 }, { cards: ['4c', '9c', '2d', 'Ac', '3s'], decisions: ['hit', 'hit', 'hit'], net: -500, lines: [{ ...line('war', 500, -500, 'TSB-06', 'The Seven of spades is higher than the Four of clubs.'), stage: 'war' }] }),
        seat(3, { war: 500, blackjack: 2000, poker: 500 }, { cards: ['7d', '7h'], net: -250, lines: [{ ...line('war', 500, -250, 'TSB-06', 'The Seven of diamonds ties the Seven of spades, which costs half of the War bet.'), stage: 'war' }] }),
      ],
      {
        stage: 'blackjack',
        say: 'Position 3?',
        do: 'Play out the hand of position 3.',
        clause: 'TSB-32',
        dealer: ['7s', '??'],
        deck: { mode: 'automatic', loaded: true, packet: 1 },
        legal: ['decide 3: hit', 'decide 3: stand', 'decide 3: double', 'decide 3: split'],
      },
    ),
  }),
  T7: table('T7', {
    round: round('no more bets', [seat(1, { ante: 1000 }), seat(3, { ante: 500, 'pair-plus': 500 })], {
      do: 'Shuffle: the deck is counted before any card leaves.',
      clause: 'ACE-06',
      deck: { mode: 'hand', loaded: false, packet: 3 },
      next: 'shuffle 000012 by automatic, packets of 3: unknown',
    }),
  }),
  T8: table('T8', {
    round: round('dealing', [seat(1, { ante: 1000 }, { cards: DOWN }), seat(3, { ante: 500, 'pair-plus': 500 })], {
      say: 'Supervisor, please.',
      do: 'Wait for a ruling: card 2 of position 1 was exposed.',
      reported: 'card 2 of position 1 was exposed',
      waiting: [3, 0],
      runbook: {
        what: 'cards jam at the exit',
        branch: 'seven_steps',
        done: 2,
        branches: [
          { branch: 'guide', steps: ['Use the guide that is on the machine.'] },
          {
            branch: 'seven_steps',
            steps: [
              'Switch the machine off.',
              'Pull its power plug.',
              'Take it away and set up the backup.',
              'Connect power and data to the backup.',
              'Switch the backup on.',
              'Report the fault to the vendor’s service.',
              'Go on with the game.',
            ],
          },
          { branch: 'local', steps: ['Do what the local regulator has approved for this.'] },
        ],
        replaces: 'runbook seven_steps: step 3',
      },
      wrong: [{ position: 3, bet: 'ante', hand: null, short: 500 }],
      legal: ['runbook seven_steps: step 3'],
    }),
  }),
  T9: table('T9', { positions: 6 }),
};

const METERS = {
  Royal: [{ level: 'single', shown_cents: 1243107, pending: true }],
  Manager: tables.T5.progressive.meters,
  Summit: [
    { level: 'mega', shown_cents: 16120455, pending: false },
    { level: 'major', shown_cents: 431020, pending: false },
    { level: 'minor', shown_cents: 61205, pending: false },
  ],
};

export function lobby() {
  const attention = { T4: ['an award waits at position 4'], T5: ['an award waits at position 2'], T8: ['a ruling is asked for', 'the shuffler has failed'] };
  return {
    now: ago(0),
    tables: Object.values(tables).map((one) => ({
      table: one.table,
      game: one.game,
      name: one.name,
      positions: one.positions,
      link: one.link,
      round: one.round && { number: one.round.number, phase: one.round.phase, stage: one.round.stage, over: one.round.over },
      taken: one.round?.positions.length ?? 0,
      lit: one.progressive?.lights.length ?? 0,
      started: one.progressive?.started ?? false,
      attention: attention[one.table] ?? [],
    })),
    links: [
      { link: 'Royal', name: 'Three Card Progressive', paytable: '1', meters: METERS.Royal, tables: ['T1', 'T4'], closed: '', attention: ['a deposit is due by 2026-11-20'] },
      { link: 'Manager', name: 'Three Card Progressive', paytable: '1', meters: METERS.Manager, tables: ['T5'], closed: '', attention: [] },
      { link: 'Summit', name: 'Five Card Link', paytable: 'ML03', meters: METERS.Summit, tables: [], closed: '', attention: [] },
      { link: 'Old', name: 'Three Card Progressive', paytable: '4', meters: [{ level: 'single', shown_cents: 250000, pending: false }], tables: [], closed: 'the sign is broken', attention: ['the deposit is $120.00 short'] },
    ],
    inbox: 3,
  };
}

export function inbox(role) {
  const checklist = ['hand_seen', 'wager_lit', 'amount', 'deck_counted'];
  const items = [
    {
      id: 'award:T5:41:2', kind: 'award', since: ago(75), mine: role === 'supervisor' || role === 'executive', table: 'T5', link: 'Manager', game: 'Three Card Poker', round: 41, position: 2,
      player: 'position 2', hand: 'akq_spades', name: 'A-K-Q of spades', pays: '100% of the meter', level: 'single', whole: true, wager_cents: 100, amount_cents: 1243107, status: 'recorded', page: 8,
      chosen_by: 'dealer', needs: 'supervisor', threshold_cents: 1000000, confirms: 'key', key: 'jph', next: true, why_not: '', called: true, call_text: '', checklist, before_cents: 1243107, after_cents: 281844,
      tax_flag: true, cards: ['As', 'Ks', 'Qs'], envy: [], version: 12,
    },
    {
      id: 'award:T4:41:4', kind: 'award', since: ago(41), mine: role === 'executive', table: 'T4', link: 'Royal', game: 'Three Card Poker', round: 41, position: 4,
      player: 'Robin', hand: 'akq_spades', name: 'A-K-Q of spades', pays: '100% of the meter', level: 'single', whole: true, wager_cents: 100, amount_cents: 1243107, status: 'chosen', page: null,
      chosen_by: 'dealer', needs: 'executive', threshold_cents: 1000000, confirms: 'card', key: 'run', next: true, why_not: '', called: true, call_text: '', checklist: [...checklist, 'surveillance'], before_cents: 1243107, after_cents: 281844,
      tax_flag: true, cards: ['As', 'Ks', 'Qs'], envy: [{ position: 1, from: 4, cents: 10000 }, { position: 6, from: 4, cents: 10000 }], version: 12,
    },
    { id: 'camera:T1:41:page 7', kind: 'camera', since: ago(128), mine: role === 'surveillance', table: 'T1', link: 'Royal', page: 7, position: 6, from: 6, player: 'position 6', hand: 'akq_spades', name: 'A-K-Q of spades', cents: 640000, wager_cents: 100, cards: [], checklist: ['hand', 'wager', 'amount', 'player'] },
    { id: 'pay:T1:41:page 7', kind: 'pay', since: ago(130), mine: role !== 'surveillance', table: 'T1', link: 'Royal', round: 40, position: 6, player: 'position 6', name: 'A-K-Q of spades', level: 'single', wager_cents: 100, amount_cents: 640000, page: 7, chosen_by: 'dealer', confirmed_by: 'supervisor', cheque: true, tax_flag: true, why_not: 'surveillance has not verified it yet' },
    { id: 'cheque:Royal:6', kind: 'cheque', since: ago(40000), mine: role === 'cage', table: null, link: 'Royal', page: 6, slip: null, amount_cents: 812000, due: later(12) },
    { id: 'slip:Royal:3', kind: 'slip', since: ago(5000), mine: role !== 'surveillance', table: null, link: 'Royal', slip: 3, amount_cents: 4500, tables: ['T1', 'T4'], cheque: false, checklist: [] },
    { id: 'ruling:T8:000317', kind: 'ruling', since: ago(3), mine: role === 'supervisor', table: 'T8', link: null, round: '000317', text: 'card 2 of position 1 was exposed', version: 12 },
    { id: 'deposit:Old', kind: 'deposit', since: ago(90000), mine: role === 'cage', table: null, link: 'Old', liability_cents: 262000, short_cents: 12000, due: later(40) },
  ];
  return {
    now: ago(0),
    items: items.sort((a, b) => a.since.localeCompare(b.since)),
    links: lobby().links.map((one) => ({
      link: one.link,
      name: one.name,
      closed: one.closed,
      meters: one.meters.map((meter) => ({ ...meter, overflow_cents: 0, seeded_cents: 250000 })),
      pages: one.link === 'Royal' ? [{ page: 7, table: 'T1', name: 'A-K-Q of spades', level: 'single', amount_cents: 640000, open: true }, { page: 6, table: 'T4', name: 'A-K-Q of spades', level: 'single', amount_cents: 812000, open: false }] : [],
      slips: 3,
    })),
    tables: Object.values(tables).map((one) => ({ table: one.table, name: one.name, round: one.round?.number ?? null, phase: one.round?.phase ?? '', game: one.progressive?.started ? 41 : null, earlier: false, version: 12 })),
    reductions: {
      won: 'an award that was confirmed for too little',
      display_error: 'a display that a malfunction had raised',
      above_cap: 'an amount above the posted cap',
      booked_receipts: 'funds that are not displayed, booked as gross receipts',
      seed_recovered: 'meter_seed that the house takes back',
    },
    increases: {
      award_backed_out: 'an award that was confirmed by mistake and is put back',
      display_error: 'a display that a malfunction had lowered',
      house_adds: 'the house adds of its own',
    },
    of_an_award: ['won', 'award_backed_out'],
  };
}

export function sign(link, added) {
  const notices = ['A folded hand does not win the progressive.', 'If gambling is no longer a game for you, ask any of us for help: it is free.'];
  if (link === 'Summit') {
    return {
      link, name: 'Five Card Link', paytable: 'ML03', closed: '', notices: [...notices, 'The Mega meter stops at $250,000.00.'],
      meters: METERS.Summit.map((meter) => ({ ...meter, shown_cents: meter.shown_cents + added, cap_cents: meter.level === 'mega' ? 25000000 : null })),
      pays: [
        { name: 'Royal flush', pays: '100% of the Mega meter', level: 'mega' },
        { name: 'Straight flush', pays: '100% of the Major meter', level: 'major' },
        { name: 'Four of a kind', pays: '100% of the Minor meter', level: 'minor' },
        { name: 'Full house', pays: '75 for 1', level: null },
        { name: 'Flush', pays: '40 for 1', level: null },
        { name: 'Straight', pays: '25 for 1', level: null },
        { name: 'Three of a kind', pays: '9 for 1', level: null },
      ],
      envy: [{ name: 'Royal flush', pays: '$1,000.00 for each $1' }, { name: 'Straight flush', pays: '$300.00 for each $1' }],
      pending: [],
    };
  }
  return {
    link, name: 'Three Card Progressive', paytable: '1', closed: link === 'Old' ? 'the sign is broken' : '', notices,
    meters: (METERS[link] ?? METERS.Royal).map((meter) => ({ ...meter, pending: link !== 'Quiet' && meter.pending, shown_cents: meter.shown_cents + added, cap_cents: null })),
    pays: HANDS.map(({ name, pays }) => ({ name, pays, level: pays.includes('meter') ? 'single' : null })),
    envy: [{ name: 'A-K-Q of spades', pays: '$100.00' }, { name: 'A-K-Q of another suit', pays: '$25.00' }],
    pending: link === 'Quiet' ? [] : [{ table: link === 'Manager' ? 'T5' : 'T4', name: 'A-K-Q of spades', level: 'single' }],
  };
}

const SETTINGS = { contribution_ppm: 200000, reserve_ppm: 50000, meter_seed_cents: 250000, cap_cents: null };

const PAPER = { reference: '2023-3119', day: '2023-06-14', until: '' };
const EQUIPMENT = [
  { serial: 'PG-01', kind: 'progressive', model: 'Atlas', maker: 'Northern Tables', sold: '2024-02-01', version: '', approval: '', parts: { 'GM Atlas': '5.4.0', 'Nexus Command II': '5.4' }, display: { name: 'plain monitor', network: false, input: false }, notes: 'Rack 2.', fault: null, earlier: false, remarks: [], stands_at: ['T1'] },
  {
    serial: 'SH-04', kind: 'shuffler', model: 'Ace', maker: 'Unknown', sold: '2024-02-01', version: '', approval: '', parts: {}, display: null, notes: '', fault: 'cards jam', earlier: false, stands_at: [],
    remarks: [{ text: 'the maker of SH-04 had no licence of the State when it was sold', clauses: ['CMP-03'], where: ['T1', 'T4'] }],
  },
];

/** T1 is open, T4 cannot be opened, all others are for practice. */
function opening(one) {
  const asked = ['T1', 'T4'].includes(one.table);
  return {
    table: one.table, name: one.name, profile: asked ? 'wa_commercial' : 'none', asked, opened_at: one.table === 'T1' ? ago(7200) : null, equipment: one.table === 'T1' ? ['PG-01'] : [],
    contact: asked ? 'the contact of the Commission for commercial card rooms' : null, cards: one.table === 'T1' ? { material: 'plastic', size: 'bridge' } : null,
    missing: one.table === 'T4' ? [{ clause: 'CMP-01', text: 'the rules that it plays are not the ones that were approved' }, { clause: 'CMP-16', text: 'no shuffler on record is assigned to it' }] : [],
    unfit: asked ? { 'SH-04': [{ clause: 'CMP-03', text: 'the maker of SH-04 had no licence of the State when it was sold' }] } : {},
    rules: { revision: '2023-06-14', digest: 'cb1d4c231c32fd08'.repeat(4), approved: one.table === 'T1' ? PAPER : null, to_come: asked ? { digest: '08fd321c234c1dbc'.repeat(4), approved: one.table === 'T1' ? { ...PAPER, until: '2030-12-31' } : null } : null },
    placard: [`${one.name}, rules of 2023-06-14`, 'pair-plus A', '  straight flush: 40 to 1'],
  };
}

export function openings() {
  return { tables: Object.values(tables).map(opening), equipment: EQUIPMENT };
}

export function administration() {
  const roles = ['dealer', 'supervisor', 'executive', 'cage', 'auditor', 'surveillance', 'administrator', 'trainer'];
  const names = ['Dana', 'Sasha', 'Emery', 'Charlie', 'Alex', 'Sidney', 'Avery'];
  return {
    people: [
      ...roles.map((role, number) => ({ card: role, name: names[number], role, active: true, locked: role === 'cage', failures: role === 'cage' ? 3 : role === 'dealer' ? 1 : 0, second_factor: number > 0 && number < 3 })),
      { card: '0099', name: 'Kim', role: 'dealer', active: false, locked: false, failures: 0, second_factor: false },
    ],
    tables: Object.values(tables).map((one) => ({ ...opening(one), game: one.game, positions: one.positions, paytables: {}, options: one.table === 'T5' ? { award_profile: 'game_manager', folded_hand_progressive: 'eligible' } : {}, deck: one.table === 'T7' ? 'physical' : 'virtual', link: one.link, started: one.progressive?.started ?? false })),
    links: lobby().links.map((one) => ({
      link: one.link, progressive: 'three-card-progressive', name: one.name, paytable: one.paytable, all_from_meter: false, deposits: 'weekly', deposited_at: one.link === 'Old' ? null : ago(200000),
      short_cents: one.link === 'Old' ? 12000 : 0, tables: one.tables, closed: one.closed, seized_at: null,
      levels: one.meters.map((meter, number) => ({ level: meter.level, shown_cents: meter.shown_cents, reserve_cents: 31844, overflow_cents: 0, threshold_cents: one.link === 'Old' ? null : 1000000, settings: SETTINGS, waiting: number === 1 ? { ...SETTINGS, contribution_ppm: 150000 } : null })),
    })),
    roles,
    games: [
      { code: 'three-card-poker', name: 'Three Card Poker', progressive: true, progressive_reading: null, paytables: [{ bet: 'pair-plus', name: 'Pair Plus', usual: 'A', tables: [{ code: 'A', rows: [{ label: 'straight flush', pays: '40 to 1' }] }, { code: 'B', rows: [{ label: 'straight flush', pays: '40 to 1' }] }] }], designators: [{ code: 'TCP-01', paytables: { 'pair-plus': 'A' } }, { code: 'TCP-02', paytables: { 'pair-plus': 'B' } }] },
      { code: 'triple-shot-rummy', name: 'Triple Shot Rummy', progressive: true, progressive_reading: 'The rules of play of this game name no progressive wager; it is offered here by a reading of the house.', paytables: [], designators: [] },
      { code: 'triple-shot-bonus', name: 'Triple Shot Bonus', progressive: false, progressive_reading: null, paytables: [], designators: [] },
    ],
    progressives: [
      { code: 'three-card-progressive', name: 'Three Card Progressive', paytables: [{ code: '1', levels: ['single'], preset: { single: SETTINGS } }, { code: '4', levels: ['single'], preset: { single: SETTINGS } }] },
      { code: 'five-card-link', name: 'Five Card Link', paytables: [{ code: 'ML03', levels: ['mega', 'major', 'minor'], preset: { mega: SETTINGS, major: SETTINGS, minor: SETTINGS } }] },
    ],
    options: [
      { name: 'award_profile', text: 'Which progressive system is worked at the table.', values: ['nexus', 'game_manager'], described: '', default: 'nexus', games: [] },
      { name: 'smallest_chip', text: 'The smallest chip in the tray.', values: [], described: 'any amount', default: '1.00', games: [] },
    ],
    causes: { seized: 'a tax authority took the money; the bank must cover it again', fault: 'something does not work as it should', other: 'what the text says' },
    register: {
      today: new Date().toISOString().slice(0, 10),
      papers: [
        { paper: 'internal_controls', text: 'the approval of the internal controls by the Commission', asked_by: [{ profile: 'wa_commercial', clause: 'CMP-02' }], asked: true, recorded: PAPER },
        { paper: 'tribal_agency', text: 'the approval of the Tribal Gaming Agency', asked_by: [{ profile: 'wa_tribal', clause: 'CMP-04' }], asked: false, recorded: null },
      ],
      makers: [{ maker: 'Northern Tables', state: { reference: 'L-1', day: '2020-01-01', until: '2024-12-31' }, tribe: null }],
      equipment: EQUIPMENT,
      kinds: ['shuffler', 'progressive', 'layout'],
      parts: ['GM Atlas', 'Nexus Command II'],
      listed_kinds: ['shuffler'],
      models: [
        ...['i-Deal', 'i-Deal Plus', 'ACE'].map((model) => ({ kind: 'shuffler', maker: 'Light and Wonder', model, games: ['Three Card Poker', 'Three Card Poker Face Up'], reference: 'letter of 2023-06-14, submission 3119', day: '2023-06-14', until: '', printed: true })),
        { kind: 'shuffler', maker: 'Northern Tables', model: 'Quick Shuffle', games: [], reference: '2024-0117', day: '2024-01-31', until: '', printed: false },
      ],
    },
  };
}

export function trail(stream, before) {
  const last = before || 118;
  const streams = ['link:Royal', 'person:dealer', 'table:T1', 'table:T4'];
  const events = Array.from({ length: 12 }, (_, number) => ({
    position: last - 1 - number,
    stream: stream || streams[number % streams.length],
    version: 90 - number,
    kind: ['round', 'award_waits', 'hand_chosen', 'pin_held'][number % 4],
    actor: 'dealer',
    at: ago(number * 47 + 5),
    data: [{ number: 317, text: 'reconcile 6' }, { through: 'T4', pending: [{ table: 'T4', amount_cents: 1243107 }] }, { position: 4, hand: 'akq_spades', amount_cents: 1243107 }, {}][number % 4],
    transfers: [],
    prior: '71bc55d0e2a4c6b89f3a'.repeat(4).slice(0, 64),
    hash: '9f3a71bc55d0e2a4c6b8'.repeat(4).slice(0, 64),
    round: number % 4 ? null : 317,
  }));
  const kinds = ['award_waits', 'hand_chosen', 'pin_held', 'round'];
  const people = [{ card: 'dealer', name: 'Dana', role: 'dealer' }];
  return { events, before: last > 30 ? last - 12 : null, streams, kinds, people };
}

/** The words of the games, as far as the screens of these tables need them. */
export function games() {
  const named = (bets) => bets.map((bet) => ({ code: bet.code, name: bet.name, short: bet.name }));
  const action = (name, key, more = {}) => ({ action: name, label: name.charAt(0).toUpperCase() + name.slice(1), key, puts: null, folds: false, offer: false, ...more });
  const found = Object.values(tables).map((table) => ({
    game: table.game,
    name: table.name,
    about: '',
    unit: table.bets[0].code,
    first_cards: 3,
    decides_on: [],
    bets: named(table.bets),
    actions: [action('play', 'P'), action('fold', 'F', { folds: true }), action('hit', 'H'), action('stand', 'S'), action('double', 'D'), action('split', 'T'), action('insurance', 'E', { offer: true })],
    stages: { war: 'War', blackjack: 'Blackjack', poker: 'Poker' },
  }));
  return { games: [...new Map(found.map((game) => [game.game, game])).values()] };
}
