/** Lines above a table that are no headings although they use the words of headings: `Currency: KES   Amount: 3001`. */
import type { Cell, SheetRow } from '../domain/cell.ts';
import { currencyHeading } from '../kinds/amount.ts';
import { folded } from './fold-heading.ts';
import type { Meanings } from './heading-mapping.ts';
import { amountHeadingOf } from './which-amount.ts';

/** A figure, with a currency or `/=` beside it or without. */
const FIGURE = /^\D{0,4}\d[\d.,\s]*(?:\/[=-])?\D{0,4}$/;

const isFigure = ({ type, text }: Cell): boolean =>
  type === 'number' || type === 'date' || (type === 'text' && FIGURE.test(text.trim()));

/** A currency alone is a heading in one sheet and the value of a label in another. */
const isCurrencyAlone = ({ text }: Cell): boolean => folded(currencyHeading(text)?.rest ?? text) === '';

/**
 * Whether each heading of an amount has its value beside it, and values part the labels. Days of a month beside a rate are headings all
 * the same: there the figures stand side by side.
 */
export function isLabelLine({ cells }: SheetRow, meanings: Meanings): boolean {
  const said = cells.filter(({ text }) => folded(text) !== '');
  const labels = said.filter((cell) => !isCurrencyAlone(cell));
  const isKnown = (cell: Cell | undefined): boolean =>
    cell !== undefined && !isCurrencyAlone(cell) && meanings.meaningOf(cell.text) !== undefined;
  const isValue = (cell: Cell | undefined): boolean => cell !== undefined && isFigure(cell);
  const amounts = labels.flatMap(({ text }, at) => (amountHeadingOf(text) === undefined ? [] : [at]));
  const areParted = said.every((cell, at) => !(isKnown(cell) && isKnown(said[at + 1])));
  return amounts.length > 0 && areParted && amounts.every((at) => isValue(labels[at + 1]) && !isValue(labels[at + 2]));
}
