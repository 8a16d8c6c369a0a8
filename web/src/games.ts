/** The words of the games, as the server has them: no screen knows a game. They are asked for once, before any page is shown. */

import type { ActionView, BetWords, GameView } from './api';

let known: GameView[] = [];

export function knowGames(games: GameView[]): void {
  known = games;
}

export function gameOf(code: string): GameView | undefined {
  return known.find((game) => game.game === code);
}

/** A code is one word for the same thing in every game. */
function bet(code: string): BetWords | undefined {
  return known.flatMap((game) => game.bets).find((one) => one.code === code);
}

function action(name: string): ActionView | undefined {
  return known.flatMap((game) => game.actions).find((one) => one.action === name);
}

export function betName(code: string): string {
  return bet(code)?.name ?? code;
}

/** For spots that are too narrow for the name. */
export function shortBet(code: string): string {
  return bet(code)?.short ?? code;
}

/** A decision by its name; an offer X is declined by `no-X`. */
export function decisionName(name: string): string {
  return action(name)?.label ?? sentenceCase(name.replaceAll('-', ' '));
}

/** The key of a decision. */
export function decisionKey(name: string): string {
  return action(name)?.key ?? (name.startsWith('no-') ? 'N' : '');
}

export function isFold(name: string): boolean {
  return action(name)?.folds ?? false;
}

export function stageName(stage: string): string {
  return known.map((game) => game.stages[stage]).find(Boolean) ?? stage;
}

/** The decisions of a game with their keys, for the list of keys. */
export function keyRows(game: string): [string, string][] {
  const actions = gameOf(game)?.actions.filter((one) => one.key) ?? [];
  return actions.length ? [[actions.map((one) => one.key).join(' '), actions.map((one) => one.label.toLowerCase()).join(', ')]] : [];
}

function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
