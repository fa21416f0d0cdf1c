/** The account column, which several kinds have; how strictly its cell is read is each kind's own. */
import { longestOfRow } from '../domain/lengths.ts';
import type { Draft } from '../service/submissions/index.ts';
import { type Column, wrong } from './column.ts';
import { readAccount, visible, warnOfNumber } from './text-columns.ts';

/** What the column says about itself, whichever kind uses it: headings and help must not differ between them. */
export const accountColumn = {
  id: 'account_number',
  heading: 'Account number',
  aliases: [
    'A/C No',
    'Acc No',
    'Account No',
    'Account',
    'Bank A/C',
    'Customer Account',
    'Meter No',
    'N° de compte',
    'Akaunti',
  ],
  help: 'The account that is paid: at the paybill, the bank or the biller.',
  example: '0123456789',
  format: 'text',
  width: 20,
  required: true,
  decides: 'payment',
  calculated: 'refused',
} as const satisfies Omit<Column<string>, 'read'>;

/** Letters of other alphabets look like ours and are not; no bank and no biller writes points or plus signs. */
const NO_ACCOUNT_CHARACTER = /[^A-Za-z0-9 /-]/u;

/** An account at a bank or a biller: ASCII letters, digits, spaces, hyphens and slashes, exactly as they are written. */
export const strictAccount: Column<string> = {
  ...accountColumn,
  read(view) {
    const reading = readAccount(view, longestOfRow.account, 'PB-CELL-MISSING');
    const stray = reading.ok ? NO_ACCOUNT_CHARACTER.exec(reading.value)?.[0] : undefined;
    return stray === undefined
      ? warnOfNumber(view, reading)
      : wrong(view, 'PB-CELL-CHARS', { character: visible(stray) });
  },
};

/** An account as it is compared: people write the same one with and without spaces. */
export const comparedAccount = (account: string): string => account.replace(/[ -]/g, '').toUpperCase();

/**
 * Whose account the service can be asked about before a payout is made. Spec: "Operations that appear in the menu without
 * shape" (Account Number Validation Request), with the types and codes that have been observed for it.
 */
export interface AccountToAsk {
  /** 1: mobile wallet, 2: bank account. */
  readonly type: 1 | 2;
  readonly account: string;
  /** Mobile network code, or bank code. */
  readonly institutionCode: string;
}

/**
 * The account of a staged draft, or undefined when the service tells no holder of such a one. A line to a bank names its
 * institution and its remitter, one to a business its institution alone, and one to a wallet no institution but the network.
 */
export function accountToAsk(staged: unknown): AccountToAsk | undefined {
  const draft = staged as Draft | undefined; // staged by the kind that made the payout
  if (draft?.submission !== 'payment-order') return undefined;
  const { recipient, remitter } = draft.line;
  const { primaryAccountNumber: account, institutionIdentifier, mccmnc } = recipient;
  if (institutionIdentifier) return remitter && { type: 2, account, institutionCode: institutionIdentifier };
  return mccmnc === undefined ? undefined : { type: 1, account, institutionCode: mccmnc };
}
