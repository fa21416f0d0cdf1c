/** Every issue with its level and its English sentences: one row each. The other languages stand in `issue-texts/`. */
import { amountIssues } from './amount-issues.ts';
import type { IssueText } from './issue-texts/issue-text.ts';
import { payeeIssues } from './payee-issues.ts';

export type IssueLevel = 'error' | 'warning';

interface IssueEntry extends IssueText {
  readonly level: IssueLevel;
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
    fix: 'Add a column with the heading "{heading}", rename the column that holds it, or say once which it is (paybatch map {sheet} --save NAME).',
  },
  'PB-HEADER-UNKNOWN': {
    level: 'error',
    says: 'Row {row} has {headings}. Which is the {column}?',
    fix: 'Say it once: paybatch map {sheet} --save NAME (or change that heading to "{heading}").',
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
  'PB-HIDDEN': {
    level: 'error',
    says: 'Row {row} is hidden, so whoever approved the sheet may not have seen it.',
    fix: 'Show the row (clear the filter), delete it, or confirm with --include-hidden that all hidden rows are meant.',
  },
  'PB-HIDDEN-COUNT': {
    level: 'error',
    says: 'The table has {count|hidden row|hidden rows}, not {stated}.',
    fix: 'Look at the hidden rows again; the number for --include-hidden is {count} (if it is 0, leave it out).',
  },
  'PB-HIDDEN-COLUMN': {
    level: 'error',
    says: 'The column {heading} is used and is hidden, so whoever approved the sheet may not have seen it.',
    fix: 'Show the column and check what stands in it.',
  },
  'PB-MERGED': {
    level: 'error',
    says: 'The cell is part of a merged range, so it is not clear which rows its value is for.',
    fix: 'Unmerge the cells and give every row its own value.',
  },
  'PB-RAGGED': {
    level: 'error',
    says: 'The row has {fields|field|fields} where the headings have {expected}; its values may have slid into other columns.',
    fix: 'Check the separators and quotes of this line.',
  },
  'PB-BELOW-TABLE': {
    level: 'error',
    says: 'Row {row} stands below the end of the table but holds an amount ({value}).',
    fix: 'Move it into the table, or delete it; a blank row or a total row ends the table.',
  },
  'PB-ABOVE-TABLE': {
    level: 'error',
    says: 'Row {row} stands above the headings but looks like a payment ({value}).',
    fix: 'Move it under the headings, or delete it; rows above the headings are not paid.',
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
  'PB-FORMULA-CACHED': {
    level: 'warning',
    says: '{heading} comes from a formula in {count|row|rows}; the results stored in the file are used.',
    fix: 'Check that the file was calculated before it was saved, or paste the results as values.',
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
  'PB-CELL-MISSING': {
    level: 'error',
    says: '{heading} is empty, and this payment type needs it.',
    fix: 'Fill it in, or correct the payment type of the row.',
  },
  'PB-TEXT-LENGTH': {
    level: 'error',
    says: '{heading} has {length|character|characters}; at most {limit} are allowed.',
    fix: 'Shorten it.',
  },
  'PB-ACCOUNT-LENGTH': {
    level: 'error',
    says: '{heading} "{value}" has {length|character|characters}; at most {limit} are taken.',
    fix: 'Check the whole number. Never shorten it: if it is right, ask the provider how to pay it.',
  },
  'PB-NAME-MISSING': { level: 'error', says: 'The name is empty.', fix: 'Type the name of the person or business.' },
  'PB-TEXT-HIDDEN': {
    level: 'warning',
    says: '{heading} "{value}" holds {count|character|characters} that nobody sees: {characters}. What is sent is "{sent}".',
    fix: 'Check that this is what is meant; type it again to be rid of the warning.',
  },
  'PB-NAME-FORMULA': {
    level: 'warning',
    says: 'The name begins with {character}, as a formula does. What is sent is "{sent}".',
    fix: 'Check who is paid; spreadsheet programs may calculate such a name when it is opened from a CSV file.',
  },
  'PB-NAME-SCRIPTS': {
    level: 'warning',
    says: 'The name "{value}" mixes letters of two alphabets: {character} only looks like a Latin letter.',
    fix: 'Type the name again with one keyboard, and check who is paid.',
  },
  'PB-PHONE-MISSING': { level: 'error', says: 'The phone number is empty.', fix: 'Type the phone number.' },
  'PB-PHONE-LENGTH': {
    level: 'error',
    says: 'Phone number "{value}" is not complete or too long: {digits|digit|digits}.',
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
  'PB-PHONE-TWO': {
    level: 'error',
    says: '"{value}" holds two phone numbers.',
    fix: 'Keep the one that is to be paid.',
  },
  'PB-PHONE-ZERO': {
    level: 'warning',
    says: 'The first zero is missing from {count|phone number|phone numbers}; this one was read as {read}.',
    fix: 'Nothing has to be done; format the column as Text to keep the zeros.',
  },
  'PB-PHONE-COUNTRY': {
    level: 'error',
    says: 'Phone number "{value}" is not a number of {country}, where this account pays.',
    fix: 'Check the number; if the whole sheet is for another country, set "country" in the configuration.',
  },
  'PB-PHONE-LIMIT': {
    level: 'error',
    says: 'Phone number "{value}" is {read}, which has {length} characters; the service takes at most {limit}.',
    fix: 'Check the number. If it is right, it cannot be paid here: ask the provider.',
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
  'PB-BANK-CODE': {
    level: 'error',
    says: 'Bank code "{value}" is neither a bank code of 2, 3, 5 or 6 digits nor a SWIFT code of 8 or 11 characters.',
    fix: 'Type the code with its zeros, as a text: 07, 68000 or PRACKENA.',
  },
  'PB-ACCOUNT-DIGITS': {
    level: 'error',
    says: '{heading} "{value}" has more than 15 digits in a number cell, so Excel has changed its last digits.',
    fix: 'Set the cell to Text and type the number again.',
  },
  'PB-ACCOUNT-NUMBER': {
    level: 'warning',
    says: '{heading} {value} is stored as a number, so a zero in front of it would be lost.',
    fix: 'Check that the account begins so; set the cell to Text and type it again if it does not.',
  },
  ...amountIssues,
  'PB-NOTE-SHARED': {
    level: 'warning',
    says: '{heading} "{value}" is not sent: the row shares its order with others (at most {lines}), and the order has one note for all{hint}.',
    fix: 'If notes must arrive, set sending.linesPerOrder to 1, or give all rows the same one; otherwise nothing has to be done.',
  },
  'PB-NOTE-UNSENT': {
    level: 'warning',
    says: '{heading} is not sent for {count|row|rows}: this way of paying has no place for a note.',
    fix: 'Nothing has to be done; tell the person in another way if the note must arrive.',
  },
  'PB-NET-PAY': {
    level: 'warning',
    says: 'The amount {value} is not {gross} less {deductions}, which would be {net}.',
    fix: 'Check the pay and the deductions of this row.',
  },
  'PB-CURRENCY': {
    level: 'error',
    says: '"{value}" is not the currency of this batch ({currency}).',
    fix: 'One sheet pays one currency: correct it, or put these rows into a sheet of their own.',
  },
  'PB-CURRENCY-HEADING': {
    level: 'error',
    says: 'The heading "{value}" names {named}, but this batch pays {currency}.',
    fix: 'Correct the heading, or run the sheet with the currency of its amounts (--currency {named}).',
  },
  'PB-DUP-REFERENCE': {
    level: 'error',
    says: 'Reference {value} also stands in {others|other row|other rows}: {rows}.',
    fix: 'Give every payment its own reference; the same one twice could pay a person twice.',
  },
  'PB-DUP-ROW': {
    level: 'error',
    says: 'This row pays the same {value} as {others|other row|other rows} ({rows}), without a reference to tell them apart.',
    fix: 'Delete the repeated row, give each a reference, or confirm with --allow-identical {count}.',
  },
  'PB-IDENTICAL-COUNT': {
    level: 'error',
    says: 'The sheet has {count|identical row|identical rows}, not {stated}.',
    fix: 'Look at the repeated rows again; the number for --allow-identical is {count} (if it is 0, leave it out).',
  },
  'PB-DUP-PAYEE': {
    level: 'warning',
    says: '{value} is paid more than once in this sheet (rows {rows}).',
    fix: 'Check that each of these payments is meant.',
  },
  'PB-PAYEE-NAMES': {
    level: 'warning',
    says: 'The payee {payee} is paid under the names "{first}" (row {firstRow}) and "{value}"{hint}.',
    fix: 'Check whose number it is.',
  },
  'PB-NAME-PAYEES': {
    level: 'warning',
    says: '"{value}" is paid to {first} (row {firstRow}) and to {payee}{hint}.',
    fix: 'Check that these are two people, or that both payments are meant.',
  },
  ...payeeIssues,
} as const satisfies Record<string, IssueEntry>;
