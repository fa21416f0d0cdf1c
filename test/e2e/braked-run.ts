/** Runs that are to stop before all is sent, at the embedded sandbox. */
import type { Books } from '../../src/sandbox/sandbox.ts';
import { quickWaits } from '../support/desk/account.ts';
import { type Desk, openDesk, type Told } from '../support/desk/command-line.ts';
import { csvOf, people, type SheetLine } from '../support/desk/payroll-sheet.ts';
import { fastClock } from '../support/fast-clock.ts';

export const ROWS = 24;
export const QUICK = 'settle-min=10,settle-max=40';
export const timings = {
  polling: { firstMs: 20, maxMs: 100, deadlineMs: 10_000 },
  ...quickWaits,
};

/** People of whom those at the indexes end as their magic digits say. */
export const peopleWith = (magic: Readonly<Record<number, string>>, count = ROWS): readonly SheetLine[] =>
  people(count).map((line, index) => (magic[index] ? { ...line, phone: `+25471200${magic[index]}` } : line));

export async function deskWith(lines: readonly SheetLine[], sending: object = {}, clock = fastClock()): Promise<Desk> {
  const desk = await openDesk(clock);
  await desk.write('pay.csv', csvOf(lines));
  await desk.writeConfig({ profiles: { sandbox: { ...timings, sending: { ...timings.sending, ...sending } } } });
  return desk;
}

export async function booksOf(desk: Desk): Promise<Books> {
  const { events } = await desk.emit(['sandbox', 'books']);
  return events.find(({ type }) => type === 'sandbox.books')?.['books'] as Books;
}

export const stopsIn = ({ events }: Told): readonly string[] =>
  events.filter(({ code }) => String(code).startsWith('stopped-')).map(({ message }) => String(message));
