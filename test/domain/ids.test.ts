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
  idNameOf,
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

const KEY: BatchKey = contentBatchKey('02d8730891e6fbd0e1beebe4c61007973cbb2bce030f228fe1524bf2a2244982');
const NAMED: BatchKey = namedBatchKey('salaries-2026-11');
const first: AttemptIdentity = { organisation: 'Acme Ltd', batchKey: KEY, attempt: 1 };
const row = rowKeyOf(jane, 1);

/** These were worked out by another program from the text of the rule. They are promises: paid rows have these ids. */
describe('identities of version PB1 stay what they are', () => {
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
    expect(fingerprintOf(sheet)).toBe('02d8730891e6fbd0e1beebe4c61007973cbb2bce030f228fe1524bf2a2244982');
    expect(fingerprintOf([])).toBe('a2c6372c7505c8133a84a10232109e3d5641f86e82b379d91206f75313d5a9ec');
    expect(batchIdOf(KEY)).toBe('7yepw2h8');
    expect(batchIdOf(NAMED)).toBe('salaries-2026-11');
  });

  test('the ids of orders and the trace numbers of their lines', () => {
    const second = rowKeyOf(anonymous, 1);
    const named = { organisation: 'Acme Ltd', batchKey: NAMED, attempt: 1 };
    expect(orderIdOf(first, row)).toBe('9d01af18-8ef4-87ee-b842-32c2b97ce940');
    expect(orderIdOf(named, second)).toBe('91e51fd8-bae1-87cf-b105-84366cad96ec');
    expect(orderIdOf({ ...named, attempt: 2 }, second)).toBe('0bbfa560-1753-8332-b35e-41250c0175cd');
    expect(traceNumberOf(first, row)).toBe('97559d30-b88e-8190-bb0f-8750a064ffba');
    expect(traceNumberOf({ ...named, attempt: 2 }, second)).toBe('51158fe9-c206-802a-8a0c-147848264962');
    expect(madeUpOrderId(() => 0.5)).toBe('d995f616-ec81-835c-8adb-344d1c0b6df5');
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
      fc.property(
        fc.string(),
        fc.string(),
        anyRow,
        fc.integer({ min: 1, max: 9 }),
        (organisation, name, row, attempt) => {
          const key = rowKeyOf(row, 1);
          const identity = { organisation, batchKey: namedBatchKey(name), attempt };
          expect(orderIdOf(identity, key)).toMatch(UUID_V8);
          expect(traceNumberOf(identity, key)).toMatch(UUID_V8);
          expect(traceNumberOf(identity, key)).not.toBe(orderIdOf(identity, key));
        },
      ),
    );
  });

  test.each<[string, Partial<AttemptIdentity>]>([
    ['organisation', { organisation: 'Acme Ltd.' }],
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
    const make = (organisation: string, name: string) =>
      orderIdOf({ organisation, batchKey: namedBatchKey(name), attempt: 1 }, row);
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
        const [one, other] = [a, b].map(([organisation, name, attempt, key]) =>
          orderIdOf({ organisation, batchKey: namedBatchKey(name), attempt }, key as RowKey),
        );
        const compared = [a, b].map(([organisation, name, ...rest]) =>
          JSON.stringify([organisation, comparedBatchName(name), rest]),
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

test('identifiers keep to the earlier name of an organisation that says it', () => {
  expect(idNameOf({ organisation: 'Acme Ltd' })).toBe('Acme Ltd');
  expect(idNameOf({ organisation: 'Acme Ltd', idNamespace: 'Acme' })).toBe('Acme');
});
