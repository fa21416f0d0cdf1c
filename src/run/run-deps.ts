/** What a run is given by whoever starts it: every edge of the world comes in here, and nowhere else. */
import type { ApprovedPlan } from '../approval/approved-plan.ts';
import type { Offer } from '../approval/plan.ts';
import type { CallbackSource } from '../dispatch/task.ts';
import type { Clock, Random } from '../domain/clock.ts';
import type { MoneyStatement, Tell } from '../domain/event.ts';
import type { RunEnd } from '../domain/run-end.ts';
import type { Settings } from '../domain/settings.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { ChangedPayeesDeps } from '../preflight/payees/changed-payees.ts';
import type { Client } from '../service/client/client.ts';
import type { ResultsWishes } from './report.ts';

/** The world as the run sees it: every edge comes in here. */
export interface RunDeps extends ChangedPayeesDeps, ResultsWishes {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly random: Random;
  readonly tell: Tell;
  readonly client: Client;
  /** What a listener keeps of the service's own messages; missing when there is none. */
  readonly callbacks?: CallbackSource;
  readonly ledger: Ledger;
  /** Address of the service, for the record. */
  readonly service: string;
  /** Stops claiming; what is in flight lands. */
  readonly signal: AbortSignal;
  /** Asks for the name of a live batch that was given none, with a proposal; missing: such a run is refused. */
  readonly nameBatch?: (proposal: string) => Promise<string>;
  /** Is told how to find out how far the batch is, for whoever cannot wait for the end. */
  readonly working?: (batch: () => Promise<RunEnd>) => void;
  /** Asks for the control totals, and gives how they were confirmed, or a fault. `fingerprint`: of who gets what in the sheet. */
  readonly confirm: (statement: MoneyStatement, fingerprint?: string) => Promise<string>;
  /** So many airtime and bill payments may be sent though this ledger may not know that they were: the operator knows. */
  readonly acceptUnverifiable?: number;
  /** Is told who gets what in a sheet, as `confirm` is, of a dry run against which nothing stands. */
  readonly rehearsed?: (fingerprint: string) => void;
  /** Writes down what a dry run would have paid, for people to approve; gives the files. Missing: nobody asks for it. */
  readonly freeze?: (offer: Offer) => Promise<RunEnd['files']>;
  /** The plan that is paid, and nothing else; missing: a person confirms. */
  readonly approved?: ApprovedPlan;
  /** Space that the disk of the ledger has left, in bytes; missing: nobody asks. */
  readonly freeBytes?: () => number;
  /** Rows that go ahead alone in this run, whatever was said before; 0: none. */
  readonly canary?: number;
  /** Every row is told when the work is over, for a program; missing: the first that were not completed. */
  readonly tellsEveryRow?: boolean;
  /** File in which every row stands as a line of JSON when the work is over; missing: nobody asks for it. */
  readonly rowsFile?: string;
  /** Whether the results are written when the work is over; missing: they are. */
  readonly writesResults?: () => boolean;
  /** A person goes on with a batch that somebody stopped, and by that takes it back; missing: it stays stopped. */
  readonly takesBack?: true;
  /** Others send what is planned here: the run ends before anything leaves. */
  readonly isDetached?: boolean;
  /** User and machine. */
  readonly maker: string;
  readonly version: string;
}
