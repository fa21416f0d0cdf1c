import { describe, expect, test } from 'vitest';
import { issueMessage } from '../../src/domain/issue.ts';
import { check } from '../support/checked-sheet.ts';

const HEADINGS = ['Name', 'Phone', 'Bank code', 'Bank', 'A/C No', 'Amount'];
const bank = (at: number) => [`Person ${at}`, '', '68', 'Practice Bank', `00123${at}`, '500'];
const wallet = ['Jane', '0712345678', '', '', '', '900'];

describe('a configuration that does not say who pays', () => {
  test('is told once for all rows that go to banks, and nothing set aside lets them through', async () => {
    const lacking = { remitter: { name: 'Acme Ltd', phoneNumber: '+254700000000' } };
    const { checked, issues } = await check([HEADINGS, bank(1), wallet, bank(2), bank(3)], lacking);
    expect(issues.map(({ code, cell }) => [code, cell])).toEqual([['PB-REMITTER', 'C2']]);
    const [found] = issues;
    expect(found && issueMessage(found)).toBe(
      'A bank must be told who pays (3 rows here), and the configuration does not say ' +
        'remitter.country, remitter.sourceOfFunds, remitter.principalActivity.',
    );
    expect(checked).toMatchObject({ rows: 4, payable: 1, invalid: 3, sheetErrors: 1, errors: 1 });
  });

  test('does not matter to a sheet that pays no bank', async () => {
    expect((await check([HEADINGS, wallet], { remitter: {} })).checked).toMatchObject({ payable: 1, errors: 0 });
  });
});
