/** A command names a batch of which the ledger has gone: people are told what brings it back. */
import { readdir, rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { type Desk, openDesk } from '../../support/desk/command-line.ts';
import { csvOf, people } from '../../support/desk/payroll-sheet.ts';
import { fastClock } from '../../support/fast-clock.ts';

const clock = fastClock();

/** A desk at which the batches of these names were run. */
async function deskAfter(...names: readonly string[]): Promise<Desk> {
  const desk = await openDesk(clock);
  for (const [index, name] of names.entries()) {
    await desk.write(`${name}.csv`, csvOf(people(index + 2).slice(index)));
    expect((await desk.emit(['run', `${name}.csv`, '--batch', name])).exit).toBe(0);
  }
  return desk;
}

async function loseLedger(desk: Desk): Promise<void> {
  const files = await readdir(desk.path('home', 'sandbox'));
  for (const file of files.filter((name) => name.startsWith('ledger.db'))) await rm(desk.path('home', 'sandbox', file));
}

test('the same sheet again, unchanged and under its name', async () => {
  const desk = await deskAfter('m');
  await loseLedger(desk);
  const lost =
    'This ledger does not hold the batch m, which was begun here: it was lost, or restored from an older copy.';
  for (const argv of [['resume', 'm'], ['resume', ' M'], ['resume'], ['status'], ['report', 'm']]) {
    const { exit, fault } = await desk.emit(argv);
    expect({ exit, message: fault?.['message'] }, argv.join(' ')).toEqual({ exit: 2, message: lost });
    expect(fault?.['fix']).toContain('Run the same sheet again, unchanged: `paybatch run SHEET --batch m`');
  }
  expect((await desk.emit(['resume', 'other'])).fault).toMatchObject({
    message: 'There is no batch "other" in this profile.',
    fix: expect.stringContaining('A batch of another profile needs --profile NAME.'),
  });
  expect((await desk.emit(['run', 'm.csv', '--batch', 'm'])).exit).toBe(0);
  expect((await desk.emit(['status'])).end).toMatchObject({ exit: 0, batch: 'm' });
});

test('all of them by name, while the ledger has none of them', async () => {
  const desk = await deskAfter('m', 'n');
  await loseLedger(desk);
  expect((await desk.emit(['resume'])).fault?.['message']).toContain('the batches m, n, which were begun here');
  expect((await desk.emit(['run', 'n.csv', '--batch', 'n'])).exit).toBe(0);
  expect((await desk.emit(['resume', 'm'])).fault?.['message']).toContain('the batch m, which was begun here');
});

test('closing one of them names those that are left, for people and programs', async () => {
  const desk = await deskAfter('m', 'n', 'o');
  await loseLedger(desk);
  const close = (name: string) => ['ledger', 'close-lost', name, '--reason', 'paid, says the provider'];
  const [closed] = (await desk.emit(close('M'))).events;
  expect(closed).toMatchObject({ type: 'lost-batch-closed', batch: 'm', left: ['n', 'o'] });
  expect((await desk.say(close('n'))).stdout).toContain('Still open: 1.');
  expect((await desk.say(close('o'))).stdout).toContain('No other batch of the lost ledger is open.');
});

test('also where everything is gone, and nothing names the batch', async () => {
  const desk = await deskAfter('m');
  await rm(desk.home, { recursive: true });
  expect((await desk.emit(['resume', 'm'])).fault).toMatchObject({
    message: 'There is no batch "m" in this profile.',
    fix: expect.stringContaining(
      'If its ledger was lost, run the same sheet again, unchanged: `paybatch run SHEET --batch m`',
    ),
  });
  expect((await desk.emit(['resume'])).fault?.['message']).toBe('There is no batch yet.');
});
