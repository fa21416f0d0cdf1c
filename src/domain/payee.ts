/** The holder of a payee's account according to the service, compared with the name in the sheet. */
import type { Sum } from './duplicate.ts';
import type { IssueCode } from './issue.ts';
import type { Money } from './money.ts';

interface VerdictEntry {
  /** Name of the verdict, for people. */
  readonly title: string;
  /** The warning that the sheet gets. */
  readonly issue?: IssueCode;
}

/** From the best verdict to the one that says nothing. People are shown the verdicts in this order. */
export const payeeVerdictTable = {
  match: { title: 'match' },
  'close-match': { title: 'close match', issue: 'PB-PAYEE-CLOSE' },
  'no-match': { title: 'NO MATCH', issue: 'PB-PAYEE-NO-MATCH' },
  'not-possible': { title: 'not possible', issue: 'PB-PAYEE-NOT-POSSIBLE' },
} as const satisfies Record<string, VerdictEntry>;

export type PayeeVerdict = keyof typeof payeeVerdictTable;

export const payeeVerdicts = Object.keys(payeeVerdictTable) as readonly PayeeVerdict[]; // the keys of the table

/** The result of verifying the payee of one row. */
export interface PayeeFinding {
  readonly row: number;
  /** The name in the sheet. */
  readonly name: string;
  /** Where the money goes, for people. */
  readonly payee: string;
  readonly amount: Money;
  readonly verdict: PayeeVerdict;
  /** The holder's name according to the service; absent if it returns none. */
  readonly holder?: string;
  /** Why there is no holder's name, in a few words. */
  readonly reason?: string;
}

/** Count and sum of the rows with each verdict, in the order of the table. */
export interface PayeeFigures {
  /** Accounts that the service was asked about, each once, however many rows pay it. */
  readonly asked: number;
  readonly verdicts: readonly (Sum & { readonly verdict: PayeeVerdict })[];
  /** Rows that were not verified because their payee was paid before; present only if just the new payees were verified. */
  readonly paidBefore?: Sum;
}

/** Numbers of rows by verdict, and of rows that were not verified because their payee was paid before. */
export interface PayeeCounts {
  readonly match: number;
  readonly closeMatch: number;
  readonly noMatch: number;
  readonly notPossible: number;
  /** Present only if just the new payees were verified. */
  readonly paidBefore?: number;
}

/** Returns how many rows have each verdict. */
export function countsOf({ verdicts, paidBefore }: PayeeFigures): PayeeCounts {
  const countOf = (verdict: PayeeVerdict): number => verdicts.find((one) => one.verdict === verdict)?.count ?? 0;
  return {
    match: countOf('match'),
    closeMatch: countOf('close-match'),
    noMatch: countOf('no-match'),
    notPossible: countOf('not-possible'),
    ...(paidBefore && { paidBefore: paidBefore.count }),
  };
}

/** Returns the counts in one line, for people and for the record. */
export function payeeCountsText({ match, closeMatch, noMatch, notPossible, paidBefore }: PayeeCounts): string {
  const said = [
    `${match} ${payeeVerdictTable.match.title}`,
    `${closeMatch} ${payeeVerdictTable['close-match'].title}`,
    `${noMatch} ${payeeVerdictTable['no-match'].title}`,
    `${notPossible} ${payeeVerdictTable['not-possible'].title}`,
  ];
  return [...said, ...(paidBefore === undefined ? [] : [`${paidBefore} paid before`])].join(', ');
}
