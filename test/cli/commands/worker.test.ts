/** What a worker asks for before it begins, and what is left to it. */
import { expect, test } from 'vitest';
import { accountIn, openService, quickProfile } from '../../support/desk/account.ts';
import { type Desk, openDesk } from '../../support/desk/command-line.ts';
import { csvOf, people } from '../../support/desk/payroll-sheet.ts';

/** Nobody listens there. */
const NOWHERE = 'postgres://pay@127.0.0.1:1/acme';

async function deskWith(ledger?: string): Promise<Desk> {
  const [desk, service] = [await openDesk(), await openService()];
  await desk.writeConfig({
    profiles: { env: { ...quickProfile(service.routes), ...(ledger !== undefined && { ledger }) } },
  });
  desk.payBy(accountIn(service));
  await desk.write('pay.csv', csvOf(people(2)));
  return desk;
}

test.each([[['worker']], [['run', 'pay.csv', '--batch', 'pay', '--detach']], [['resume', '--detach']]])(
  '%j says of a ledger in a file that it has to be shared',
  async (argv) => {
    const desk = await deskWith();
    const { exit, stderr } = await desk.say(argv);
    expect(exit).toBe(2);
    expect(stderr).toContain('on PostgreSQL, and this one is a file. Nothing was sent.');
    expect(stderr).toContain('paybatch help workers');
  },
);

test.each([
  [['run', 'pay.csv', '--batch', 'pay', '--detach', '--stop-after-failures', '3'], '--stop-after-failures'],
  [['run', 'pay.csv', '--batch', 'pay', '--detach', '--dry-run'], '--dry-run'],
  [['resume', '--detach', '--canary', '5'], '--canary'],
])('%j is refused: nobody would remember the one option for the workers', async (argv, option) => {
  const desk = await deskWith(NOWHERE);
  const { exit, stderr } = await desk.say(argv);
  expect(exit).toBe(2);
  expect(stderr).toContain(`${option} applies to sending, which --detach leaves to the workers. Nothing was sent.`);
});

test.each(['70000', 'port', 'host:', '-1'])('--health %s is no address', async (address) => {
  const desk = await deskWith(NOWHERE);
  const { exit } = await desk.say(['worker', `--health=${address}`]);
  expect(exit).toBe(2);
});

test('a worker that is to end by itself says that its ledger cannot be reached', async () => {
  const desk = await deskWith(NOWHERE);
  const { exit, stderr } = await desk.say(['worker', '--once']);
  expect(exit).toBe(10);
  expect(stderr).toContain('cannot be reached');
});
