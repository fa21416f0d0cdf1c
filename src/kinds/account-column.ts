/** The account column, which several kinds have. Each kind decides how strictly its cell is read. */
import { longestOfRow } from '../domain/lengths.ts';
import type { Draft } from '../service/submissions/index.ts';
import { type Column, wrong } from './column.ts';
import { readAccount, visible, warnOfNumber } from './text-columns.ts';

/** The description of the column for every kind that uses it: headings and help must not differ between kinds. */
export const accountColumn = {
  id: 'account_number',
  heading: 'Account number',
  aliases: [
    'A/C',
    'A/C No',
    'A/C Number',
    'Acc No',
    'Acc Number',
    'Acct No',
    'Acct Number',
    'Account No',
    'Account',
    'Bank A/C',
    'Bank A/C No',
    'Bank A/C Number',
    'Bank Acc No',
    'Bank Acct No',
    'Bank Account',
    'Bank Account No',
    'Bank Account Number',
    'Customer Account',
    'Meter No',
    'N° de compte',
    'Akaunti',
    'Konti',
  ],
  help: 'The account that is paid: at the paybill, the bank or the biller.',
  example: '0123456789',
  format: 'text',
  width: 20,
  required: true,
  decides: 'payment',
  calculated: 'refused',
} as const satisfies Omit<Column<string>, 'read'>;

/** Letters of other alphabets that look like Latin ones are not the same letters; no bank and no biller uses points or plus signs. */
const NO_ACCOUNT_CHARACTER = /[^A-Za-z0-9 /-]/u;

/** An account at a bank or a biller: ASCII letters, digits, spaces, hyphens and slashes, exactly as written. */
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

/** Returns an account as it is compared: people write the same account with and without spaces. */
export const comparedAccount = (account: string): string => account.replace(/[ -]/g, '').toUpperCase();

/**
 * An account whose holder the service can be asked for before a payout is made. Spec: "Operations that appear in the menu
 * without shape" (Account Number Validation Request), with the types and codes that have been observed for it.
 */
export interface AccountToAsk {
  /** 1: mobile wallet, 2: bank account. */
  readonly type: 1 | 2;
  readonly account: string;
  /** Mobile network code, or bank code. */
  readonly institutionCode: string;
}

/**
 * Returns the account of a staged draft; `undefined` if the service names no holder of such an account. A line to a bank has
 * an institution and a remitter, one to a business only an institution, and one to a wallet the network but no institution.
 */
export function accountToAsk(staged: unknown): AccountToAsk | undefined {
  const draft = staged as Draft | undefined; // the kind that made the payout staged it
  if (draft?.submission !== 'payment-order') return undefined;
  const { recipient, remitter } = draft.line;
  const { primaryAccountNumber: account, institutionIdentifier, mccmnc } = recipient;
  if (institutionIdentifier) return remitter && { type: 2, account, institutionCode: institutionIdentifier };
  return mccmnc === undefined ? undefined : { type: 1, account, institutionCode: mccmnc };
}
