/** Payees verified at a service that keeps to the provider's published pages, by the command line. */
import { describe, expect, test } from 'vitest';
import { type Desk, openDesk, type Told } from '../support/desk/command-line.ts';
import { fastClock } from '../support/fast-clock.ts';
import { type PublishedValidation, publishedValidation } from '../support/published-validation.ts';
import { remitter } from '../support/remitter.ts';

const clock = fastClock();

const sheet = [
  'Name,Phone,Bank Code,Bank Name,Account Number,Amount',
  'Jane Wanjiku,0712345678,,,,1500',
  'Peter Otieno,0712345655,,,,20',
  'Ann Atieno,0712000777,,,,30',
  'Otieno Traders,,68,Practice Bank,0012345678901,5000',
].join('\n');

const profile = { polling: { firstMs: 20, maxMs: 50, deadlineMs: 8000 } };

async function office(more: object = {}): Promise<{ readonly desk: Desk; readonly service: PublishedValidation }> {
  const service = await publishedValidation({
    '254712345678': 'JANE WANJIKU',
    '254712345655': 'FATUMA ODHIAMBO',
    '0012345678901': 'OTIENO TRADERS',
  });
  const desk = await openDesk(clock);
  await desk.write('pay.csv', sheet);
  await desk.writeConfig({ remitter, profiles: { env: { ...profile, ...more } } });
  Object.assign(desk.env, {
    PAYBATCH_BASE_URL: service.url,
    PAYBATCH_CLIENT_ID: 'acme',
    PAYBATCH_CLIENT_SECRET: 'secret',
  });
  return { desk, service };
}

const payeesIn = ({ events }: Told) => events.filter(({ type }) => type === 'payee');

describe('at a service that refuses what its pages call incomplete, verify-payees', () => {
  test('knows every holder, and why there is none', async () => {
    const { desk, service } = await office();
    const told = await desk.emit(['verify-payees', 'pay.csv']);
    expect(service.refused).toEqual([]);
    expect(payeesIn(told)).toMatchObject([
      { row: 2, verdict: 'match', holder: 'JANE WANJIKU' },
      { row: 3, verdict: 'no-match', holder: 'FATUMA ODHIAMBO' },
      { row: 4, verdict: 'not-possible', reason: expect.stringContaining('Something went wrong') },
      { row: 5, verdict: 'match', holder: 'OTIENO TRADERS' },
    ]);
    expect(told.exit).toBe(3);
  });

  test('names an address that leads nowhere where nobody listens', async () => {
    const { desk, service } = await office();
    await desk.emit(['verify-payees', 'pay.csv']);
    const named = new Set(service.taken.map(({ callBackUrl }) => URL.parse(String(callBackUrl))));
    for (const address of named) expect(address).toMatchObject({ protocol: 'https:' });
    for (const address of named) expect(address?.hostname).toMatch(/\.invalid$/);
    expect(service.taken.map(({ callBackFormat }) => callBackFormat)).toEqual(['JSON', 'JSON', 'JSON']);
  });

  test('names the address of the profile where one is configured', async () => {
    const url = 'https://callbacks.acme.example/secret';
    const { desk, service } = await office({ callbacks: { url } });
    await desk.emit(['verify-payees', 'pay.csv']);
    expect(new Set(service.taken.map(({ callBackUrl }) => callBackUrl))).toEqual(new Set([url]));
  });
});
