/** Validations of persons and accounts, and how people rehearse them. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { orderBody, type Practice, practise, TestClock, temporaryFolder } from './practice.ts';
import { ACCOUNTS, accountBody, lookUps, PERSONS, personBody } from './requests.ts';

/** Asks whose an account is, and waits for the answer. */
async function holderOf(practice: Practice, trace: string, account: string): Promise<unknown> {
  await practice.submit(ACCOUNTS, accountBody(trace, account));
  practice.clock.pass(10_000);
  return (await practice.get(lookUps.account(trace))).body.transactionCreditParty;
}

describe('the holder of an account', () => {
  test('follows from the last two digits of its number', async () => {
    const practice = await practise();
    expect(await holderOf(practice, 't1', '+254712345678')).toBe('254712345678 - JANE WANJIKU');
    expect(await holderOf(practice, 't2', '0119988700')).toBe('0119988700 - AMINA ABDI');
    expect(await holderOf(practice, 't3', 'no digits')).toBe('no digits - AMINA ABDI');
  });

  test('is the recipient that an order named for it', async () => {
    const practice = await practise();
    await practice.post(orderBody('o', { payee: '+254712345678' }));
    expect(await holderOf(practice, 't1', '254712345678')).toBe('254712345678 - Amina Otieno');
  });

  test('is nobody of that name for an account ending 0011, and cannot be said for one ending 0012', async () => {
    const practice = await practise();
    expect(await holderOf(practice, 't1', '+254712000011')).toBe('254712000011 - NO SUCH NAME');
    expect(await holderOf(practice, 't2', '+254712000012')).toBeNull();
    expect((await practice.get(lookUps.account('t2'))).body).toMatchObject({ status: 5, responseCode: '6' });
  });

  test('is told once the validation has ended', async () => {
    const practice = await practise();
    await practice.submit(ACCOUNTS, accountBody('t', '+254712000003'));
    practice.clock.pass(60_000);
    const waiting = await practice.get(lookUps.account('t'));
    expect(waiting.body).toMatchObject({ status: 0, responseCode: null, transactionCreditParty: null });
    practice.clock.pass(61_000);
    expect((await practice.get(lookUps.account('t'))).body).toMatchObject({
      status: 4,
      responseCode: '0',
      transactionCreditParty: '254712000003 - DAVID ABDI',
    });
  });

  test.each([['0001'], ['0002'], ['0008']])(
    'is known for a payee whose payment ends badly by its ending %s',
    async (ending) => {
      const practice = await practise();
      expect(await holderOf(practice, 't', `+25471200${ending}`)).toEqual(expect.any(String));
    },
  );
});

describe('an account', () => {
  test.each([
    ['callBackUrl', undefined],
    ['callBackUrl', 'callbacks.example.test'],
    ['callBackFormat', undefined],
    ['callBackFormat', 'CSV'],
    // Published, and nowhere described.
    ['callBackFormat', 'XML'],
    ['type', 3],
    ['ccy', 'XYZ'],
  ])('with a %s of %j is refused by name', async (field, value) => {
    const practice = await practise();
    const answer = await practice.submit(ACCOUNTS, accountBody('t', '+254712345678', { [field]: value }));
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, [field]]);
    expect(practice.sandbox.books().register).toEqual({});
  });

  test('needs neither currency nor country', async () => {
    const practice = await practise();
    const body = accountBody('t', '+254712345678', { ccy: undefined, countryCode: undefined });
    expect((await practice.submit(ACCOUNTS, body)).status).toBe(200);
    practice.clock.pass(10_000);
    expect((await practice.get(lookUps.account('t'))).body).toMatchObject({
      status: 4,
      accountNumberCCY: null,
      countryCode: null,
    });
  });

  test('that was taken before callbacks were asked for stays in the books', async () => {
    const folder = await temporaryFolder();
    const { callBackUrl: _, callBackFormat: __, ...body } = accountBody('t', '+254712345678');
    const plans = [{ queuedMs: 5, endMs: 10, end: 'completed' }];
    const fact = { type: 'requested', at: new TestClock().now(), kind: 'validate-account', plans, body };
    await writeFile(join(folder, 'books.ndjson'), `${JSON.stringify(fact)}\n`);
    const practice = await practise({ folder });
    practice.clock.pass(10_000);
    expect((await practice.get(lookUps.account('t'))).body).toMatchObject({
      status: 4,
      callbackURL: null,
      transactionCreditParty: '254712345678 - JANE WANJIKU',
    });
  });
});

describe('a person', () => {
  test('who is found is echoed in the record', async () => {
    const practice = await practise();
    await practice.submit(PERSONS, personBody('t', { kycRequestReportReason: '7', kycRequestOtherNames: 'Achieng' }));
    const waiting = (await practice.get(lookUps.person('t'))).body;
    expect(waiting).toMatchObject({ status: '00', kycRecordDto: { status: 0, responseCode: null } });
    practice.clock.pass(10_000);
    expect((await practice.get(lookUps.person('t'))).body).toMatchObject({
      status: '00',
      kycRecordDto: {
        status: 4,
        responseCode: '0',
        kycRequestFullNames: 'Amina Wanjiru Achieng Otieno',
        kycRequestReportReason: 7,
        personalProfileNationalID: '22334455',
      },
    });
  });

  test.each([
    ['0002', 8, '-1'],
    ['0004', 5, '1'],
  ])('with an identity number ending %s is not found', async (ending, status, responseCode) => {
    const practice = await practise();
    await practice.submit(PERSONS, personBody('t', { kycRequestNationalID: `2233${ending}` }));
    practice.clock.pass(10_000);
    const { kycRecordDto } = (await practice.get(lookUps.person('t'))).body;
    expect(kycRecordDto).toMatchObject({ status, responseCode, personalProfileNationalID: null });
  });

  test.each([
    ['routeId', 'none'],
    ['ccy', 'KES'],
    ['ccy', 1],
    ['kycRequestReportReason', 'because'],
    ['kycRequestDateOfBirth', '31/01/1990'],
  ])('with a %s of %j is refused by name', async (field, value) => {
    const practice = await practise();
    const answer = await practice.submit(PERSONS, personBody('t', { [field]: value }));
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, [field]]);
  });

  test('whom nobody asked about is not found by trace number', async () => {
    const practice = await practise();
    const answers = [await practice.get(lookUps.person('none')), await practice.get(lookUps.account('none'))];
    expect(answers.map(({ status, body }) => [status, body.id, body.idType])).toEqual([
      [404, 'none', 'stan'],
      [404, 'none', 'stan'],
    ]);
  });
});
