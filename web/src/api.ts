/**
 * What the server sends and takes, as types. docs/server.md says which path has which of them.
 *
 * Amounts are whole cents, times are UTC as the journal writes them (ISO 8601), a position counts
 * from 1 at the dealer's far left and 0 is the dealer. A screen decides nothing: what may be
 * pressed, what it is worth and why comes from here.
 */

export type Cents = number;
export type Time = string;
/** "Qs", or "??" for a card that lies face down. */
export type CardText = string;
/** The versions of streams that a screen has seen: {"table:T1": 12}. */
export type Versions = Record<string, number>;

export type Role = 'dealer' | 'supervisor' | 'executive' | 'cage' | 'auditor' | 'surveillance' | 'administrator' | 'trainer';
export type Level = 'single' | 'mega' | 'major' | 'minor';

/** What is refused, as on the command line. */
export interface Refusal {
  reason: string;
  clause: string | null;
  message: string;
}

// ---------------------------------------------------------------- who

export interface Person {
  card: string;
  name: string;
  role: Role;
}

/** GET /api/me, and the answer of POST /api/sign-in and /api/setup. */
export interface Me {
  person: Person | null;
  csrf: string | null;
  /** Of a sign-in whose card and PIN hold: a code is asked for, or a second factor is to be set up. */
  second_factor?: { asked: 'code' } | { asked: 'enrol'; secret: string; uri: string };
  /** `setup` is true as long as the floor has no administrator; `demo` where nobody plays for money. */
  floor: { demo: boolean; version: string; digest: string; setup: boolean };
}

export interface SignIn {
  card: string;
  pin: string;
  /** Of the second factor; left out where none is asked for. */
  code?: string;
}

export interface Setup {
  token: string;
  card: string;
  name: string;
  pin: string;
}

// ---------------------------------------------------------------- lobby: GET /api/lobby, topic `lobby`

export interface MeterView {
  level: Level;
  shown_cents: Cents;
  /** True while an award waits for this meter: what is shown is not free to be won again. */
  pending: boolean;
}

export interface LobbyTable {
  table: string;
  game: string;
  name: string;
  positions: number;
  link: string | null;
  /** The live round; null before the first. */
  round: { number: string; phase: string; stage: string | null; over: boolean } | null;
  /** Positions with a wager on the felt, and positions whose progressive is lit. */
  taken: number;
  lit: number;
  /** True between START GAME (or COIN IN) and END GAME (or GAME OVER). */
  started: boolean;
  /** Sentences: "an award waits at position 4", "a ruling is asked for", "the shuffler has failed". */
  attention: string[];
}

export interface LobbyLink {
  link: string;
  /** "Three Card Progressive". */
  name: string;
  paytable: string;
  meters: MeterView[];
  tables: string[];
  /** Why no wagers are taken; empty while they are. */
  closed: string;
  /** Sentences: "the deposit is $120.00 short", "a deposit is due on 2026-11-20". */
  attention: string[];
}

export interface Lobby {
  now: Time;
  tables: LobbyTable[];
  links: LobbyLink[];
  /** How much waits in the inbox for the one who looks; 0 for those who have none. */
  inbox: number;
}

// ---------------------------------------------------------------- dealer console: GET /api/tables/{table}, topic `table:NAME`

export interface BetView {
  code: string;
  name: string;
  /** The usual wager: what one touch puts down where nothing else is chosen. */
  cents: Cents;
  paytable: string | null;
}

export type Stage = 'war' | 'blackjack' | 'poker';

export interface LineView {
  bet: string;
  /** 1 or 2 after a split, else null. */
  hand?: number | null;
  wager: Cents;
  outcome: 'win' | 'lose' | 'push' | 'forfeit';
  net: Cents;
  /** The stage of Triple Shot Bonus that it was settled in. */
  stage: Stage | null;
  /** True when the last step settled it: its chips move now. Otherwise they have moved. */
  now: boolean;
  /** What the dealer hands over for it, below 0 what is taken. */
  handed: Cents;
  /** Why nothing is: the lit wager was taken at the start, or the prize is handed over with its win page. */
  apart: 'taken' | 'award' | null;
  clause: string;
  why: string;
}

export interface SeatView {
  position: number;
  player: string;
  wagers: Record<string, Cents>;
  cards: CardText[];
  decisions: string[];
  folded: boolean;
  tucked: boolean;
  gone: boolean;
  net: Cents;
  lines: LineView[];
  /** The wagers that still lie on the felt, by bet: neither settled nor in the progressive. */
  felt: Record<string, Cents>;
}

/** The chips that move at one position for the last step. */
export interface PaymentView {
  position: number;
  hand_over: Cents;
  take_in: Cents;
  /** What is handed over, in chips: "1 x 25, 2 x 5"; empty when nothing is. */
  chips: string;
}

/** The chips that the last step tells the dealer to move, told once. */
export interface PanelView {
  /** The number of that step in the round: the same number is the same chips. */
  step: number;
  stage: Stage | null;
  hand_over: Cents;
  take_in: Cents;
  /** From the dealer's right; mostly one. */
  payments: PaymentView[];
}

/** The step that would come next, and sentences for what it waits for. */
export interface BlockedView {
  line: string;
  by: string[];
}

