/**
 * What a touch on the console sends: one command, or the pair for felt and keypad. Nothing here
 * knows a rule; it reads the view and writes lines of a round file.
 */

import type { CommandName, Commands, Console, Level, RoundView, Versions } from '../api';
import { plain, plainSigned } from '../money';

export interface Step<N extends CommandName = CommandName> {
  name: N;
  arguments: Commands[N];
  expects?: Versions;
}
/** A step may need the answer of the one before it. */
export type Steps = (Step | ((answer: Record<string, unknown>) => Step))[];

export const CHIPS = [100, 500, 2500, 10_000] as const;
export type Wagers = Record<string, number>;

export function roundStep(table: string, text: string): Step<'round'> {
  return { name: 'round', arguments: { table, text } };
}

/** A step that counts only for what the screen shows. */
function seen<N extends CommandName>(view: Console, step: Step<N>): Step<N> {
  return { ...step, expects: { [`table:${view.table}`]: view.version } };
}

// ---------------------------------------------------------------- bets

/** One line with all bets of a position, in the order in which the game names them. */
export function betsLine(position: number, player: string, wagers: Wagers, order: string[]): string {
  const made = order.filter((bet) => (wagers[bet] ?? 0) > 0).map((bet) => `${bet} ${plain(wagers[bet] ?? 0)}`);
  const who = player.replaceAll(':', ' ').trim();
  return `bets ${position}${who ? ` by ${who}` : ''}: ${made.join(', ') || 'none'}`;
}

/** Who a lit wager is of: the system wants a name, and two strangers are two people. */
export function playerAt(position: number, player: string): string {
  return player.trim() || `position ${position}`;
}

/** What puts the bets of a position on the felt, and its light on or off. */
export function betsSteps(view: Console, position: number, player: string, wagers: Wagers): Steps {
  const order = view.bets.map((bet) => bet.code);
  const line = roundStep(view.table, betsLine(position, player, wagers, order));
  const light = view.progressive?.lights.find((one) => one.position === position);
  const wanted = wagers['progressive'] ?? 0;
  if (!view.progressive || view.progressive.started || (light?.cents ?? 0) === wanted) return [line];
  const off: Step<'unlight'> = { name: 'unlight', arguments: { table: view.table, position } };
  const on: Step<'light'> = {
    name: 'light',
    arguments: { table: view.table, position, player: playerAt(position, player), cents: wanted, base_wager: hasBase(wagers) },
  };
  return [...(light && !light.carried ? [off] : []), line, ...(wanted && !light?.carried ? [on] : [])];
}

function hasBase(wagers: Wagers): boolean {
  return Object.entries(wagers).some(([bet, cents]) => bet !== 'progressive' && cents > 0);
}

export function withChip(wagers: Wagers, bet: string, cents: number): Wagers {
  return { ...wagers, [bet]: (wagers[bet] ?? 0) + cents };
}

export function withoutBet(wagers: Wagers, bet: string): Wagers {
  return Object.fromEntries(Object.entries(wagers).filter(([name]) => name !== bet));
}

// ---------------------------------------------------------------- the one primary action

export interface Primary {
  /** A line of a round file, or what is pressed where no round is under way. */
  what: string;
  steps: Steps;
  /** Sentences; it is not pressed while there are any. */
  blocked: string[];
}

/** What the button at the bottom right does now; null where somebody has to choose. */
export function primary(view: Console): Primary | null {
  const { round, progressive } = view;
  const blocked = progressive?.started ? progressive.blocks_end : [];
  const end: Step<'end_game'> = { name: 'end_game', arguments: { table: view.table } };
  if (!round || round.over) {
    if (!progressive?.started) return { what: 'open round', steps: [{ name: 'open_round', arguments: { table: view.table } }], blocked: [] };
    // What is void on the felt is made void on the keypad by a supervisor.
    return round?.phase === 'void' ? null : { what: 'end game', steps: [seen(view, end)], blocked };
  }
  const line = round.next;
  if (line === null) return null;
  if (line === 'shuffle' && round.deck.mode === 'hand') return { what: 'enter deck', steps: [], blocked: [] };
  const step = seen(view, roundStep(view.table, line));
  if (line.startsWith('start game') && progressive && !progressive.started) {
    const start: Step<'start_game'> = { name: 'start_game', arguments: { table: view.table } };
    return { what: 'start game', steps: [seen(view, start), (answer) => startLine(view, line, answer)], blocked: [] };
  }
  if (line === 'pay envy' && progressive?.started && progressive.envy.length) {
    return { what: line, steps: [step, { name: 'pay_envy', arguments: { table: view.table } }], blocked: [] };
  }
  if (line === 'close' && progressive?.started) {
    return { what: 'end game', steps: [seen(view, end), roundStep(view.table, line)], blocked };
  }
  return { what: line, steps: [step], blocked: [] };
}

