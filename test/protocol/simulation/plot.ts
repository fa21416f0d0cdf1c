/**
 * Worlds in which one batch at one desk is not all: two ledgers pay one sheet, or several sheets are run again after all that
 * was known of them is lost. `plot-story.ts` tells what happens; nobody interferes beyond that.
 */
import type { Situation } from './situation.ts';
import type { Engine } from './transactions.ts';

/** What becomes of the sheet between its loss and the next run. */
export const edits = [
  'corrected',
  'added',
  'removed',
  'sorted',
  'grouped',
  'recased',
  'renamed',
  'another-client',
] as const;
export type Edit = (typeof edits)[number];
/** Nothing but a checkpoint can tell that a sheet with one of these is that of a lost batch. */
export const hiding: readonly Edit[] = ['renamed', 'another-client'];

/** Where the ledger of the second computer comes from. `new`: both are. */
export const origins = ['new', 'before', 'between', 'sending', 'asleep'] as const;
export type Origin = (typeof origins)[number];

/**
 * Two runs that begin in the same moment. `new`: both ledgers are. `copied`: two copies of a folder, which tell that they are.
 * `between`: the same after a run of the first was killed. `beside`: one is new, and nobody has to doubt the other.
 */
export const steps = ['new', 'copied', 'between', 'beside'] as const;
export type Step = (typeof steps)[number];

/** What comes over the processes that share a ledger, or over it. */
export const strikes = ['none', 'killed', 'sleeps', 'host-sleeps', 'put-back', 'restarts', 'forgets'] as const;
export type Strike = (typeof strikes)[number];

/** Somebody who works on a batch, run after run. */
export interface Worker {
  /** The place of the batch. */
  readonly batch: number;
  /** `retry`: rows that failed are tried again before each run. */
  readonly does: 'run' | 'retry';
  readonly startMs: number;
  /** On another computer, with a checkpoint and a clock of its own. */
  readonly isElsewhere: boolean;
  readonly mayCrash: boolean;
}

/** Several processes work on one ledger at the same time. */
export interface SharedLedgerPlot {
  readonly tag: 'shared-ledger';
  readonly engine: Engine;
  readonly batches: number;
  readonly workers: readonly Worker[];
  readonly strike: Strike;
  /** Submissions of all batches after which it strikes, and after which what is put back was kept. */
  readonly strikesAt: number;
  readonly keptAt: number;
}

export type Plot =
  | SharedLedgerPlot
  | {
      readonly tag: 'two-ledgers';
      readonly from: Origin;
      /** The folder is copied, or its computer falls asleep, when so many orders have left. */
      readonly afterOrders: number;
      /** The second run begins so much later than the first, or than the copy. */
      readonly apartMs: number;
      /** The checkpoint in the copy says that it is one. */
      readonly isTold: boolean;
    }
  | {
      readonly tag: 'in-step';
      readonly from: Step;
      /** When the run that is killed dies: so many orders have left. */
      readonly afterOrders: number;
      readonly apartMs: number;
    }
  | {
      readonly tag: 'lost-batches';
      readonly batches: number;
      /** `all`: the ledger with its checkpoint. `since`: the whole folder is put back as it was before the batches, and nothing on it tells. */
      readonly lost: 'all' | 'ledger' | 'since';
      /** The last of the batches is ended in the middle, when so many orders have left. */
      readonly diesAt: number;
      readonly edits: readonly Edit[];
    };

export const situationOfStrike: Readonly<Record<Strike, Situation>> = {
  none: 'several at work on one ledger',
  killed: 'one of several is killed',
  sleeps: 'one of several is stopped for longer than its lease',
  'host-sleeps': 'a computer of several sleeps',
  'put-back': 'a ledger put back beneath several',
  restarts: 'a server started again beneath several',
  forgets: 'a server that forgets its last commits',
};

export const situationOfOrigin: Readonly<Record<Origin, Situation>> = {
  new: 'two new ledgers at once',
  before: 'a folder copied before the batch',
  between: 'a folder copied between two runs',
  sending: 'a folder copied while orders go out',
  asleep: 'a folder copied while its computer sleeps',
};

export const situationOfStep: Readonly<Record<Step, Situation>> = {
  new: 'two new ledgers in step',
  copied: 'two copies of a folder in step',
  between: 'two copies of a folder in step, after one of them was killed',
  beside: 'a new ledger and a trusted one in step',
};

export const situationOfLoss: Readonly<Record<'all' | 'ledger' | 'since', Situation>> = {
  all: 'batches lost with all that was known',
  ledger: 'batches lost, and a checkpoint left',
  since: 'a folder put back, and rows sorted otherwise',
};

export const situationOfEdit: Readonly<Record<Edit, Situation>> = {
  corrected: 'a name corrected after a loss',
  added: 'a row added after a loss',
  removed: 'a row removed after a loss',
  sorted: 'rows sorted otherwise after a loss',
  grouped: 'rows grouped otherwise after a loss',
  recased: 'a batch named in another case after a loss',
  renamed: 'a lost sheet under another name',
  'another-client': 'a lost sheet under another client id',
};
