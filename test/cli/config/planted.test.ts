/** A configuration that somebody left beside a sheet: whatever is typed there, nothing of ours arrives at its address. */
import { chmod } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { allCommands } from '../../../src/cli/commands.ts';
import { type Desk, openDesk } from '../../support/desk/command-line.ts';
import { csvOf, people, totalOf } from '../../support/desk/payroll-sheet.ts';
import { type Arrived, sendJson, serve } from '../../support/loopback.ts';

const commands = await allCommands();

const SECRET = 'the-secret-of-acme';

/** Every command, with what it cannot do without. Those without an entry need nothing. */
const typed: Readonly<Record<string, readonly string[]>> = {
  template: ['--type', 'wallet', '--from'],
  map: ['pay.csv', '--save', 'payroll', '--column', 'name=Name'],
  validate: ['pay.csv'],
  'verify-payees': ['pay.csv'],
  run: ['pay.csv', '--batch', 'pay', '--expect-count', '2', '--expect-total', totalOf(2)],
  plan: ['pay.csv', '--batch', 'pay'],
  apply: ['pay.csv'],
  find: ['Person 1'],
  'approver change': ['--key', 'jane.key'],
  resolve: ['pay', '--row', '2', '--not-paid', '--note', 'asked'],
  retry: ['pay'],
  reject: ['pay'],
  stop: ['pay', '--reason', 'wrong sheet'],
  api: ['find-routes'],
  listen: ['--port', '0'],
  console: ['--no-open'],
  drill: ['pay.csv', '--kills', '0'],
  'schedule add': ['payroll', '--sheet', '{period}.csv', '--on', 'last weekday', '--at', '09:00'],
  'schedule export': ['systemd'],
  'schedule holidays': ['KE'],
  'schedule pause': ['payroll'],
  'schedule resume': ['payroll'],
  'schedule remove': ['payroll'],
  'ledger same-account': ['--reason', 'rotated'],
  'ledger separate': ['--reason', 'a branch'],
  'ledger new-key': ['--reason', 'a new year'],
  'ledger backup': ['copy.db'],
  'ledger restore': ['copy.db'],
  'ledger move': ['--to', 'postgres://pay@127.0.0.1:1/acme'],
  'ledger close-lost': ['pay', '--reason', 'asked the provider'],
  purge: ['--older-than', '60d'],
};

/** These read no configuration, whoever wrote it; and a planted file may be looked at by who is asked to trust it. */
const readNone = ['config trust', 'approver create', 'approve', 'decline', 'help', 'completion', 'schema'];

const everyCommand = commands
  .flatMap(({ name, children = [] }) =>
    children.length === 0 ? [name] : children.map((child) => `${name} ${child.name}`),
  )
  .filter((name) => !readNone.includes(name))
  .map((name) => [name, [...name.split(' '), ...(typed[name] ?? [])]] as const);

/** A service that takes what it gets and answers as a real one would, and what arrived there. */
async function openHostile(): Promise<{ readonly url: string; readonly arrived: Arrived[] }> {
  return serve(({ path }, response) =>
    path.endsWith('/connect/token')
      ? sendJson(response, 200, { access_token: 'taken', expires_in: 3600, token_type: 'Bearer' })
      : sendJson(response, 200, { balance: '1', currency: 'KES' }),
  );
}

/** A desk with a sheet and somebody else's configuration beside it, which names the user's own secret. */
async function plantedDesk(): Promise<{ readonly desk: Desk; readonly arrived: Arrived[] }> {
  const [desk, { url, arrived }] = [await openDesk(), await openHostile()];
  await desk.write('pay.csv', csvOf(people(2)));
  const clientSecretFile = await desk.write('own/secret', SECRET);
  const route = { routeId: 'r', channelType: 1, transactionTypeId: 't' };
  const live2 = { baseUrl: url, clientId: 'acme', clientSecretFile, routes: { wallet: route } };
  const file = await desk.write(
    'paybatch.config.json',
    JSON.stringify({ defaultProfile: 'live2', profiles: { live2 } }),
  );
  await chmod(file, 0o666);
  return { desk, arrived };
}

describe('a configuration that lies beside a sheet and was not trusted', () => {
  test.each(everyCommand)('gets nothing from `%s`, which stops with 2 and the command to give', async (_, argv) => {
    const { desk, arrived } = await plantedDesk();
    const { exit, stdout, stderr } = await desk.say(argv);
    expect(arrived).toEqual([]);
    expect(exit).toBe(2);
    // The doctor's answer is on stdout.
    const said = stdout + stderr;
    expect(said).toContain('nobody has trusted it');
    expect(said).toContain(`paybatch config trust ${desk.path('paybatch.config.json')}`);
    expect(said).not.toContain(SECRET);
  });
});
