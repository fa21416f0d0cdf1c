/** Plot of outcomes by amount: how much of the sheet was paid, and what became of the rest. */
import { counted } from '../../domain/counted.ts';
import { moneyText } from '../../domain/money.ts';
import { type Outcome, outcomes, outcomeTable } from '../../domain/outcome.ts';
import { outcomeView } from '../outcome-view.ts';
import type { CountAndAmount } from '../sums.ts';
import { bar, type Drawing, largest, line, roomFor, shareOf, text } from './drawing.ts';
import { nothing, PLOT_HEIGHT, PLOT_WIDTH, type Plot, plotOf } from './plot.ts';

/** The sums of a batch that the plot shows. */
interface OutcomeFigures {
  readonly byOutcome: Readonly<Record<Outcome, CountAndAmount>>;
  readonly all: CountAndAmount;
}

const TOP = 52;
const LABELS_WIDTH = 150;
const BAR_MAX = 26;
/** Narrowest bar of an amount above zero, so that it can be seen. */
const BAR_WIDTH_MIN = 2;
const TEXT_SIZE = 13;

/** Returns a plot with one bar for each outcome that occurs. A row without an amount counts only in the number of rows. */
export function outcomePlot({ byOutcome, all }: OutcomeFigures): Plot {
  const occurring = outcomes.filter((outcome) => byOutcome[outcome].count > 0);
  const said = occurring.map((outcome) => {
    const { count, amount } = byOutcome[outcome];
    return `${outcomeTable[outcome].title}: ${counted(count, 'row')}, ${moneyText(amount)}.`;
  });
  return plotOf(
    {
      name: 'outcomes',
      title: 'Outcome by amount',
      description:
        occurring.length === 0
          ? 'The batch has no rows.'
          : `A bar for each outcome, as long as its amount. ${said.join(' ')} In all ${counted(all.count, 'row')}, ${moneyText(all.amount)}.`,
    },
    occurring.length === 0 ? nothing('There are no rows.') : bars(occurring, byOutcome),
  );
}

const figureOf = ({ count, amount }: CountAndAmount): string => `${moneyText(amount)} · ${counted(count, 'row')}`;

function bars(occurring: readonly Outcome[], byOutcome: OutcomeFigures['byOutcome']): readonly Drawing[] {
  const longest = largest(occurring.map((outcome) => byOutcome[outcome].amount.minor));
  const step = Math.min((PLOT_HEIGHT - TOP - 16) / occurring.length, 2 * BAR_MAX);
  const height = Math.min(BAR_MAX, step * 0.68);
  const left = LABELS_WIDTH + 8;
  const figures = occurring.map((one) => figureOf(byOutcome[one]));
  const room = PLOT_WIDTH - left - roomFor(figures, TEXT_SIZE);
  const drawn = occurring.flatMap((outcome, index) => {
    const { amount } = byOutcome[outcome];
    const y = TOP + index * step;
    const middle = y + height / 2 + 5;
    const share = shareOf(amount.minor, longest, room);
    const width = amount.minor > 0n ? Math.max(share, BAR_WIDTH_MIN) : 0;
    return [
      text(outcomeTable[outcome].title, { x: LABELS_WIDTH, y: middle, anchor: 'end', size: TEXT_SIZE }),
      bar({ x: left, y, width, height }, outcomeView[outcome].look),
      text(figures[index] ?? '', { x: left + width + 8, y: middle, size: TEXT_SIZE, colour: 'quiet' }),
    ];
  });
  return [line(left, TOP - 6, left, TOP + occurring.length * step), ...drawn];
}
