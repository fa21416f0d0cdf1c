import { describe, expect, test } from 'vitest';
import { decimalOf } from '../../../src/domain/money.ts';
import { TestClock } from '../../ledger/builders.ts';
import { deadUrl, sendJson, serve } from '../../support/loopback.ts';
import { faultOf } from '../../support/priced-sheet.ts';
import { answered, pending, validationService } from './validation-service.ts';
import { verified } from './verified-sheet.ts';

const HEADINGS = ['Name', 'Phone', 'Till', 'Bank Code', 'Bank Name', 'Account Number', 'Amount'];
const wallet = (name: string, phone: string, amount = '1000') => [name, phone, '', '', '', '', amount];
const bank = (name: string, account: string, amount = '5000') => [name, '', '', '68', 'Practice Bank', account, amount];
const till = (name: string, number: string) => [name, '', number, '', '', '', '700'];
const sheetOf = (...rows: readonly (readonly string[])[]) => [HEADINGS, ...rows];

const JANE = '+254712345678';
const one = sheetOf(wallet('Jane Wanjiku', '0712345678'));

describe('the payees of a sheet', () => {
  test('each have a verdict, told in sheet order, with the figures of every verdict at the end', async () => {
    const service = await validationService({
      [JANE]: 'JANE WANJIKU KAMAU',
      '+254722345678': 'ALI HASAN',
      '+254733000111': 'PETER OTIENO',
      '0012345678901': 'OTIENO TRADERS LIMITED',
    });
    const { verdicts, figures, events } = await verified(
      service.url,
      sheetOf(
        wallet('Jane Wanjiku', '0712345678', '1500'),
        wallet('Ali Hassan', '0722345678'),
        wallet('Ann Atieno', '0733000111', '20'),
        till('Duka Moja', '512345'),
        bank('Otieno Traders Ltd', '0012345678901'),
        wallet('Nobody There', '0712000777'),
      ),
    );
    expect(verdicts).toEqual([
      [2, 'match', 'JANE WANJIKU KAMAU'],
      [3, 'close-match', 'ALI HASAN'],
      [4, 'no-match', 'PETER OTIENO'],
      [5, 'not-possible'],
      [6, 'match', 'OTIENO TRADERS LIMITED'],
      [7, 'not-possible'],
    ]);
    expect(figures.asked).toBe(5);
    expect(figures.verdicts.map(({ verdict, count, amount }) => [verdict, count, decimalOf(amount)])).toEqual([
      ['match', 2, '6500.00'],
      ['close-match', 1, '1000.00'],
      ['no-match', 1, '20.00'],
      ['not-possible', 2, '1700.00'],
    ]);
    expect(events.at(-1)).toEqual({ type: 'payees', ...figures });
    expect(events.filter(({ type }) => type === 'payees.progress')).toHaveLength(5);
  });

  test('that have no names in the sheet are told with their holders, and compared with nothing', async () => {
    const service = await validationService({ [JANE]: 'JANE WANJIKU KAMAU' });
    const { verdicts, reasons } = await verified(service.url, [
      ['Phone', 'Amount'],
      ['0712345678', '1500'],
    ]);
    expect(verdicts).toEqual([[2, 'not-possible', 'JANE WANJIKU KAMAU']]);
    expect(reasons).toEqual(['the sheet has no name for it']);
  });

  test('are asked about by network code or bank code, in the currency and country of the batch', async () => {
    const service = await validationService({});
    await verified(service.url, sheetOf(wallet('Jane', '0712345678'), bank('Otieno', '0012345678901')));
    const asked = service.asked().map(({ systemTraceAuditNumber: _, ...rest }) => rest);
    expect(asked).toHaveLength(2);
    expect(asked).toContainEqual({
      type: 1,
      primaryAccountNumber: JANE,
      institutionCode: '63902',
      callBackUrl: 'https://callbacks.invalid/paybatch',
      callBackFormat: 'JSON',
      ccy: 'KES',
      countryCode: 'KE',
    });
    expect(asked).toContainEqual({
      type: 2,
      primaryAccountNumber: '0012345678901',
      institutionCode: '68',
      callBackUrl: 'https://callbacks.invalid/paybatch',
      callBackFormat: 'JSON',
      ccy: 'KES',
      countryCode: 'KE',
    });
  });

  test('are asked about once for each account, and every request has a trace number of its own', async () => {
    const service = await validationService({ [JANE]: 'JANE WANJIKU' });
    const rows = sheetOf(
      wallet('Jane Wanjiku', '0712345678', '1'),
      wallet('J. Wanjiku', '+254712345678', '2'),
      wallet('Peter Otieno', '254712345678', '3'),
    );
    const { verdicts } = await verified(service.url, rows);
    expect(verdicts.map(([, verdict]) => verdict)).toEqual(['match', 'close-match', 'no-match']);
    await verified(service.url, rows);
    const traces = service.asked().map((asked) => asked.systemTraceAuditNumber);
    expect(traces).toHaveLength(2);
    expect(new Set(traces).size).toBe(2);
  });

  test('are warned of at the name cell, each warning with what the account is called', async () => {
    const service = await validationService({ [JANE]: 'JANE WANJIKO', '+254722345678': 'PETER OTIENO' });
    const { warnings } = await verified(
      service.url,
      sheetOf(wallet('Jane Wanjiku', '0712345678'), wallet('Ali', '0722345678'), till('Duka Moja', '512345')),
    );
    expect(warnings).toMatchObject([
      { code: 'PB-PAYEE-CLOSE', level: 'warning', row: 2, cell: 'A2', value: 'Jane Wanjiku' },
      { code: 'PB-PAYEE-NO-MATCH', level: 'warning', row: 3, cell: 'A3', parameters: { holder: 'PETER OTIENO' } },
      { code: 'PB-PAYEE-NOT-POSSIBLE', level: 'warning', row: 4, cell: 'A4', value: 'Duka Moja' },
    ]);
  });

  test('of whom the service names nobody are told as one thing, with its first answer', async () => {
    const notices = async (holders: Readonly<Record<string, string>>, rows: readonly (readonly string[])[]) => {
      const { events } = await verified((await validationService(holders)).url, sheetOf(...rows));
      return events.flatMap((event) => (event.type === 'notice' ? [event] : []));
    };
    const people = [wallet('Jane Wanjiku', '0712345678'), wallet('Ali', '0722345678'), till('Duka Moja', '512345')];
    expect(await notices({}, people)).toMatchObject([
      { level: 'warning', code: 'no-holders', message: expect.stringContaining('2 asked') },
    ]);
    expect((await notices({}, people))[0]?.message).toContain('Its first answer: Invalid credit account');
    expect(await notices({ [JANE]: 'JANE WANJIKU' }, people)).toEqual([]);
    expect(await notices({}, [till('Duka Moja', '512345')])).toEqual([]);
  });

  test('that were paid before are left out when only new ones are asked for', async () => {
    const service = await validationService({ '+254722345678': 'ALI HASSAN' });
    const { verdicts, figures } = await verified(
      service.url,
      sheetOf(wallet('Jane Wanjiku', '0712345678', '1500'), wallet('Ali Hassan', '0722345678')),
      { newOnly: true, paid: [`wallet|${JANE}`] },
    );
    expect(verdicts).toEqual([[3, 'match', 'ALI HASSAN']]);
    expect(figures).toMatchObject({ asked: 1, paidBefore: { count: 1, amount: { minor: 150_000n } } });
    expect(service.asked()).toHaveLength(1);
  });

  test('of rows with errors are nobody’s business', async () => {
    const service = await validationService({ [JANE]: 'JANE WANJIKU' });
    const { verdicts } = await verified(
      service.url,
      sheetOf(wallet('Odd', '07'), wallet('Jane Wanjiku', '0712345678')),
    );
    expect(verdicts).toEqual([[3, 'match', 'JANE WANJIKU']]);
    expect(service.asked()).toHaveLength(1);
  });

  test('are asked about many at a time, but never more than eight for each connection', async () => {
    const phones = Array.from({ length: 60 }, (_, at) => `+2547123456${String(at).padStart(2, '0')}`);
    const service = await validationService(Object.fromEntries(phones.map((phone) => [phone, 'JANE WANJIKU'])));
    const rows = sheetOf(...phones.map((phone) => wallet('Jane Wanjiku', phone)));
    const { figures } = await verified(service.url, rows, {
      concurrency: 1,
      polling: { firstMs: 60, maxMs: 60, deadlineMs: 5_000 },
    });
    expect(figures).toMatchObject({ asked: 60, verdicts: [{ verdict: 'match', count: 60 }, {}, {}, {}] });
    expect(service.mostOpen()).toBeLessThanOrEqual(8);
    expect(service.mostOpen()).toBeGreaterThan(2);
  });
});

