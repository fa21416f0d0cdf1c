/** People of one company at one ledger on PostgreSQL, each with a role of their own: one owns it, one pays, one audits. */
import { expect, test } from 'vitest';
import { accountIn, openService, paidTraces, quickProfile } from '../../support/desk/account.ts';
import { openDesk } from '../../support/desk/command-line.ts';
import { pay } from '../../support/desk/live-office.ts';
import { people } from '../../support/desk/payroll-sheet.ts';
import { asAnother, type Cluster, needsPostgres, newAddress, ownCluster, runPostgres } from '../../support/postgres.ts';

const ROWS = 3;

const runScript = (cluster: Cluster, script: string): string =>
  runPostgres(cluster, 'psql', ['-q', '--set', 'ON_ERROR_STOP=1'], script);

test('who pays needs no more than the script gives, and who audits reads all of it', async (context) => {
  needsPostgres(context);
  const cluster = await ownCluster();
  const owner = newAddress(cluster);
  // On the clock of the machine, which the server has.
  const [desk, service] = [await openDesk(), await openService()];
  await desk.writeConfig({ profiles: { env: quickProfile(service.routes) } });
  desk.payBy(accountIn(service));
  const as = (role: string) => ({ env: { PAYBATCH_LEDGER: owner.replace('paybatch@', `${role}@`) } });
  // The owner makes the tables, by the first look at them.
  expect((await desk.say(['ledger', 'check'], as('paybatch'))).stdout).toContain(
    'the role has the privileges that it needs',
  );
  await asAnother(owner, 'CREATE ROLE amina LOGIN', 'CREATE ROLE "the auditor" LOGIN', 'SELECT 1');
  const {
    exit: granted,
    stdout: script,
    stderr: trouble,
  } = await desk.say(['ledger', 'grants', '--pay', 'amina', '--read', 'the auditor'], as('paybatch'));
  expect([granted, trouble]).toEqual([0, '']);
  // Before it has run, nobody else sees anything.
  const { exit: refused, stderr: why } = await desk.say(['history'], as('amina'));
  expect([refused, why]).toEqual([2, expect.stringContaining('The role amina may not do this')]);
  runScript(cluster, script);
  runScript(cluster, script);

  desk.env['PAYBATCH_LEDGER'] = as('amina').env.PAYBATCH_LEDGER;
  const paid = await pay(desk, people(ROWS), '--batch', 'november');
  expect(paid.exit, JSON.stringify(paid.fault)).toBe(0);
  expect((await desk.say(['ledger', 'check'])).stdout).toMatch(
    /^holds +the role may plan, approve and pay, and no more/m,
  );
  // Also where no batch is old enough: the one before may have been broken off here.
  const purged = await desk.say(['purge', '--older-than', '60d']);
  expect([purged.exit, purged.stderr]).toEqual([2, expect.stringContaining('only its owner can rewrite a table')]);
  expect((await desk.say(['purge', '--older-than', '60d'], as('paybatch'))).exit).toBe(0);

  const auditor = as('the%20auditor');
  expect((await desk.say(['ledger', 'check'], auditor)).stdout).toMatch(/^holds +the role may read, and no more/m);
  for (const argv of [
    ['status'],
    ['history'],
    ['find', 'Person 1'],
    ['verify'],
    ['report', 'november', '--format', 'csv'],
  ]) {
    const { exit, stdout, stderr } = await desk.say(argv, auditor);
    expect([exit, stdout + stderr], argv.join(' ')).toEqual([0, expect.stringContaining('november')]);
  }
  for (const argv of [
    ['resume', 'november'],
    ['retry', 'november', '--expect-count', '0'],
    ['ledger', 'same-account', '--reason', 'no'],
    ['purge', '--older-than', '60d'],
  ]) {
    const { exit, stderr } = await desk.say(argv, auditor);
    expect([exit, stderr], argv.join(' ')).toEqual([
      2,
      expect.stringContaining('The role the auditor may not do this'),
    ]);
  }
  expect(paidTraces(service.books())).toHaveLength(ROWS);
});
