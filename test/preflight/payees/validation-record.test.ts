import { describe, expect, test } from 'vitest';
import { finalWordOf } from '../../../src/preflight/payees/ask-holder.ts';
import type { AccountValidationRecord } from '../../../src/service/contract/account-validation.ts';

const asked = { account: '+254712345678', trace: 'trace-1' };
const completed = {
  systemTraceAuditNumber: 'trace-1',
  accountNumber: '254712345678',
  status: 4,
  statusDesc: 'Completed',
  responseCode: '0',
  responseDesc: 'Success',
  resultCode: '0',
  resultDesc: 'Found',
} as AccountValidationRecord;

/** `good`, the reason why not, or undefined while there is no final word. */
function wordOf(changes: Partial<Record<keyof AccountValidationRecord, unknown>>, of = asked): string | undefined {
  const word = finalWordOf({ ...completed, ...changes } as AccountValidationRecord, of);
  return word && (word.good ? 'good' : word.reason);
}

describe('a record', () => {
  test.each([
    ['4', 'Completed'],
    [4, null],
    [2, 'Completed'],
    [2, ' complete '],
    [2, 'SUCCESS'],
    [2, 'Successful'],
    ['Success', null],
  ])('is good with the status %o and the words %o', (status, statusDesc) => {
    expect(wordOf({ status, statusDesc })).toBe('good');
  });

  test.each([
    [0, 'Pending'],
    [1, 'Queued'],
    [2, 'Successfully queued'],
    [2, 'Not completed'],
    [0, 'Failed'],
    [0, 'Completed'],
  ])('is no final word with the status %o and the words %o', (status, statusDesc) => {
    expect(wordOf({ status, statusDesc })).toBeUndefined();
  });

  test.each([
    [7, 'Odd'],
    [8, 'Odd'],
    [5, 'It failed'],
    [5, 'Rejected'],
    [5, 'was DECLINED'],
    [5, 'Cancelled'],
    [5, 'Invalid account'],
    [5, 'Timed out'],
    [5, 'time out'],
    [5, 'timeout'],
    [5, 'times out'],
    [5, 'Account not found'],
    ['Failed', null],
  ])('has failed with the status %o and the words %o', (status, statusDesc) => {
    expect(wordOf({ status, statusDesc, resultDesc: 'No such account' })).toBe('No such account');
  });

  test.each([
    ['0', '00'],
    ['00', ' 0 '],
    [null, '0'],
    ['', ' '],
    [undefined, undefined],
  ])('that is completed is good with the codes %o and %o', (responseCode, resultCode) => {
    expect(wordOf({ responseCode, resultCode })).toBe('good');
  });

  test.each([
    ['6', '0', 'of the response'],
    ['0', '18', 'of the result'],
    ['6', '18', 'of the result'],
    ['000', null, 'of the response'],
    ['10', '0', 'of the response'],
    ['05', '0', 'of the response'],
  ])('that is completed is not with the codes %o and %o, and tells the words %s', (responseCode, resultCode, words) => {
    const told = { responseDesc: 'of the response', resultDesc: 'of the result' };
    expect(wordOf({ responseCode, resultCode, ...told })).toBe(words);
  });

  test.each([
    [{ responseDesc: 'of the response', resultDesc: 'of the result' }, 'of the result'],
    [{ responseDesc: 'of the response', resultDesc: null }, 'of the response'],
    [{ responseDesc: null, resultDesc: '' }, 'Odd'],
    [{ responseDesc: null, resultDesc: null, statusDesc: null }, 'status 7'],
    [{ resultDesc: ' no\n\tsuch\u0007  account ' }, 'no such account'],
  ])('that has failed gives the nearest words that it has: %o', (told, words) => {
    expect(wordOf({ status: 7, statusDesc: 'Odd', responseCode: '0', resultCode: '0', ...told })).toBe(words);
  });
});

describe('a record of another request or account', () => {
  const ANOTHER = 'the service answered about another account';

  test.each(['254799999999', '0712345679', '712345', '2547123456789', 'ke-12345'])(
    'is believed in nothing: %s',
    (accountNumber) => expect(wordOf({ accountNumber })).toBe(ANOTHER),
  );

  test('is told by its trace number, whatever it says of the account', () => {
    expect(wordOf({ systemTraceAuditNumber: 'trace-2' })).toBe(ANOTHER);
  });

  test.each(['+254 712-345-678', '0712345678', '45678', '2547****5678', '1234', '', null, '000254712345678'])(
    'is none with the account as it may come back: %o',
    (accountNumber) => {
      expect(wordOf({ accountNumber })).toBe('good');
    },
  );

  test('is told by letters in any case, and not by zeros in front', () => {
    expect(wordOf({ accountNumber: '00ab-12345' }, { ...asked, account: 'AB12345' })).toBe('good');
    expect(wordOf({ accountNumber: 'ac12345' }, { ...asked, account: 'AB12345' })).toBe(ANOTHER);
  });
});
