/**
 * Issues: everything that can be wrong with the user's own data. They are values, never thrown, and all of them are
 * reported at once, each with its cell, the value seen and what to do. Adding one is one row of `issueTable`.
 */
export type IssueLevel = 'error' | 'warning';

interface IssueEntry {
  readonly level: IssueLevel;
  /** What is wrong, in plain words; `{name}` stands for a parameter, `{value}` for the value seen. */
  readonly says: string;
  /** What to do about it. */
  readonly fix: string;
}

export const issueTable = {
  'PB-EMPTY': {
    level: 'error',
    says: 'The sheet holds no row to pay.',
    fix: 'Put at least one person under the headings and run it again.',
  },
  'PB-HEADER-MISSING': {
    level: 'error',
    says: 'No column for {column} was found{hint}.',
    fix: 'Add a column with the heading "{heading}", rename the column that holds it, or name it once with paybatch map.',
  },
  'PB-HEADER-TWICE': {
    level: 'error',
    says: 'Two columns could both be {column}: {headings}.',
    fix: 'Rename or remove one of them, or say once with paybatch map which is meant; paybatch never picks.',
  },
  'PB-MAPPING-HEADING': {
    level: 'error',
    says: 'The mapping {mapping} takes {column} from the heading "{heading}", which the sheet does not have{hint}.',
    fix: 'Correct the heading in the sheet, or learn the mapping again with paybatch map --save {mapping}.',
  },
  'PB-ROWS-MAX': {
    level: 'error',
    says: 'The sheet has more than {limit} rows.',
    fix: 'Split it into several sheets.',
  },
  'PB-HIDDEN': {
    level: 'error',
    says: 'Row {row} is hidden, so whoever approved the sheet may not have seen it.',
    fix: 'Show the row (clear the filter) or delete it.',
  },
  'PB-MERGED': {
    level: 'error',
    says: 'The cell is part of a merged range, so it is not clear which rows its value is for.',
    fix: 'Unmerge the cells and give every row its own value.',
  },
  'PB-RAGGED': {
    level: 'error',
    says: 'The row has {fields} fields where the headings have {expected}; its values may have slid into other columns.',
    fix: 'Check the separators and quotes of this line.',
  },
  'PB-BELOW-TABLE': {
    level: 'error',
    says: 'Row {row} stands below the end of the table but holds an amount ({value}).',
    fix: 'Move it into the table, or delete it; a blank row or a total row ends the table.',
  },
  'PB-TOTAL-ROW': {
    level: 'error',
    says: 'The total row says {value} but the rows add up to {sum}.',
    fix: 'Correct the total or the rows until they agree.',
  },
  'PB-TYPE-UNKNOWN': {
    level: 'error',
    says: '"{value}" is not a way of paying.',
    fix: 'Use one of: {kinds}.',
  },
  'PB-TYPE-UNCLEAR': {
    level: 'error',
    says: 'It is not clear how this row is to be paid.',
    fix: 'Fill in the type column with one of: {kinds}.',
  },
  'PB-CELL-ERROR': {
    level: 'error',
    says: '{heading} holds the spreadsheet error {value}.',
    fix: 'Correct the formula or type the value.',
  },
  'PB-FORMULA-NO-VALUE': {
    level: 'error',
    says: '{heading} is a formula without a stored result.',
    fix: 'Open the file in Excel, let it calculate, and save it.',
  },
  'PB-CELL-CHARS': {
    level: 'error',
    says: '{heading} "{value}" holds a character that cannot be there: {character}.',
    fix: 'Type the value again.',
  },
  'PB-CELL-DATE': {
    level: 'error',
    says: '{heading} is stored as a date.',
    fix: 'Set the cell to Text and type the value again.',
  },
  'PB-CELL-BOOLEAN': {
    level: 'error',
    says: '{heading} is stored as TRUE or FALSE.',
    fix: 'Set the cell to Text and type the value again.',
  },
  'PB-TEXT-LENGTH': {
    level: 'error',
    says: '{heading} has {length} characters; at most {limit} are allowed.',
    fix: 'Shorten it.',
  },
  'PB-NAME-MISSING': { level: 'error', says: 'The name is empty.', fix: 'Type the name of the person or business.' },
  'PB-PHONE-MISSING': { level: 'error', says: 'The phone number is empty.', fix: 'Type the phone number.' },
  'PB-PHONE-LENGTH': {
    level: 'error',
    says: 'Phone number "{value}" is not complete or too long: {digits} digits.',
    fix: 'Type the whole number, for example {example}.',
  },
  'PB-PHONE-EXP': {
    level: 'error',
    says: 'Excel shortened this phone number to "{value}"; its digits are gone.',
    fix: 'Set the cell to Text and type the number again.',
  },
  'PB-PHONE-CHARS': {
    level: 'error',
    says: 'Phone number "{value}" holds a character that is not a digit: {character}.',
    fix: 'Type the number with digits only (a letter O is not a zero).',
  },
  'PB-PHONE-COUNTRY': {
    level: 'error',
    says: 'Phone number "{value}" is not a number of {country}.',
    fix: 'Check the number, or set the country it belongs to.',
  },
  'PB-PHONE-LANDLINE': {
    level: 'error',
    says: 'Phone number "{value}" is not a mobile number.',
    fix: 'Type the mobile number of the wallet.',
  },
  'PB-NETWORK-UNKNOWN': {
    level: 'error',
    says: 'The mobile network of "{value}" is not known.',
    fix: 'Fill in the network column with one of: {networks}.',
  },
  'PB-NETWORK-DIFFERS': {
    level: 'warning',
    says: 'The sheet says {value}, but the number was first given to {network}.',
    fix: 'Check it; a number can have been moved to another network.',
  },
  'PB-TILL': {
    level: 'error',
    says: 'Till number "{value}" is not 5 to 9 digits.',
    fix: 'Type the till number as the business shows it.',
  },
  'PB-PAYBILL': {
    level: 'error',
    says: 'Paybill number "{value}" is not 5 to 7 digits.',
    fix: 'Type the paybill number as the business shows it.',
  },
  'PB-PAYBILL-ACCOUNT': {
    level: 'error',
    says: 'The account number at the paybill is empty.',
    fix: 'Put the account at that paybill here.',
  },
  'PB-ACCOUNT-DIGITS': {
    level: 'error',
    says: '{heading} "{value}" has more than 15 digits in a number cell, so Excel has changed its last digits.',
    fix: 'Set the cell to Text and type the number again.',
  },
  'PB-AMOUNT-MISSING': { level: 'error', says: 'The amount is empty.', fix: 'Type the amount, or delete the row.' },
  'PB-AMOUNT-ZERO': {
    level: 'error',
    says: 'The amount {value} is not more than zero.',
    fix: 'Type an amount above zero, or delete the row.',
  },
  'PB-AMOUNT-TEXT': {
    level: 'error',
    says: 'The amount "{value}" cannot be read as a number.',
    fix: 'Type digits with a point for the cents, for example 1500.50.',
  },
  'PB-AMOUNT-AMBIGUOUS': {
    level: 'error',
    says: 'The amount "{value}" can be read in two ways.',
    fix: 'Type it without thousands separators and with a point for the cents, for example 1500.00.',
  },
  'PB-AMOUNT-DECIMALS': {
    level: 'error',
    says: 'The amount {value} has more decimals than {currency} has.',
    fix: 'Type the amount with {exponent} decimals; paybatch never rounds.',
  },
  'PB-CURRENCY': {
    level: 'error',
    says: '"{value}" is not the currency of this batch ({currency}).',
    fix: 'One sheet pays one currency: correct it, or put these rows into a sheet of their own.',
  },
  'PB-DUP-REFERENCE': {
    level: 'error',
    says: 'Reference {value} stands in rows {rows}.',
    fix: 'Give every payment its own reference; the same one twice could pay a person twice.',
  },
  'PB-DUP-ROW': {
    level: 'error',
    says: 'Rows {rows} pay the same {value} and have no reference to tell them apart.',
    fix: 'Delete the repeated row, give each a reference, or confirm with --allow-identical {count}.',
  },
  'PB-DUP-PAYEE': {
    level: 'warning',
    says: '{value} is paid more than once in this sheet (rows {rows}).',
    fix: 'Check that each of these payments is meant.',
  },
} as const satisfies Record<string, IssueEntry>;

