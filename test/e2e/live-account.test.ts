import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { accountIn, openService, paidTraces, quickProfile } from '../support/desk/account.ts';
import { type Desk, openDesk, type Told } from '../support/desk/command-line.ts';
import { csvOf, people, totalOf } from '../support/desk/payroll-sheet.ts';
import { fastClock } from '../support/fast-clock.ts';

const clock = fastClock();

const ROWS = 6;
const rightTotals = ['--expect-count', String(ROWS), '--expect-total', totalOf(ROWS)];

interface Office {
  readonly desk: Desk;
  readonly service: Sandbox;
}

/** A desk whose account is given by the environment, with the profile `env` for its routes. */
async function openOffice(): Promise<Office> {
  const [desk, service] = [await openDesk(clock), await openService(undefined, clock)];
  await desk.write('pay.csv', csvOf(people(ROWS)));
  await desk.writeConfig({ profiles: { env: quickProfile(service.routes) } });
  desk.payBy(accountIn(service));
  return { desk, service };
}

const posts = (service: Sandbox): number => service.books().requests['submit-order'] ?? 0;

describe('a live run without a terminal', () => {
  test('without both control totals is a usage error that names both flags with the totals of the sheet', async () => {
    const { desk, service } = await openOffice();
    for (const flags of [[], ['--expect-count', String(ROWS)], ['--expect-total', totalOf(ROWS)]]) {
      const { exit, stderr } = await desk.say(['run', 'pay.csv', ...flags]);
      expect(exit).toBe(2);
      expect(stderr).toContain(`--expect-count ${ROWS} --expect-total ${totalOf(ROWS)}`);
      expect(stderr).toContain('Nothing was sent');
    }
    expect(posts(service)).toBe(0);
  });

  test('with another total or count sends nothing, and the right totals pay afterwards, written as people write them', async () => {
    const { desk, service } = await openOffice();
    for (const flags of [
      ['--expect-count', String(ROWS), '--expect-total', '1.00'],
      ['--expect-count', '7', '--expect-total', totalOf(ROWS)],
      ['--expect-count', '7'],
      ['--expect-count', String(ROWS), '--expect-total', `USD ${totalOf(ROWS)}`],
    ])
      for (const dry of [[], ['--dry-run']])
        expect(await desk.emit(['run', 'pay.csv', ...flags, ...dry])).toMatchObject({
          exit: 8,
          fault: { code: 'totals-differ' },
        });
    expect(posts(service)).toBe(0);
    for (const flags of [rightTotals, rightTotals.slice(0, 2), []])
      expect(await desk.emit(['run', 'pay.csv', ...flags, '--dry-run'])).toMatchObject({ exit: 0 });

    const total = `KES ${Number(totalOf(ROWS)).toLocaleString('en-US', { minimumFractionDigits: 2 })}`;
    expect(total).toContain(',');
    const right = await desk.emit(['run', 'pay.csv', '--expect-count', String(ROWS), '--expect-total', total]);
    expect(right.exit).toBe(0);
    expect(paidTraces(service.books())).toHaveLength(ROWS);
    expect(service.books().paid['KES']).toBe(totalOf(ROWS));
  });

  test('says live and never sandbox, and names its workbook without it', async () => {
    const { desk, service } = await openOffice();
    const said = await desk.say(['run', 'pay.csv', ...rightTotals]);
    expect(said.stderr).toContain(`profile env · ${service.url}`);
    const words = (said.stderr + said.stdout).replaceAll(service.clientId, '');
    expect(words).not.toMatch(/sandbox/i);
    expect(said.lines).toHaveLength(1);
  });
});

