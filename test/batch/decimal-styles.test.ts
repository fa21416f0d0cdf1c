import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CheckContext } from '../../src/batch/check-context.ts';
import { decimalOf } from '../../src/domain/money.ts';
import type { DecimalMark } from '../../src/domain/number-format.ts';
import { currency } from '../support/amounts.ts';
import { type Check, check } from '../support/sheets/checked-sheet.ts';

const sheet = (amounts: readonly string[], over: Partial<CheckContext> = {}): Promise<Check> =>
  check(
    [
      ['Reference', 'Name', 'Phone', 'Amount'],
      ...amounts.map((amount, at) => [`E-${at}`, `Person ${at}`, `07123${String(at).padStart(5, '0')}`, amount]),
    ],
    over,
  );

/** What each row is paid; undefined where it is not. */
const paid = ({ staged }: Check): readonly (string | undefined)[] =>
  staged.map(({ payout }) => payout && decimalOf(payout.amount));

const SEMICOLONS = { delimiter: ';' };

describe('a column decides as a whole', () => {
  test.each([
    [
      'cents after commas in a file of semicolons',
      ['100,50', '250,00', '12'],
      SEMICOLONS,
      ['100.50', '250.00', '12.00'],
    ],
    ['one amount with both signs', ['1.250,00', '100,50', '1.500'], {}, ['1250.00', '100.50', '1500.00']],
    ['a proof that comes last', ['1.500', '7', '1.250,00'], {}, ['1500.00', '7.00', '1250.00']],
    ['a point before the cents', ['1,500', '100.50'], {}, ['1500.00', '100.50']],
    ['whole shillings', ['1,500/=', '2,500'], {}, ['1500.00', '2500.00']],
    ['the operator', ['1.500', '100,50'], { decimals: 'comma' }, ['1500.00', '100.50']],
    ['the operator, against the file', ['1,500', '12.50'], { ...SEMICOLONS, decimals: 'point' }, ['1500.00', '12.50']],
    [
      'three decimals of a currency that has them',
      ['1,500', '2.000,250'],
      { currency: currency('TND') },
      ['1.500', '2000.250'],
    ],
  ] as const)('by %s', async (_, amounts, over, expected) => {
    const found = await sheet(amounts, over);
    expect(found.codes.filter((code) => code.startsWith('PB-AMOUNT') && code !== 'PB-AMOUNT-UNUSUAL')).toEqual([]);
    expect(paid(found)).toEqual(expected);
  });

  test.each([
    ['nothing proves a sign', ['1.500'], SEMICOLONS, ['PB-AMOUNT-AMBIGUOUS']],
    ['nothing proves a sign in many rows', ['1,500', '2,000', '12,750'], {}, Array(3).fill('PB-AMOUNT-AMBIGUOUS')],
    ['a comma alone is no proof without semicolons', ['100,50', '20'], {}, ['PB-AMOUNT-MARK']],
    ['an amount does not fit the others', ['100,50', '1,500'], SEMICOLONS, ['PB-AMOUNT-MARK', 'PB-AMOUNT-AMBIGUOUS']],
    ['two amounts prove different signs', ['100,50', '100.50'], SEMICOLONS, ['PB-AMOUNT-MARK', 'PB-AMOUNT-STYLES']],
    ['thousands would begin with a zero', ['100.50', '0,500'], {}, ['PB-AMOUNT-AMBIGUOUS']],
    ['the operator says otherwise', ['100.50'], { decimals: 'comma' }, ['PB-AMOUNT-MARK']],
    ['the operator says it of three decimals', ['1.500'], { decimals: 'point' }, ['PB-AMOUNT-AMBIGUOUS']],
    ['commas are both', ['1,500/=', '100,50'], SEMICOLONS, ['PB-AMOUNT-MARK', 'PB-AMOUNT-STYLES']],
  ] as const)('and is refused where %s', async (_, amounts, over, expected) => {
    const { codes } = await sheet(amounts, over);
    expect(codes.filter((code) => code.startsWith('PB-AMOUNT')).toSorted()).toEqual([...expected].toSorted());
  });

  test('a total row is read with the sign of the column', async () => {
    const rows = [
      ['Reference', 'Name', 'Phone', 'Amount'],
      ['E-1', 'Ann Atieno', '0712345678', '1.250,50'],
      ['Total', '', '', '1.250,50'],
    ];
    expect((await check(rows)).codes).toEqual([]);
    const open = [rows[0] ?? [], ['E-1', 'Ann Atieno', '0712345678', '100,50'], ['Total', '', '', '100,50']];
    expect((await check(open, SEMICOLONS)).codes).toEqual([]);
    const wrong = [rows[0] ?? [], ['E-1', 'Ann Atieno', '0712345678', '100,50'], ['Total', '', '', '10,050.00']];
    expect((await check(wrong, SEMICOLONS)).codes).toEqual(['PB-TOTAL-ROW']);
  });

  test('a repaired amount counts like one that was typed so', async () => {
    const { codes } = await sheet(['100.50', "'1.234,50"], { acceptFixes: true });
    expect(codes).toContain('PB-AMOUNT-STYLES');
  });
});

