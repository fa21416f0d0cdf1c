/** Bank payments against services that keep to the published table to the letter: what the command line sends, they take. */
import { describe, expect, test } from 'vitest';
import { quickWaits } from '../support/desk/account.ts';
import { type Desk, openDesk, type Told } from '../support/desk/command-line.ts';
import { resultsIn } from '../support/desk/payroll-sheet.ts';
import { openStrictBank, type Page, type StrictBank } from '../support/desk/strict-bank.ts';
import { fastClock } from '../support/fast-clock.ts';
import { remitter as leastRemitter } from '../support/remitter.ts';

const clock = fastClock();

/** Who pays, with all that either page asks for. */
const remitter = {
  ...leastRemitter,
  address: 'Moi Avenue 1, Nairobi',
  idType: 'Registration',
  idNumber: 'PVT-2026-0001',
  financialInstitution: 'Practice Bank',
  institutionIdentifier: 'PRACKENA',
  email: 'pay@acme.example',
  idIssuePlace: 'Nairobi',
  idIssueDate: '2016/02/29',
  idExpireDate: '2036/02/29',
  nationality: 'Kenyan',
  dateOfBirth: '2016/02/29',
  city: 'Nairobi',
  postalCode: '00100',
  state: 'Nairobi',
};

const row = {
  'Payment type': 'bank',
  Name: 'Otieno Traders',
  'Bank code': 'PRACUGKA',
  'Bank name': 'Practice Bank',
  'Account number': '0012345678901',
  Phone: '0722 345 678',
  'Recipient address': 'Oginga Odinga Street, Kisumu',
  'Recipient email': 'pay@otieno.example',
  'Recipient ID type': 'National ID',
  'Recipient ID number': '22334455',
  Amount: '1500',
};

const quoted = (text: string): string => `"${text}"`;

/** Pays one row by a desk whose configuration says so much of who pays. */
async function payOne(bank: StrictBank, from: object, cells: object): Promise<Told & { readonly desk: Desk }> {
  const desk = await openDesk(clock);
  const timings = {
    polling: { firstMs: 30, maxMs: 200, deadlineMs: 8000 },
    ...quickWaits,
  };
  await desk.writeConfig({ remitter: from, profiles: { env: { routes: { bank: bank.route }, ...timings } } });
  desk.payBy({
    PAYBATCH_BASE_URL: bank.url,
    PAYBATCH_CLIENT_ID: 'acme',
    PAYBATCH_CLIENT_SECRET: 'secret',
  });
  const lines = [Object.keys(cells), Object.values(cells)].map((texts) => texts.map(quoted).join(','));
  await desk.write('banks.csv', lines.join('\n'));
  const totals = ['--expect-count', '1', '--expect-total', '1500.00'];
  return { ...(await desk.emit(['run', 'banks.csv', ...totals])), desk };
}

const reasonIn = async ({ end }: Told): Promise<string | undefined> => {
  const [only] = await resultsIn(end.files.find(({ kind }) => kind === 'results')?.path ?? '');
  return only?.['Reason in plain words'];
};

const { 'Recipient address': _address, ...withoutAddress } = row;
const { Phone: _phone, ...withoutPhone } = row;
const { idIssuePlace: _place, ...withoutPlace } = remitter;
const { institutionIdentifier: _bank, ...withoutBank } = remitter;
const { state: _state, ...withoutState } = remitter;

describe('a bank order to the letter of the published table', () => {
  test.each<Page>(['local', 'international'])('is taken with all that the %s page lists, and paid', async (page) => {
    const bank = await openStrictBank(page);
    const told = await payOne(bank, remitter, row);
    expect(told.end).toMatchObject({ exit: 0, rows: { completed: 1 } });
    const [order] = [...bank.taken.values()];
    expect(order?.['paymentOrderLines']).toMatchObject([
      {
        remitter: { ...remitter, ccy: 404 },
        recipient: {
          name: 'Otieno Traders',
          address: 'Oginga Odinga Street, Kisumu',
          emailAddress: 'pay@otieno.example',
          idType: 'National ID',
          idNumber: '22334455',
          phoneNumber: '+254722345678',
          mccmnc: '63902',
          institutionIdentifier: 'PRACUGKA',
        },
      },
    ]);
    const checks = (await told.desk.emit(['doctor'])).events.find(({ type }) => type === 'doctor')?.['checks'];
    expect(checks).toContainEqual(expect.objectContaining({ check: 'remitter', result: 'ok' }));
  });

  test('may leave out the one field that the international page makes optional', async () => {
    const bank = await openStrictBank('international');
    expect((await payOne(bank, withoutState, row)).end).toMatchObject({ exit: 0, rows: { completed: 1 } });
  });

  test.each([
    ['international', 'remitter.idIssuePlace', withoutPlace, row],
    ['local', 'remitter.institutionIdentifier', withoutBank, row],
    ['local', 'recipient.address', remitter, withoutAddress],
    ['local', 'recipient.mccmnc', remitter, withoutPhone],
  ] as const)('is refused by the %s page without %s, and the row says so', async (page, field, from, cells) => {
    const bank = await openStrictBank(page);
    const told = await payOne(bank, from, cells);
    expect(told.end).toMatchObject({ exit: 6, rows: { refused: 1, completed: 0 } });
    expect(bank.taken.size).toBe(0);
    expect(await reasonIn(told)).toContain(`${field}: The ${field.replace('.', ' ')} is missing.`);
  });

  test('is not sent at all without what every bank wants', async () => {
    const bank = await openStrictBank('local');
    const { country: _, ...from } = remitter;
    const told = await payOne(bank, from, row);
    expect(told).toMatchObject({ exit: 2, fault: { code: 'configuration' } });
    expect(bank.taken.size).toBe(0);
  });
});
