/** A small plan, as `freeze` makes one. */
import { PERSONAL_DATA, type Plan } from '../../src/approval/plan.ts';
import type { CurrencyCode } from '../../src/domain/currency.ts';
import type { BatchId } from '../../src/domain/ids.ts';
import type { Money } from '../../src/domain/money.ts';

const kes = (minor: bigint): Money => ({ minor, currency: 'KES' as CurrencyCode });

export const examplePlan: Omit<Plan, 'signed'> = {
  v: 1,
  type: 'paybatch plan',
  notice: PERSONAL_DATA,
  batch: 'november' as BatchId,
  organisation: 'Acme Ltd',
  profile: 'live',
  sandbox: false,
  service: 'https://pay.example',
  maker: 'finance@desk',
  madeAt: '2026-11-23T09:00:00.000Z',
  expiresAt: '2026-11-30T09:00:00.000Z',
  madeWith: '0.1.0',
  sheet: { name: 'pay.csv', folder: '/home/finance', sha256: 'b'.repeat(64) },
  request: { allowIdentical: 0, acceptFixes: false },
  settings: [['sending.concurrency', '16']],
  total: kes(150_050n),
  charges: kes(1_000n),
  statement: {
    kinds: [{ kind: 'wallet', title: 'Mobile wallet', count: 2, amount: kes(150_050n), charges: kes(1_000n) }],
    people: 2,
    count: 2,
    total: kes(150_050n),
    charges: kes(1_000n),
    needed: kes(151_050n),
    balance: kes(500_000n),
    after: kes(348_950n),
    largest: [{ row: 2, name: 'Ann', amount: kes(80_050n) }],
    aboveEdge: [],
  },
  setAside: [4],
  orders: [
    {
      id: '00000000-0000-8000-8000-000000000001',
      body: 'a'.repeat(64),
      rows: [
        { row: 2, name: 'Ann', to: '+254712345678', amount: kes(80_050n), charge: kes(500n) },
        { row: 3, name: 'Ben', to: '+254712345679', amount: kes(70_000n), charge: kes(500n) },
      ],
    },
  ],
};
