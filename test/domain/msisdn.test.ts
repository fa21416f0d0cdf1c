import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maskedPhone, parseMsisdn } from '../../src/domain/msisdn.ts';

describe('a mobile number', () => {
  test.each([
    ['KE', '0712345678', '+254712345678'],
    ['KE', '0712 345 678', '+254712345678'],
    ['KE', ' 0712-345-678 ', '+254712345678'],
    ['KE', '0712.345.678', '+254712345678'],
    ['KE', '(0712) 345678', '+254712345678'],
    ['KE', '0712\u00a0345\u00a0678', '+254712345678'],
    ['KE', '+254712345678', '+254712345678'],
    ['KE', '+254 712 345 678', '+254712345678'],
    ['KE', '+254 (0) 712 345 678', '+254712345678'],
    ['KE', '254712345678', '+254712345678'],
    ['KE', '00254712345678', '+254712345678'],
    ['KE', '712345678', '+254712345678'],
    ['KE', '0110123456', '+254110123456'],
    ['KE', '0101234567', '+254101234567'],
    ['KE', '110123456', '+254110123456'],
    ['KE', '0119999999', '+254119999999'],
    ['KE', '0100000000', '+254100000000'],
    ['UG', '0772123456', '+256772123456'],
    ['UG', '772123456', '+256772123456'],
    ['UG', '256772123456', '+256772123456'],
    ['UG', '+256 701 234 567', '+256701234567'],
    ['UG', '00256772123456', '+256772123456'],
    ['TZ', '0754123456', '+255754123456'],
    ['TZ', '754123456', '+255754123456'],
    ['TZ', '255754123456', '+255754123456'],
    ['TZ', '+255-754-123-456', '+255754123456'],
    ['KE', '07 12 34 56 78', '+254712345678'],
    ['KE', '+254 (0)712 345 679', '+254712345679'],
    ['KE', '(0712) 345671', '+254712345671'],
    ['KE', '0712/345673', '+254712345673'],
    ['KE', '0712.345.672', '+254712345672'],
    ['KE', '0712.345.000', '+254712345000'],
    ['KE', '(0712345678)', '+254712345678'],
    ['KE', '+254 (712 345 678)', '+254712345678'],
    // What a program leaves of a whole number that it held as a float.
    ['KE', '712345676.00', '+254712345676'],
    ['KE', '0712345676.0', '+254712345676'],
    ['KE', '254712345676.0', '+254712345676'],
    ['KE', '0712 345 676.00', '+254712345676'],
    ['UG', '772123456.0', '+256772123456'],
  ])('of %s may be written "%s"', (country, text, msisdn) => {
    const parsed = parseMsisdn(text, country);
    expect(parsed).toMatchObject({ ok: true, msisdn, country });
    expect(parsed.ok && parsed.national).toBe(msisdn.slice(4));
  });

  test.each([
    ['KE', '', 'missing'],
    ['KE', '   ', 'missing'],
    ['KE', '071234567', 'length'],
    ['KE', '07123456789', 'length'],
    ['KE', '2547123456789', 'length'],
    ['KE', '7', 'length'],
    ['KE', '0712345678/0733111222', 'length'],
    ['KE', '0190123456', 'length'],
    ['KE', '0612345678', 'landline'],
    ['KE', '000712345678', 'length'],
    ['KE', '71234560.0', 'length'],
    ['KE', '71234560.00', 'length'],
    ['KE', '25471234560.0', 'length'],
    ['KE', '071234560.0', 'length'],
    ['KE', '0712 345 6.00', 'stray'],
    // Longer than anybody writes a number: not looked at closely, because that takes seconds.
    ['KE', `0712 345 678${' '.repeat(100)}/1`, 'length'],
    ['UG', '77212345.0', 'length'],
    ['KE', '071234560 (1)', 'stray'],
    ['KE', '071234560(1)', 'stray'],
    ['KE', '07123456 (01)', 'stray'],
    ['KE', '071234560 (1', 'stray'],
    ['KE', '+25471234560 (1)', 'stray'],
    ['KE', '071234560/1', 'stray'],
    ['KE', '071234560-1', 'stray'],
    ['KE', '071234560.1', 'stray'],
    ['KE', '071234560 1', 'stray'],
    ['KE', '071234560 / 1.', 'stray'],
    ['KE', '0712 345 67.0', 'length'],
    ['UG', '077212345/6', 'stray'],
    ['TZ', '075412345 (6)', 'stray'],
    ['KE', '7.12345678E8', 'shortened'],
    ['KE', '7.12E+08', 'shortened'],
    ['KE', '2,547E+11', 'shortened'],
    ['KE', '7e8', 'shortened'],
    ['KE', '071234567O', 'characters'],
    ['KE', 'O712345678', 'characters'],
    ['KE', '07l2345678', 'characters'],
    ['KE', '0712345678, 0733111222', 'characters'],
    ['KE', '0712345678 or 0733', 'characters'],
    ['KE', '0712345678x5', 'characters'],
    ['KE', '0712345678;ext=5', 'characters'],
    ['KE', '0712345678#', 'characters'],
    ['KE', '٠٧١٢٣٤٥٦٧٨', 'characters'],
    ['KE', '０７１２３４５６７８', 'characters'],
    ['KE', '0712\u200b345678', 'characters'],
    ['KE', '0712\t345678', 'characters'],
    ['KE', '+254+712345678', 'characters'],
    ['KE', '0202345678', 'landline'],
    ['KE', '+254202345678', 'landline'],
    ['KE', '+256772123456', 'country'],
    ['KE', '+255754123456', 'country'],
    ['KE', '+14155552671', 'country'],
    ['KE', '00256772123456', 'country'],
    // Without its plus: the number of a neighbour is whole, and not too long.
    ['KE', '255754123456', 'country'],
    ['KE', '256772123456', 'country'],
    ['UG', '254712345678', 'country'],
    ['TZ', '256 772 123 456', 'country'],
    ['KE', '79123456789', 'length'],
    ['UG', '+254712345678', 'country'],
    ['UG', '0414123456', 'landline'],
    ['UG', '077212345', 'length'],
    ['TZ', '0222123456', 'landline'],
    ['TZ', '07541234567', 'length'],
    ['XX', '0712345678', 'country'],
  ])('in %s "%s" is refused: %s', (country, text, problem) => {
    expect(parseMsisdn(text, country)).toMatchObject({ ok: false, problem });
  });

  test('keeps the code of the country that it says it is from', () => {
    for (const text of ['+712345678', '00712345678', '+0712345678', '+110123456', '+101234567']) {
      expect(parseMsisdn(text, 'KE'), text).toMatchObject({ ok: false });
    }
  });

  test('names the character that cannot be there', () => {
    expect(parseMsisdn('071234567O', 'KE')).toMatchObject({ part: 'O', digits: 9 });
    expect(parseMsisdn('0712 345 67８', 'KE')).toMatchObject({ part: '８' });
  });

  test('that was accepted holds exactly the digits that were typed', () => {
    const typed = fc.stringMatching(/^\+?[0-9 .()-]{5,16}$/);
    fc.assert(
      fc.property(typed, fc.constantFrom('KE', 'UG', 'TZ', 'RW'), (text, country) => {
        const parsed = parseMsisdn(text, country);
        if (!parsed.ok) return;
        const digits = text.replace(/^([^.]*)\.0+$/, '$1').replace(/\D/g, '');
        expect(digits.endsWith(parsed.national)).toBe(true);
        expect(digits.slice(0, -parsed.national.length)).toMatch(/^(?:00)?(?:25[0-6])?0?$/);
      }),
      { numRuns: 2000 },
    );
  });

  test('that lacks a digit is never completed by what stands behind it', () => {
    const short = fc.stringMatching(/^(?:\+?254|0)?[17][0-9]{7}$/);
    const behind = fc.constantFrom('.0', '.00', ' (1)', '(1)', ' (01)', '/1', '-1', ' 1', '.1', ' / 1', ' (1');
    fc.assert(
      fc.property(short, behind, (number, mark) => {
        expect(parseMsisdn(number + mark, 'KE')).toMatchObject({ ok: false });
      }),
    );
  });

  test('of Kenya is accepted on both ways of reading it, or on neither', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[17][0-9]{8}$/), (national) => {
        const forms = [`0${national}`, national, `254${national}`, `+254${national}`, `00254${national}`];
        const read = forms.map((form) => parseMsisdn(form, 'KE'));
        expect(new Set(read.map((parsed) => (parsed.ok ? parsed.msisdn : 'refused'))).size).toBe(1);
      }),
    );
  });
});

describe('a phone number in a log', () => {
  test.each([
    ['+254712345678', '+2547•••••678'],
    ['call 0712345678 now', 'call 0712•••678 now'],
    ['1234567', '1234567'],
    ['0712345678,0733111222', '0712•••678,0733•••222'],
    ['no digits', 'no digits'],
  ])('"%s" is shown as "%s"', (text, masked) => expect(maskedPhone(text)).toBe(masked));
});
