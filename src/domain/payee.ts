/** Whose a payee's account is, as far as the service tells, beside whose the sheet says it is. */
import type { IssueCode } from './issue.ts';
import type { Money } from './money.ts';

interface VerdictEntry {
  /** For people. */
  readonly title: string;
  /** What the sheet is warned with. */
  readonly issue?: IssueCode;
}

/** From the best to the one that says nothing; people are told of them in this order. */
export const payeeVerdictTable = {
  match: { title: 'match' },
  'close-match': { title: 'close match', issue: 'PB-PAYEE-CLOSE' },
  'no-match': { title: 'NO MATCH', issue: 'PB-PAYEE-NO-MATCH' },
  'not-possible': { title: 'not possible', issue: 'PB-PAYEE-NOT-POSSIBLE' },
} as const satisfies Record<string, VerdictEntry>;

export type PayeeVerdict = keyof typeof payeeVerdictTable;

export const payeeVerdicts = Object.keys(payeeVerdictTable) as readonly PayeeVerdict[]; // the keys of the table

/** What was found out about the payee of one row. */
export interface PayeeFinding {
  readonly row: number;
  /** As the sheet says it. */
  readonly name: string;
  /** Where the money goes, for people. */
  readonly payee: string;
  readonly amount: Money;
  readonly verdict: PayeeVerdict;
  /** The holder's name as the service tells it; missing when it tells none. */
  readonly holder?: string;
  /** Why there is no holder's name, in a few words. */
  readonly reason?: string;
}

interface Sums {
  readonly count: number;
  readonly amount: Money;
}

/** Count and sum of the rows of every verdict, in the order of the table. */
export interface PayeeFigures {
  /** Accounts that the service was asked about: each once, however many rows pay it. */
  readonly asked: number;
  readonly verdicts: readonly (Sums & { readonly verdict: PayeeVerdict })[];
  /** Rows that were not asked about because their payee was paid before; present when only new payees were verified. */
  readonly paidBefore?: Sums;
}

/** Rows by verdict, and the ones that were not asked about because their payee was paid before. */
export interface PayeeCounts {
  readonly match: number;
  readonly closeMatch: number;
  readonly noMatch: number;
  readonly notPossible: number;
  /** Present when only new payees were verified. */
  readonly paidBefore?: number;
}

/** The counts in one line, for people and for the record. */
export function payeeCountsText({ match, closeMatch, noMatch, notPossible, paidBefore }: PayeeCounts): string {
  const said = [
    `${match} ${payeeVerdictTable.match.title}`,
    `${closeMatch} ${payeeVerdictTable['close-match'].title}`,
    `${noMatch} ${payeeVerdictTable['no-match'].title}`,
    `${notPossible} ${payeeVerdictTable['not-possible'].title}`,
  ];
  return [...said, ...(paidBefore === undefined ? [] : [`${paidBefore} paid before`])].join(', ');
}