/** A failed shuffler: what is wrong, the branch that was begun, steps done, and the steps of every branch. */
export interface RunbookView {
  what: string;
  branch: string;
  done: number;
  branches: { branch: string; steps: string[] }[];
  /** The line with which the serial of another machine is given, where equipment stands at the table. */
  replaces: string | null;
}

/** The deck of the round. `hand` means that our shuffler does not deal: the cards are entered. */
export interface DeckView {
  mode: 'automatic' | 'hand';
  loaded: boolean;
  /** Cards to a packet: 3, or 1 where cards are dealt singly. */
  packet: number;
}

/** A payout that was reported wrong and is not yet put right; `short` below 0 was paid too much. */
export interface WrongPayoutView {
  position: number;
  bet: string;
  hand: number | null;
  short: Cents;
}

export interface RoundView {
  number: string;
  phase: 'betting' | 'no more bets' | 'dealing' | 'decisions' | 'reveal' | 'reconcile' | 'closed' | 'void';
  stage: Stage | null;
  void: string | null;
  over: boolean;
  /** What the dealer says now, or has said last. */
  say: string;
  /** What the dealer does now: the chips of the panel, then the step of `next`, or what blocks it. */
  do: string;
  clause: string | null;
  version: number;
  dealer: CardText[];
  community: CardText[] | null;
  positions: SeatView[];
  /** Null while no chips move. */
  panel: PanelView | null;
  /** Positions (0 the dealer) that the step under way still waits for, in order. */
  waiting: number[];
  /** What waits for a ruling, in words. */
  reported: string | null;
  runbook: RunbookView | null;
  wrong: WrongPayoutView[];
  deck: DeckView;
  /** Lines of a round file that may be done now. */
  legal: string[];
  /**
   * The one line that comes next; null where somebody has to choose, or where it is blocked.
   * `shuffle` is no line but the command that asks our shuffler for a deck; `enter deck` asks the dealer for it.
   */
  next: string | null;
  blocked: BlockedView | null;
  /** True when `undo` may take the last line back: it was of this phase. */
  undo: boolean;
}

export interface ProfileView {
  name: string;
  start: string;
  end: string;
  spot_first: boolean;
  confirms: 'card' | 'key';
}

export interface LightView {
  position: number;
  cents: Cents;
  player: string;
  folded: boolean;
  carried: boolean;
}

export interface AwardView {
  position: number;
  hand: string;
  name: string;
  /** The meter it is paid from; null for a fixed pay. */
  level: Level | null;
  whole: boolean;
  amount_cents: Cents;
  status: 'chosen' | 'recorded' | 'confirmed' | 'paid';
  /** The number of its win page; 0 before it is confirmed. */
  page: number;
  needs: Role | null;
}

export interface EnvyView {
  position: number;
  from: number;
  cents: Cents;
}

export interface ProgressiveView {
  profile: ProfileView;
  started: boolean;
  /** True while a game that an earlier version began is under way: `end_earlier_game`. */
  earlier: boolean;
  round: number;
  /** True where the dealer says at START GAME in which order awards are paid. */
  ordered: boolean;
  key: 'run' | 'jph';
  called_at: Time | null;
  lights: LightView[];
  awards: AwardView[];
  /** Hands that are paid, best first. */
  hands: { code: string; name: string; pays: string }[];
  meters: MeterView[];
  /** Envy that is due. */
  envy: EnvyView[];
  /** Payments that surveillance has still to verify. */
  on_camera: EnvyView[];
  /** Sentences; END GAME works when there is none. */
  blocks_end: string[];
  /** Positions that have won it and whose hand is not chosen yet. */
  unchosen: number[];
  /** The same for paying envy. */
  blocks_envy: string[];
}

/** A call that nobody has answered yet. */
export interface CallView {
  reason: string;
  /** The reason in words. */
  name: string;
  text: string;
  by: string;
  at: Time;
}

export interface CallReason {
  reason: string;
  name: string;
  /** True where it must be said in words. */
  needs_text: boolean;
  /** Why nobody can be called for it now; empty where somebody can. */
  why_not: string;
}

export interface Console {
  table: string;
  /** The version of the stream `table:NAME`. */
  version: number;
  game: string;
  name: string;
  positions: number;
  link: string | null;
  bets: BetView[];
  calls: CallView[];
  call_reasons: CallReason[];
  /** Null before the first round. */
  round: RoundView | null;
  /** Null where the table plays for no link. */
  progressive: ProgressiveView | null;
}

// ---------------------------------------------------------------- inbox: GET /api/inbox, topic `inbox`

interface Waiting {
  /** The same as long as it is the same thing: "award:T1:4:3". */
  id: string;
  /** Since when somebody waits. */
  since: Time;
  /** True when the one who looks may do it. */
  mine: boolean;
  table: string | null;
  link: string | null;
}

