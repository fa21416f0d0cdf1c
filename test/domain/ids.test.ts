import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type AttemptIdentity,
  type BatchKey,
  batchIdOf,
  ContentFingerprint,
  comparedBatchName,
  contentBatchKey,
  freshTraceNumber,
  madeUpOrderId,
  namedBatchKey,
  orderIdOf,
  type RowIdentity,
  type RowKey,
  rowKeyOf,
  sha256,
  traceNumberOf,
} from '../../src/domain/ids.ts';
import { InvariantError } from '../../src/domain/invariant.ts';

interface NamedRow extends RowIdentity {
  readonly name: string;
}

const jane: NamedRow = {
  reference: 'EMP-001',
  payee: 'wallet|+254712345678',
  amountMinor: 1_500_000n,
  currency: 'KES',
  name: 'Jane Wanjiku',
};
const anonymous: NamedRow = {
  payee: 'wallet|+254712345678',
  amountMinor: 1_500_000n,
  currency: 'KES',
  name: 'Jane Wanjiku',
};
const sheet: readonly NamedRow[] = [
  jane,
  { payee: 'till|512345', amountMinor: 250_000n, currency: 'KES', name: 'Mama Mboga Ltd' },
  { payee: 'paybill|400200|0012345', amountMinor: 320_000n, currency: 'KES', name: 'Nairobi Water' },
];

function fingerprintOf(rows: readonly NamedRow[]): string {
  const fingerprint = new ContentFingerprint();
  for (const row of rows) fingerprint.add(row, row.name);
  return fingerprint.value();
}

const KEY: BatchKey = contentBatchKey('581f5e13c583b9ef34ee5433b401286711e7a49ce89fbd5fc95508de43dc796b');
const NAMED: BatchKey = namedBatchKey('salaries-2026-11');
const first: AttemptIdentity = { namespace: 'acme', batchKey: KEY, attempt: 1 };
const row = rowKeyOf(jane, 1);

/** These were worked out by another program from the text of the rule. They are promises: paid rows have these ids. */
describe('identities of version PB2 stay what they are', () => {
  test.each([
    ['a reference', jane, 1, '816390dd888899ab688ef8c94b63e6174f57d915dfb582b8adb528f8c5b70ecd'],
    ['no reference', anonymous, 1, '9a29125b9b5ad306dce1054e5fe1c9cbdbef624d624b6d0be7cc6cae2a57df21'],
    ['no reference, the second time', anonymous, 2, '341e2545b6207052600d2fafa5b29f66337276d4266955b900988fb308a5bfd3'],
    [
      'a reference beyond ASCII',
      { ...jane, reference: 'Maaş-№7 é' },
      1,
      'd1ad18ef74b9e156d585d77db29adc877dc7537afcf798154b473a4f70638a5a',
    ],
  ])('the key of a row with %s', (_, row, occurrence, key) => {
    expect(rowKeyOf(row, occurrence)).toBe(key);
  });

  test('the fingerprint of a sheet, its batch key and its batch id', () => {
    expect(fingerprintOf(sheet)).toBe('581f5e13c583b9ef34ee5433b401286711e7a49ce89fbd5fc95508de43dc796b');
    expect(fingerprintOf([])).toBe('78a02476616dac88f3634ab3fb7a401124dfad250dd2e1122cd088a0dc6bc4b2');
    expect(batchIdOf(KEY)).toBe('v27vmqjm');
    expect(batchIdOf(NAMED)).toBe('salaries-2026-11');
  });

  test('the ids of orders and the trace numbers of their lines', () => {
    const second = rowKeyOf(anonymous, 1);
    const named = { namespace: 'acme', batchKey: NAMED, attempt: 1 };
    expect(orderIdOf(first, row)).toBe('b2d1942f-6f3c-83a1-9f8e-41e34a0015fe');
    expect(orderIdOf(named, second)).toBe('ddf9236e-30bc-8b64-87b5-b10ba2f00261');
    expect(orderIdOf({ ...named, attempt: 2 }, second)).toBe('310437cb-e658-8216-896c-84655a870851');
    expect(traceNumberOf(first, row)).toBe('4452ed61-2d43-8af0-baa6-df2d15898289');
    expect(traceNumberOf({ ...named, attempt: 2 }, second)).toBe('36a858c8-c1ae-862e-b0e7-6657ebce9b4a');
    expect(madeUpOrderId(() => 0.5)).toBe('a97b44e9-d23e-8d4d-8017-405a7bcd77c9');
  });

  test('ids that are made for one occasion take all of their chance', () => {
    for (const make of [madeUpOrderId, freshTraceNumber]) {
      const ids = new Set<string>();
      for (let differs = 0; differs <= 4; differs += 1) {
        let asked = 0;
        ids.add(make(() => (asked++ === differs ? 0.25 : 0.5)));
        expect(asked).toBe(4);
      }
      expect(ids.size).toBe(5);
    }
    expect(freshTraceNumber(() => 0.5)).not.toBe(madeUpOrderId(() => 0.5));
    expect(freshTraceNumber(() => 0.5)).toMatch(UUID_V8);
  });

  test('SHA-256 of a text and of its bytes is the one of the standard', () => {
    const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
    expect(sha256('')).toBe(empty);
    expect(sha256(new Uint8Array())).toBe(empty);
    expect(sha256('é')).toBe(sha256(new TextEncoder().encode('é')));
  });
});

