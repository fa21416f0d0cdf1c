/**
 * Faults: everything that stops a run. Thrown anywhere, caught once in `cli/`, and told to people as a sentence, a
 * remedy and an exit code. Adding one is one row of `faultTable`.
 */
interface FaultEntry {
  /** Exit code of design: see "Exit codes" in `docs/operations.md`. */
  readonly exit: number;
}

export const faultTable = {
  usage: { exit: 2 },
  configuration: { exit: 2 },
  // Nothing was sent, and the same command works with another place to write to.
  'file-unwritten': { exit: 2 },
  'sheet-unreadable': { exit: 3 },
  // A scheduled sheet that is not there yet.
  'sheet-late': { exit: 3 },
  'sheet-refused': { exit: 3 },
  'totals-differ': { exit: 8 },
  // Nobody has said what a scheduled sheet is to make.
  'totals-missing': { exit: 8 },
  // A scheduled sheet that is paid by approved plans alone, and has none.
  'plan-missing': { exit: 8 },
  // A scheduled payment whose time is over.
  'period-missed': { exit: 8 },
  credentials: { exit: 4 },
  // The token is good; its scope or the account lacks the permission.
  'permission-missing': { exit: 4 },
  'balance-short': { exit: 5 },
  'charges-unusable': { exit: 5 },
  'route-missing': { exit: 5 },
  'limit-exceeded': { exit: 5 },
  // The provider does not list a bill's service, or does not take its amount.
  'bill-refused': { exit: 5 },
  'preflight-refused': { exit: 5 },
  declined: { exit: 8 },
  'already-paid': { exit: 8 },
  // A file that is no plan, or not as it was made.
  'plan-refused': { exit: 8 },
  // Something is not as it was when it was approved, or that is too long ago.
  'plan-stale': { exit: 8 },
  // People whose word the profile asks for have not given it.
  'not-approved': { exit: 8 },
  // Phones or accounts are others than the last time, and nobody has answered for them.
  'payees-changed': { exit: 8 },
  // Batches of a lost ledger are open, and this sheet may be one of them under another name.
  'lost-batches': { exit: 8 },
  // Nobody has shown that what would be sent was not sent before.
  'ledger-doubtful': { exit: 8 },
  // The role at the server of the ledger has not the right to it.
  'ledger-forbidden': { exit: 2 },
  // The ledger is kept in another place by now.
  'ledger-moved': { exit: 2 },
  // Its tables are those of another version of paybatch.
  'ledger-version': { exit: 2 },
  unreachable: { exit: 9 },
  'ledger-unsafe': { exit: 10 },
  alarm: { exit: 11 },
  'report-unwritten': { exit: 12 },
  'ledger-held': { exit: 75 },
  // Stopped by the user or the system before anything was sent.
  interrupted: { exit: 130 },
  terminated: { exit: 143 },
} as const satisfies Record<string, FaultEntry>;

export type FaultCode = keyof typeof faultTable;

interface FaultOptions extends ErrorOptions {
  readonly details?: readonly string[];
}

/** What stops a run: what happened, and what the person in front of it can do. Never holds a secret. */
export class Fault extends Error {
  override readonly name = 'Fault';
  readonly code: FaultCode;
  readonly remedy: string;
  /** Everything that was found, a sentence each, when it is more than the message can hold. */
  readonly details: readonly string[];

  constructor(code: FaultCode, message: string, remedy: string, options: FaultOptions = {}) {
    super(message, options);
    this.code = code;
    this.remedy = remedy;
    this.details = options.details ?? [];
  }

  get exit(): number {
    return faultTable[this.code].exit;
  }
}
