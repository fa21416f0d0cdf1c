/** What a live account has to say before banks, airtime and bills are paid; the practice service needs nothing said. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { accountIn, openService, quickProfile } from '../support/desk/account.ts';
import { type Desk, openDesk, SAMPLES } from '../support/desk/command-line.ts';
import { fastClock } from '../support/fast-clock.ts';
import { remitter } from '../support/remitter.ts';

const clock = fastClock();

const HEADINGS = 'Name,Type,Phone,Bank code,Bank,Biller,Account,Amount';
const rows = {
  bank: 'Otieno,bank,,68,Practice Bank,,0012345678,500',
  wallet: 'Jane,wallet,0712345678,,,,,200',
  airtime: 'Jane,airtime,0712345678,,,,,50',
  bill: 'Office,bill,,,,City water,0012-345,100',
};
interface Office {
  readonly desk: Desk;
  readonly service: Sandbox;
  /** Configures the account, and runs one sheet without sending. */
  rehearse(lines: readonly string[], config: object, callbacks?: object): ReturnType<Desk['emit']>;
}

async function openOffice(): Promise<Office> {
  const [desk, service] = [await openDesk(clock), await openService(undefined, clock)];
  desk.payBy(accountIn(service));
  return {
    desk,
    service,
    async rehearse(lines, config, callbacks = {}) {
      await desk.write('pay.csv', [HEADINGS, ...lines].join('\n'));
      await desk.writeConfig({ ...config, profiles: { env: { ...quickProfile(service.routes), callbacks } } });
      return desk.emit(['run', 'pay.csv', '--dry-run', '--no-copy', '--accept-unverifiable', '1']);
    },
  };
}

describe('a live account', () => {
  test('without a remitter pays no bank, and says once what the configuration lacks: 2, and nothing is asked', async () => {
    const { desk, rehearse, service } = await openOffice();
    const lines = [rows.bank, rows.bank.replace('5678', '5679')];
    const told = await rehearse(lines, { remitter: { name: 'Acme Ltd', phoneNumber: '+254700000000' } });
    expect(told).toMatchObject({ exit: 2, fault: { code: 'configuration' } });
    expect(told.fault?.['message']).toContain('remitter.country, remitter.sourceOfFunds, remitter.principalActivity');
    expect(told.fault?.['message']).toContain('2 rows (Bank account)');
    expect(told.fault?.['fix']).toContain(desk.path('paybatch.config.json'));
    expect(told.events.filter(({ type, level }) => level === 'error' || type === 'statement')).toEqual([]);
    expect(service.books().tokenRequests).toBe(0);
    expect((await rehearse(lines, { remitter })).exit).toBe(0);
    expect(service.books().orders).toEqual([]);
  });

  test('without a remitter sends no bank payment that is confirmed either', async () => {
    const { desk, rehearse, service } = await openOffice();
    await rehearse([rows.bank, rows.wallet], {});
    const { exit } = await desk.emit(['run', 'pay.csv', '--expect-count', '2', '--expect-total', '700.00']);
    expect(exit).toBe(2);
    expect(service.books().orders).toEqual([]);
    expect((await desk.emit(['history'])).events.filter(({ type }) => type === 'batch')).toEqual([]);
  });

  test('lets a sheet be validated without a remitter, and says what a run would stop for', async () => {
    const { desk, rehearse } = await openOffice();
    await rehearse([rows.bank], {});
    const told = await desk.emit(['validate', 'pay.csv', '--no-copy']);
    expect(told.exit).toBe(0);
    expect(told.events.filter(({ type }) => type === 'row.problem')).toEqual([]);
    const notices = told.events.filter(({ type, level }) => type === 'notice' && level === 'warning');
    expect(notices).toHaveLength(1);
    expect(String(notices[0]?.['message'])).toMatch(
      /remitter\.name.*Until then, every run stops before it sends anything/,
    );
    const { stdout, stderr } = await desk.say(['validate', 'pay.csv', '--no-copy', '--format', 'json']);
    // It asks no service, so it names none.
    expect(stderr).toMatch(/· profile env\n/);
    expect(JSON.parse(stdout).notices).toEqual([notices[0]?.['message']]);
  });

  test('tells of a sheet with errors and of the configuration in one go: 3', async () => {
    const { rehearse } = await openOffice();
    const told = await rehearse([rows.bank, rows.wallet.replace('0712345678', '07123')], {});
    expect(told.exit).toBe(3);
    expect(told.events.filter(({ type }) => type === 'row.problem').map(({ code }) => code)).toEqual([
      'PB-PHONE-LENGTH',
    ]);
    expect(told.events.some(({ type, message }) => type === 'notice' && /remitter\.name/.test(String(message)))).toBe(
      true,
    );
  });

  test.each([
    ['airtime', rows.airtime],
    ['bill', rows.bill],
  ])('without a callback address pays no %s, and says what to set', async (_, line) => {
    const { rehearse } = await openOffice();
    const told = await rehearse([line], { remitter });
    expect(told).toMatchObject({ exit: 2, fault: { code: 'configuration' } });
    expect(told.fault?.['fix']).toContain('callbacks.url');
    expect((await rehearse([line], { remitter }, { url: 'https://pay.example.test/reports' })).exit).toBe(0);
  });

  test('names every bill that the provider would not take, and sends nothing', async () => {
    const { rehearse, service } = await openOffice();
    const lines = [rows.bill, rows.bill.replace('City water', 'Gas'), rows.bill.replace(',100', ',150001')];
    const told = await rehearse(lines, { remitter }, { url: 'https://pay.example.test/reports' });
    expect(told).toMatchObject({ exit: 5, fault: { code: 'bill-refused' } });
    expect(told.fault?.['message']).toMatch(
      /^2 bills cannot be paid: row 3: .*"Gas"; row 4: "City water" takes at most/,
    );
    expect(service.books().orders).toEqual([]);
  });
});

test('the practice service lets every way of paying be rehearsed with nothing configured', async () => {
  const desk = await openDesk(clock);
  await desk.write('all-kinds.csv', await readFile(path.join(SAMPLES, 'all-kinds.csv'), 'utf8'));
  const { exit, events } = await desk.emit(['run', 'all-kinds.csv', '--dry-run']);
  expect(exit).toBe(0);
  expect(events.filter(({ type }) => type === 'row.problem')).toEqual([]);
});
