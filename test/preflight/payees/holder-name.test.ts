import { describe, expect, test } from 'vitest';
import { holderNameOf } from '../../../src/preflight/payees/holder-name.ts';

const PHONE = '+254712345678';

describe('the holder’s name', () => {
  test.each([
    ['JANE WANJIKU', 'JANE WANJIKU'],
    ['254712345678 - JANE WANJIKU', 'JANE WANJIKU'],
    ['+254712345678 - Jane  Wanjiku ', 'Jane Wanjiku'],
    ['254712345678-JANE WANJIKU', 'JANE WANJIKU'],
    ['0712345678 JANE WANJIKU', 'JANE WANJIKU'],
    ['JANE WANJIKU - 254712345678', 'JANE WANJIKU'],
    ['JANE WANJIKU (254712345678)', 'JANE WANJIKU'],
    ['JANE WANJIKU-254712345678', 'JANE WANJIKU'],
    ['254712345678 | JANE WANJIKU', 'JANE WANJIKU'],
    ['2547******78 - J*** W*****', 'J*** W*****'],
    ['***678 - JANE W*****', 'JANE W*****'],
    ['254 712 345 678 - JANE WANJIKU', 'JANE WANJIKU'],
    ['JANE\tWANJIKU\n', 'JANE WANJIKU'],
    ['AL-AMIN HUSSEIN', 'AL-AMIN HUSSEIN'],
    ["PETER NG'ANG'A", "PETER NG'ANG'A"],
    ['DUKA 24 LTD', 'DUKA 24 LTD'],
  ])('in "%s" is "%s"', (text, name) => expect(holderNameOf(text, PHONE)).toBe(name));

  test.each([
    ['0012345678901 - OTIENO TRADERS', '0012345678901', 'OTIENO TRADERS'],
    ['KE12AB - OTIENO TRADERS', 'KE12AB', 'OTIENO TRADERS'],
    ['KES00012345 OTIENO TRADERS', '12345', 'OTIENO TRADERS'],
  ])('in "%s" without the account %s is "%s"', (text, account, name) => {
    expect(holderNameOf(text, account)).toBe(name);
  });

  test.each([
    null,
    undefined,
    '',
    ' ',
    '-',
    '254712345678',
    '254712345678 - ',
    PHONE,
    'null',
    'N/A',
    'NIL',
    'Unknown',
    '******',
    '254712345678 - null',
  ])('is not in %j', (text) => expect(holderNameOf(text, PHONE)).toBeUndefined());

  test('is cut when it is no name any more', () => {
    expect(holderNameOf('JANE '.repeat(1_000), PHONE)).toHaveLength(119);
  });
});
