import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { openService, quickProfile } from '../support/desk/account.ts';
import { type Desk, openDesk } from '../support/desk/command-line.ts';
import { csvOf, people, totalOf } from '../support/desk/payroll-sheet.ts';
import { fastClock } from '../support/fast-clock.ts';
import { sendJson, serve } from '../support/loopback.ts';

const clock = fastClock();

const ROWS = 2;
const run = ['run', 'pay.csv', '--batch', 'pay', '--expect-count', String(ROWS), '--expect-total', totalOf(ROWS)];

/** A desk of which nothing is configured but its account, with addresses that a test mistypes and corrects. */
async function openOffice(): Promise<{
  readonly desk: Desk;
  readonly service: Sandbox;
  readonly configure: (mistyped: { baseUrl?: string; tokenUrl?: string; clientId?: string }) => Promise<unknown>;
}> {
  const [desk, service] = [await openDesk(clock), await openService(undefined, clock)];
  await desk.write('pay.csv', csvOf(people(ROWS)));
  const clientSecretFile = await desk.write('secret', service.clientSecret);
  const right = {
    clientSecretFile,
    baseUrl: service.url,
    tokenUrl: `${service.url}/connect/token`,
    clientId: service.clientId,
  };
  const configure = (mistyped: object) =>
    desk.writeConfig({
      defaultProfile: 'live',
      profiles: { live: { ...quickProfile(service.routes), ...right, ...mistyped } },
    });
  return { desk, service, configure };
}

/** A web server of somebody else, which knows neither tokens nor wallets. */
const stranger = async (): Promise<string> =>
  (await serve((_request, response) => sendJson(response, 404, { error: 'not found' }))).url;

describe('an address that was mistyped and then corrected', () => {
  test.each([
    ['baseUrl', async () => ({ baseUrl: await stranger() })],
    ['tokenUrl', async () => ({ tokenUrl: `${await stranger()}/conect/token` })],
    ['clientId', async () => ({ clientId: 'acmee' })],
  ])('as %s locks nobody out: the wallet is read, and the sheet is paid', async (_, mistyped) => {
    const { desk, service, configure } = await openOffice();
    await configure(await mistyped());
    for (const command of [['balance'], ['doctor'], ['history'], run]) {
      expect((await desk.say(command)).exit, command.join(' ')).not.toBe(1);
    }
    expect(service.books().orders).toEqual([]);

    await configure({});
    expect(await desk.say(['balance'])).toMatchObject({ exit: 0 });
    const { stdout } = await desk.say(['doctor']);
    expect(stdout).toContain('It belongs to none yet');
    expect(await desk.emit(run)).toMatchObject({ exit: 0, end: { rows: { completed: ROWS } } });
    expect((await desk.say(['doctor'])).stdout).toContain(`It belongs to this one (${service.url})`);
  });

  test('after a batch was planned is refused by every command that asks the service', async () => {
    const { desk, service, configure } = await openOffice();
    await configure({});
    expect((await desk.emit(run)).exit).toBe(0);
    // The same address in another writing is no other account.
    await configure({ baseUrl: ` ${service.url.replace('http', 'HTTP')}/ ` });
    expect((await desk.say(['balance'])).exit).toBe(0);
    const other = await openService(undefined, clock);
    await desk.write('more.csv', csvOf(people(ROWS + 1).slice(ROWS)));

    await configure({ baseUrl: other.url });
    for (const command of [['balance'], ['status'], ['resume'], ['run', 'more.csv', '--dry-run']]) {
      const told = await desk.say(command);
      expect(told.exit, command.join(' ')).toBe(2);
      expect(told.stderr).toContain(`This ledger belongs to another account: its service is ${service.url}`);
      expect(told.stderr).toContain('Nothing was sent.');
    }
    expect(other.books().orders).toEqual([]);
    expect(other.books().requests).toEqual({});
  });
});
