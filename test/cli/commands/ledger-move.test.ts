/** A profile that has paid from a file goes on from PostgreSQL. */
import { expect, test } from 'vitest';
import { paidTraces } from '../../support/desk/account.ts';
import type { Told } from '../../support/desk/command-line.ts';
import { openOffice, pay, planOnly } from '../../support/desk/live-office.ts';
import { people } from '../../support/desk/payroll-sheet.ts';
import { passingClock } from '../../support/fast-clock.ts';
import { needsPostgres, newAddress, ownCluster } from '../../support/postgres.ts';

const ROWS = 3;

/** What `verify` says of the ledger, whenever that was. */
const verified = ({ exit, events }: Told) => ({
  exit,
  says: events.filter(({ type }) => type === 'verify').map(({ at: _, ...rest }) => rest),
});

test('the file is moved while a batch is open, refuses from then on, and nobody is paid twice', async (context) => {
  needsPostgres(context);
  const address = newAddress(await ownCluster());
  const env = { PAYBATCH_LEDGER: address };
  // The clock of the server is compared: a faster one is half a minute ahead when the machine is busy.
  const { desk, service } = await openOffice(undefined, {}, passingClock(1));
  await planOnly(desk, people(ROWS), '--batch', 'november');
  const before = await desk.emit(['verify']);
  expect(before).toMatchObject({ exit: 0, events: [{ batch: 'november', differences: [] }, {}] });
  expect((await desk.say(['ledger', 'backup', 'before.db'])).exit).toBe(0);
  const moved = await desk.emit(['ledger', 'move', '--to', address]);
  expect(moved.events.filter(({ type }) => type !== 'notice')).toMatchObject([
    { type: 'ledger-moved', to: address, before: false },
    { exit: 0 },
  ]);

  // The profile still names the file.
  for (const argv of [
    ['resume'],
    ['ledger', 'same-account', '--reason', 'no'],
    ['purge', '--older-than', '400d'],
    ['ledger', 'restore', 'before.db'],
  ]) {
    const { exit, stderr } = await desk.say(argv);
    expect([exit, stderr], argv.join(' ')).toEqual([2, expect.stringContaining(`was moved to ${address} on `)]);
  }
  const another = await pay(desk, people(ROWS), '--batch', 'another', '--allow-duplicate', 'another month');
  expect(another).toMatchObject({ exit: 2, fault: { code: 'ledger-moved' } });
  for (const argv of [['status'], ['history'], ['find', 'Person 1']]) {
    const { stdout, stderr } = await desk.say(argv);
    expect([stdout + stderr, stderr], argv.join(' ')).toEqual([
      expect.stringContaining('november'),
      expect.stringContaining('what you see here is as it was then'),
    ]);
  }
  expect((await desk.say(['doctor'])).stdout).toMatch(/^ERROR +Ledger +This ledger was moved to/m);

  expect(await desk.emit(['ledger', 'move', '--to', address], { env })).toMatchObject({
    exit: 0,
    events: [{ before: true }, {}],
  });
  expect(verified(await desk.emit(['verify'], { env }))).toEqual(verified(before));
  expect(await desk.emit(['resume'], { env })).toMatchObject({ exit: 0, end: { rows: { completed: ROWS } } });
  expect((await desk.emit(['run', 'pay.csv', '--batch', 'november', '--expect-count', '3'], { env })).exit).toBe(8);
  expect(paidTraces(service.books())).toHaveLength(ROWS);
});

test('an address with a password, another than that of the profile, and a rehearsal are refused', async () => {
  const { desk } = await openOffice();
  const to = 'postgres://pay@127.0.0.1:1/acme';
  const env = { PAYBATCH_LEDGER: 'postgres://pay@127.0.0.1:1/other' };
  await planOnly(desk, people(1), '--batch', 'november');
  for (const [argv, options, why] of [
    [['--to', to.replace('pay@', 'pay:s3cret@')], {}, 'The address in --to has a password'],
    [['--to', to], { env }, 'keeps its ledger at postgres://pay@127.0.0.1:1/other'],
    [['--to', to, '--profile', 'sandbox'], {}, 'The ledger of a rehearsal stays in a file'],
    [['--to', 'mysql://pay@127.0.0.1/acme'], {}, 'does not begin with postgres://'],
  ] as const) {
    const { exit, stdout, stderr } = await desk.say(['ledger', 'move', ...argv], options);
    expect([exit, stderr]).toEqual([2, expect.stringContaining(why)]);
    expect(stdout + stderr).not.toContain('s3cret');
  }
  // What cannot be reached leaves everything as it is.
  expect((await desk.say(['ledger', 'move', '--to', to])).exit).toBe(10);
  expect((await desk.say(['resume'])).exit).toBe(0);
});
