import { describe, expect, test } from 'vitest';
import { accountToAsk, comparedAccount, strictAccount } from '../../src/kinds/account-column.ts';
import { issueMessage } from '../../src/texts/issue-message.ts';
import { currency } from '../support/amounts.ts';
import { viewOf } from '../support/sheets/sheet-rows.ts';

const context = { country: 'KE', currency: currency('KES'), purpose: '' };

describe('an account at a bank or a biller', () => {
  test.each([
    ['1.1023E+12', '.'],
    ['0012_3', '_'],
    ['00123\u0430', '\u0430'],
  ])('"%s" is refused for the character %s, and the message shows it', (text, character) => {
    const reading = strictAccount.read(viewOf(text), context);
    expect(reading).toMatchObject({
      ok: false,
      issue: { code: 'PB-CELL-CHARS', cell: 'A2', parameters: { character } },
    });
    expect(reading.ok ? '' : issueMessage(reading.issue)).toContain(character);
  });

  test('is the same one with and without spaces and hyphens, in capitals and without', () => {
    expect(comparedAccount('00a-23 4/b')).toBe('00A234/B');
  });
});

describe('the account that a service is asked about', () => {
  const ask = (recipient: object, more: object = {}, submission = 'payment-order') =>
    accountToAsk({ submission, line: { recipient: { primaryAccountNumber: 'a-1', ...recipient }, ...more } });

  test('is that of a bank, by its code, of a line that says who pays', () => {
    const bank = { institutionIdentifier: '68', mccmnc: '63902' };
    expect(ask(bank, { remitter: { name: 'Acme' } })).toEqual({ type: 2, account: 'a-1', institutionCode: '68' });
  });

  test('is that of a wallet, by its network', () => {
    expect(ask({ mccmnc: '63902' })).toEqual({ type: 1, account: 'a-1', institutionCode: '63902' });
    expect(ask({ mccmnc: '63902', institutionIdentifier: '' })).toMatchObject({ type: 1 });
  });

  test('is none of a business, of what is no payment order, and of a row without a draft', () => {
    expect(ask({ institutionIdentifier: '512345', mccmnc: '63902' })).toBeUndefined();
    expect(ask({})).toBeUndefined();
    expect(ask({ mccmnc: '63902' }, {}, 'airtime')).toBeUndefined();
    expect(accountToAsk(undefined)).toBeUndefined();
  });
});
