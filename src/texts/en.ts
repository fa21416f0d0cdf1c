/** The texts of all issues in English. The file does not compile if one is missing, or belongs to no issue. */
import type { IssueTexts } from './issue-text.ts';

export const englishTexts: IssueTexts = {
  'PB-EMPTY': {
    says: 'The sheet holds no row to pay.',
    fix: 'Put at least one person under the headings and run it again.',
  },
  'PB-HEADER-MISSING': {
    says: 'No column for {column} was found{hint}.',
    fix: 'Add a column with the heading "{heading}", rename the column that holds it, or say once which it is (paybatch map {sheet}).',
  },
  'PB-HEADER-UNKNOWN': {
    says: 'Row {row} has {headings}. Which is the {column}?',
    fix: 'Record the answer once with paybatch map {sheet}, or change that heading to "{heading}".',
  },
  'PB-HEADER-TWICE': {
    says: 'Two columns could both be {column}: {headings}.',
    fix: 'Rename or remove one of them, or say once which is meant (paybatch map {sheet}); paybatch never picks.',
  },
  'PB-HEADER-MERGED': {
    says: 'The heading "{value}" is merged over several columns, so it is not clear which of them it is for.',
    fix: 'Unmerge it and give each column a heading of its own, in one row.',
  },
  'PB-HEADER-LATE': {
    says: 'Row {row} looks like the headings, but headings are looked for in the first {limit} rows only.',
    fix: 'Delete lines above the headings until they are within the first {limit} rows.',
  },
  'PB-HEADER-LINES': {
    says: 'The headings seem to take two lines: row {row} holds headings too ({value}).',
    fix: 'Put each heading into one cell of one row, and delete the other line.',
  },
  'PB-AMOUNT-HEADING': {
    says: 'More than one heading may be the amount: {headings}.',
    fix: 'Say once which one is paid; it is remembered for sheets with these headings: {commands}.',
  },
  'PB-MAPPING-HEADING': {
    says: 'The mapping {mapping} takes {column} from the heading "{heading}", which the sheet does not have{hint}.',
    fix: 'Correct the heading in the sheet, or learn the mapping again with paybatch map {sheet} --save {mapping}.',
  },
  'PB-HIDDEN': {
    says: 'Row {row} is hidden, so whoever approved the sheet may not have seen it.',
    fix: 'Show the row (clear the filter), delete it, or confirm with --include-hidden that all hidden rows are meant.',
  },
  'PB-STRUCK': {
    says: '"{value}" is struck through, so the payment may not be meant any more.',
    fix: 'Remove the strikethrough, delete the row, or confirm with --include-hidden that all rows that are hidden or struck through are meant.',
  },
  'PB-HIDDEN-COUNT': {
    says: 'The table has {count|row that is hidden or struck through|rows that are hidden or struck through}, not {stated}.',
    fix: 'Look at these rows again; the number for --include-hidden is {count} (if it is 0, leave it out).',
  },
  'PB-HIDDEN-COLUMN': {
    says: 'The column {heading} is used and is hidden, so whoever approved the sheet may not have seen it.',
    fix: 'Unhide the column and check what is in it.',
  },
  'PB-MERGED': {
    says: 'The cell is part of a merged range, so it is not clear which rows its value is for.',
    fix: 'Unmerge the cells and give every row its own value.',
  },
  'PB-RAGGED': {
    says: 'The row has {fields|field|fields} where the headings have {expected}; its values may have slid into other columns.',
    fix: 'Check the separators and quotes of this line.',
  },
  'PB-BELOW-TABLE': {
    says: 'Row {row} is below the table, which ends with row {last}, but looks like a payment ({value}).',
    fix: 'Move it into the table, or delete it; a blank row or a total row ends the table.',
  },
  'PB-BELOW-NAMED': {
    says: 'Row {row} is below the table, which ends with row {last}, and is not paid, but it names somebody ({value}).',
    fix: 'If somebody is paid there, move the row into the table; a blank row or a total row ends the table.',
  },
  'PB-ROW-COUNT': {
    says: 'The sheet says {value} people or payments, and has {rows|row|rows}.',
    fix: 'Find out whom the sheet lacks or has too many of, or correct the number.',
  },
  'PB-ABOVE-TABLE': {
    says: 'Row {row} is above the headings but looks like a payment ({value}).',
    fix: 'Move it under the headings, or delete it; rows above the headings are not paid.',
  },
  'PB-OTHER-TABLE': {
    says: 'Another table seems to begin here, at "{value}". Nobody in it is paid.',
    fix: 'Move its people under the headings of the table, or into a sheet of their own. If nobody in it is paid, delete it.',
  },
  'PB-SECTION-NOT-PAID': {
    says: 'The line "{value}" says that the rows below it are not to be paid, but they would be.',
    fix: 'Move those rows out of the sheet, or write why in the column {hold} of each. Then delete this line or reword it.',
  },
  'PB-NOTE-NOT-TO-PAY': {
    says: '"{value}" is in no row of the table, so it keeps nobody from being paid.',
    fix: 'If rows are not to be paid, write why in a column {hold}. If nothing is to be paid yet, do not run this sheet.',
  },
  'PB-TITLE-KIND': {
    says: '"{value}" says {kind}, but no row has that payment type: everybody would be sent money.',
    fix: 'For {kind}, write "{kind}" in a column {heading} of each row. If people are to get money, nothing has to be changed.',
  },
  'PB-TITLE-OTHER': {
    says: '"{value}" is not the name of a list of payments to make, but everybody in it would be paid.',
    fix: 'Make sure that this is the right sheet. If it is, reword the title, or go on.',
  },
  'PB-TOTAL-ROW': {
    says: 'The total says {value} but its rows add up to {sum}.',
    fix: 'Correct the total or the rows until they agree. If the figure is not a total, delete it.',
  },
  'PB-TOTAL-LEFT-OUT': {
    says: 'The total row says {value}; the rows to pay add up to {sum}, and to {whole} with those that are left out.',
    fix: 'Correct the total or the rows until it agrees with one of the two.',
  },
  'PB-SUBTOTAL-LACKING': {
    says: 'Row {row} is below the last subtotal, and no subtotal or total below it includes it.',
    fix: 'Write a subtotal or a total below the rows of this section. If they are not to be paid, delete them.',
  },
  'PB-TOTAL-NO-VALUE': {
    says: 'The total row was not compared: its formula has no saved result. The amounts that can be read add up to {sum}.',
    fix: 'Open the file in Excel and save it, then check it again; or compare the total with {sum} yourself.',
  },
  'PB-TOTAL-UNREAD': {
    says: 'The total row says {value}, and the amounts that can be read add up to {sum}. They were not compared, because {count|amount|amounts} cannot be read (the first is {first}).',
    fix: 'Correct these amounts. If you pay without them, check first that the rest of the total is theirs.',
  },
  'PB-AMOUNT-ALONE': {
    says: 'Row {row} has an amount ({value}) and nothing else; the rows above it add up to {sum}.',
    fix: 'If it is the sum, write TOTAL next to it. If somebody is paid, say who and where the money goes.',
  },
  'PB-TYPE-UNKNOWN': {
    says: '"{value}" is not a way of paying.',
    fix: 'Use one of: {kinds}. If the row is not paid here, write the reason in a column Hold.',
  },
  'PB-TYPE-UNCLEAR': {
    says: 'It is not clear how this row is to be paid{hint}.',
    fix: 'Fill in only the phone, account or other number that is paid, or say how in a payment type column: {kinds}.',
  },
  'PB-ACCOUNT-ALONE': {
    says: '{heading} is {value}, but {missing} does not say whose account it is. Without it {paid} would be paid.',
    fix: 'Fill in {missing}, or say in the type column how the row is paid: {kinds}. If no account is meant, clear it.',
  },
  'PB-HOLD-UNCLEAR': {
    says: '"{value}" in the column {heading} does not say clearly whether this row is held or paid.',
    fix: 'Clear the cell to pay the row, or write why it is held ("yes" will do).',
  },
  'PB-HOLD-ELSEWHERE': {
    says: '{heading} says "{value}", but only the column {hold} can leave a row out.',
    fix: 'If it is not to be paid, write why in a column {hold}. Otherwise nothing has to be done.',
  },
  'PB-PAID-BEFORE-SHEET': {
    says: '{heading} ("{value}") says that {count|row was|rows were} paid before. They would be paid again.',
    fix: 'If so, write that in a column {hold} for each of those rows. Otherwise nothing has to be done.',
  },
  'PB-CELL-ERROR': {
    says: '{heading} holds the spreadsheet error {value}.',
    fix: 'Correct the formula or type the value.',
  },
  'PB-FORMULA-NO-VALUE': {
    says: '{heading} is a formula without a stored result.',
    fix: 'Open the file in Excel, let it calculate, and save it.',
  },
  'PB-FORMULA-CACHED': {
    says: '{heading} comes from a formula in {count|row|rows}; the results stored in the file are used.',
    fix: 'Check that the file was calculated before it was saved, or paste the results as values.',
  },
  'PB-CELL-CHARS': {
    says: '{heading} "{value}" holds a character that cannot be there: {character}.',
    fix: 'Type the value again.',
  },
  'PB-CELL-DATE': {
    says: '{heading} is stored as a date.',
    fix: 'Set the cell to Text and type the value again.',
  },
  'PB-CELL-BOOLEAN': {
    says: '{heading} is stored as TRUE or FALSE.',
    fix: 'Set the cell to Text and type the value again.',
  },
  'PB-CELL-MISSING': {
    says: '{heading} is empty, and this payment type needs it.',
    fix: 'Fill it in, or correct the payment type of the row.',
  },
  'PB-PLACEHOLDER': {
    says: '{heading} is "{value}", which is what people and programs write where there is no value.',
    fix: 'Type the value that is meant, or empty the cell where none is needed.',
  },
  'PB-ACCOUNT-UNUSED': {
    says: '{heading} is not used in {count|row|rows}; {paid} is paid instead. The first one is {value}.',
    fix: 'Nothing has to be done if this is meant. To pay bank accounts, add a column with the bank codes.',
  },
  'PB-UNUSED-VALUE': {
    says: '{heading} holds {value} in {count|row|rows}. No payment uses it.',
    fix: 'Correct it if it was meant to count; otherwise nothing has to be done.',
  },
  'PB-TEXT-LENGTH': {
    says: '{heading} has {length|character|characters}; at most {limit} are allowed.',
    fix: 'Shorten it.',
  },
  'PB-ACCOUNT-LENGTH': {
    says: '{heading} "{value}" has {length|character|characters}; at most {limit} are accepted.',
    fix: 'Check the whole number. Never shorten it: if it is right, ask the provider how to pay it.',
  },
  'PB-NAME-MISSING': { says: 'The name is empty.', fix: 'Type the name of the person or business.' },
  'PB-TEXT-HIDDEN': {
    says: '{heading} "{value}" holds {count|character|characters} that nobody sees: {characters}. What is sent is "{sent}".',
    fix: 'Check that this is what is meant; type it again to remove the warning.',
  },
  'PB-NAME-FORMULA': {
    says: 'The name begins with {character}, as a formula does. What is sent is "{sent}".',
    fix: 'Check who is paid; spreadsheet programs may calculate such a name when it is opened from a CSV file.',
  },
  'PB-NAME-PLACEHOLDER': {
    says: 'The name "{value}" is what people and programs write in an example, or where there is none; it is sent as it is.',
    fix: 'Check who is paid. If that is the name of the person, there is nothing to do.',
  },
  'PB-NAME-DAMAGED': {
    says: 'The name "{value}" was damaged on its way: it has {character} in place of another letter.',
    fix: 'Check who is paid. Save the sheet again as "CSV UTF-8", or type the name again.',
  },
  'PB-NAME-SCRIPTS': {
    says: 'The name "{value}" mixes letters of two alphabets: {character} only looks like a Latin letter.',
    fix: 'Type the name again with one keyboard, and check who is paid.',
  },
  'PB-NAME-COLUMN': {
    says: 'No column of names was found{hint}; each row is named by its phone or account.',
    fix: 'Check the payees by their numbers, or add a column with the heading "{heading}".',
  },
  'PB-PHONE-MISSING': { says: 'The phone number is empty.', fix: 'Type the phone number.' },
  'PB-PHONE-LENGTH': {
    says: 'Phone number "{value}" is incomplete or too long: {digits|digit|digits}.',
    fix: 'Type the whole number, for example {example}.',
  },
  'PB-PHONE-EXP': {
    says: 'Excel shortened this phone number to "{value}"; its digits are gone.',
    fix: 'Set the cell to Text and type the number again.',
  },
  'PB-PHONE-CHARS': {
    says: 'Phone number "{value}" holds a character that is not a digit: {character}.',
    fix: 'Type the number with digits only (a letter O is not a zero).',
  },
  'PB-PHONE-STRAY': {
    says: 'Phone number "{value}" has {stray} after it, which is not part of a phone number.',
    fix: 'Type the whole number and nothing else.',
  },
  'PB-PHONE-TWO': {
    says: '"{value}" holds two phone numbers.',
    fix: 'Keep the one that is to be paid.',
  },
  'PB-PHONE-ZERO': {
    says: 'The first zero is missing from {count|phone number|phone numbers}; this one was read as {read}.',
    fix: 'Nothing has to be done; format the column as Text to keep the zeros.',
  },
  'PB-PHONE-COUNTRY': {
    says: 'Phone number "{value}" is not a number of {country}, where this account pays.',
    fix: 'Check the number; if the whole sheet is for another country, set "country" in the configuration.',
  },
  'PB-PHONE-LOCAL': {
    says: 'Phone number "{value}" has no country code, and the settings name {country}, where {currency} is not the currency.',
    fix: 'Set "country" to "{home}" at the top level of the settings. If they are numbers of {country}, write them with their country code.',
  },
  'PB-PHONE-LIMIT': {
    says: 'Phone number "{value}" is {read}, which has {length} characters; the service accepts at most {limit}.',
    fix: 'Check the number. If it is right, it cannot be paid here: ask the provider.',
  },
  'PB-PHONE-LANDLINE': {
    says: 'Phone number "{value}" is not a mobile number.',
    fix: 'Type the mobile number of the wallet.',
  },
  'PB-NETWORK-COUNTRY': {
    says: 'No mobile network of the country {country} is known, so "{value}" cannot be paid to a mobile wallet.',
    fix: 'Pay this person another way, for example by bank.',
  },
  'PB-NETWORK-UNKNOWN': {
    says: 'The mobile network of "{value}" is not known.',
    fix: 'Fill in the network column with one of: {networks}.',
  },
  'PB-NETWORK-DIFFERS': {
    says: 'The sheet says {value}, but the number was first given to {network}.',
    fix: 'Check it; a number can have been moved to another network.',
  },
  'PB-TILL': {
    says: 'Till number "{value}" is not 5 to 9 digits.',
    fix: 'Type the till number as the business shows it.',
  },
  'PB-PAYBILL': {
    says: 'Paybill number "{value}" is not 5 to 7 digits.',
    fix: 'Type the paybill number as the business shows it.',
  },
  'PB-PAYBILL-ACCOUNT': {
    says: 'The account number at the paybill is empty.',
    fix: 'Put the account at that paybill here.',
  },
  'PB-BANK-CODE': {
    says: 'Bank code "{value}" is neither a bank code of 2, 3, 5 or 6 digits nor a SWIFT code of 8 or 11 characters.',
    fix: 'Type the code with its zeros, as a text: 07, 68000 or PRACKENA.',
  },
  'PB-ACCOUNT-DIGITS': {
    says: '{heading} "{value}" has more than 15 digits in a number cell, so Excel has changed its last digits.',
    fix: 'Set the cell to Text and type the number again.',
  },
  'PB-NUMBER-FORM': {
    says: '{heading} "{value}" looks like a number that a program calculated with: digits may be lost or changed.',
    fix: 'Look the number up, set the cell to Text and type it again.',
  },
  'PB-NUMBER-SHOWN': {
    says: '{heading} is shown as "{shown}", but the cell holds {held}, which is what would be sent.',
    fix: 'Set the column to Text, then type the number as it is meant to be read.',
  },
  'PB-ACCOUNT-NUMBER': {
    says: '{heading} {value} is stored as a number, so a zero in front of it would be lost.',
    fix: 'Check that the account begins like this. If it does not, set the cell to Text and type it again.',
  },
  'PB-AMOUNT-MISSING': { says: 'The amount is empty.', fix: 'Type the amount, or delete the row.' },
  'PB-AMOUNT-ZERO': {
    says: 'The amount {value} is not more than zero.',
    fix: 'Type an amount above zero, write in a column Hold why nothing is paid, or delete the row.',
  },
  'PB-AMOUNT-TEXT': {
    says: 'The amount "{value}" cannot be read as a number.',
    fix: 'Type digits with a point for the cents, for example 1500.50.',
  },
  'PB-AMOUNT-AMBIGUOUS': {
    says: 'The amount "{value}" can be read in two ways.',
    fix: 'Type it without separators, for example 1500.00; if the whole sheet separates thousands like this, add --decimals {mark}.',
  },
  'PB-AMOUNT-MARK': {
    says: 'The amount "{value}" has "{found}" before its cents, but this sheet is read with "{expected}" there.',
    fix: 'Write all amounts the same way, for example 1500.50; if the whole sheet has "{found}" there, add --decimals {mark}.',
  },
  'PB-AMOUNT-LARGE': {
    says: 'The amount {value} is too large.',
    fix: 'Check for a missing decimal point, or for digits of another column.',
  },
  'PB-AMOUNT-DECIMALS': {
    says: 'The amount {value} has more decimals than {currency} has.',
    fix: 'Type the amount with {exponent|decimal|decimals}; paybatch never rounds.',
  },
  'PB-AMOUNT-WHOLE': {
    says: 'The amount {value} has cents; this payment type takes whole {currency} only.',
    fix: 'Type a whole amount; paybatch never rounds.',
  },
  'PB-AMOUNT-STYLES': {
    says: 'The amounts are written in two ways: "{first}" in {firstCell} and "{value}" here.',
    fix: 'Write all of them the same way, with a point for the cents, for example 1234.50.',
  },
  'PB-AMOUNT-SPLIT': {
    says: 'The amount {value} and the field after it read as {whole}: a comma may separate thousands here, not fields.',
    fix: 'If {whole} is meant, put it in quotes or type it without the comma; if {value} is meant, type {value}.00.',
  },
  'PB-AMOUNT-SHOWN': {
    says: 'The amount is shown as {shown}, but the cell holds {held}, which is what would be paid.',
    fix: 'Give the cell the number format General, then type the amount that is meant.',
  },
  'PB-AMOUNT-BESIDE': {
    says: 'In every row, "{value}" is {formula}: it may be what is to be paid.',
    fix: 'Say once which one is paid; it is remembered for sheets with these headings: {commands}.',
  },
  'PB-AMOUNT-CENTS': {
    says: 'The cents are in a column of their own ({value} here), and would not be paid.',
    fix: 'Write every amount with its cents in one cell, such as 1500.50, and delete the column of cents.',
  },
  'PB-TOTAL-CARRIED': {
    says: 'This row carries a sum over from another page ("{value}"); it is not a payment.',
    fix: 'Delete the rows that carry sums, and the totals of pages that include them.',
  },
  'PB-TOTAL-PAID': {
    says: 'This row is called {value}, and would be paid {amount} like a person.',
    fix: 'If it is the total, clear its phone, till or account. If it is a payee, write the full name.',
  },
  'PB-AMOUNT-SUM': {
    says: 'The amount {value} is the sum of all other rows, as on a total row.',
    fix: 'If it is the total, or the account that pays, delete the row. Nothing has to be done if it is a payment.',
  },
  'PB-PHONE-ELSEWHERE': {
    says: 'The column "{heading}" has another phone number in this row ({value}) than the one that would be paid ({phone}).',
    fix: 'Keep only the column of the numbers that are paid, or say which it is: paybatch map {sheet} --column phone="{heading}".',
  },
  'PB-PHONE-IN-TEXT': {
    says: '{heading} names another phone number than the one that would be paid ({phone}) in {count|row|rows}: "{value}".',
    fix: 'If the other one is to be paid, write it into the column of the phones. Otherwise nothing has to be done.',
  },
  'PB-AMOUNT-IN-TEXT': {
    says: '{heading} says "{value}", but {amount} would be paid ({count|row|rows} like it).',
    fix: 'Type the amount that is to be paid. If the amount is right, nothing has to be done.',
  },
  'PB-AMOUNT-UNIT': {
    says: '"{value}" says that the amounts are in thousands or millions. They would be paid as they stand.',
    fix: 'Write every amount in full, and delete these words.',
  },
  'PB-AMOUNT-ROUNDED': {
    says: 'The amount of {count|row|rows} is shown rounded. The first one is shown as {shown}, and {held} is paid.',
    fix: 'Nothing has to be done if this is meant. To pay round amounts, type them, or round them in the formula.',
  },
  'PB-AMOUNT-UNSEEN': {
    says: 'The amount {value} is in the cell, but its number format does not show it, so whoever approved the sheet may not have seen it.',
    fix: 'Give the cell the number format General and check the amount, delete the row, or confirm with --include-hidden that all rows that are hidden are meant.',
  },
  'PB-AMOUNT-UNUSUAL': {
    says: 'The amount {value} is more than {factor} times the middle amount of the sheet ({median}){hint}.',
    fix: 'Check that it is not a slip, for example a missing decimal point.',
  },
  'PB-NOTE-SHARED': {
    says: '{heading} "{value}" is not sent: the row shares its order with others (at most {lines}), and the order has one note for all{hint}.',
    fix: 'If notes must arrive, set sending.linesPerOrder to 1, or give all rows the same one; otherwise nothing has to be done.',
  },
  'PB-NOTE-UNSENT': {
    says: '{heading} is not sent for {count|row|rows}: this way of paying has no place for a note.',
    fix: 'Nothing has to be done; tell the person in another way if the note must arrive.',
  },
  'PB-NET-PAY': {
    says: 'The amount {value} is not {gross} less {deductions}, which would be {net}.',
    fix: 'Check the pay and the deductions of this row.',
  },
  'PB-NOT-DEDUCTED': {
    says: '{value} under "{heading}" is not taken off: row {row} is paid the whole {pay}, {amount}.',
    fix: 'If it still has to be taken off, add a column with the rest, such as Net Pay, and delete or rename "{pay}".',
  },
  'PB-CURRENCY': {
    says: '"{value}" is not the currency of this batch ({currency}).',
    fix: 'One sheet pays one currency: correct it, or put these rows into a sheet of their own.',
  },
  'PB-CURRENCY-HEADING': {
    says: '"{value}" names {named}, but this batch pays {currency}.',
    fix: 'Correct it, or run the sheet with the currency of its amounts (--currency {named}).',
  },
  'PB-CURRENCY-SHOWN': {
    says: 'The amount is shown as {shown}, but this batch pays {currency}: {held} would be paid in {currency}.',
    fix: 'If the amount is meant in {currency}, give the cell the number format General; otherwise run the sheet with the currency of its amounts (--currency).',
  },
  'PB-CURRENCY-COMPUTER': {
    says: 'The number format of {count|amount|amounts} shows the currency of whichever computer opens the sheet (on some, {shown} here); {currency} is paid.',
    fix: 'Check that the amounts are meant in {currency}; a number format that names {currency} shows the same everywhere.',
  },
  'PB-DUP-REFERENCE': {
    says: 'Reference {value} is also in {others|other row|other rows}: {rows}.',
    fix: 'Give every payment its own reference; the same one twice could pay a person twice.',
  },
  'PB-DUP-ROW': {
    says: 'This row pays the same {value} as {others|other row|other rows} ({rows}), without a reference to tell them apart.',
    fix: 'Delete the repeated row, give each a reference, or confirm with --allow-identical {count}.',
  },
  'PB-IDENTICAL-COUNT': {
    says: 'The sheet has {count|identical row|identical rows}, not {stated}.',
    fix: 'Look at the repeated rows again; the number for --allow-identical is {count} (if it is 0, leave it out).',
  },
  'PB-DUP-PAYEE': {
    says: '{value} is paid more than once in this sheet (rows {rows}).',
    fix: 'Check that each of these payments is meant.',
  },
  'PB-PAYEE-NAMES': {
    says: 'The payee {payee} is paid under the names "{first}" (row {firstRow}) and "{value}"{hint}.',
    fix: 'Check whose number it is.',
  },
  'PB-NAME-PAYEES': {
    says: '"{value}" is paid to {first} (row {firstRow}) and to {payee}{hint}.',
    fix: 'Check that these are two people, or that both payments are meant.',
  },
  'PB-ID-NAMES': {
    says: 'One ID or tax number stands beside "{first}" (row {firstRow}) and beside "{value}"{hint}.',
    fix: 'Check whether this is one person who would be paid twice, or which of the two numbers is wrong.',
  },
  'PB-PAYEE-CLOSE': {
    says: 'The holder of {payee} is "{holder}", which is close to "{value}" but not the same.',
    fix: 'Check that this is the same person, and write the name as the account has it.',
  },
  'PB-PAYEE-NO-MATCH': {
    says: 'The holder of {payee} is "{holder}", not "{value}".',
    fix: 'Find out whose account it is and correct the row; --accept-no-match pays such rows, if you give their exact number.',
  },
  'PB-PAYEE-NOT-POSSIBLE': {
    says: 'It could not be checked whether {payee} belongs to "{value}"{hint}.',
    fix: 'Make sure in another way, for example by asking the payee, before you pay.',
  },
};