describe('the same content live', () => {
  test('is not paid again, under its own name or another, unless a reason is given', async () => {
    const { desk, service } = await openOffice();
    const first = await desk.emit(['run', 'pay.csv', ...rightTotals]);
    await desk.write('copy.csv', csvOf(people(ROWS).toReversed()));

    for (const again of [
      ['run', 'pay.csv'],
      ['run', 'copy.csv'],
      ['run', 'copy.csv', '--batch', 'december'],
      ['run', 'pay.csv', '--allow-duplicate', 'a reason without a name of its own'],
    ]) {
      const told = await desk.emit([...again, ...rightTotals]);
      expect(told).toMatchObject({ exit: 8, fault: { code: 'already-paid' } });
      expect(told.fault?.['message']).toContain(first.end.batch);
      expect(told.fault?.['fix']).toContain('--allow-duplicate');
    }
    expect(posts(service)).toBe(ROWS);

    const meant = await desk.emit([
      'run',
      'copy.csv',
      '--batch',
      'december',
      '--allow-duplicate',
      'bonus',
      ...rightTotals,
    ]);
    expect(meant.exit).toBe(0);
    expect(paidTraces(service.books())).toHaveLength(2 * ROWS);
  });

  test('is found at the service even when the ledger is lost', async () => {
    const { desk, service } = await openOffice();
    await desk.emit(['run', 'pay.csv', ...rightTotals]);
    const paid = service.books().paid;

    const told = await desk.emit(['run', 'pay.csv', ...rightTotals], {
      env: { PAYBATCH_HOME: desk.path('another-home') },
    });

    expect(service.books().paid).toEqual(paid);
    expect(new Set(paidTraces(service.books())).size).toBe(ROWS);
    expect(told.end.rows).toMatchObject({ total: ROWS, completed: ROWS });
  });
});

describe('an account in the configuration', () => {
  test('is used by name or as the default, with its secret in a file', async () => {
    const [desk, service] = [await openDesk(clock), await openService(undefined, clock)];
    await desk.write('pay.csv', csvOf(people(ROWS)));
    const secretFile = await desk.write('keys/secret', `${service.clientSecret}\n`);
    const acme = {
      ...quickProfile(service.routes),
      baseUrl: `${service.url}/`,
      clientId: service.clientId,
      clientSecretFile: secretFile,
    };
    await desk.writeConfig({ organisation: 'Acme Ltd', profiles: { acme } });
    expect(await desk.emit(['balance', '--profile', 'acme'])).toMatchObject({ exit: 0 });
    expect((await desk.emit(['run', 'pay.csv', '--batch', 'pay', '--profile', 'acme', ...rightTotals])).exit).toBe(0);

    await desk.writeConfig({ organisation: 'Acme Ltd', defaultProfile: 'acme', profiles: { acme } });
    const again = await desk.emit(['run', 'pay.csv', '--batch', 'pay', ...rightTotals]);
    expect(again).toMatchObject({ exit: 8, fault: { code: 'already-paid' } });
    expect(paidTraces(service.books())).toHaveLength(ROWS);
  });

  test('does not lend its ledger to another address under the same name', async () => {
    const { desk, service } = await openOffice();
    await desk.emit(['run', 'pay.csv', ...rightTotals]);
    const other = await openService(undefined, clock);
    const told = await desk.emit(['run', 'pay.csv', '--batch', 'other', ...rightTotals], { env: accountIn(other) });
    expect(told).toMatchObject({ exit: 2, fault: { code: 'configuration' } });
    expect(told.fault?.['message']).toContain(service.url);
    expect(other.books().orders).toEqual([]);
    expect(other.books().tokenRequests).toBe(0);
  });

  test('holds the limits of the configuration', async () => {
    const { desk, service } = await openOffice();
    const env = quickProfile(service.routes);
    await desk.writeConfig({ profiles: { env }, limits: { perBatch: { KES: '6000' } } });
    expect(await limitOf(desk)).toContain('6,000.00');
    await desk.writeConfig({ profiles: { env }, limits: { perRow: { KES: '1003' } } });
    expect(await limitOf(desk)).toContain('Row 5');
    expect(posts(service)).toBe(0);
  });

  test('without a route for a kind is refused before anything is sent', async () => {
    const { desk, service } = await openOffice();
    await desk.writeConfig({});
    const told = await desk.emit(['run', 'pay.csv', ...rightTotals]);
    expect(told).toMatchObject({ exit: 5, fault: { code: 'route-missing' } });
    expect(told.fault?.['fix']).toContain('routes.wallet');
    expect(posts(service)).toBe(0);
  });
});

