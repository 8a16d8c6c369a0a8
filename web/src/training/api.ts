/** What the server sends of training: a test holds these shapes against it. */

import type { HouseOption } from '../rules';
import type { LessonView, MeterPoints } from './lessons';

export type Track = 'dealer' | 'player';
export type FieldKind = 'amount' | 'number' | 'choice' | 'order' | 'several' | 'chips';
export type Given = string | string[];

export interface TrainingChoice {
  value: string;
  label: string;
}

export interface TrainingField {
  name: string;
  label: string;
  kind: FieldKind;
  choices: TrainingChoice[];
}

export interface TrainingHand {
  label: string;
  /** Null is a card face down. */
  cards: (string | null)[];
}

export interface TrainingStack {
  spot: string;
  label: string;
  cents: number;
  /** Cents on a chip, and how many of it. */
  chips: [number, number][];
  position: number | null;
}

export interface TrainingScene {
  hands: TrainingHand[];
  stacks: TrainingStack[];
  facts: [string, string][];
}

export interface TrainingDrill {
  skill: string;
  seed: number;
  question: string;
  scene: TrainingScene;
  fields: TrainingField[];
}

export interface TrainingMark {
  name: string;
  right: boolean;
  given: string;
  answer: string;
  why: string;
  clause: string | null;
  cost: string | null;
}

export interface TrainingGrade {
  right: boolean;
  marks: TrainingMark[];
  /** What each choice of a field costs against the best, in units, as fractions. */
  costs: Record<string, Record<string, string>>;
}

export interface TrainingChapter {
  source: string;
  name: string;
}

export interface TrainingSkill {
  code: string;
  title: string;
}

export interface TrainingModule {
  code: string;
  title: string;
  track: Track;
  about: string;
  chapters: TrainingChapter[];
  clauses: string[];
  skills: TrainingSkill[];
}

export interface TrainingGame {
  game: string;
  name: string;
  paytables: { bet: string; codes: string[] }[];
  options: { option: string; values: string[] }[];
  /** What a house decides: all of it, for dealers. */
  house: TrainingHouse;
  modules: TrainingModule[];
}

export interface TrainingHouse {
  paytables: { bet: string; codes: string[] }[];
  options: HouseOption[];
}

/** A table of this floor, by whose rules a dealer may train. */
export interface TrainingTable {
  table: string;
  game: string;
}

/** Somebody who learns a game: what a list shows of it. */
export interface TrainingSummary {
  learner: string;
  name: string;
  person: string | null;
  track: Track;
  game: string;
  game_name: string;
  /** What it has of its own: options and paytables that are not the usual ones. */
  own: string[];
  seed: number | null;
  answered: number;
  right: number;
  exam: boolean;
  begun_at: string;
  updated_at: string;
}

export interface TrainingYou {
  name: string;
  card: string | null;
}

/** GET /api/training; `token` goes with every change. */
export interface TrainingOffer {
  token: string;
  games: TrainingGame[];
  tables: TrainingTable[];
  you: TrainingYou;
  learners: TrainingSummary[];
}

export interface TrainingSkillProgress {
  code: string;
  title: string;
  module: string;
  answered: number;
  right: number;
  /** Shares from 0 to 1; null before the first answer. */
  accuracy: number | null;
  recent: number | null;
  /** True once accuracy allows to look at the time. */
  timed: boolean;
  /** The usual time; null where it is not told. */
  seconds: number | null;
  goal_seconds: number | null;
}

export interface TrainingWrong {
  given: string;
  answer: string;
  why: string;
  clause: string | null;
}

export interface TrainingMistake {
  skill: string;
  title: string;
  seed: number;
  /** The fields that were wrong the last time. */
  wrong: TrainingWrong[];
  times: number;
  /** True while it still comes again by itself. */
  waits: boolean;
}

export interface TrainingAssigned {
  module: string;
  title: string;
  goal: number;
  done: number;
  by: string;
  at: string;
}

