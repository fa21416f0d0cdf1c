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
export const statedTotal = (row: SheetRow): Cell | undefined =>
  statedIn(row, {
    inText: (text) => {
      const [, label, figure] = LABELLED.exec(text) ?? [];
      if (label !== undefined && isOfAll(label)) return figure;
      return isInWords(text) ? amountInWords(text)?.toString() : undefined;
    },
    isLabel: (text) => isOfAll(text) || isInWords(text),
    alone: ({ type, text }) =>
      type === 'number' ? text : (FIGURE_ALONE.exec(text.trim())?.[1] ?? amountInWords(text)?.toString()),
  });

const isInWords = (text: string): boolean => / in words /.test(wordsOf(text));

const PEOPLE =
  'employees?|staff|workers?|casuals?|people|persons?|beneficiaries|payees?|recipients?|teachers?|farmers?|watu|wafanyakazi|wafanyikazi|wanufaika|walipwa|beneficiaires|employes|salaries|personnes|agents';
const PAYMENTS = 'payments?|transactions?|records?|malipo|paiements';
const COUNT = String.raw`(?<![\d.,])(?!20[2-4]\d\.?$)(\d{1,3}(?:,\d{3})+|\d{1,6})(?:\s+(?:${PEOPLE}))?`;
const LABELLED_COUNT = new RegExp(String.raw`^(.*?[^\d.,])${COUNT}\.?$`, 'i');
const COUNT_ALONE = new RegExp(`^${COUNT}$`, 'i');

/**
 * What ends in the words of a number of people or payments: `No. of beneficiaries`, `Idadi ya wafanyakazi`. `Total staff` may
 * be said of a whole company, and `Total payments` of a sum.
 */
const OF_PEOPLE = new RegExp(
  ` (?:headcount|effectif|total (?:payees|beneficiaries|recipients)|(?:number|no|nr|count|idadi|nombre|effectif)(?: (?:of|ya|de|des|the|all))+ (?:${PEOPLE}|${PAYMENTS})(?: (?:to|be|paid|on|in|this|the|list|sheet|payroll))*) $`,
);

/** Without a colon, what follows may be a sum: `Staff to be paid 500`. */
const PEOPLE_PAID = new RegExp(String.raw`^(?:${PEOPLE}) (?:to be )?paid\s*[:=]\s*$`, 'i');

const isCountLabel = (text: string): boolean => OF_PEOPLE.test(wordsOf(text));

/** Returns the number of people or payments that a text states behind its label. */
function countIn(text: string): string | undefined {
  const [, label, count] = LABELLED_COUNT.exec(text) ?? [];
  return label !== undefined && (isCountLabel(label) || PEOPLE_PAID.test(label)) ? count : undefined;
}

/** Reports whether a text is the label of a number of people or payments, with the number or without it. */
export const isOfCount = (text: string): boolean => isCountLabel(text) || countIn(text) !== undefined;

/** Returns the cell of a line that states how many people are paid, with the number as its text; `undefined` if none does. */
export const statedCount = (row: SheetRow): Cell | undefined =>
  statedIn(row, {
    inText: countIn,
    isLabel: isCountLabel,
    alone: ({ text }) => COUNT_ALONE.exec(text.trim())?.[1],
  });

/** How a line states a figure: in one text with its label, or in the cell beside the label. */
interface Stating {
  readonly inText: (text: string) => string | undefined;
  readonly isLabel: (text: string) => boolean;
  readonly alone: (cell: Cell) => string | undefined;
}

function statedIn({ cells }: SheetRow, { inText, isLabel, alone }: Stating): Cell | undefined {
  const filled = cells.filter(({ text }) => text.trim() !== '');
  for (const [at, cell] of filled.entries()) {
    if (cell.type !== 'text') continue;
    const text = cell.text.trim();
    const inside = inText(text);
    if (inside !== undefined) return withFigure(cell, inside);
    const beside = isLabel(text) ? filled[at + 1] : undefined;
    const figure = beside && alone(beside);
    if (beside && figure !== undefined) return withFigure(beside, figure);
  }
  return undefined;
}

const withFigure = (cell: Cell, figure: string): Cell => ({ ...cell, text: figure.replaceAll(',', '') });
