/**
 * Faults: everything that stops a run. Thrown anywhere, caught once in `cli/`, and shown to people as a sentence, a remedy
 * and an exit code. Adding one is one row of `faultTable`.
 */
interface FaultEntry {
  /** Exit code; see "Exit codes" in `docs/operations.md`. */
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
  // The control totals of a scheduled sheet have not been given.
  'totals-missing': { exit: 8 },
  // A scheduled sheet that is only paid by approved plans, and has none.
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
  // The provider does not list the service of a bill, or does not accept its amount.
  'bill-refused': { exit: 5 },
  'preflight-refused': { exit: 5 },
  declined: { exit: 8 },
  'already-paid': { exit: 8 },
  // A file that is not a plan, or was changed since it was made.
  'plan-refused': { exit: 8 },
  // Something changed since the approval, or the approval is too old.
  'plan-stale': { exit: 8 },
  // People whom the profile asks to approve have not done so.
  'not-approved': { exit: 8 },
  // Phones or accounts differ from the last time, and this was not acknowledged.
  'payees-changed': { exit: 8 },
  // Batches of a lost ledger are open, and this sheet may be one of them under another name.
  'lost-batches': { exit: 8 },
  // Nothing shows that what would be sent was not sent before.
  'ledger-in-recovery': { exit: 8 },
  // The role at the server of the ledger lacks the permission.
  'ledger-forbidden': { exit: 2 },
  // The ledger was moved to another place.
  'ledger-moved': { exit: 2 },
  // The tables of the ledger are those of another version of paybatch.
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

/** An error that stops a run: what happened, and what the user can do. Never holds a secret. */
export class Fault extends Error {
  override readonly name = 'Fault';
  readonly code: FaultCode;
  readonly remedy: string;
  /** All findings, one sentence each, if there are more than the message can hold. */
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

/** Returns a Fault that was caught, and throws anything else again, because a bug must never look like a fault. */
export function caughtFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  throw error;
}

/** Returns the code of an error that the system or Node.js gave, for example `ENOENT`; `undefined` for a Fault, and for any other error. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && !(error instanceof Fault) && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;

/** Like `codeOf`, but throws an error without a code again: a Fault says what it is, and a bug must be seen. */
export function systemCode(error: unknown): string {
  const code = codeOf(error);
  if (code === undefined) throw error;
  return code;
}