/** An award of a meter that is chosen or recorded: `confirm_award`, or the key and `press_jackpot`. */
export interface AwardItem extends Waiting {
  kind: 'award';
  table: string;
  link: string;
  game: string;
  round: number;
  position: number;
  player: string;
  hand: string;
  name: string;
  /** "100% of the meter". */
  pays: string;
  level: Level;
  whole: boolean;
  wager_cents: Cents;
  amount_cents: Cents;
  status: 'chosen' | 'recorded';
  /** The win page that J-POT has given; null before. */
  page: number | null;
  chosen_by: string;
  /** Whose card it takes, and from which amount an executive's. */
  needs: 'supervisor' | 'executive';
  threshold_cents: Cents;
  confirms: 'card' | 'key';
  key: 'run' | 'jph';
  /** False while an award of this table, or one in front of it in line, comes first: `why_not` says so. */
  next: boolean;
  why_not: string;
  called: boolean;
  /** What the dealer has said with the call. */
  call_text: string;
  /** The names of the checklist that the command must hold: hand_seen, wager_lit, amount, deck_counted, surveillance. */
  checklist: string[];
  before_cents: Cents;
  /** What the meter will show after it, from what it holds now. */
  after_cents: Cents;
  tax_flag: boolean;
  cards: CardText[];
  envy: EnvyView[];
  version: number;
}

/** A supervisor is called to a table: `answer_call`. A call for an award of a meter is there as that award. */
export interface CallItem extends Waiting {
  kind: 'call';
  table: string;
  reason: string;
  /** The reason in words. */
  name: string;
  text: string;
  by: string;
}

/** A payment over $3,000 that surveillance has to verify: `check_on_camera`. `from` is the hand it is for. */
export interface CameraItem extends Waiting {
  kind: 'camera';
  table: string;
  link: string;
  /** The win page of an award; null for a fixed pay or envy of the round. */
  page: number | null;
  position: number;
  from: number;
  player: string;
  hand: string;
  name: string;
  cents: Cents;
  wager_cents: Cents;
  cards: CardText[];
  /** hand, wager, amount, player. */
  checklist: string[];
}

/** A confirmed award that is not handed over: `pay_award`. `cheque` is true where one may be asked for. */
export interface PayItem extends Waiting {
  kind: 'pay';
  table: string;
  link: string;
  round: number;
  position: number;
  player: string;
  name: string;
  level: Level;
  wager_cents: Cents;
  amount_cents: Cents;
  page: number;
  chosen_by: string;
  confirmed_by: string;
  cheque: boolean;
  tax_flag: boolean;
  /** Why it cannot be paid yet, as while surveillance has not seen it; empty when it can. */
  why_not: string;
}

/** A cheque that was promised: `hand_cheque`. */
export interface ChequeItem extends Waiting {
  kind: 'cheque';
  link: string;
  /** One of the two: the win page that it pays, or the slip. */
  page: number | null;
  slip: number | null;
  amount_cents: Cents;
  due: Time;
}

/** What an adjustment found for a winner: `pay_adjustment` at one of `tables`. */
export interface SlipItem extends Waiting {
  kind: 'slip';
  link: string;
  slip: number;
  amount_cents: Cents;
  tables: string[];
  /** True where a cheque may be asked for. */
  cheque: boolean;
  /** What surveillance has seen, where it must stand beside it; else empty. */
  checklist: string[];
}

/** Something at a live round that waits for a ruling: `round` with `rule play_on: ...` or `rule void: ...`. */
export interface RulingItem extends Waiting {
  kind: 'ruling';
  table: string;
  round: string;
  text: string;
  version: number;
}

/** A weekly deposit that is due or short: `record_deposit`. */
export interface DepositItem extends Waiting {
  kind: 'deposit';
  link: string;
  liability_cents: Cents;
  short_cents: Cents;
  due: Time;
}

export type InboxItem = CallItem | AwardItem | CameraItem | PayItem | ChequeItem | SlipItem | RulingItem | DepositItem;

/** What manual adjustments and voids need to know. */
export interface InboxLink {
  link: string;
  name: string;
  closed: string;
  meters: (MeterView & { overflow_cents: Cents; seeded_cents: Cents })[];
  /** Win pages, newest first; `open` ones are confirmed and not handed over, so they can be backed out. */
  pages: { page: number; table: string; name: string; level: Level; amount_cents: Cents; open: boolean }[];
  /** The number of the last adjustment slip. */
  slips: number;
}

export interface InboxTable {
  table: string;
  name: string;
  /** The live round that is under way, else null. */
  round: string | null;
  phase: string;
  /** The game of the progressive that is under way, else null. */
  game: number | null;
  /** True while a game that an earlier version began is under way. */
  earlier: boolean;
  version: number;
}

export interface Inbox {
  now: Time;
  /** Longest wait first. */
  items: InboxItem[];
  links: InboxLink[];
  tables: InboxTable[];
  /** The closed lists of reasons, as words: {"won": "an award that was confirmed for too little"}. */
  reductions: Record<string, string>;
  increases: Record<string, string>;
  /** Reasons that name a win page. */
  of_an_award: string[];
}

// ---------------------------------------------------------------- sign: GET /api/links/{link}/sign, topic `sign:LINK`

export interface SignMeter {
  level: Level;
  /** What the ledger has; a sign rolls up to it and never shows more. */
  shown_cents: Cents;
  pending: boolean;
  cap_cents: Cents | null;
}

