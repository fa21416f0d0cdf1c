/** A desk at which sheets are paid live, by the command line, and the service that pays them. */
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import { type PassingClock, passingClock } from '../fast-clock.ts';
import { accountIn, openService, quickProfile } from './account.ts';
import { type Desk, openDesk, stoppedOncePlanned, type Told } from './command-line.ts';
import { csvOf, type SheetLine } from './payroll-sheet.ts';

export const DAY_MS = 86_400_000;

export interface Office {
  readonly desk: Desk;
  readonly service: Sandbox;
  /** That of both. */
  readonly clock: PassingClock;
}

/** Waits of a profile whose runs doubt nothing: an answer may take as long as a busy machine needs. */
export const unhurried = { sending: { requestTimeoutMs: 30_000 }, inDoubt: { unknownGapMs: 50, quietMs: 60_000 } };

/** Both on a clock that is faster than the machine's, if no other is given. `changes`: of the profile. */
export async function openOffice(scenario?: string, changes: object = {}, clock = passingClock()): Promise<Office> {
  const [desk, service] = [await openDesk(clock), await openService(scenario, clock)];
  await desk.writeConfig({ profiles: { env: { ...quickProfile(service.routes, 40_000), ...changes } } });
  desk.payBy(accountIn(service));
  return { desk, service, clock };
}

/** The flags that confirm the totals of these rows. */
export const totalsOf = (rows: readonly SheetLine[]): readonly string[] => {
  const cents = rows.reduce((sum, { amount }) => sum + Math.round(Number(amount) * 100), 0);
  return ['--expect-count', String(rows.length), '--expect-total', (cents / 100).toFixed(2)];
};

/** Runs a sheet of these rows, live, with its own right totals. */
export async function pay(desk: Desk, rows: readonly SheetLine[], ...flags: readonly string[]): Promise<Told> {
  await desk.write('pay.csv', csvOf(rows));
  return desk.emit(['run', 'pay.csv', ...totalsOf(rows), ...flags]);
}

/** The same, stopped when everything is recorded and nothing is sent. */
export async function planOnly(desk: Desk, rows: readonly SheetLine[], ...flags: readonly string[]): Promise<Told> {
  await desk.write('pay.csv', csvOf(rows));
  return desk.emit(['run', 'pay.csv', ...totalsOf(rows), ...flags], stoppedOncePlanned());
}

/** Lets so many days pass, for the desk and for the service. */
export const passDays = ({ clock }: Office, days: number): void => clock.pass(days * DAY_MS);