/** The line of START GAME with what stands on the meters, as the keypad has just answered. */
function startLine(view: Console, line: string, answer: Record<string, unknown>): Step<'round'> {
  const meters = Object.entries((answer['meters'] ?? {}) as Record<Level, number>);
  const text = meters.length ? `start game: ${meters.map(([level, cents]) => `${level} ${plain(cents)}`).join(', ')}` : line;
  return roundStep(view.table, text);
}

// ---------------------------------------------------------------- decisions

/** The decisions that are open, by position. */
export function decisions(round: RoundView): Map<number, string[]> {
  const found = new Map<number, string[]>();
  for (const line of round.legal) {
    const match = line.match(/^decide (\d+): ([a-z]+)$/);
    if (!match) continue;
    const position = Number(match[1]);
    found.set(position, [...(found.get(position) ?? []), match[2] ?? '']);
  }
  return found;
}

export function decideSteps(view: Console, position: number, decision: string): Steps {
  const steps: Steps = [roundStep(view.table, `decide ${position}: ${decision}`)];
  const lit = view.progressive?.started && view.progressive.lights.some((light) => light.position === position);
  if (decision === 'fold' && lit) steps.push({ name: 'fold', arguments: { table: view.table, position } });
  return steps;
}

/** Lines that may be done besides the next one, the decisions and the runbook. */
export function otherLines(round: RoundView): string[] {
  return round.legal.filter((line) => line !== round.next && !/^(decide|runbook) /.test(line) && !isWider(line, round.next));
}

/** "reconcile" is what "reconcile 5" is, for all positions at once. */
function isWider(line: string, next: string | null): boolean {
  return next !== null && next.startsWith(`${line} `);
}

// ---------------------------------------------------------------- what is not right

export const line = {
  void: (reason: string, detail: string) => `void ${reason}: ${oneLine(detail)}`.trimEnd(),
  exposed: (place: number, card: number) => `exposed ${place || 'dealer'}: card ${card}`,
  late: (position: number, bet: string, cents: number) => `late wager ${position}: ${bet} ${plain(cents)}`,
  handedOver: (position: number, bet: string, hand: number | null, net: number) =>
    `handed over ${position}: ${bet}${hand ? `/${hand}` : ''} ${plainSigned(net)}`,
  correct: (position: number, bet: string, hand: number | null, reason: string) =>
    `correct ${position}: ${bet}${hand ? `/${hand}` : ''} ${reason}`,
  fault: (what: string) => `shuffler fault: ${oneLine(what)}`,
  runbook: (branch: string, step: number) => `runbook ${branch}: step ${step}`,
  rule: (ruling: 'play_on' | 'void', reason: string) => `rule ${ruling}: ${oneLine(reason)}`,
  deck: (id: string, by: string, packet: number, cards: string[]) =>
    `shuffle ${id} by ${oneLine(by).replaceAll(':', ' ')}, packets of ${packet}: ${cards.join(' ')}`,
};

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

export const VOID_REASONS = ['wrong_card_count', 'exposed_card', 'late_wager', 'shuffler_fault', 'ruling'] as const;
export const CORRECTION_REASONS = ['wrong_odds', 'wrong_hand', 'wrong_chips', 'missed', 'paid_twice'] as const;

/** What the felt has and the keypad has not, after a pair that was interrupted. */
export function missing(view: Console): { position: number; steps: Steps }[] {
  const { round, progressive } = view;
  if (!round || round.over || !progressive) return [];
  const found: { position: number; steps: Steps }[] = [];
  for (const seat of round.positions) {
    const light = progressive.lights.find((one) => one.position === seat.position);
    const wager = seat.wagers['progressive'] ?? 0;
    if (progressive.started) {
      if (seat.folded && light && !light.folded) {
        found.push({ position: seat.position, steps: [{ name: 'fold', arguments: { table: view.table, position: seat.position } }] });
      }
    } else if (round.phase === 'betting' && wager !== (light?.cents ?? 0) && !light?.carried) {
      found.push({ position: seat.position, steps: betsSteps(view, seat.position, seat.player, seat.wagers) });
    }
  }
  return found;
}

// ---------------------------------------------------------------- the settle cursor

/**
 * The position whose bets are being paid: the one that was settled last. Positions are settled in
 * turn, so it is the last that is settled and no longer waits; `before` is what waited a moment ago.
 */
export function paying(round: RoundView, before: number[]): number | null {
  if (round.phase !== 'reconcile') return null;
  const done = before.filter((position) => position !== 0 && !round.waiting.includes(position));
  const last = done.at(-1);
  if (last !== undefined && before.length > round.waiting.length) return last;
  const settled = round.positions.filter((seat) => seat.lines.length && !seat.folded && !round.waiting.includes(seat.position));
  return settled.length ? Math.min(...settled.map((seat) => seat.position)) : null;
}