export interface Sign {
  link: string;
  name: string;
  /** "1". */
  paytable: string;
  meters: SignMeter[];
  /** Hands that are paid, best first. */
  pays: { name: string; pays: string; level: Level | null }[];
  /** Hands that others are paid for: "$1,000.00" or "$1,000.00 for each $1". */
  envy: { name: string; pays: string }[];
  /** Awards that are verified now: at which table, for which hand and meter. */
  pending: { table: string; name: string; level: Level }[];
  /** Whether folded hands win, the cap, the help line and what the house has to tell, as sentences. */
  notices: string[];
  /** Why no wagers are taken; empty while they are. */
  closed: string;
}

// ---------------------------------------------------------------- cage: GET /api/cage, topic `cage`

/** Pieces by denomination in cents: {"2500": 40}. */
export type Count = Record<string, number>;

export interface Counted {
  count: Count;
  total_cents: Cents;
}

export interface TrayView {
  table: string;
  name: string;
  /** 0 before the first count. */
  session: number;
  /** null while it is closed. */
  opened_at: Time | null;
  opener_cents: Cents;
  fills_cents: Cents;
  credits_cents: Cents;
  /** What would lie in it if nobody had played. */
  should_cents: Cents;
  /** What was counted when it was last closed. */
  closer: Count;
  /** Slips that are under way. */
  waiting: number[];
}

export interface SlipView {
  slip: number;
  kind: 'fill' | 'credit';
  table: string;
  count: Count;
  cents: Cents;
  requested_at: Time;
  requested_by: string;
  /** null until the chips are on their way. */
  sent_by: string | null;
}

export interface BoxView {
  box: number;
  table: string;
  session: number;
}

export interface Cage {
  now: Time;
  /** Denominations of chips in cents, and those of all that may lie in a box. */
  chips: number[];
  dropped: number[];
  trays: TrayView[];
  slips: SlipView[];
  boxes: BoxView[];
  slips_made: number;
  boxes_made: number;
}

// ---------------------------------------------------------------- pit: GET /api/pit, topic `pit`

/** What should have been won, and between which amounts 95 of 100 such days lie. */
export interface Band {
  expected_cents: Cents;
  low_cents: Cents;
  high_cents: Cents;
  /** Null after too few rounds to tell. */
  inside: boolean | null;
}

export interface PitTable {
  table: string;
  game: string;
  name: string;
  open: boolean;
  /** True where its chips are counted. */
  counted: boolean;
  dealer: string | null;
  players: number;
  positions: number;
  rounds: number;
  void: number;
  /** Rounds an hour; null where too little was played to tell. */
  pace: number | null;
  pace_low: number;
  pace_high: number;
  /** Null where the pace is within its bounds, or too few rounds were played to tell. */
  speed: 'slow' | 'fast' | null;
  wagered_cents: Cents;
  won_cents: Cents;
  /** What of it was won since the checkpoint. */
  since_cents: Cents;
  drop_cents: Cents;
  hold: number | null;
  /** null while nothing was played, or while it is being counted. */
  band: Band | null;
  attention: string[];
}

export interface PitTotals {
  rounds: number;
  wagered_cents: Cents;
  won_cents: Cents;
  since_cents: Cents;
  drop_cents: Cents;
  hold: number | null;
  band: Band | null;
  open: number;
}

export interface PitMeter {
  level: Level;
  shown_cents: Cents;
  pending: boolean;
  /** What wagers brought in the last hour. */
  growth_cents: Cents;
}

export interface PitLink {
  link: string;
  name: string;
  levels: PitMeter[];
  closed: string;
}

export interface PitWaiting {
  what: string;
  table: string | null;
  since: Time | null;
  /** Until when it may wait, where that is a matter of days. */
  due: Time | null;
  /** What a supervisor is called for; empty for anything else. */
  name: string;
}

export interface PitAlert {
  /** By which it is acknowledged. */
  alert: string;
  text: string;
  table: string | null;
  seen: { by: string; at: Time; note: string } | null;
}

export interface Pit {
  now: Time;
  day: string;
  shift: string;
  time_zone: string;
  checkpoint_at: Time | null;
  tables: PitTable[];
  totals: PitTotals;
  meters: PitLink[];
  waiting: PitWaiting[];
  alerts: PitAlert[];
}

// ---------------------------------------------------------------- reports: GET /api/reports, GET /api/reports/{name}

export interface Reports {
  day: string;
  time_zone: string;
  day_begins: string;
  shifts: string[];
  tables: string[];
  groups: string[];
  reports: { name: string; title: string }[];
}

export interface Report {
  name: string;
  title: string;
  version: string;
  first: string;
  last: string;
  table: string;
  shift: string;
  made_at: Time;
  /** True where it tells how things stood at the end of the last day. */
  as_of: boolean;
  time_zone: string;
  columns: string[];
  /** As many as a screen is given; `count` is how many there are. */
  rows: Record<string, unknown>[];
  count: number;
  totals: Record<string, number>;
  /** True where the report can be drawn: GET /api/reports/{name}/chart. */
  chart: boolean;
}

// ---------------------------------------------------------------- administration: GET /api/administration, GET /api/openings

export interface AdminPerson {
  card: string;
  name: string;
  /** The id of the human: the same on every card that one holds. */
  person: string;
  role: Role;
  active: boolean;
  locked: boolean;
  failures: number;
  second_factor: boolean;
}