/** What every text says when this sign stands before the cents, in minor units; undefined where one of them says nothing. */
function meaning(texts: readonly string[], mark: DecimalMark): readonly bigint[] | undefined {
  const [cents, thousands] = mark === 'point' ? ['.', ','] : [',', '.'];
  const whole: bigint[] = [];
  for (const text of texts) {
    const [left = '', right = '', ...more] = text.split(cents);
    const groups = left.split(thousands);
    const [first = '', ...rest] = groups;
    const isGrouped = rest.length === 0 || (/^[1-9]\d{0,2}$/.test(first) && rest.every((part) => /^\d{3}$/.test(part)));
    const isNumber = /^\d+$/.test(first) && isGrouped && more.length === 0;
    if (!isNumber || (text.includes(cents) && !/^\d{1,2}0*$/.test(right))) return undefined;
    whole.push(BigInt(groups.join('') + right.slice(0, 2).padEnd(2, '0')));
  }
  return whole;
}

const digits = (least: number, most: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: least, maxLength: most });
const first = fc.integer({ min: 1, max: 999 }).map(String);
/** Texts around every edge between the two ways of writing. */
const amountText = fc.oneof(
  fc.integer({ min: 1, max: 99_999 }).map(String),
  fc.tuple(first, fc.constantFrom('.', ','), digits(1, 4)).map(([left, sign, right]) => left + sign + right),
  fc
    .tuple(first, fc.constantFrom('.', ','), digits(3, 3), fc.constantFrom('.', ','), digits(1, 3))
    .map((parts) => parts.join('')),
);

describe('no sheet is read with two meanings', () => {
  const columns = fc.array(amountText, { minLength: 1, maxLength: 5 });
  const oneWay = fc.constantFrom<DecimalMark>('point', 'comma').chain((mark) =>
    fc.array(
      amountText.filter((text) => meaning([text], mark) !== undefined),
      { minLength: 1, maxLength: 5 },
    ),
  );

  test('what is paid is what one sign says of every row, and no other sign says something else', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(columns, oneWay), fc.boolean(), async (texts, semicolons) => {
        const { staged, checked } = await sheet(texts, semicolons ? SEMICOLONS : {});
        if (checked.errors > 0) return;
        const read = staged.map(({ payout }) => payout?.amount.minor);
        const possible = (['point', 'comma'] as const).flatMap((mark) =>
          [meaning(texts, mark)].filter((all) => all !== undefined),
        );
        expect(possible).toContainEqual(read);
        for (const other of possible) expect(other).toEqual(read);
      }),
      { numRuns: 50 },
    );
  });

  test('rows that can be set aside leave others that all have the same sign', async () => {
    await fc.assert(
      fc.asyncProperty(columns, fc.boolean(), async (texts, semicolons) => {
        const { staged, checked } = await sheet(texts, semicolons ? SEMICOLONS : {});
        if (checked.sheetErrors > 0) return;
        const payable = staged.flatMap(({ payout }, at) =>
          payout ? [{ text: texts[at] ?? '', minor: payout.amount.minor }] : [],
        );
        const said = (mark: DecimalMark) =>
          meaning(
            payable.map(({ text }) => text),
            mark,
          );
        const read = payable.map(({ minor }) => minor);
        expect([said('point'), said('comma')]).toContainEqual(read);
      }),
      { numRuns: 50 },
    );
  });

  test('the order of the rows changes no amount', async () => {
    await fc.assert(
      fc.asyncProperty(columns, fc.boolean(), async (texts, semicolons) => {
        const read = paid(await sheet(texts, semicolons ? SEMICOLONS : {}));
        const turned = paid(await sheet(texts.toReversed(), semicolons ? SEMICOLONS : {}));
        expect(turned.toReversed()).toEqual(read);
      }),
      { numRuns: 30 },
    );
  });

  test('what the operator says is the only sign that is read', async () => {
    await fc.assert(
      fc.asyncProperty(columns, fc.constantFrom<DecimalMark>('point', 'comma'), async (texts, decimals) => {
        for (const [at, amount] of paid(await sheet(texts, { decimals })).entries()) {
          if (amount === undefined) continue;
          expect(meaning([texts[at] ?? ''], decimals)).toEqual([BigInt(amount.replace('.', ''))]);
        }
      }),
      { numRuns: 30 },
    );
  });
});
