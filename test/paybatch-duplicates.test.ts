/** Two runs at once: what another one paid while this one asked for its totals is seen under the lease. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RunEnd } from '../src/domain/run-end.ts';
import type { Settings } from '../src/domain/settings.ts';
import { type RunDeps, runSheet } from '../src/paybatch.ts';
import { systemClock, systemRandom } from '../src/system.ts';
import { openService, paidTraces, quickProfile } from './support/desk/account.ts';
import { openDesk } from './support/desk/command-line.ts';
import { liveSettings } from './support/desk/live-settings.ts';
import { csvOf, people } from './support/desk/payroll-sheet.ts';
import { fastClock } from './support/fast-clock.ts';
import { clientOf } from './support/priced-sheet.ts';
import { open } from './support/run-harness.ts';

const clock = fastClock();

const ROWS = 20;

/** A desk at which sheets are run live; each run opens the ledger anew, as another process would. */
async function openOffice() {
  const [desk, service] = [await openDesk(clock), await openService(undefined, clock)];
  const { routes } = quickProfile(service.routes) as Pick<Settings, 'routes'>;
  const settings: Settings = { ...liveSettings, routes };
  const run = async (sheet: string, batchName: string | undefined, confirm: RunDeps['confirm']): Promise<RunEnd> => {
    const ledger = await open(join(desk.home, 'ledger.db'), systemClock);
    try {
      const request = {
        sheet,
        ...(batchName !== undefined && { batchName }),
        reading: {},
        allowIdentical: 0,
        dryRun: false,
      };
      const client = clientOf(service.url, service.clientSecret);
      const world = { settings, clock: systemClock, random: systemRandom, tell: () => undefined, client, ledger };
      const signal = new AbortController().signal;
      const maker = { maker: 'amina@desk', version: '0.1.0' };
      return await runSheet(request, { ...world, ...maker, service: service.url, signal, confirm });
    } finally {
      await ledger.close();
    }
  };
  return { desk, service, run };
}

test.each<[string, string, (row: ReturnType<typeof people>[number]) => object]>([
  ['the same sheet, corrected, under another name', 'other', (row) => ({ name: `${row.name} X` })],
  ['the same sheet under another name', 'other', () => ({})],
  ['the same sheet under its name in another case', ' November', () => ({})],
])('%s, paid by another run in the meantime, is not paid again', async (_, name, change) => {
  const { desk, service, run } = await openOffice();
  const sheet = await desk.write('pay.csv', csvOf(people(ROWS)));
  const other = await desk.write('other.csv', csvOf(people(ROWS).map((row) => ({ ...row, ...change(row) }))));
  let between: RunEnd | undefined;
  const end = await run(sheet, 'november', async () => {
    between = await run(other, name, async () => 'typed');
    return 'typed';
  });
  expect(between).toMatchObject({ exit: 0, counts: { completed: ROWS } });
  expect(end).toMatchObject({ exit: 8, fault: { code: 'already-paid' } });
  expect(paidTraces(service.books())).toHaveLength(ROWS);
});

test('a program that gives a live batch no name pays nobody', async () => {
  const { desk, service, run } = await openOffice();
  const sheet = await desk.write('pay.csv', csvOf(people(ROWS)));
  await expect(run(sheet, undefined, async () => 'typed')).rejects.toMatchObject({ exit: 2, code: 'usage' });
  expect(service.books().requests).toEqual({});
});