/** Something that a jurisdiction does not allow, as the floor says it: the clause that asks, and a sentence. */
export interface Reason {
  clause: string;
  text: string;
}

/** A licence or an approval; `day` is "2024-01-31". */
export interface Paper {
  reference: string;
  day: string;
  /** Its last day; empty where it has none. */
  until: string;
}

/** A table as the one who opens it sees it. */
export interface Opening {
  table: string;
  name: string;
  /** The jurisdiction that its rules name, such as "wa_commercial"; "none" for practice. */
  profile: string;
  /** True where the register is asked before it opens. */
  asked: boolean;
  opened_at: Time | null;
  /** Whom to ask at the authority, by role; null for practice. */
  contact: string | null;
  /** The cards that lie at it; null until they are changed for the first time. */
  cards: CardStock | null;
  /** What stands at it, or stood there when it was open last. */
  equipment: string[];
  /** What keeps it closed; at an open table, what is no longer as it was. */
  missing: Reason[];
  /** Equipment on record that may not stand at it, by serial. */
  unfit: Record<string, Reason[]>;
  /** The rules that it plays now, with their approval where one is on record. */
  rules: {
    revision: string;
    digest: string;
    approved: Paper | null;
    /** The rules once settings that wait at its link begin; null where none wait. */
    to_come: { digest: string; approved: Paper | null } | null;
  };
  /** The sentences that must be posted at it today; the placard has them too. */
  notices: string[];
  /** What is posted at it. */
  placard: string[];
}

export interface CardStock {
  material: 'paper' | 'plastic';
  size: 'poker' | 'bridge';
}

export type EquipmentKind = 'shuffler' | 'progressive' | 'layout';

/** A progressive display, as it is declared. */
export interface DisplayRecord {
  name: string;
  /** True when it can be on a network, by wire or without. */
  network: boolean;
  /** True when it takes input. */
  input: boolean;
}

/** A piece of equipment as it is recorded: `record_equipment`. */
export interface EquipmentRecord {
  serial: string;
  kind: EquipmentKind;
  model: string;
  maker: string;
  sold: string;
  /** Such as "6.6 build 520"; may be empty. */
  version: string;
  /** Versions by the name of a part. */
  parts: Record<string, string>;
  /** Of a progressive system whose display is not one of its parts. */
  display: DisplayRecord | null;
  notes: string;
}

export interface EquipmentView extends EquipmentRecord {
  /** The reference under which its model is approved; may be empty. */
  approval: string;
  /** Why it is out of service. */
  fault: string | null;
  /** True when an earlier program recorded it; it counts as it did then. */
  earlier: boolean;
  /** Reasons that keep it from tables, with the names of those; with jurisdictions where no table names one. */
  remarks: { text: string; clauses: string[]; where: string[] }[];
  /** Open tables that it stands at. */
  stands_at: string[];
}

/** A row of the approved list. */
export interface ApprovedModel {
  kind: EquipmentKind;
  maker: string;
  model: string;
  /** Names of the games that it is approved for; empty for all. */
  games: string[];
  reference: string;
  day: string;
  /** The last day; empty where it has none. */
  until: string;
  /** True when the letters print it; an administrator has recorded the others. */
  printed: boolean;
}

export interface MakerView {
  maker: string;
  state: Paper | null;
  tribe: Paper | null;
}

export interface PaperView {
  paper: string;
  /** What it is, in words. */
  text: string;
  asked_by: { profile: string; clause: string }[];
  /** True where a table of this floor plays under a jurisdiction that asks for it. */
  asked: boolean;
  recorded: Paper | null;
}

export interface Register {
  /** The day at the server, "2024-01-31": no paper is younger. */
  today: string;
  papers: PaperView[];
  makers: MakerView[];
  equipment: EquipmentView[];
  kinds: EquipmentKind[];
  /** Names of parts that approved sets have. */
  parts: string[];
  /** Kinds of which only approved models may stand at a table. */
  listed_kinds: EquipmentKind[];
  models: ApprovedModel[];
}

/** GET /api/openings: for those who open tables. */
export interface Openings {
  tables: Opening[];
  equipment: EquipmentView[];
}

export interface AdminTable extends Opening {
  game: string;
  positions: number;
  options: Record<string, string>;
  /** Codes by bet, where they are not the usual ones. */
  paytables: Record<string, string>;
  deck: 'virtual' | 'physical';
  link: string | null;
  /** True while a game of the progressive is under way. */
  started: boolean;
}

export interface MeterSettings {
  /** Parts per million of a wager. */
  contribution_ppm: number;
  reserve_ppm: number;
  meter_seed_cents: Cents;
  cap_cents: Cents | null;
}

export interface AdminLink {
  link: string;
  /** The progressive whose paytable it is. */
  progressive: string;
  name: string;
  paytable: string;
  all_from_meter: boolean;
  deposits: 'weekly' | 'not_asked';
  deposited_at: Time | null;
  short_cents: Cents;
  tables: string[];
  closed: string;
  seized_at: Time | null;
  /** In the order of the paytable. `waiting` begins with the next whole award of the level. */
  levels: {
    level: Level;
    shown_cents: Cents;
    reserve_cents: Cents;
    overflow_cents: Cents;
    threshold_cents: Cents | null;
    settings: MeterSettings;
    waiting: MeterSettings | null;
  }[];
}

