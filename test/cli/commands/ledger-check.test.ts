/** Where the ledger of a profile is, as the settings say, and what it relies on. */
import { expect, test } from 'vitest';
import { accountIn, openService, quickProfile } from '../../support/desk/account.ts';
import { type Desk, openDesk } from '../../support/desk/command-line.ts';
import { pay } from '../../support/desk/live-office.ts';
import { people } from '../../support/desk/payroll-sheet.ts';
import { needsPostgres, newAddress, ownCluster } from '../../support/postgres.ts';

/** Nothing is there: every command that opens it says where it looked. */
const NOWHERE = 'postgres://pay:s3cret@127.0.0.1:1/acme';

/** A desk that pays live, with a ledger that its profile names. */
async function deskWith(ledger: string | undefined): Promise<Desk> {
  const [desk, service] = [await openDesk(), await openService()];
  await desk.writeConfig({
    profiles: { env: { ...quickProfile(service.routes), ...(ledger !== undefined && { ledger }) } },
  });
  desk.payBy(accountIn(service));
  return desk;
}

test('a ledger in a file says what its commits rely on', async () => {
  const desk = await deskWith(undefined);
  const { exit, stdout } = await desk.say(['ledger', 'check']);
  expect(exit).toBe(0);
  expect(stdout).toContain(`The ledger is ${desk.path('home', 'env', 'ledger.db')}. It relies on:`);
  expect(stdout).toMatch(/^holds {4}a commit is on disk before it is answered \(FULL\): synchronous is 2$/m);
  expect(stdout).not.toContain('WARNING');
});

test('a ledger on PostgreSQL says what its commits rely on, and where the setting stands', async (context) => {
  needsPostgres(context);
  const address = newAddress(await ownCluster());
  const desk = await deskWith(address);
  const { events } = await desk.emit(['ledger', 'check']);
  expect(events[0]).toMatchObject({ type: 'ledger-check', place: address });
  expect(events[0]?.['relied']).toContainEqual({ what: 'fsync is on', holds: true, found: 'on' });
  expect((await desk.say(['doctor'])).stdout).toMatch(/^OK {5}Ledger {2,}It is postgres:\/\/paybatch@/m);
  // What a server has is copied and put back by the server.
  for (const argv of [
    ['backup', 'copy.db'],
    ['restore', 'copy.db'],
  ]) {
    const { exit, stderr } = await desk.say(['ledger', ...argv]);
    expect([exit, stderr]).toEqual([2, expect.stringMatching(/pg_dump|pg_restore/)]);
  }
});

test('the environment goes before the profile, and neither is ever shown with a password', async () => {
  const desk = await deskWith('postgres://pay@localhost:2/other');
  const env = { PAYBATCH_LEDGER: NOWHERE };
  const shown = await desk.say(['config', 'show', '--origin'], { env });
  expect(shown.stdout).toMatch(/^ledger +postgres:\/\/\S*127\.0\.0\.1:1\/acme +PAYBATCH_LEDGER$/m);
  const file = await desk.say(['config', 'show', '--origin']);
  expect(file.stdout).toMatch(/^ledger +postgres:\/\/\S*localhost:2\/other +\/\S+config\.json$/m);
  const { exit, stdout, stderr } = await desk.say(['ledger', 'check'], { env });
  expect([exit, stderr]).toEqual([10, expect.stringContaining('postgres://pay@127.0.0.1:1/acme cannot be reached')]);
  expect(shown.stdout + file.stdout + stdout + stderr).not.toContain('s3cret');
});

test('a rehearsal keeps its ledger beside its books, whatever the environment says', async () => {
  const desk = await openDesk();
  const { exit, stdout } = await desk.say(['ledger', 'check'], { env: { PAYBATCH_LEDGER: NOWHERE } });
  expect([exit, stdout]).toEqual([0, expect.stringContaining(desk.path('home', 'sandbox', 'ledger.db'))]);
});

test('a profile that has paid from a file is not moved to an empty ledger without a word of it', async (context) => {
  needsPostgres(context);
  const desk = await deskWith(undefined);
  expect((await pay(desk, people(2), '--batch', 'first')).exit).toBe(0);
  const env = { PAYBATCH_LEDGER: newAddress(await ownCluster()) };
  const moved = await desk.say(['run', 'pay.csv', '--batch', 'second', '--expect-count', '2'], { env });
  expect([moved.exit, moved.stderr]).toEqual([2, expect.stringContaining('would know nothing of those payments')]);
});
