/** What a run gets from its caller: everything outside of the program comes in here, and nowhere else. */
import type { ApprovedPlan } from '../approval/approved-plan.ts';
import type { Offer } from '../approval/plan.ts';
import type { CallbackSource } from '../dispatch/task.ts';
import type { Clock, Random } from '../domain/clock.ts';
import type { Emit, MoneyStatement } from '../domain/event.ts';
import type { RunEnd } from '../domain/run-end.ts';
import type { Settings } from '../domain/settings.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { ChangedPayeesDeps } from '../preflight/payees/changed-payees.ts';
import type { Client } from '../service/client/client.ts';
import type { ResultsWishes } from './report.ts';

/** Everything outside of the program that a run uses. */
export interface RunDeps extends ChangedPayeesDeps, ResultsWishes {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly random: Random;
  readonly emit: Emit;
  readonly client: Client;
  /** Callbacks of the service that a listener keeps; absent if there is no listener. */
  readonly callbacks?: CallbackSource;
  readonly ledger: Ledger;
  /** Address of the service, to be recorded. */
  readonly service: string;
  /** Stops claiming; requests in flight are completed. */
  readonly signal: AbortSignal;
  /** Asks for the name of a live batch that has none, with a proposal; absent: a live run without a name is refused. */
  readonly nameBatch?: (proposal: string) => Promise<string>;
  /** Called with a function that returns the state of the batch, for a caller that cannot wait for the end. */
  readonly working?: (batch: () => Promise<RunEnd>) => void;
  /**
   * Asks for the control totals. Returns how they were confirmed, or throws a Fault. `fingerprint`: hash of who gets what in
   * the sheet.
   */
  readonly confirm: (statement: MoneyStatement, fingerprint?: string) => Promise<string>;
  /** Number of airtime and bill payments that the operator knows to be unsent, which a ledger in recovery cannot know. */
  readonly acceptUnverifiable?: number;
  /** Called after a dry run that nothing stopped, with the fingerprint of the sheet (see `confirm`). */
  readonly rehearsed?: (fingerprint: string) => void;
  /** Writes down what a dry run would have paid, for people to approve, and returns the files; absent: no plan is made. */
  readonly freeze?: (offer: Offer) => Promise<RunEnd['files']>;
  /** The only plan that may be paid; absent: a person confirms. */
  readonly approved?: ApprovedPlan;
  /** Returns the free space on the disk of the ledger, in bytes; absent: space is not checked. */
  readonly freeBytes?: () => number;
  /** Rows that go ahead alone in this run, no matter what was recorded before; 0: none. */
  readonly canary?: number;
  /** Whether every row is reported at the end, for a program; absent: only the first rows that were not completed. */
  readonly emitsEveryRow?: boolean;
  /** Path of a file that gets one line of JSON for each row at the end; absent: none is written. */
  readonly rowsFile?: string;
  /** Whether the results are written at the end; absent: they are. */
  readonly writesResults?: () => boolean;
  /** Set if a person resumes a batch and by that lifts an earlier stop; absent: a stopped batch stays stopped. */
  readonly takesBack?: true;
  /** Whether workers send what is planned here: the run ends before anything leaves. */
  readonly isDetached?: boolean;
  /** The user who runs paybatch, and the machine. */
  readonly maker: string;
  readonly version: string;
}
