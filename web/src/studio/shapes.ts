/** What the studio is sent, and what it sends. */

import type { HouseOption } from '../rules';

/** A figure as the fraction it is, and as a decimal. */
export interface Exact {
  exact: string;
  value: number;
}

export interface Draft {
  name: string;
  game: string;
  options: Record<string, string>;
  /** Codes by bet; a code may carry changes, as `A:flush=3`. */
  paytables: Record<string, string>;
  note: string;
}

export interface TableOffer {
  code: string;
  levels: string[];
  rows: { hand: string; label: string; pays: string }[];
  hands: { hand: string; label: string }[];
}

export interface GameOffer {
  game: string;
  name: string;
  revisions: { date: string; text: string; profile: string | null }[];
  options: HouseOption[];
  paytables: { bet: string; name: string; usual: string; tables: TableOffer[] }[];
  designators: { code: string; paytables: Record<string, string> }[];
}

export interface StudioOffer {
  token: string;
  games: GameOffer[];
  sections: { section: string; title: string }[];
  exports: string[];
}

export interface PayRow {
  hand: string;
  label: string;
  pays: string;
  number: string | null;
  kind: 'to' | 'for' | 'share';
  probability: Exact | null;
  one_in: number | null;
  contribution: Exact | null;
}

export interface Outcome {
  event: string;
  /** A whole number as text: it may be past what a browser counts. */
  cases: string;
  probability: Exact;
  net: Exact;
  contribution: Exact;
}

export interface BetFigures {
  bet: string;
  name: string;
  paytable: { bet: string; code: string } | null;
  cases: string;
  house_edge: Exact;
  element_of_risk: Exact;
  wagered: Exact;
  return: Exact;
  hit_frequency: Exact;
  push_frequency: Exact;
  one_in: Exact | null;
  variance: Exact;
  standard_deviation: number;
  volatility_index: Record<string, number>;
  confidence_level: number;
  confidence_bands: Record<string, { low: number; high: number }>;
  pays: PayRow[];
  outcomes: Outcome[];
}

export interface ProgressiveFigures {
  standard_deviation: number;
  volatility_index: Record<string, number>;
  code: string;
  fixed_return: Exact;
  hit_frequency: Exact;
  house_edge: Exact;
  envy: Exact;
  others: number;
  folded_hands: string;
  levels: { level: string; cents: number; adds: Exact; fair: Exact }[];
  line: { dollars: number; edge: number }[];
  pays: PayRow[];
}

export interface Joint {
  joint: Exact;
  product: Exact;
  house_edge: Exact;
  multiplied_edge: Exact;
  pairs: Record<string, Exact>;
  words: string;
}

export interface Board {
  variant: Draft;
  name: string;
  revision: string;
  digest: string;
  options: Record<string, string>;
  command: string;
  bets: BetFigures[];
  progressive: ProgressiveFigures | null;
  joint: Joint | null;
  together: Exact | null;
  done: boolean;
}

export interface TaskState<T> {
  task: number;
  version: number;
  done: boolean;
  known: T | null;
}

export interface Solution {
  paytable: string;
  pays: Record<string, string>;
  house_edge: Exact;
  hit_frequency: Exact;
  standard_deviation: number | null;
}

export interface Cell {
  bet: string;
  name: string;
  figure: string;
  left: Exact | number;
  right: Exact | number;
  changed: boolean;
}

export interface Comparison {
  names: [string, string];
  revisions: [string, string];
  digests: [string, string];
  differences: string[];
  figures: Cell[];
  pays: { bet: string; name: string; hand: string; label: string; left: string | null; right: string | null; changed: boolean }[];
  options: { option: string; left: string | null; right: string | null; changed: boolean }[];
}

export interface Dealt {
  rounds: number;
  of: number;
  rate: number;
  seed?: number;
  bets?: { bet: string; name: string; estimate: number; low: number; high: number; exact: number; inside: boolean }[];
}

export interface TableBlock {
  kind: 'table';
  caption: string;
  columns: string[];
  rows: string[][];
  right: string[];
}

export type Block =
  | { kind: 'heading'; text: string; level: number }
  | { kind: 'text'; text: string }
  | { kind: 'facts'; rows: [string, string][] }
  | { kind: 'chart'; svg: string; alt: string; table: TableBlock }
  | { kind: 'signatures'; roles: string[] }
  | TableBlock;

export interface Section {
  name: string;
  title: string;
  blocks: Block[];
}
