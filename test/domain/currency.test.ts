import { expect, test } from 'vitest';
import { currencyOrFault } from '../../src/domain/currency.ts';
import { Fault } from '../../src/domain/fault.ts';

function refused(code: string): Fault {
  try {
    currencyOrFault(code);
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  throw new Error(`${code} is a currency`);
}

test.each(['KES', 'kes', ' KES '])('"%s" is the currency of Kenya', (code) => {
  expect(currencyOrFault(code)).toMatchObject({ code: 'KES', exponent: 2 });
});

test.each([
  ['KSHS', 'KES'],
  [' ksh ', 'KES'],
  ['Sh', 'KES'],
  ['USHS', 'UGX'],
  ['ush', 'UGX'],
  ['TSHS', 'TZS'],
  ['tsh', 'TZS'],
])('"%s" is what people write for %s, and no code', (code, meant) => {
  expect(refused(code)).toMatchObject({
    code: 'configuration',
    message: `"${code}" is not a currency.`,
    remedy: `Did you mean ${meant}? Nothing was sent.`,
  });
});

test('what nobody means is told with the currencies of the countries that are served', () => {
  const { message, remedy } = refused('Q'.repeat(60));
  expect(message).toBe(`"${'Q'.repeat(40)}" is not a currency.`);
  for (const code of ['KES', 'UGX', 'TZS', 'RWF', 'ETB', 'USD']) expect(remedy).toContain(code);
  expect(remedy).toMatch(/ Nothing was sent\.$/);
});
