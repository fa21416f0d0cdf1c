/** Plot of charges by way of paying: what was quoted for the paid rows, next to what the service charged for them. */
import { counted } from '../../domain/counted.ts';
import { add, type Money, moneyText, zero } from '../../domain/money.ts';
import { bar, type Drawing, label, largest, line, roomFor, shareOf, text } from './drawing.ts';
import { nothing, PLOT_HEIGHT, PLOT_WIDTH, type Plot, plotOf } from './plot.ts';

/** The charges of one way of paying. */
export interface KindCharges {
  /** Title of the way of paying, for people. */
  readonly title: string;
  readonly paidCount: number;
  /** Charges quoted for the rows that were paid. */
  readonly paidQuoted: Money;
  /** Fees that the service says it charged. */
  readonly fees: Money;
}

const TOP = 80;
const LABELS_WIDTH = 170;
const STEP_MAX = 64;

/**
 * Returns a plot with two bars for each way of paying. `currency`: the currency of the batch, for a batch in which nothing was
 * paid.
 */
export function chargePlot(kinds: readonly KindCharges[], currency: Money['currency']): Plot {
  const shown = kinds.filter(({ paidCount, fees }) => paidCount > 0 || fees.minor > 0n);
  const sum = (part: (one: KindCharges) => Money): Money =>
    shown.reduce((all, one) => add(all, part(one)), zero(currency));
  const [quoted, charged] = [sum(({ paidQuoted }) => paidQuoted), sum(({ fees }) => fees)];
  const said = shown.map(
    ({ title, paidCount, paidQuoted, fees }) =>
      `${title}: ${counted(paidCount, 'row')} paid, ${moneyText(paidQuoted)} quoted, ${moneyText(fees)} charged.`,
  );
  return plotOf(
    {
      name: 'charges',
      title: 'Charges by way of paying',
      description:
        shown.length === 0
          ? 'Nothing was charged.'
          : `Two bars for each way of paying: quoted for the rows that were paid, and charged. ${said.join(' ')} In all ${moneyText(quoted)} quoted and ${moneyText(charged)} charged.`,
    },
    shown.length === 0 ? nothing('Nothing was charged.') : [...legend(), ...bars(shown)],
  );
}

const legend = (): readonly Drawing[] => [
  bar({ x: 16, y: 47, width: 12, height: 12 }, 'quoted'),
  text('Quoted', { x: 34, y: 58, colour: 'quiet' }),
  bar({ x: 104, y: 47, width: 12, height: 12 }, 'charged'),
  text('Charged', { x: 122, y: 58, colour: 'quiet' }),
];

function bars(kinds: readonly KindCharges[]): readonly Drawing[] {
  const longest = largest(kinds.flatMap(({ paidQuoted, fees }) => [paidQuoted.minor, fees.minor]));
  const step = Math.min((PLOT_HEIGHT - TOP - 12) / kinds.length, STEP_MAX);
  const height = step * 0.36;
  const left = LABELS_WIDTH + 8;
  const size = Math.min(13, Math.max(8, height * 0.8));
  const amounts = kinds.flatMap(({ paidQuoted, fees }) => [moneyText(paidQuoted), moneyText(fees)]);
  const room = PLOT_WIDTH - left - roomFor(amounts, size);
  const drawn = kinds.flatMap(({ title, paidQuoted, fees }, index) => {
    const y = TOP + index * step;
    const one = (amount: Money, at: number, colour: 'quoted' | 'charged'): readonly Drawing[] => {
      const width = shareOf(amount.minor, longest, room);
      return [
        bar({ x: left, y: at, width, height }, colour),
        text(moneyText(amount), { x: left + width + 8, y: at + height / 2 + size * 0.36, size, colour: 'quiet' }),
      ];
    };
    return [
      text(label(title), { x: LABELS_WIDTH, y: y + height + 5, anchor: 'end' }),
      ...one(paidQuoted, y, 'quoted'),
      ...one(fees, y + height + 1, 'charged'),
    ];
  });
  return [line(left, TOP - 6, left, TOP + kinds.length * step), ...drawn];
}
