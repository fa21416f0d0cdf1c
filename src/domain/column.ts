/** The description of a column of the payout sheet. Headings, templates, help and the tables of the documentation derive from it. */
export interface ColumnFacts {
  /** Stable id, also an accepted heading: `account_number`. */
  readonly id: string;
  /** Heading in the templates: `Account number`. */
  readonly heading: string;
  /** Other headings that mean this column. Case, spaces, dots, `_`, `-` and `/` are ignored. */
  readonly aliases: readonly string[];
  /** One sentence for the person who fills in the sheet. */
  readonly help: string;
  readonly example: string;
  /** `text` columns are formatted as text, so that leading zeros survive; `amount` columns as numbers with two decimals. */
  readonly format: 'text' | 'amount';
  /** Drop-down choices of the template. */
  readonly choices?: readonly string[];
  /** Width in characters. */
  readonly width: number;
}

/** A column of the whole sheet, with the kinds that use it. */
export interface ColumnDescription extends ColumnFacts {
  /** Titles of the kinds that need the column; `usedFor`: titles of those that can use it. */
  readonly neededFor: readonly string[];
  readonly usedFor: readonly string[];
}
