/**
 * Figures that lines around the table state for all of it: `Batch total: 9,000`, `Approved amount: KES 45,000`, or the same in
 * words, and `Number of staff: 12`. Like a total row, each is a control total, but nothing says for certain which rows it is
 * of, so it is a warning.
 */
import type { Cell, SheetRow } from '../domain/cell.ts';
import { wordsOf } from '../kinds/plain-text.ts';
import { amountInWords } from './amount-in-words.ts';

const FIGURE = String.raw`(?<![\d.,])(?!20[2-4]\d$)(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{3,9}(?:\.\d+)?)`;
/** A figure at the end of a text, behind what it is. */
const LABELLED = new RegExp(String.raw`^(.*?[^\d.,])${FIGURE}(?:\s*/[=-])?\.?$`);
const FIGURE_ALONE = new RegExp(String.raw`^(?:[a-z]{2,4}\.?\s*)?${FIGURE}(?:\s*/[=-])?$`, 'i');

/** What ends in the words of an amount of all rows, and in no other ones: `Total approved` is, and `Total staff` is not. */
const OF_ALL =
  / (?:total|amount|sum|jumla|montant|kiasi|igiteranyo) (?:(?:amounts?|net|pay|payable|payments?|paid|to|be|is|of|for|this|the|list|sheet|due|disbursed|disbursement|approved|authori[sz]ed|requested|batch|value|sum|salaries|wages|kuu|ya|malipo|a|payer|kes|kshs?|ugx|tzs|tshs?|rwf|frw|usd|shs?|shillings) )*$/;
const OF_SOMETHING_ELSE =
  / (?:per|each|min|minimum|max|maximum|limit|balance|float|wallet|budget|gross|deductions?|deducted|tax|paye|charges?|fees?|commission|previous|last|number|days|hours|basic|loans?|advances?|excluding|excl|less|sub|annual|ytd|cumulative|incl|including|with|opening|closing|available|received|invoice|other) /;

const isOfAll = (label: string): boolean => {
  const words = wordsOf(label);
  return OF_ALL.test(words) && !OF_SOMETHING_ELSE.test(words);
};

/** Returns the cell of a line that states the sum of all rows, with its figure as the text; `undefined` if none does. */
export function statedTotal({ cells }: SheetRow): Cell | undefined {
  const filled = cells.filter(({ text }) => text.trim() !== '');
  for (const [at, cell] of filled.entries()) {
    if (cell.type !== 'text') continue;
    const text = cell.text.trim();
    const [, label, figure] = LABELLED.exec(text) ?? [];
    if (label !== undefined && figure !== undefined && isOfAll(label)) return withFigure(cell, figure);
    const words = / in words /.test(wordsOf(text)) ? (amountInWords(text) ?? wordsBeside(filled[at + 1])) : undefined;
    if (words !== undefined) return withFigure(cell, String(words));
    const beside = isOfAll(text) ? figureIn(filled[at + 1]) : undefined;
    if (beside) return beside;
  }
  return undefined;
}

const COUNT = String.raw`(?<![\d.,])(?!20[2-4]\d\.?$)(\d{1,3}(?:,\d{3})+|\d{1,6})`;
const LABELLED_COUNT = new RegExp(String.raw`^(.*?[^\d.,])${COUNT}\.?$`);
const COUNT_ALONE = new RegExp(`^${COUNT}$`);

/**
 * What ends in the words of a number of people or payments: `No. of beneficiaries`, `Idadi ya wafanyakazi`. `Total staff` may be
 * said of a whole company, and `Total payments` of a sum.
 */
const OF_PEOPLE =
  / (?:headcount|total (?:payees|beneficiaries|recipients)|(?:number|no|nr|count|idadi|nombre|effectif)(?: (?:of|ya|de|des|the|all))+ (?:employees?|staff|workers?|casuals?|people|persons?|beneficiaries|payees?|recipients?|teachers?|farmers?|payments?|transactions?|records?|watu|wafanyakazi|wafanyikazi|wanufaika|walipwa|malipo|beneficiaires|employes|salaries|personnes|agents|paiements)(?: (?:to|be|paid|on|this|list|sheet))*) $/;

/** Returns the cell of a line that states how many people are paid, with the number as its text; `undefined` if none does. */
export function statedCount({ cells }: SheetRow): Cell | undefined {
  const filled = cells.filter(({ text }) => text.trim() !== '');
  for (const [at, cell] of filled.entries()) {
    if (cell.type !== 'text') continue;
    const text = cell.text.trim();
    const [, label, count] = LABELLED_COUNT.exec(text) ?? [];
    if (label !== undefined && count !== undefined && OF_PEOPLE.test(wordsOf(label))) return withFigure(cell, count);
    const beside = OF_PEOPLE.test(wordsOf(text)) ? filled[at + 1] : undefined;
    const alone = beside && COUNT_ALONE.exec(beside.text.trim())?.[1];
    if (beside && alone !== undefined) return withFigure(beside, alone);
  }
  return undefined;
}

const withFigure = (cell: Cell, figure: string): Cell => ({ ...cell, text: figure.replaceAll(',', '') });

const wordsBeside = (cell: Cell | undefined): bigint | undefined => (cell ? amountInWords(cell.text) : undefined);

function figureIn(cell: Cell | undefined): Cell | undefined {
  if (cell?.type === 'number') return cell;
  const figure = cell?.type === 'text' ? FIGURE_ALONE.exec(cell.text.trim())?.[1] : undefined;
  return cell && figure !== undefined ? withFigure(cell, figure) : undefined;
}
