/** Plot of what was completed over time, as a running sum. */
import { DAY_MS, MINUTE_MS } from '../../domain/clock.ts';
import { counted } from '../../domain/counted.ts';
import type { CurrencyCode } from '../../domain/currency.ts';
import { add, type Money, moneyText, zero } from '../../domain/money.ts';
import type { CountAndAmount } from '../sums.ts';
import type { Timeline, TimeStep } from '../timeline.ts';
import { area, type Drawing, line, path, shareOf, text } from './drawing.ts';
import { nothing, PLOT_HEIGHT, PLOT_WIDTH, type Plot, plotOf } from './plot.ts';

const TOP = 64;
const BOTTOM = PLOT_HEIGHT - 40;
const LEFT = 16;
const RIGHT = PLOT_WIDTH - 24;

/** Quarters of the sum at which a line is drawn across. */
const GRID = [0n, 1n, 2n, 3n, 4n] as const;

/** A line of the table over time: what was completed in a step, and by its end. */
interface TimeLine extends CountAndAmount {
  readonly about: string;
  readonly soFar: Money;
}

/** Returns the lines of the table that says the same as the plot; rows whose time is unknown come last. */
export function timeLines({ steps, widthMs, untimed }: Timeline, currency: CurrencyCode): readonly TimeLine[] {
  const name = namer(steps, widthMs);
  const sums = runningSums(steps, currency);
  const timed = steps.map(({ from, count, amount }, at) => ({
    about: name(from),
    count,
    amount,
    soFar: sums[at] ?? amount,
  }));
  if (untimed.count === 0) return timed;
  return [...timed, { about: 'Time unknown', ...untimed, soFar: add(sums.at(-1) ?? zero(currency), untimed.amount) }];
}

/**
 * Returns a plot with one line that rises with what was completed. `currency`: the currency of the batch, for a batch in which
 * nothing was completed.
 */
export function timePlot({ steps, widthMs, untimed }: Timeline, currency: CurrencyCode): Plot {
  const name = namer(steps, widthMs);
  const sums = runningSums(steps, currency);
  const timed = { count: steps.reduce((sum, { count }) => sum + count, 0), amount: sums.at(-1) ?? zero(currency) };
  const unknown =
    untimed.count === 0
      ? ''
      : ` Nobody knows when ${counted(untimed.count, 'row was', 'rows were')} completed: ${moneyText(untimed.amount)}.`;
  return plotOf(
    {
      name: 'timeline',
      title: 'Completed over time',
      description:
        steps.length === 0
          ? `Nothing was completed at a time that is known.${unknown}`
          : `A line that rises with the amount completed, from ${name(steps[0]?.from ?? 0)} to ${name(endOf(steps, widthMs))}: ${counted(timed.count, 'row')}, ${moneyText(timed.amount)}.${unknown}`,
    },
    steps.length === 0 ? nothing('Nothing was completed at a known time.') : rising(steps, sums, widthMs, name),
  );
}

const endOf = (steps: readonly TimeStep[], widthMs: number): number => (steps.at(-1)?.from ?? 0) + widthMs;

/** Returns what was completed by the end of each step. */
function runningSums(steps: readonly TimeStep[], currency: CurrencyCode): readonly Money[] {
  let sum = zero(currency);
  return steps.map(({ amount }) => {
    sum = add(sum, amount);
    return sum;
  });
}

/**
 * Returns a function that writes times as short as possible: with the day only if there are several, with seconds only if steps
 * are shorter than a minute.
 */
function namer(steps: readonly TimeStep[], widthMs: number): (local: number) => string {
  const [first, last] = [steps[0]?.from ?? 0, steps.at(-1)?.from ?? 0];
  const isOneDay = Math.floor(first / DAY_MS) === Math.floor(last / DAY_MS);
  return (local) => {
    const [day = '', time = ''] = new Date(local).toISOString().split('T');
    const clock = time.slice(0, widthMs < MINUTE_MS ? 8 : 5);
    if (widthMs >= DAY_MS) return day;
    return isOneDay ? clock : `${day} ${clock}`;
  };
}

function rising(
  steps: readonly TimeStep[],
  sums: readonly Money[],
  widthMs: number,
  name: (local: number) => string,
): readonly Drawing[] {
  const whole = sums.at(-1);
  if (!whole) return [];
  const across = (index: number): number => LEFT + ((RIGHT - LEFT) * index) / steps.length;
  const upTo = ({ minor }: Money): number => BOTTOM - shareOf(minor, whole.minor, BOTTOM - TOP);
  const points = sums.map((sum, index) => [across(index + 1), upTo(sum)] as const);
  const risen = [[LEFT, BOTTOM] as const, ...points];
  const grid = GRID.flatMap((quarter) => {
    const sum = { ...whole, minor: (whole.minor * quarter) / 4n };
    const y = upTo(sum);
    return [
      line(LEFT, y, RIGHT, y),
      ...(quarter === 0n ? [] : [text(moneyText(sum), { x: LEFT, y: y - 5, size: 11, colour: 'quiet' })]),
    ];
  });
  const label = (local: number, x: number, anchor: 'start' | 'middle' | 'end'): Drawing =>
    text(name(local), { x, y: BOTTOM + 22, size: 12, colour: 'quiet', anchor });
  const from = steps[0]?.from ?? 0;
  const middle = Math.floor(steps.length / 2);
  return [
    ...grid,
    area([...risen, [RIGHT, BOTTOM]], 'good'),
    path(risen, 'good'),
    label(from, LEFT, 'start'),
    ...(steps.length < 4 ? [] : [label(from + middle * widthMs, across(middle), 'middle')]),
    label(endOf(steps, widthMs), RIGHT, 'end'),
  ];
}