/** The paytables of one bet that a table may be made with, and which it has unless told. */
export interface OfferedPaytables {
  bet: string;
  name: string;
  usual: string;
  tables: { code: string; rows: { hand: string; label: string; pays: string }[] }[];
}

/** Fractions of a $1 wager as text. */
export interface LinkFigures {
  edge_at_seed: string;
  edge_at_meter: string;
  /** What the house keeps in the long run. */
  hold: string;
}

export interface LinkPrice {
  /** Null for a link that is being made. */
  before: LinkFigures | null;
  after: LinkFigures;
  advice: Reason[];
}

export interface LinkPriceAsked {
  link?: string;
  progressive?: string;
  paytable?: string;
  meters: Record<string, MeterSettings>;
  all_from_meter?: boolean;
}

export interface Administration {
  people: AdminPerson[];
  tables: AdminTable[];
  links: AdminLink[];
  roles: Role[];
  games: {
    code: string;
    name: string;
    progressive: boolean;
    /** Says so where no source gives the game a progressive; null where one does. */
    progressive_reading: string | null;
    paytables: OfferedPaytables[];
    designators: { code: string; paytables: Record<string, string> }[];
  }[];
  /** Progressives with their paytables and the levels of each. */
  progressives: { code: string; name: string; paytables: { code: string; levels: Level[]; preset: Record<string, MeterSettings> }[] }[];
  /** The register of options that a table may be made with. `values` is empty where one is typed; `described` says what. */
  options: { name: string; text: string; values: string[]; described: string; default: string; games: string[] }[];
  /** Why a link may be closed, as words: {"fault": "something does not work as it should"}. */
  causes: Record<string, string>;
  register: Register;
  clock: Clock;
}

export interface Shift {
  name: string;
  begins: string;
}

export interface Clock {
  time_zone: string;
  day_begins: string;
  shifts: Shift[];
  /** The present gaming day, and the time on the wall. */
  day: string;
  local: string;
  /** How far the floor's time is ahead of the machine's clock. */
  offset_seconds: number;
  /** Jumps of the machine's clock that nobody has acknowledged. */
  alarms: { machine: Time; time: Time; closed: boolean }[];
  zones: string[];
}

// ---------------------------------------------------------------- trail: GET /api/trail?stream=&table=&kind=&person=&round=&before=, topic `events`

export interface TrailEvent {
  position: number;
  stream: string;
  version: number;
  kind: string;
  actor: string;
  at: Time;
  data: Record<string, unknown>;
  /** Amounts in millionths of a cent. */
  transfers: [debit: string, credit: string, amount: number][];
  /** The hash of the record before it in its stream. */
  prior: string;
  hash: string;
  /** The round of the table, where the event says it. */
  round: number | null;
}

export interface Trail {
  events: TrailEvent[];
  /** The `before` of the next page; null when there is none. */
  before: number | null;
  /** All streams there are. */
  streams: string[];
  /** All kinds of events there are. */
  kinds: string[];
  people: Person[];
}

// ---------------------------------------------------------------- recall: GET /api/tables/{table}/rounds, and .../rounds/{number}

/** Who did something; a card that nobody holds has no role. */
export interface Doer {
  card: string;
  name: string;
  role: Role | '';
}

export interface ListedSeat {
  position: number;
  player: string;
  /** Null while the round is played. */
  net: Cents | null;
}

export interface ListedRound {
  number: number;
  opened_at: Time;
  closed_at: Time | null;
  over: boolean;
  void: string | null;
  dealers: Doer[];
  positions: ListedSeat[];
  /** What the tray gained; null while the round is played. */
  house_cents: Cents | null;
}

export interface RoundList {
  table: string;
  /** The game. */
  name: string;
  rounds: ListedRound[];
  /** Rounds that cannot be done again, a sentence each. */
  problems: string[];
  before: number | null;
}

export interface RecalledLine {
  bet: string;
  hand?: number | null;
  wager: Cents;
  outcome: 'win' | 'lose' | 'push' | 'forfeit';
  net: Cents;
  clause: string;
  why: string;
}

export interface RecalledSeat {
  position: number;
  player: string;
  wagers: Record<string, Cents>;
  cards: CardText[];
  /** Which of them lay face down then. */
  down: boolean[];
  decisions: string[];
  folded: boolean;
  tucked: boolean;
  gone: boolean;
  net: Cents;
  lines: RecalledLine[];
}

export interface RecalledView {
  phase: string;
  stage: string | null;
  void: string | null;
  say: string;
  reported: string | null;
  dealer: CardText[];
  dealer_down: boolean[];
  community: CardText[] | null;
  community_down: boolean;
  positions: RecalledSeat[];
}

export interface RecalledStep {
  kind: 'opened' | 'command' | 'undo';
  /** As a round file writes it. */
  text: string;
  at: Time;
  /** Its place in the journal. */
  record: number;
  actor: Doer;
  /** True when it was taken back later. */
  undone: boolean;
  told: string[];
  /** The round after it. */
  round: RecalledView;
}