export interface TrainingGoal {
  of: number;
  done: number;
}

/** GET /api/training/learners/{learner}, and the answer of every change of it. */
export interface TrainingView extends TrainingSummary {
  options: Record<string, string>;
  paytables: Record<string, string>;
  pays: HousePay[];
  house: HouseChoice[];
  chosen: string[];
  modules: TrainingModule[];
  /** How many were answered before the drill that is asked. */
  number: number;
  /** Whether the exact figures behind the questions are at hand; there is no drill before. */
  figures: 'ready' | 'counting' | 'missing' | 'failed';
  drill: TrainingDrill | null;
  /** True where the drill was missed before and is asked again. */
  again: boolean;
  goal: TrainingGoal;
  streak: number;
  due: number;
  skills: TrainingSkillProgress[];
  weak: TrainingSkillProgress[];
  mistakes: TrainingMistake[];
  assigned: TrainingAssigned[];
}

/** The answer to an answer. */
export interface TrainingAnswered {
  grade: TrainingGrade;
  next: TrainingView;
}

export interface TrainingModuleProgress {
  code: string;
  title: string;
  answered: number;
  right: number;
  accuracy: number | null;
}

export interface TrainingModuleResult {
  code: string;
  title: string;
  right: number;
  asked: number;
}

/** What an exam came to, as a list shows it. */
export interface TrainingResult {
  digest: string;
  name: string;
  passed: boolean;
  at: string;
  right: number;
  asked: number;
  modules: TrainingModuleResult[];
}

/** Somebody who learns, as those who teach see it. */
export interface TrainingPupil extends TrainingSummary {
  streak: number;
  modules: TrainingModuleProgress[];
  weak: TrainingSkillProgress[];
  assigned: TrainingAssigned[];
  /** Exams that were begun and given up. */
  given_up: number;
  results: TrainingResult[];
}

/** GET /api/training/class/{learner}. */
export interface TrainingPupilView extends TrainingPupil {
  skills: TrainingSkillProgress[];
  mistakes: TrainingMistake[];
  chosen: string[];
  options: Record<string, string>;
  paytables: Record<string, string>;
}

export interface TrainingPerson {
  card: string;
  name: string;
  role: string;
}

/** GET /api/training/class. */
export interface TrainingClass {
  learners: TrainingPupil[];
  games: TrainingGame[];
  people: TrainingPerson[];
  tables: TrainingTable[];
}

/** What a bet of the house pays. */
export interface HousePay {
  bet: string;
  paytable: string;
  rows: { hand: string; pays: string }[];
}

/** How a house has decided something that is left to it. */
export interface HouseChoice {
  option: string;
  text: string;
  value: string;
  usual: boolean;
}

/** GET /api/training/learners/{learner}/exam, and the answer of every change of it. */
export interface TrainingExam {
  learner: string;
  name: string;
  game: string;
  game_name: string;
  /** The modules that may be examined. */
  modules: TrainingModule[];
  /** What the house pays; nothing while an exam is under way. */
  pays: HousePay[];
  house: HouseChoice[];
  /** The modules of the exam that is under way. */
  examined: string[];
  /** Questions of the exam that is under way, and how many of them are answered; 0 without one. */
  questions: number;
  answered: number;
  /** The share of right answers that it takes. */
  needed: number;
  /** How many questions may be asked for. */
  lengths: number[];
  drill: TrainingDrill | null;
  results: TrainingResult[];
}

/** GET /api/training/lessons/{game}. */
export interface TrainingLessons {
  game: string;
  game_name: string;
  options: Record<string, string>;
  paytables: Record<string, string>;
  figures: 'ready' | 'counting' | 'missing' | 'failed';
  lessons: LessonView<TrainingDrill>[];
  /** What a meter is worth; null where the game has none. */
  meter: MeterPoints | null;
}
