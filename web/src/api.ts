/**
 * What the server sends and takes, as types. They are generated from its description of the paths
 * (`python web/build.py --types`); here are only names for parts of them.
 *
 * Amounts are whole cents, times are UTC as the journal writes them (ISO 8601), a position counts
 * from 1 at the dealer's far left and 0 is the dealer. A screen decides nothing: what may be
 * pressed, what it is worth and why comes from the server.
 */

import type * as sent from '../.made/api-types';

export type * from '../.made/api-types';

export type Cents = number;
export type Time = string;
/** The versions of streams that a screen has seen: {"table:T1": 12}. */
export type Versions = Record<string, number>;
/** Pieces by denomination in cents: {"2500": 40}. */
export type Count = Record<string, number>;

export type Role = sent.Person['role'];
export type Level = sent.MeterView['level'];
export type InboxItem = sent.Inbox['items'][number];
export type EquipmentKind = sent.EquipmentView['kind'];
export type Track = sent.TrainingView['track'];
export type FieldKind = sent.TrainingField['kind'];
export type Given = string | string[];
export type Block = sent.Section['blocks'][number];
export type CoachWhen = sent.PracticeCoach['when'];
export type CoachMode = sent.PracticeCoach['mode'];

/** What is refused, as on the command line. */
export type Refusal = sent.paths['/api/commands']['post']['responses']['409']['content']['application/json']['error'];

/** A variant as it is worked on: nothing is left to the server's defaults. */
export type Draft = Required<sent.Draft>;

/** How far something of the studio is. */
export type TaskState<T> = Omit<sent.BoardTask, 'known'> & { known: T | null };

type AnyCommand = sent.paths['/api/commands']['post']['requestBody']['content']['application/json'];

/**
 * The arguments of every command. PINs are never among them: they are beside the arguments, as
 * `pin` of the one who is signed in and `second_pin` of the card in `second`.
 */
export type Commands = { [C in AnyCommand as C['name']]: C['arguments'] };
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
export type Answer = sent.Done['answer'];