async function limitOf(desk: Desk): Promise<unknown> {
  const told: Told = await desk.emit(['run', 'pay.csv', ...rightTotals]);
  expect(told).toMatchObject({ exit: 5, fault: { code: 'limit-exceeded' } });
  return told.fault?.['message'];
}

describe('an organisation that has changed its name', () => {
  test('is not paid a second time, with its ledger or after that is lost', async () => {
    const { desk, service } = await openOffice();
    const env = quickProfile(service.routes);
    await desk.writeConfig({ organisation: 'Judge Ltd', profiles: { env } });
    expect((await desk.emit(['run', 'pay.csv', ...rightTotals])).exit).toBe(0);

    await desk.writeConfig({ organisation: 'Judge Limited', profiles: { env } });
    for (const isLost of [false, true]) {
      if (isLost) await rm(desk.home, { recursive: true });
      const again = await desk.emit(['run', 'pay.csv', ...rightTotals]);
      expect(again.end.rows, `lost: ${isLost}`).toMatchObject({ completed: ROWS });
      expect(paidTraces(service.books())).toHaveLength(ROWS);
      expect(posts(service)).toBe(ROWS);
    }
  });
});

describe('a profile whose ids would be made from something else than before', () => {
  test('pays nothing until it keeps what they were made from', async () => {
    const { desk, service } = await openOffice();
    const env = quickProfile(service.routes);
    await desk.writeConfig({ profiles: { env } });
    expect((await desk.emit(['run', 'pay.csv', ...rightTotals])).exit).toBe(0);

    await desk.writeConfig({ profiles: { env: { ...env, idNamespace: 'acme-2' } } });
    const refused = await desk.emit(['run', 'pay.csv', ...rightTotals, '--batch', 'again', '--allow-duplicate', 'x']);
    expect(refused.exit).toBe(2);
    expect(refused.fault).toMatchObject({ fix: expect.stringContaining(`"idNamespace": "${service.clientId}"`) });
    const doctor = await desk.emit(['doctor']);
    expect(doctor.exit).toBe(2);
    expect(posts(service)).toBe(ROWS);
  });
});

describe('a state folder that a program copies elsewhere', () => {
  async function inDropbox(more: object = {}): Promise<Office> {
    const office = await openOffice();
    const { desk, service } = office;
    desk.env['PAYBATCH_HOME'] = desk.path('Dropbox', 'paybatch');
    await mkdir(desk.path('Dropbox'));
    await desk.writeConfig({ profiles: { env: { ...quickProfile(service.routes), ...more } } });
    return office;
  }

  test('is refused before anything is sent or kept there', async () => {
    const { desk, service } = await inDropbox();
    for (const command of [['run', 'pay.csv', ...rightTotals], ['resume'], ['retry', 'november']]) {
      const told = await desk.emit(command);
      expect(told).toMatchObject({ exit: 10, fault: { code: 'ledger-unsafe' } });
    }
    expect(service.books().requests).toEqual({});
    expect(existsSync(desk.path('Dropbox', 'paybatch', 'env', 'ledger.db'))).toBe(false);
    expect((await desk.emit(['doctor'])).exit).toBe(10);
  });

  test('is used where the profile says that it may be, and for every rehearsal', async () => {
    const { desk } = await inDropbox({ stateFolder: 'shared' });
    expect((await desk.emit(['run', 'pay.csv', ...rightTotals])).exit).toBe(0);
    expect((await desk.emit(['run', 'pay.csv', '--profile', 'sandbox'])).exit).toBe(0);
  });
});