describe('the answer about an account', () => {
  const verdictOf = async (habits: Parameters<typeof validationService>[1], holder = 'JANE WANJIKU') => {
    const service = await validationService({ [JANE]: holder }, habits);
    // Only waiting takes time here, so that a busy machine runs into no deadline before it has asked.
    const { findings } = await verified(service.url, one, { clock: new TestClock() });
    return { service, finding: findings[0] };
  };

  test('may come with the acceptance, and then nothing is looked up', async () => {
    const { service, finding } = await verdictOf({
      acceptance: ({ systemTraceAuditNumber }) => ({
        systemTraceAuditNumber,
        creditParty: '254712345678 - JANE WANJIKU',
      }),
    });
    expect(finding).toMatchObject({ verdict: 'match', holder: 'JANE WANJIKU' });
    expect(service.finds()).toEqual([]);
  });

  test('is waited for while it is pending or not there yet', async () => {
    const { service, finding } = await verdictOf({
      onFind: (_, response, times) => {
        if (times > 1) return undefined;
        sendJson(response, 404, { id: '1', idType: 'stan', message: 'not found' });
        return answered;
      },
      record: (record, _, times) => (times < 4 ? pending(record) : record),
    });
    expect(finding?.verdict).toBe('match');
    expect(service.finds()).toHaveLength(4);
  });

  test('is waited for, and not asked for again, when the service has taken the request and is slow to know it', async () => {
    const { service, finding } = await verdictOf({
      onFind: (_, response, times) => {
        if (times > 5) return undefined;
        sendJson(response, 404, { id: '1', idType: 'stan', message: 'not found' });
        return answered;
      },
    });
    expect(finding?.verdict).toBe('match');
    expect(service.asked()).toHaveLength(1);
  });

  test('is looked up when the acceptance was lost', async () => {
    const { service, finding } = await verdictOf({
      acceptance: (_, response) => {
        response.destroy();
        return answered;
      },
    });
    expect(finding?.verdict).toBe('match');
    expect(service.asked()).toHaveLength(1);
  });

  test('is asked for again, under another trace number, when the request was lost on its way', async () => {
    const { service, finding } = await verdictOf({
      onAsk: (_, response, times) => {
        if (times > 2) return undefined;
        response.destroy();
        return answered;
      },
    });
    expect(finding?.verdict).toBe('match');
    expect(new Set(service.asked().map((asked) => asked.systemTraceAuditNumber)).size).toBe(3);
  });

  test('is given up when every request is lost, and says so', async () => {
    const { service, finding } = await verdictOf({
      onAsk: (_, response) => {
        response.destroy();
        return answered;
      },
    });
    expect(finding).toMatchObject({ verdict: 'not-possible', reason: expect.stringContaining('no final answer') });
    expect(service.asked()).toHaveLength(4);
  });

  test('survives look-ups that fail on the way', async () => {
    const { finding } = await verdictOf({
      onFind: (_, response, times) => {
        if (times > 2) return undefined;
        if (times === 1) response.destroy();
        else sendJson(response, 500, { oops: true });
        return answered;
      },
    });
    expect(finding?.verdict).toBe('match');
  });

  test.each([429, 503, 401])(
    'is asked for again, under another trace number, when the service says %i',
    async (status) => {
      const { service, finding } = await verdictOf({
        onAsk: (_, response, times) => {
          if (times > 1) return undefined;
          response.writeHead(status, { 'retry-after': '0' }).end();
          return answered;
        },
      });
      expect(finding?.verdict).toBe('match');
      const traces = service.asked().map((asked) => asked.systemTraceAuditNumber);
      expect(new Set(traces).size).toBe(2);
    },
  );

  test.each([
    [
      'a refused request',
      {
        onAsk: (_: unknown, response: Parameters<typeof sendJson>[0]) => {
          sendJson(response, 400, badRequest);
          return answered;
        },
      },
      'is not served.',
    ],
    [
      'an error message in place of an acceptance',
      {
        acceptance: (asked: { systemTraceAuditNumber: string }) => ({
          systemTraceAuditNumber: asked.systemTraceAuditNumber,
          errorMessage: 'Something went wrong',
        }),
      },
      'Something went wrong',
    ],
    [
      'another request',
      { record: (record: object) => ({ ...record, systemTraceAuditNumber: 'another' }) },
      'another account',
    ],
    [
      'another account',
      { record: (record: object) => ({ ...record, accountNumber: '254799999999' }) },
      'another account',
    ],
    [
      'a code of failure',
      { record: (record: object) => ({ ...record, responseCode: '6', responseDesc: 'Invalid credit account' }) },
      'Invalid credit account',
    ],
    [
      'a result of failure',
      { record: (record: object) => ({ ...record, resultCode: '18', resultDesc: 'Declined' }) },
      'Declined',
    ],
    [
      'a rejection',
      { record: (record: object) => ({ ...record, status: 7, statusDesc: 'Rejected', responseDesc: null }) },
      'Rejected',
    ],
    [
      'a time-out',
      { record: (record: object) => ({ ...record, status: 8, statusDesc: 'Timed Out', responseDesc: null }) },
      'Timed Out',
    ],
    [
      'a failure of no known number',
      {
        record: (record: object) => ({
          ...record,
          status: 5,
          statusDesc: 'Failed',
          responseCode: '6',
          responseDesc: 'No such account',
        }),
      },
      'No such account',
    ],
    ['no name', { record: (record: object) => ({ ...record, transactionCreditParty: null }) }, 'no name'],
    [
      'the number instead of a name',
      { record: (record: object) => ({ ...record, transactionCreditParty: '254712345678' }) },
      'no name',
    ],
    [
      'no final answer',
      { record: (record: Record<string, unknown>) => pending(record) },
      'no final answer in time: Pending',
    ],
    [
      'a status nobody knows',
      { record: (record: object) => ({ ...record, status: 3, statusDesc: 'Queued' }) },
      'no final answer in time: Queued',
    ],
  ])('with %s gives no name, and says why', async (_, habits, reason) => {
    const { finding } = await verdictOf(habits);
    expect(finding).toMatchObject({ verdict: 'not-possible', reason: expect.stringMatching(new RegExp(`${reason}$`)) });
    expect(finding?.reason?.startsWith('no final answer')).toBe(reason.startsWith('no final answer'));
    expect(finding).not.toHaveProperty('holder');
  });

  test.each([
    ['a number that is written otherwise', { accountNumber: '0712345678' }],
    ['a number with a part hidden', { accountNumber: '2547****5678' }],
    ['no number', { accountNumber: null }],
    ['a completion by its description alone', { status: 2, statusDesc: 'Completed' }],
    ['codes with two zeros', { responseCode: '00', resultCode: '00' }],
    ['no codes at all', { responseCode: null, responseDesc: null }],
    ['a status as text', { status: '4', validationType: '1' }],
    ['a status in words alone', { status: 'Completed', statusDesc: null }],
    ['a party of another number', { transactionCreditParty: '254700000000 - JANE WANJIKU' }],
    ['a time without a zone', { createdDate: '2023-08-03T06:01:21.15' }],
  ])('is believed with %s', async (_, changes) => {
    const { finding } = await verdictOf({ record: (record) => ({ ...record, ...changes }) });
    expect(finding).toMatchObject({ verdict: 'match', holder: 'JANE WANJIKU' });
  });
});

