/** The passphrase of an approver's key in the keychain. Typed, or in a file: `approver.test.ts`. */
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { makePlan, openApprovalOffice } from '../../support/desk/approval-desk.ts';
import { needsKeychain, needsNoKeychain, openKeychainSession } from '../../support/desk/keychain-session.ts';
import { people } from '../../support/desk/payroll-sheet.ts';

const create = ['approver', 'create', 'anna', '--key', 'anna.key', '--passphrase-file', 'words', '--keychain'];

test('a passphrase in the keychain opens the key that it was made for, until it is not there', async (context) => {
  needsKeychain(context);
  const { desk, service } = await openApprovalOffice();
  const { env, begin } = await openKeychainSession();
  Object.assign(desk.env, env);
  await desk.write('words', 'four words that nobody says');
  expect((await desk.say(create)).exit).toBe(0);
  const plan = await makePlan({ desk }, people(1), '--key', 'anna.key', '--keychain');
  const approve = ['approve', plan, '--key', 'anna.key', '--keychain'];
  expect((await desk.say([...approve, '--passphrase-file', 'words'])).stderr).toContain('name two places');
  const other = await desk.say(['approve', plan, '--key', 'jane.key', '--keychain']);
  expect(other.exit).toBe(0); // It has no passphrase, so nothing is asked.
  await begin('locked');
  Object.assign(desk.env, env);
  const locked = await desk.say(['decline', plan, '--key', 'anna.key', '--reason', 'x', '--keychain']);
  expect(locked).toMatchObject({ exit: 2, stderr: expect.stringContaining('it is locked') });
  expect(service.books().orders).toEqual([]);
});

test('no key is made where its passphrase could not be kept', async (context) => {
  needsNoKeychain(context);
  const { desk } = await openApprovalOffice();
  await desk.write('words', 'four words that nobody says');
  expect(await desk.say(create)).toMatchObject({ exit: 2, stderr: expect.stringContaining('none is running') });
  expect(existsSync(desk.path('anna.key'))).toBe(false);
});
