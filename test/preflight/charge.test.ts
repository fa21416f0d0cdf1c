import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Fault } from '../../src/domain/fault.ts';
import type { Money } from '../../src/domain/money.ts';
import { chargeOf, edgeSaving, scaleOf } from '../../src/preflight/charge.ts';
import { chargeRecordOf, rails } from '../../src/sandbox/catalogue.ts';
import { type ChargeRecord, fetchCharges } from '../../src/service/contract/charges.ts';
import { amountIn, currency } from '../support/amounts.ts';

type Band = readonly [lower: number, upper: number, charge: number];

/** A record with these bands, and whatever else a test says. */
const recordOf = (bands: readonly Band[], over: Partial<ChargeRecord> = {}): ChargeRecord => ({
  name: 'Mobile wallet',
  graduatedScaleList: bands.map(([rangeLowerLimit, rangeUpperLimit, value]) => ({
    rangeLowerLimit,
    rangeUpperLimit,
    value,
  })),
  ...over,
});

const scale = (bands: readonly Band[], over?: Partial<ChargeRecord>, code = 'KES') =>
  scaleOf(recordOf(bands, over), currency(code).code);

function faultOf(run: () => unknown): Fault {
  try {
    run();
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  throw new Error('there was no fault');
}

const ordinary: readonly Band[] = [
  [0.01, 100, 0],
  [100.01, 1500, 5],
  [1500.01, 5000, 22.5],
];

test('charges that a service writes as text are those numbers', () => {
  const reply = {
    name: 'Mobile wallet',
    minimumCharge: '0',
    maximumCharge: '22.50',
    graduatedScaleList: [
      { value: '0.00', rangeLowerLimit: '0.01', rangeUpperLimit: '100' },
      { value: '22.5', rangeLowerLimit: 100.01, rangeUpperLimit: '5000.00' },
    ],
  };
  const read = scaleOf(fetchCharges.reply.parse(reply), currency('KES').code);
  expect(chargeOf(read, amountIn('100'))).toEqual(amountIn('0'));
  expect(chargeOf(read, amountIn('5000'))).toEqual(amountIn('22.50'));
  for (const value of ['free', '', '-5', '1,500', '1e3', '12345678901234567.50', null]) {
    const odd = { ...reply, graduatedScaleList: [{ value, rangeLowerLimit: 1, rangeUpperLimit: 2 }] };
    expect(fetchCharges.reply.safeParse(odd).success, String(value)).toBe(false);
  }
});

describe('the charge of an amount', () => {
  test.each([
    ['0.01', '0'],
    ['100', '0'],
    ['100.01', '5'],
    ['1500', '5'],
    ['1500.01', '22.50'],
    ['5000', '22.50'],
  ])('of %s is %s: a band holds both of its limits', (amount, charge) => {
    expect(chargeOf(scale(ordinary), amountIn(amount))).toEqual(amountIn(charge));
  });

  test('does not depend on the order in which the bands come', () => {
    for (const bands of [ordinary, ordinary.toReversed()]) {
      expect(chargeOf(scale(bands), amountIn('1500.01'))).toEqual(amountIn('22.50'));
    }
  });

  test.each<[string, readonly Band[], string]>([
    ['above the last band', ordinary, '5000.01'],
    ['below the first band', [[10, 100, 5]], '9.99'],
    [
      'between two bands that are more than one unit apart',
      [
        [1, 100, 0],
        [101.01, 1500, 5],
      ],
      '100.50',
    ],
    [
      'below a scale in whole units',
      [
        [1, 100, 0],
        [101, 1500, 5],
      ],
      '0.50',
    ],
    [
      'above a scale in whole units',
      [
        [1, 100, 0],
        [101, 1500, 5],
      ],
      '1500.50',
    ],
    [
      'at the edge that two bands with different charges share',
      [
        [1, 100, 0],
        [100, 1500, 5],
      ],
      '100',
    ],
    [
      'in two bands with different charges',
      [
        [1, 1000, 5],
        [500, 2000, 9],
      ],
      '700',
    ],
  ])('%s is a fault and never zero', (_, bands, amount) => {
    const fault = faultOf(() => chargeOf(scale(bands), amountIn(amount)));
    expect(fault).toMatchObject({ code: 'charges-unusable', exit: 5 });
    expect(fault.message).toContain(`KES ${amountIn(amount).minor / 100n}`.replace(/\B(?=(\d{3})+$)/g, ','));
  });

  test.each<[string, readonly Band[], string, string]>([
    [
      'in two bands with the same charge',
      [
        [1, 1000, 5],
        [500, 2000, 5],
      ],
      '700',
      '5',
    ],
    [
      'beside a gap',
      [
        [1, 100, 0],
        [101, 1500, 5],
      ],
      '101',
      '5',
    ],
    [
      'beside an overlap',
      [
        [1, 1000, 5],
        [500, 2000, 9],
      ],
      '499.99',
      '5',
    ],
    ['in a band of one amount', [[50, 50, 7]], '50', '7'],
    [
      'beside the edge of a band in whole units',
      [
        [1, 100, 0],
        [101, 1500, 5],
      ],
      '100',
      '0',
    ],
  ])('%s is the charge of its band', (_, bands, amount, charge) => {
    expect(chargeOf(scale(bands), amountIn(amount))).toEqual(amountIn(charge));
  });

  test.each<[string, string, readonly Band[]]>([
    [
      '5',
      '100.50',
      [
        [1, 100, 0],
        [101, 500, 5],
        [501, 1000, 9],
      ],
    ],
    [
      '5',
      '100.01',
      [
        [1, 100, 0],
        [101, 500, 5],
        [501, 1000, 9],
      ],
    ],
    [
      '9',
      '500.99',
      [
        [1, 100, 0],
        [101, 500, 5],
        [501, 1000, 9],
      ],
    ],
    [
      '7',
      '100.50',
      [
        [1, 100, 7],
        [101, 500, 5],
      ],
    ],
    [
      '5',
      '100.50',
      [
        [101, 500, 5],
        [1, 100, 0],
      ],
    ],
    [
      '6',
      '100.50',
      [
        [1, 100, 0],
        [50, 100, 0],
        [101, 500, 5],
        [101, 300, 6],
      ],
    ],
    [
      '5',
      '100.995',
      [
        [1, 100.99, 0],
        [101, 500, 5],
      ],
    ],
  ])('is %s at %s between two bands in whole units: that of the dearer neighbour', (charge, amount, bands) => {
    const code = amount.length > 6 ? 'KWD' : 'KES';
    expect(chargeOf(scale(bands, {}, code), amountIn(amount, code))).toEqual(amountIn(charge, code));
  });

  test('is what the practice service charges, for every rail and amount', () => {
    for (const rail of rails) {
      const own = scaleOf(chargeRecordOf(rail.scale) as ChargeRecord, rail.scale.currency);
      for (const band of rail.scale.bands) {
        for (const minor of [band.from, band.to, (band.from + band.to) / 2n]) {
          expect(chargeOf(own, { minor, currency: rail.scale.currency }).minor).toBe(band.charge);
        }
      }
      const last = rail.scale.bands.at(-1)?.to ?? 0n;
      expect(() => chargeOf(own, { minor: last + 1n, currency: rail.scale.currency })).toThrow(Fault);
    }
  });
});

describe('a charge record that cannot be used', () => {
  test.each<[string, readonly Band[], Partial<ChargeRecord>]>([
    ['holds no bands', [], {}],
    ['has a band that ends before it begins', [[100, 1, 5]], {}],
    ['has more decimals than the currency', [[1, 100, 5.005]], {}],
    ['has limits with more decimals than the currency', [[1, 100.001, 5]], {}],
    ['has a negative charge', [[1, 100, -5]], {}],
    ['has a negative limit', [[-1, 100, 5]], {}],
    ['has a charge that is no number', [[1, 100, Number.NaN]], {}],
    ['has an endless limit', [[1, Number.POSITIVE_INFINITY, 5]], {}],
    ['has a charge below its minimum', [[1, 100, 5]], { minimumCharge: 6 }],
    ['has a charge above its maximum', [[1, 100, 5]], { maximumCharge: 4.99 }],
    ['has a minimum that cannot be read', [[1, 100, 5]], { minimumCharge: 0.001 }],
    ['is in another currency', [[1, 100, 5]], { currencyName: 'UGX' }],
    ['is in another currency, in small letters', [[1, 100, 5]], { currencyName: ' ugx ' }],
  ])('%s', (_, bands, over) => {
    const fault = faultOf(() => scale(bands, over));
    expect(fault).toMatchObject({ code: 'charges-unusable', exit: 5 });
    expect(fault.message).toContain('Mobile wallet');
    expect(fault.remedy).toBe(
      'Ask the provider to correct the charges of this route; nothing is sent on a guessed charge.',
    );
  });

  test.each<[string, readonly Band[], Partial<ChargeRecord>]>([
    ['are empty', [], {}],
    ['have a band that ends before it begins', [[100, 1, 5]], {}],
    ['have an unusable charge: 5.005', [[1, 100, 5.005]], {}],
    ['have an unusable lower limit: -1', [[-1, 100, 5]], {}],
    ['have an unusable upper limit: 100.001', [[1, 100.001, 5]], {}],
    ['have an unusable minimum: 0.001', [[1, 100, 5]], { minimumCharge: 0.001 }],
    ['have an unusable maximum: -1', [[1, 100, 5]], { maximumCharge: -1 }],
    ['have a charge of 5 outside their own minimum and maximum', [[1, 100, 5]], { maximumCharge: 4.99 }],
    ['are in UGX, not KES', [[1, 100, 5]], { currencyName: 'UGX' }],
  ])('is told by what is wrong with it: they %s', (words, bands, over) => {
    expect(faultOf(() => scale(bands, over)).message).toBe(`The charges of Mobile wallet ${words}.`);
    expect(faultOf(() => scale(bands, { ...over, name: null })).message).toBe(`The charges of the route ${words}.`);
  });

  test('is told by the amount that it cannot charge', () => {
    expect(faultOf(() => chargeOf(scale(ordinary), amountIn('5000.01'))).message).toBe(
      'No charge band holds KES 5,000.01; the scale has a gap there or ends before it.',
    );
    const shared = scale([
      [1, 100, 0],
      [100, 1500, 5],
    ]);
    expect(faultOf(() => chargeOf(shared, amountIn('100'))).message).toBe(
      'Two charge bands with different charges hold KES 100.00.',
    );
  });

  test('is none of these', () => {
    const over = { minimumCharge: 0, maximumCharge: 22.5, currencyName: 'KES' };
    for (const more of [over, { currencyName: 'Kenyan shilling' }, { currencyName: null, minimumCharge: null }, {}]) {
      expect(scale(ordinary, more).bands).toHaveLength(3);
    }
    expect(chargeOf(scale([[1, 5000, 100]], {}, 'UGX'), amountIn('5000', 'UGX'))).toEqual(amountIn('100', 'UGX'));
    expect(faultOf(() => scale([[1, 5000, 100.5]], {}, 'UGX')).code).toBe('charges-unusable');
  });
});

describe('what is saved just below a band edge', () => {
  test.each([
    ['100.01', '5'],
    ['102.04', '5'],
    ['1500.01', '17.50'],
    ['1530', '17.50'],
    ['102.05', undefined],
    ['1531', undefined],
    ['100', undefined],
    ['50', undefined],
    ['5000', undefined],
    ['9000', undefined],
  ])('of %s is %s', (amount, saving) => {
    expect(edgeSaving(scale(ordinary), amountIn(amount))).toEqual(saving === undefined ? undefined : amountIn(saving));
  });

  test.each([
    ['50', '5'],
    ['50.01', undefined],
  ])('ends at a fiftieth of the amount: %s saves %s', (amount, saving) => {
    const own = scale([
      [1, 49, 0],
      [49.01, 1500, 5],
    ]);
    expect(edgeSaving(own, amountIn(amount))).toEqual(saving === undefined ? undefined : amountIn(saving));
  });

  test('is nothing where the charge falls or stays', () => {
    expect(
      edgeSaving(
        scale([
          [1, 100, 5],
          [101, 200, 5],
        ]),
        amountIn('101'),
      ),
    ).toBeUndefined();
    expect(
      edgeSaving(
        scale([
          [1, 100, 9],
          [101, 200, 5],
        ]),
        amountIn('101'),
      ),
    ).toBeUndefined();
  });

  test('is the difference of the two charges whenever there is one', () => {
    const own = scale(ordinary);
    fc.assert(
      fc.property(fc.bigInt({ min: 10_001n, max: 500_000n }), (minor) => {
        const amount: Money = { minor, currency: own.currency };
        const saving = edgeSaving(own, amount);
        const edge = minor > 150_000n ? 150_000n : 10_000n;
        const isNear = (minor - edge) * 50n <= minor;
        const difference = chargeOf(own, amount).minor - chargeOf(own, { ...amount, minor: edge }).minor;
        expect(saving?.minor).toBe(isNear ? difference : undefined);
      }),
    );
  });
});
