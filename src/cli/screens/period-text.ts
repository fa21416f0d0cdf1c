/** A period of a schedule as a person reads it: `payroll 2026-12 (2026-12-31): is due and waits for its sheet, …; it is tried again until 2026-12-31 18:00 UTC`. */
import { isoTime } from '../../domain/clock.ts';
import type { PeriodPoint, RunEvent } from '../../domain/event.ts';
import { waitsText } from '../../domain/payment-notice.ts';

type PeriodEvent = Extract<RunEvent, { readonly type: 'period' }>;

const texts: Readonly<Record<PeriodPoint, (event: PeriodEvent) => string>> = {
  waiting: ({ until, why }) =>
    `is due and ${waitsText(why)}, nothing was sent; it is tried again until ${isoTime(until)}`,
  sent: ({ batch }) => `is being paid as batch ${batch}`,
  finished: ({ batch }) => `is done, as batch ${batch}`,
  'in-doubt': ({ batch, until }) =>
    `has rows without an end, in batch ${batch}; it is gone on with until ${isoTime(until)}, then it is yours: paybatch resume ${batch}`,
  alarm: ({ batch }) => `ended with an alarm, as batch ${batch}: ask the provider`,
  missed: () => 'was missed: nothing was sent, and nothing will be',
};

export const periodText = (event: PeriodEvent): string =>
  `${event.schedule} ${event.period} (${event.day}) ${texts[event.point](event)}`;