export interface RecalledRules {
  revision: string;
  digest: string;
  /** The digest that the round was opened with. */
  recorded: string;
  paytables: Record<string, string>;
}

export interface RecalledRound extends ListedRound {
  table: string;
  name: string;
  game: string;
  /** The newest round that is over. */
  newest: number;
  rules: RecalledRules;
  /** True when every card that was dealt is shown. */
  every_card: boolean;
  /** Steps of which now something else comes than was written down, counted from 0. */
  differing: number[];
  steps: RecalledStep[];
}

// ---------------------------------------------------------------- audit: GET and POST /api/audit

export interface Seal {
  number: number;
  /** The record up to which it covers everything. */
  position: number;
  at: Time;
  hash: string;
}

export interface Checking {
  by: string;
  since: Time;
  /** The record it began with. */
  first: number;
  events: number;
  of: number;
}

export interface Checked {
  by: string;
  at: Time;
  /** The record it began with: those before it were taken as they stand. */
  first: number;
  /** Null when the journal could not be read. */
  holds: boolean | null;
  events: number;
  seals: number;
  /** The first bad record, where it is an event. */
  record: number | null;
  /** The first bad record and what is wrong with it. */
  sentence: string | null;
  /** Why it could not be read. */
  problem: string | null;
}

export interface AuditStatus {
  records: number;
  last_seal: Seal | null;
  unsealed: number;
  running: Checking | null;
  checked: Checked | null;
}

// ---------------------------------------------------------------- commands: POST /api/commands

/**
 * The arguments of every command that a screen sends. PINs are never among them: they are beside
 * the arguments, as `pin` of the one who is signed in and `second_pin` of the card in `second`.
 *
 * A live round and its progressive are one: the progressive wager is one of the bets of a position,
 * and `start game`, `press N: hand`, `pay envy`, `close` and `void` are steps of the round.
 */
export interface Commands {
  count_opener: Counted & { table: string; second: string; reason?: string };
  count_closer: Counted & { table: string; second: string };
  request_slip: Counted & { table: string; kind: 'fill' | 'credit' };
  send_slip: { slip: number; second?: string };
  receive_slip: { slip: number; second?: string };
  void_slip: { slip: number; second: string; reason: string };
  drop_box: { table: string; second: string };
  count_drop: Counted & { box: number; second: string };
  set_clock: { time_zone: string; day_begins: string; shifts: Shift[] };
  set_pace: { game: string; low: number; high: number };
  set_checkpoint: Record<string, never>;
  acknowledge: { alert: string; note?: string };

  open_round: { table: string };
  shuffle: { table: string };
  /** `void`, `rule` and `correct` take a supervisor's or executive's session. */
  round: { table: string; text: string; replacement?: string; broken?: string };
  /** Takes the last line of the round back while `round.undo` is true. */
  undo: { table: string };

  call_supervisor: { table: string; reason: string; text?: string };
  answer_call: { table: string; reason: string };

  confirm_award: { table: string; position: number; checklist: Record<string, boolean> };
  turn_key: { table: string; to: 'run' | 'jph' };
  press_jackpot: { table: string; position: number; checklist: Record<string, boolean> };
  check_on_camera: { table: string; page?: number; position?: number; from?: number; seen: Record<string, boolean> };
  pay_award: { table: string; page: number; reference: string; method: 'chips' | 'cheque' };
  end_earlier_game: { table: string; reason: string };

  adjust: { link: string; level: Level; cents: Cents; reason: string; text: string; second: string; page?: number };
  pay_adjustment: { table: string; slip: number; reference: string; method: 'chips' | 'cheque'; second?: string; seen?: Record<string, boolean> };
  hand_cheque: { link: string; page?: number; slip?: number; reference: string };
  record_deposit: { link: string; balance_cents: Cents; reference: string };
  reprint_page: { link: string; page: number };

  /** `new_pin` is the PIN of the card that is issued or unlocked; the server keeps its hash. */
  issue_card: { card: string; name: string; role: Role; new_pin: string; same_person_as?: string; another_person?: boolean };
  unlock_card: { card: string; new_pin: string };
  withdraw_card: { card: string };
  make_table: { table: string; game: string; positions: number; options: Record<string, string>; paytables: Record<string, string>; deck: 'virtual' | 'physical' };
  change_table: { table: string; options: Record<string, string>; paytables: Record<string, string> };
  /** Equipment by serial; a supervisor or an executive opens and closes. */
  open_table: { table: string; equipment: string[] };
  close_table: { table: string };
  /** A jump of the machine's clock that an administrator has seen. */
  acknowledge_clock: { text: string };
  /** The floor's time set to the machine's clock, or to a time that is given; an executive signs too. */
  correct_time: { reason: string; second: string; time?: string };
  change_cards: { table: string; reason: string } & CardStock;
  record_paper: { paper: string } & Paper;
  approve_rules: { table: string; waiting: boolean } & Paper;
  /** A licence that is left out is no longer on record. */
  record_maker: { maker: string; state?: Paper; tribe?: Paper };
  /** A further approved model; `until` may be empty. */
  approve_model: { kind: EquipmentKind; maker: string; model: string } & Paper;
  record_equipment: EquipmentRecord;
  /** Equipment that was out of service works again. */
  record_repair: { serial: string; reference: string };
  make_link: {
    link: string;
    progressive: string;
    paytable: string;
    meters: Record<string, MeterSettings>;
    all_from_meter: boolean;
    deposits: 'weekly' | 'not_asked';
    notice_posted?: boolean;
    second?: string;
  };
  set_thresholds: { link: string; thresholds: Record<string, Cents> };
  change_settings: {
    link: string;
    meters: Record<string, MeterSettings>;
    reason: string;
    notice_posted?: boolean;
    second?: string;
  };
  join_link: { table: string; link: string };
  leave_link: { table: string };
  close_link: { link: string; cause: string; why: string };
  open_link: { link: string };
}

