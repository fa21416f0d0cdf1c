/** What a column of the payout sheet says about itself. Headings, templates, help and tables of the documentation derive from it. */
export interface ColumnFacts {
  /** Stable id, also an accepted heading: `account_number`. */
  readonly id: string;
  /** Heading in the templates: `Account number`. */
  readonly heading: string;
  /** Other headings that mean this column. Case, spaces, dots, `_`, `-` and `/` do not matter. */
  readonly aliases: readonly string[];
  /** One sentence for the person who fills the sheet in. */
  readonly help: string;
  readonly example: string;
  /** `text` columns are formatted as text, so that leading zeros survive; `amount` as a number with two decimals. */
  readonly format: 'text' | 'amount';
  /** Drop-down choices of the template. */
  readonly choices?: readonly string[];
  /** Width in characters. */
  readonly width: number;
}

/** A column of the whole sheet, with what it is for. */
export interface ColumnDescription extends ColumnFacts {
  /** Titles of the kinds that need the column, and of those that can use it. */
  readonly neededFor: readonly string[];
  readonly usedFor: readonly string[];
}