const UUID_V8 = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const anyRow: fc.Arbitrary<NamedRow> = fc.record(
  {
    reference: fc.string({ minLength: 1 }),
    payee: fc.string(),
    amountMinor: fc.bigInt({ min: 1n, max: 10n ** 15n }),
    currency: fc.constantFrom('KES', 'UGX'),
    name: fc.string(),
  },
  { requiredKeys: ['payee', 'amountMinor', 'currency', 'name'] },
);

describe('order ids and trace numbers', () => {
  test('are UUIDs of version 8 and the RFC variant, whatever they are made from', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), anyRow, fc.integer({ min: 1, max: 9 }), (namespace, name, row, attempt) => {
        const key = rowKeyOf(row, 1);
        const identity = { namespace, batchKey: namedBatchKey(name), attempt };
        expect(orderIdOf(identity, key)).toMatch(UUID_V8);
        expect(traceNumberOf(identity, key)).toMatch(UUID_V8);
        expect(traceNumberOf(identity, key)).not.toBe(orderIdOf(identity, key));
      }),
    );
  });

  test.each<[string, Partial<AttemptIdentity>]>([
    ['account', { namespace: 'acme-2' }],
    ['batch', { batchKey: NAMED }],
    ['attempt', { attempt: 2 }],
  ])('another %s is another order with other lines', (_, change) => {
    for (const idOf of [orderIdOf, traceNumberOf])
      expect(idOf({ ...first, ...change }, row)).not.toBe(idOf(first, row));
  });

  test('another row is another line, and begins another order', () => {
    const other = rowKeyOf({ ...jane, reference: 'EMP-002' }, 1);
    for (const idOf of [orderIdOf, traceNumberOf]) expect(idOf(first, other)).not.toBe(idOf(first, row));
  });

  test('an attempt before the first is a bug', () => {
    const bug = new InvariantError('This must hold and does not: attempts are counted from 1');
    for (const idOf of [orderIdOf, traceNumberOf]) expect(() => idOf({ ...first, attempt: 0 }, row)).toThrow(bug);
  });

  test('parts that read the same when they are put together are still other parts', () => {
    const make = (namespace: string, name: string) =>
      orderIdOf({ namespace, batchKey: namedBatchKey(name), attempt: 1 }, row);
    expect(make('Acme', 'x')).not.toBe(make('Acmex', ''));
    expect(make('A', '1:B')).not.toBe(make('A1:', 'B'));
    expect(make('Acme9:name:', 'x')).not.toBe(make('Acme', '9:name:x'));
    expect(make('\u00d1', 'x')).not.toBe(make('N\u0303', 'x'));
  });

  test('different identities have different ids', () => {
    const part = fc.oneof(fc.string({ maxLength: 3 }), fc.stringMatching(/^[0-9:]{0,3}$/));
    const identity = fc.tuple(part, part, fc.integer({ min: 1, max: 3 }), part);
    fc.assert(
      fc.property(identity, identity, (a, b) => {
        const [one, other] = [a, b].map(([namespace, name, attempt, key]) =>
          orderIdOf({ namespace, batchKey: namedBatchKey(name), attempt }, key as RowKey),
        );
        const compared = [a, b].map(([namespace, name, ...rest]) =>
          JSON.stringify([namespace, comparedBatchName(name), rest]),
        );
        expect(one === other).toBe(compared[0] === compared[1]);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('row keys', () => {
  test('a row with a reference is the same row wherever it stands and whatever it pays', () => {
    expect(rowKeyOf({ ...jane, amountMinor: 1n, payee: 'till|5' }, 7)).toBe(rowKeyOf(jane, 1));
  });

  test.each<[string, Partial<RowIdentity>]>([
    ['payee', { payee: 'wallet|+254712345679' }],
    ['amount', { amountMinor: 1_500_001n }],
    ['currency', { currency: 'UGX' }],
    ['reference', { reference: 'wallet|+254712345678' }],
  ])('a row without a reference is another row when its %s differs', (_, change) => {
    expect(rowKeyOf({ ...anonymous, ...change }, 1)).not.toBe(rowKeyOf(anonymous, 1));
  });

  test('no reference reads like a row without one', () => {
    fc.assert(
      fc.property(anyRow, anyRow, fc.integer({ min: 1, max: 3 }), (a, b, occurrence) => {
        const { reference, ...bare } = b;
        fc.pre(a.reference !== undefined);
        expect(rowKeyOf(a, occurrence)).not.toBe(rowKeyOf(bare, occurrence));
      }),
    );
  });
});

describe('the fingerprint of a sheet', () => {
  const shuffled = fc
    .array(anyRow, { maxLength: 20 })
    .chain((rows) =>
      fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length, maxLength: rows.length })),
    );

  test('does not depend on the order of the rows', () => {
    fc.assert(
      fc.property(shuffled, ([rows, others]) => {
        expect(fingerprintOf(others)).toBe(fingerprintOf(rows));
      }),
    );
  });

  test.each<[string, Partial<NamedRow>]>([
    ['reference', { reference: 'EMP-01' }],
    ['payee', { payee: 'wallet|+254712345677' }],
    ['amount', { amountMinor: 1_500_001n }],
    ['currency', { currency: 'UGX' }],
    ['name', { name: 'Jane Wanjiku ' }],
  ])('differs when the %s of one row does', (_, change) => {
    const [first, ...rest] = sheet;
    expect(fingerprintOf([{ ...(first ?? jane), ...change }, ...rest])).not.toBe(fingerprintOf(sheet));
  });

  test('differs when a row is there twice, left out, or its parts have moved', () => {
    const prints = [
      fingerprintOf(sheet),
      fingerprintOf([...sheet, jane]),
      fingerprintOf([...sheet, jane, jane]),
      fingerprintOf(sheet.slice(1)),
      fingerprintOf([]),
      fingerprintOf([{ ...jane, payee: 'ab', name: 'c' }]),
      fingerprintOf([{ ...jane, payee: 'a', name: 'bc' }]),
      fingerprintOf([{ ...jane, reference: 'x', payee: '' }]),
      fingerprintOf([{ ...jane, reference: '', payee: 'x' }]),
    ];
    expect(new Set(prints).size).toBe(prints.length);
  });

  test('can be read more than once while rows are still added', () => {
    const fingerprint = new ContentFingerprint();
    fingerprint.add(jane, jane.name);
    const one = fingerprint.value();
    expect(fingerprint.value()).toBe(one);
    fingerprint.add(jane, jane.name);
    expect(fingerprint.value()).not.toBe(one);
  });
});
