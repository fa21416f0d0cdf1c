import { describe, expect, test } from 'vitest';
import { configurationFault } from '../../src/batch/lacked-settings.ts';
import { check } from '../support/sheets/checked-sheet.ts';

const HEADINGS = ['Name', 'Phone', 'Bank code', 'Bank', 'A/C No', 'Till', 'Amount'];
const bank = (at: number) => [`Person ${at}`, '', '68', 'Practice Bank', `00123${at}`, '', '500'];
const till = (at: number, phone = '') => [`Duka ${at}`, phone, '', '', '', `51234${at}`, '500'];
const wallet = ['Jane', '0712345678', '', '', '', '', '900'];

const FILE = '/office/paybatch.config.json';

/** What is told of the configuration for a sheet of these rows. */
async function toldOf(rows: readonly (readonly string[])[], remitter: object) {
  const { checked, issues, staged } = await check([HEADINGS, ...rows], { remitter });
  return { checked, issues, staged, fault: configurationFault(checked.lacked, FILE) };
}

describe('a configuration that does not say who pays', () => {
  const lacking = { name: 'Acme Ltd', phoneNumber: '+254700000000' };

  test('is no error of any row: it is told once, with the settings, the rows and the file', async () => {
    const { checked, issues, fault } = await toldOf([bank(1), wallet, bank(2), bank(3)], lacking);
    expect(issues).toEqual([]);
    expect(checked).toMatchObject({ rows: 4, payable: 4, invalid: 0, errors: 0 });
    expect(fault).toMatchObject({
      code: 'configuration',
      exit: 2,
      message:
        'The configuration does not set remitter.country, remitter.sourceOfFunds, remitter.principalActivity. ' +
        'For 3 rows (Bank account), the order must name the payer.',
      remedy: `Add them to ${FILE}; the sheet needs no change. Nothing was sent.`,
    });
  });

  test('leaves those rows without anything that could be submitted, and the others whole', async () => {
    const { staged } = await toldOf([bank(1), wallet], lacking);
    expect(staged.map(({ payout, draft }) => [payout !== undefined, draft !== undefined])).toEqual([
      [true, false],
      [true, true],
    ]);
  });

  test('needs a phone only for rows that give none, and leaves the choice', async () => {
    const { fault } = await toldOf([till(1), till(2, '0722345678'), till(3)], {});
    expect(fault?.message).toBe(
      'The configuration does not set remitter.phoneNumber. ' +
        '2 rows (Business till) have no phone, so the phone of the remitter is needed instead.',
    );
    expect(fault?.remedy).toContain(`Add it to ${FILE}, or fill in those rows.`);
    expect((await toldOf([till(2, '0722345678')], {})).fault).toBeUndefined();
  });

  test('is told of all kinds at once, and each setting once', async () => {
    const { fault } = await toldOf([bank(1), till(1)], {});
    expect(fault?.message).toContain(
      'For 1 row (Bank account), the order must name the payer. 1 row (Business till) has no phone',
    );
    expect(fault?.message.match(/remitter\.phoneNumber/g)).toHaveLength(1);
  });

  test('does not matter to a sheet that pays no bank, nor to rows that are wrong themselves', async () => {
    expect((await toldOf([wallet], {})).fault).toBeUndefined();
    const wrong = bank(1).with(2, '7');
    expect((await toldOf([wrong], {})).fault).toBeUndefined();
  });
});