const badRequest = {
  type: 'https://tools.ietf.org/html/rfc7231#section-6.5.1',
  title: 'One or more validation errors occurred.',
  status: 400,
  traceId: '0',
  errors: { InstitutionCode: ['The InstitutionCode is not served.'] },
};

describe('verifying ends with a fault', () => {
  test('when nobody listens at the address', async () => {
    expect(await faultOf(verified(await deadUrl(), one))).toMatchObject({ code: 'unreachable', exit: 9 });
  });

  test('when the service throttles for ever', async () => {
    const service = await validationService(
      {},
      {
        onAsk: (_, response) => {
          response.writeHead(429, { 'retry-after': '0' }).end();
          return answered;
        },
      },
    );
    expect(await faultOf(verified(service.url, one))).toMatchObject({ code: 'unreachable', exit: 9 });
    expect(service.asked().length).toBeLessThan(10);
  });

  test('when the client is refused, and nothing more is asked', async () => {
    const { url, arrived } = await serve((request, response) => {
      if (request.path === '/connect/token') return sendJson(response, 200, { access_token: 't', expires_in: 3600 });
      response.writeHead(401).end();
    });
    const rows = sheetOf(
      ...Array.from({ length: 50 }, (_, at) => wallet('Jane', `07123456${String(at).padStart(2, '0')}`)),
    );
    expect(await faultOf(verified(url, rows))).toMatchObject({ code: 'credentials', exit: 4 });
    expect(arrived.filter(({ path }) => path === '/v1/account/validate').length).toBeLessThan(50);
  });

  test('when the permission is missing, and then nothing is tried twice', async () => {
    const { url, arrived } = await serve((request, response) => {
      if (request.path === '/connect/token') return sendJson(response, 200, { access_token: 't', expires_in: 3600 });
      response.writeHead(403).end();
    });
    const fault = await faultOf(verified(url, one));
    expect(fault).toMatchObject({ code: 'permission-missing', exit: 4 });
    expect(fault.message).toContain('may not ask for the holder of an account');
    expect(arrived.filter(({ path }) => path === '/v1/account/validate')).toHaveLength(1);
  });

  test.each([
    ['throttled', 429, 'unreachable', 9],
    ['refused', 401, 'credentials', 4],
    ['forbidden', 403, 'permission-missing', 4],
  ] as const)('when every look-up is %s', async (_, status, code, exit) => {
    const service = await validationService(
      { [JANE]: 'JANE WANJIKU' },
      {
        onFind: (_asked, response) => {
          response.writeHead(status, { 'retry-after': '0' }).end();
          return answered;
        },
      },
    );
    expect(await faultOf(verified(service.url, one))).toMatchObject({ code, exit });
    expect(service.asked()).toHaveLength(1);
  });

  test.each([
    ['interrupted', 130, undefined],
    ['terminated', 143, 'SIGTERM'],
  ] as const)('%s (exit %i) when it is stopped, and tells no verdict', async (code, exit, reason) => {
    const stop = new AbortController();
    const service = await validationService({ [JANE]: 'JANE' }, { record: (record) => pending(record) });
    const rows = sheetOf(wallet('Jane', '0712345678'), wallet('Ali', '0722345678'));
    const ending = faultOf(
      verified(service.url, rows, { signal: stop.signal, polling: { firstMs: 5, maxMs: 5, deadlineMs: 60_000 } }),
    );
    while (service.finds().length === 0) await new Promise((resolve) => setImmediate(resolve));
    stop.abort(reason);
    expect(await ending).toMatchObject({ code, exit });
  });
});
