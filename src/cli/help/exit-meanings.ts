/** The meaning of each exit code, for the help and for the tables of the documentation. */

/** What an exit code says, and what to do about it. */
export interface ExitMeaning {
  /** More than one if they mean the same. */
  readonly codes: readonly number[];
  readonly says: string;
  /** Whether anything was sent; absent if the question does not arise. */
  readonly sent?: 'no' | 'some' | 'maybe' | 'yes';
  readonly todo: string;
}

export const exitMeanings: readonly ExitMeaning[] = [
  {
    codes: [0],
    says: 'every payable row completed, or the question was answered',
    todo: 'Nothing. Keep the results workbook for the books.',
  },
  {
    codes: [1],
    says: 'a bug in paybatch',
    todo: 'Do not run the sheet again. Report what the screen says, then run `paybatch status`.',
  },
  {
    codes: [2],
    says: 'usage or configuration',
    sent: 'no',
    todo: 'Do what the message says, then type the command again.',
  },
  {
    codes: [3],
    says: 'the sheet was refused',
    sent: 'no',
    todo: 'Correct the cells that are named, or the marked copy, and run it again.',
  },
  {
    codes: [4],
    says: 'credentials refused, or a permission is missing',
    sent: 'no',
    todo: 'Check client id and secret; ask the provider for a permission that is missing.',
  },
  {
    codes: [5],
    says: 'preflight refused: balance, charges, routes, limits, bills',
    sent: 'no',
    todo: 'Do what the message says, for example fill the wallet, and run the sheet again.',
  },
  {
    codes: [6],
    says: 'finished, every outcome known, some rows not paid',
    sent: 'some',
    todo: 'Look at the Exceptions of the workbook; `paybatch retry` pays failed rows again.',
  },
  {
    codes: [7],
    says: 'some rows in doubt or not final: `resume`, never a second `run`',
    sent: 'some',
    todo: 'Run `paybatch resume`, or `paybatch status` to look without sending.',
  },
  {
    codes: [8],
    says: 'declined, not approved, totals differ, or perhaps paid already',
    sent: 'no',
    todo: 'The message says which. Nothing is sent before a person has decided.',
  },
  {
    codes: [9],
    says: 'the service could not be reached',
    sent: 'no',
    todo: 'Check the network, then run the sheet again.',
  },
  {
    codes: [10],
    says: 'the ledger is not safe; sending stopped',
    sent: 'maybe',
    todo: 'Do what the message says, then run `paybatch resume`. Do not delete the ledger.',
  },
  {
    codes: [11],
    says: 'alarm: the service contradicts the plan; sending stopped',
    sent: 'some',
    todo: 'Ask the provider about the orders that are named; record the answer with `paybatch resolve`.',
  },
  {
    codes: [12],
    says: 'the payments are done; the workbook or stdout was not written',
    sent: 'yes',
    todo: 'Run `paybatch report`, with --out for another folder. If stdout was on a full disk: `paybatch status`.',
  },
  {
    codes: [75],
    says: 'another run works on this batch, or is planning',
    sent: 'no',
    todo: 'Wait for the other run to end, and look with `paybatch status`. Other batches can be paid meanwhile.',
  },
  {
    codes: [130, 143],
    says: 'interrupted, everything saved: `resume`',
    sent: 'maybe',
    todo: 'Run `paybatch resume`.',
  },
];

/** Columns of the codes, including the space after them. */
const CODES_COLUMNS = 10;

/** All exit codes, a line for each meaning, for a terminal of 80 columns. */
export const exitTable: readonly string[] = exitMeanings.map(
  ({ codes, says }) => `  ${codes.join(', ').padEnd(CODES_COLUMNS)}${says}`,
);