export type IssueCode = keyof typeof issueTable;

export type IssueParameters = Readonly<Record<string, string | number>>;

export interface Issue {
  readonly code: IssueCode;
  readonly level: IssueLevel;
  /** Row of the sheet, when the issue belongs to one. */
  readonly row?: number;
  /** Address of the cell, for example `C14`. */
  readonly cell?: string;
  /** The value seen, as read. Empty when there is none. */
  readonly value: string;
  readonly parameters: IssueParameters;
}

/** Where an issue was found. */
export interface IssuePlace {
  readonly row?: number;
  readonly cell?: string;
  readonly value?: string;
}

export function issue(code: IssueCode, place: IssuePlace, parameters: IssueParameters = {}): Issue {
  const { row, cell, value = '' } = place;
  return {
    code,
    level: issueTable[code].level,
    ...(row !== undefined && { row }),
    ...(cell !== undefined && { cell }),
    value,
    parameters,
  };
}

function fill(template: string, { value, row, parameters }: Issue): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const known: IssueParameters = { value, ...(row !== undefined && { row }), ...parameters };
    return String(known[name] ?? '');
  });
}

/** What is wrong, in one sentence with the value seen. */
export const issueMessage = (found: Issue): string => fill(issueTable[found.code].says, found);

/** What to do about it, in one sentence. */
export const issueFix = (found: Issue): string => fill(issueTable[found.code].fix, found);
