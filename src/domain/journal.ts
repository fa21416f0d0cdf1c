/** How payments are written for the books of a company: the accounts, the columns, the form of dates. */

export const journalDates = ['yyyy-mm-dd', 'dd/mm/yyyy', 'mm/dd/yyyy'] as const;
export type JournalDate = (typeof journalDates)[number];

/** The values that a column can show. `amount`: positive for a debit, negative for a credit; `size`: either one, without a sign. */
export const journalFields = [
  'entry',
  'date',
  'account',
  'description',
  'debit',
  'credit',
  'amount',
  'size',
  'currency',
  'batch',
  'row',
  'name',
  'reference',
  'receipt',
] as const;
export type JournalField = (typeof journalFields)[number];

/**
 * One column: a field, the same text in every line, or one word for debits and one for credits. `once`: only in the first
 * line of an entry.
 */
export type JournalColumn = { readonly heading: string; readonly once?: boolean | undefined } & (
  | { readonly field: JournalField }
  | { readonly text: string }
  | { readonly debit: string; readonly credit: string }
);

/** Names or numbers of accounts, as in the books. */
export interface JournalAccounts {
  /** Debited with what was paid, unless the kind has its own account. */
  readonly payments: string;
  /** Accounts by kind. */
  readonly kinds: Readonly<Record<string, string | undefined>>;
  /** Debited with the fees that were charged. */
  readonly fees: string;
  /** Credited with everything that left the wallet. */
  readonly wallet: string;
  /** Debited with what may have left the wallet; if absent, that is not in the journal. */
  readonly suspense?: string | undefined;
}

export interface JournalSettings {
  /** One entry for the whole batch, or one for each row. */
  readonly entry: 'batch' | 'row';
  readonly dates: JournalDate;
  readonly accounts: JournalAccounts;
  readonly columns: readonly JournalColumn[];
}

/** The default: a format that most programs accept and people understand. */
export const usualJournal: JournalSettings = {
  entry: 'batch',
  dates: 'yyyy-mm-dd',
  accounts: { payments: 'Payments', kinds: {}, fees: 'Payment charges', wallet: 'Mobile money wallet' },
  columns: [
    { heading: 'Journal No.', field: 'entry' },
    { heading: 'Date', field: 'date' },
    { heading: 'Account', field: 'account' },
    { heading: 'Description', field: 'description' },
    { heading: 'Debit', field: 'debit' },
    { heading: 'Credit', field: 'credit' },
    { heading: 'Currency', field: 'currency' },
  ],
};
