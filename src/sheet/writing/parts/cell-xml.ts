/** A cell as a worksheet stores it; `style` is its number in the style sheet. Source: ECMA-376 part 1, section 18.3.1.4. */
import { preserved, xmlText } from './xml.ts';

/** One that only looks like something. */
export const emptyCell = (address: string, style: number): string => `<c r="${address}" s="${style}"/>`;

/** The digits stand in the file as they are given. */
export const numberCell = (address: string, style: number, digits: string | number): string =>
  `<c r="${address}" s="${style}"><v>${digits}</v></c>`;

/** Text is text, whatever it begins with. It is one that XML can hold, and not fragile: see `safe-text.ts`. */
export const textCell = (address: string, style: number, text: string): string =>
  `<c r="${address}" s="${style}" t="str"><v>${xmlText(text)}</v></c>`;

/** Text whose blanks and escapes are to be kept. It is a run, because some readers resolve escapes nowhere else. */
export const inlineCell = (address: string, style: number, text: string): string =>
  `<c r="${address}" s="${style}" t="inlineStr"><is><r>${preserved(text)}</r></is></c>`;

export const booleanCell = (address: string, style: number, value: boolean): string =>
  `<c r="${address}" s="${style}" t="b"><v>${value ? 1 : 0}</v></c>`;

/** A date as ISO 8601 writes it. */
export const dateCell = (address: string, style: number, date: string): string =>
  `<c r="${address}" s="${style}" t="d"><v>${xmlText(date)}</v></c>`;

export const errorCell = (address: string, style: number, code: string): string =>
  `<c r="${address}" s="${style}" t="e"><v>${xmlText(code)}</v></c>`;

/** A formula, and beside it what comes out of it; without a result spreadsheet programs calculate it. */
export function formulaCell(address: string, style: number, formula: string, result?: string | number): string {
  const type = typeof result === 'string' ? ' t="str"' : '';
  const value = result === undefined ? '' : `<v>${typeof result === 'string' ? xmlText(result) : result}</v>`;
  return `<c r="${address}" s="${style}"${type}><f>${xmlText(formula)}</f>${value}</c>`;
}
