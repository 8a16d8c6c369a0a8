/**
 * What a touch on the console sends. Nothing here knows a rule; it reads the view and writes lines
 * of a round file.
 */

import type { CommandName, Commands, Console, RoundView, Versions } from '../api';
import { plain, plainSigned } from '../money';

export interface Step<N extends CommandName = CommandName> {
  name: N;
  arguments: Commands[N];
  expects?: Versions;
}

export const CHIPS = [100, 500, 2500, 10_000] as const;
export type Wagers = Record<string, number>;

export function roundStep(table: string, text: string): Step<'round'> {
  return { name: 'round', arguments: { table, text } };
}

/** The step of the runbook at which another shuffler stands at the table. */
export function replaceStep(table: string, text: string, serial: string): Step<'round'> {
  const replacement = serial.trim();
  return { name: 'round', arguments: replacement ? { table, text, replacement } : { table, text } };
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

/** What puts the bets of a position on the felt. */
export function betsStep(view: Console, position: number, player: string, wagers: Wagers): Step<'round'> {
  const order = view.bets.map((bet) => bet.code);
  return roundStep(view.table, betsLine(position, player, wagers, order));
}

export function withChip(wagers: Wagers, bet: string, cents: number): Wagers {
  return { ...wagers, [bet]: (wagers[bet] ?? 0) + cents };
}

export function withoutBet(wagers: Wagers, bet: string): Wagers {
  return Object.fromEntries(Object.entries(wagers).filter(([name]) => name !== bet));
}

// ---------------------------------------------------------------- the one primary action

export interface Primary {
  /** A line of a round file, or what is pressed where none comes next. */
  what: string;
  /** Null while it is blocked. */
  step: Step | null;
  /** Sentences; it is not pressed while there are any. */
  blocked: string[];
}

/** What the button at the bottom right does now; null where somebody has to choose. */
export function primary(view: Console): Primary | null {
  const { table, round, progressive } = view;
  if (!round || round.over) return { what: 'open round', step: seen(view, { name: 'open_round', arguments: { table } }), blocked: [] };
  const line = round.blocked?.line ?? round.next;
  const blocked = round.blocked?.by ?? [];
  if (line === null) return null;
  if (line === 'shuffle') return { what: line, step: seen(view, { name: 'shuffle', arguments: { table } }), blocked };
  const what = line === 'close' && progressive?.started ? 'end game' : line;
  return { what, step: blocked.length ? null : seen(view, roundStep(table, line)), blocked };
}

// ---------------------------------------------------------------- decisions

/** The decisions that are open, by position. */
export function decisions(round: RoundView): Map<number, string[]> {
  const found = new Map<number, string[]>();
  for (const line of round.legal) {
    const match = line.match(/^decide (\d+): (.+)$/);
    if (!match) continue;
    const position = Number(match[1]);
    found.set(position, [...(found.get(position) ?? []), match[2] ?? '']);
  }
  return found;
}

export function decideStep(view: Console, position: number, decision: string): Step<'round'> {
  return roundStep(view.table, `decide ${position}: ${decision}`);
}

/** Lines that may be done besides the next one, the decisions, the hand buttons and the runbook. */
export function otherLines(round: RoundView): string[] {
  return round.legal.filter((line) => line !== round.next && !/^(decide|press|runbook) /.test(line) && !isWider(line, round.next));
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
  expose: (place: number | string, cards: string[]) => `expose ${place || 'dealer'}: ${cards.join(' ')}`,
};

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

export const VOID_REASONS = ['wrong_card_count', 'exposed_card', 'late_wager', 'shuffler_fault', 'ruling'] as const;
export const CORRECTION_REASONS = ['wrong_odds', 'wrong_hand', 'wrong_chips', 'missed', 'paid_twice'] as const;