export type CommandName = keyof Commands;

export interface CommandBody<N extends CommandName = CommandName> {
  name: N;
  arguments: Commands[N];
  key: string;
  expects?: Versions;
  pin?: string;
  second_pin?: string;
}

/** What a command came to; a screen looks at the view instead. */
export type Answer = Record<string, unknown>;

// ---------------------------------------------------------------- practice: GET /api/practice, topic `practice:ID`

/** A spot of a practice table; `edge` is what it loses on average per unit, null until it is counted. */
export interface PracticeBet {
  code: string;
  paytable: string | null;
  cents: Cents;
  needed: boolean;
  edge: number | null;
}

export interface PracticeGame {
  game: string;
  name: string;
  bets: PracticeBet[];
  paytables: { bet: string; codes: string[] }[];
  options: { option: string; values: string[] }[];
}

/** What may be chosen; `token` goes with every change. */
export interface PracticeOffer {
  token: string;
  games: PracticeGame[];
}

export interface PracticeSeat {
  position: number;
  player: string;
  ready: boolean;
  away: boolean;
  playing: boolean;
}

export interface PracticeLine {
  bet: string;
  hand: number | null;
  wager: Cents;
  outcome: 'win' | 'lose' | 'push' | 'forfeit';
  net: Cents;
  clause: string;
  why: string;
}

export interface PracticeHand {
  position: number;
  player: string;
  wagers: Record<string, Cents>;
  cards: CardText[];
  decisions: string[];
  folded: boolean;
  tucked: boolean;
  gone: boolean;
  lines: PracticeLine[];
  net: Cents;
}

export interface PracticeRound {
  number: string;
  phase: string;
  stage: string | null;
  over: boolean;
  say: string;
  said: string[];
  dealer: CardText[];
  /** What the dealer's cards make, once all of them are seen. */
  dealer_hand: string;
  positions: PracticeHand[];
  offer: string | null;
}

export type CoachWhen = 'before' | 'after' | 'never';
export type CoachMode = 'simple' | 'exact';

export interface PracticeJudged {
  decision: string;
  best: string;
  cost_cents: number;
  /** What each choice was worth; none where the coach speaks by a rule of thumb. */
  values: PracticeValue[];
}

export interface PracticeValue {
  decision: string;
  units: number;
  cents: number;
}

export interface PracticeCoach {
  when: CoachWhen;
  mode: CoachMode;
  unit: 'ante' | 'blackjack';
  best: string | null;
  values: PracticeValue[];
  left_out: string[];
  judged: PracticeJudged[];
}

export interface PracticeSession {
  rounds: number;
  wagered: Cents;
  net: Cents;
  expected_cost: number | null;
  decisions: number;
  right: number;
  given_away: number;
  worst: Omit<PracticeJudged, 'values'> | null;
}

export interface PracticeResult {
  number: string;
  wagered: Cents;
  net: Cents;
  bankroll: Cents;
}

export interface PracticeYou {
  position: number;
  player: string;
  bankroll: Cents;
  /** What the own cards make, in words. */
  hand: string;
  ready: boolean;
  /** What lies on each spot, with what decisions have added. */
  spots: Record<string, Cents>;
  decisions: string[];
  /** What each of these decisions would add. */
  puts_up: Record<string, Cents>;
  coach: PracticeCoach;
  costs: Record<string, number> | null;
  session: PracticeSession;
  results: PracticeResult[];
}

/** For the person who deals. */
export interface PracticeDeals {
  say: string;
  do: string;
  clause: string | null;
  next: string | null;
}

/** GET /api/practice/tables/{table}, and the answer of every change at it. */
export interface PracticeView {
  table: string;
  version: number;
  game: string;
  name: string;
  /** Digits: it is more than a number holds. */
  seed: string | null;
  positions: number;
  dealing: 'automatic' | 'person';
  /** What is played differently from the usual rules. */
  options: Record<string, string>;
  paytables: Record<string, string>;
  bets: PracticeBet[];
  /** What the progressive is played for; empty where the game has none. */
  meters: { level: Level; cents: Cents }[];
  seats: PracticeSeat[];
  waiting: number[];
  round: PracticeRound;
  you: PracticeYou | null;
  deals: PracticeDeals | null;
  figures: 'ready' | 'counting' | 'missing';
}

/** The views of the topics of GET /api/live. */
export interface Topics {
  lobby: Lobby;
  inbox: Inbox;
  [table: `table:${string}`]: Console;
  [sign: `sign:${string}`]: Sign;
  [practice: `practice:${string}`]: PracticeView;
}
