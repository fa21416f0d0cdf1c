/** Rows of a finished batch, as the ledger hands them out, for tests of what is made of them. */
import type { BatchHeader, KindName, Payout, ResultRow, Tally } from '../../src/domain/batch.ts';
import { currencyOf } from '../../src/domain/currency.ts';
import type { LineReport } from '../../src/domain/fact.ts';
import type { BatchId, BatchKey, OrderId, TraceNumber } from '../../src/domain/ids.ts';
import { invariant } from '../../src/domain/invariant.ts';
import { issue } from '../../src/domain/issue.ts';
import { type LeftOutSums, withLeftOut } from '../../src/domain/left-out.ts';
import { add, decimalOf, fromWire, type Money, zero } from '../../src/domain/money.ts';
import type { LinePhase, LineState, OrderState } from '../../src/domain/order.ts';
import { type Outcome, outcomes } from '../../src/domain/outcome.ts';
import { amountOfRow } from '../../src/results/row-money.ts';
import type { ResultsSource } from '../../src/results/source.ts';

/** An amount of whole minor units. */
export function money(minor: number | bigint, code = 'KES'): Money {
  const currency = currencyOf(code);
  invariant(currency, 'tests use real currencies');
  return { minor: BigInt(minor), currency: currency.code };
}

/** 21 November 2026, 09:05 in Nairobi. */
export const BATCH_TIME = Date.UTC(2026, 10, 21, 6, 5);

export const orderIdAt = (row: number): OrderId =>
  `00000000-0000-8000-8000-${row.toString().padStart(12, '0')}` as OrderId;

export interface RowChoice {
  readonly outcome?: Outcome;
  readonly payout?: Partial<Payout>;
  readonly texts?: readonly string[];
  readonly report?: Partial<LineReport>;
  /** What the service holds of the row besides; each is otherwise like its report. */
  readonly repeats?: readonly Partial<LineReport>[];
  readonly alarms?: readonly string[];
  /** What was quoted. */
  readonly charge?: Money;
  /** What a paid row cost: 7 minor units less than was quoted, unless said otherwise. */
  readonly fee?: Money;
}

const phases: Partial<Record<Outcome, LinePhase>> = {
  completed: 'completed',
  rejected: 'rejected',
  failed: 'failed',
  'timed-out': 'timed-out',
};

const statuses: Partial<Record<Outcome, readonly [number, string]>> = {
  completed: [4, 'Completed'],
  rejected: [7, 'Rejected'],
  failed: [5, 'Failed'],
  'timed-out': [8, 'Timed Out'],
  pending: [0, 'Pending'],
};

/** One row of the sheet: paid to a person's wallet unless `choice` says otherwise. */
export function resultRow(row: number, choice: RowChoice = {}): ResultRow {
  const { outcome = 'completed', charge = money(3300), alarms = [] } = choice;
  const { fee = { ...charge, minor: charge.minor - 7n } } = choice;
  const amount = choice.payout?.amount ?? money(1_500_000 + row * 100);
  const payout: Payout = {
    kind: 'wallet' as KindName,
    reference: `EMP-${row.toString().padStart(3, '0')}`,
    name: `Person ${row}`,
    destination: `+2547${row.toString().padStart(8, '0')}`,
    payee: `wallet|2547${row.toString().padStart(8, '0')}`,
    network: 'Safaricom',
    ...choice.payout,
    amount,
  };
  const texts = choice.texts ?? [payout.reference ?? '', payout.name, `07${row}`, decimalOf(amount), 'Stores'];
  if (outcome === 'invalid') {
    const found = issue(
      'PB-PHONE-LENGTH',
      { row, cell: `C${row}`, value: '07123' },
      { digits: 5, example: '0712 345 678' },
    );
    return { row, outcome, texts, issues: [found] };
  }
  if (outcome === 'left-out') return { row, outcome, leftOut: { reason: 'on leave', amount }, texts, issues: [] };
  const made = orderOf(row, outcome, amount, fee, alarms, choice.report);
  const { report } = made.line;
  const repeats =
    report && choice.repeats?.map((over, index) => ({ ...report, receipt: `AGAIN${index + 1}`, ...over }));
  const line = { ...made.line, ...(repeats && { repeats }) };
  const state = { ...made.state, lines: [line] };
  return {
    row,
    outcome,
    payout,
    order: state.id,
    trace: line.trace,
    charge,
    texts,
    issues: [],
    state,
    ...(outcome !== 'unsent' && { line }),
  };
}

/** Two paid rows, then one of every other outcome: rows 2 to 12. */
export const everyOutcome = (): readonly ResultRow[] => [
  resultRow(2),
  ...outcomes.map((outcome, index) => resultRow(index + 3, { outcome, payout: { amount: money(100_050) } })),
];

function orderOf(
  row: number,
  outcome: Outcome,
  amount: Money,
  fee: Money,
  alarms: readonly string[],
  over: Partial<LineReport> = {},
): { line: LineState; state: OrderState } {
  const trace = `trace-${row}` as TraceNumber;
  const status = statuses[outcome];
  const paid = outcome === 'completed';
  const report: LineReport | undefined = status && {
    trace,
    status: status[0],
    statusText: status[1],
    paidAmount: paid ? decimalOf(amount) : '0',
    feeAmount: paid ? decimalOf(fee) : '0',
    tracking: `TRK${row}`,
    ...(paid && { receipt: `TKQ${row.toString(36).toUpperCase().padStart(7, '0')}`, resultCode: '0' }),
    ...(outcome === 'rejected' && { resultCode: '18', resultText: 'Declined by the customer' }),
    ...(outcome === 'failed' && { resultCode: '6' }),
    ...(outcome === 'timed-out' && { resultCode: '-1' }),
    ...over,
  };
  const line: LineState = {
    trace,
    row,
    amount,
    phase: phases[outcome] ?? 'open',
    ...(report && { report, reportedAt: BATCH_TIME + row * 1000 }),
  };
  const state: OrderState = {
    id: orderIdAt(row),
    submission: 'payment-order',
    attempt: 1,
    phase: status ? 'settled' : outcome === 'refused' ? 'refused' : outcome === 'unsent' ? 'planned' : 'in-doubt',
    lines: [line],
    posts: outcome === 'unsent' ? 0 : 1,
    unknowns: 0,
    mayHaveArrived: false,
    overdue: outcome === 'in-doubt',
    alarms,
    ...(status && { serviceId: `84310000-0e89-0ee0-208b-${row.toString().padStart(12, '0')}` }),
    ...(outcome === 'refused' && { answer: { tag: 'refused', reason: '400 phoneNumber is not valid' } as const }),
    ...(outcome === 'in-doubt' && { answer: { tag: 'ambiguous', reason: 'ECONNRESET' } as const }),
  };
  return { line, state };
}

/** The tallies that a ledger would give for these rows. */
const talliesOf = (rows: readonly ResultRow[], nothing: Money): readonly Tally[] =>
  outcomes.map((outcome) => {
    const own = rows.filter((row) => row.outcome === outcome);
    const fee = ({ line }: ResultRow): Money => fromWire(line?.report?.feeAmount ?? '0', nothing.currency) ?? nothing;
    return {
      outcome,
      count: own.length,
      amount: own.reduce((sum, row) => add(sum, amountOfRow(row) ?? nothing), nothing),
      fees: own.reduce((sum, row) => add(sum, fee(row)), nothing),
    };
  });

/** A header that fits the rows. */
export function headerFor(rows: readonly ResultRow[], over: Partial<BatchHeader> = {}): BatchHeader {
  const nothing = zero(money(0, over.currency ?? 'KES').currency);
  const payable = rows.filter(({ payout }) => payout);
  const leftOut = rows.reduce<LeftOutSums | undefined>(
    (sums, row) => (row.leftOut ? withLeftOut(sums ?? { rows: 0, amount: nothing }, row.leftOut) : sums),
    undefined,
  );
  return {
    id: 'salaries-2026-11' as BatchId,
    key: 'name:salaries-2026-11' as BatchKey,
    fingerprint: 'f'.repeat(64),
    sheet: {
      name: 'payroll.xlsx',
      folder: '/pay',
      sha256: '3b4f9c0d'.repeat(8),
      worksheet: 'November',
      headings: [
        { column: 1, text: 'Staff No', means: 'reference' },
        { column: 2, text: 'Employee Name', means: 'name' },
        { column: 3, text: 'Mobile', means: 'phone' },
        { column: 4, text: 'Net Pay', means: 'amount' },
        { column: 5, text: 'Department' },
      ],
    },
    profile: 'live',
    sandbox: false,
    service: 'https://pay.example.test',
    organisation: 'Acme Ltd',
    idNamespace: 'acme',
    currency: nothing.currency,
    rows: rows.length,
    payable: payable.length,
    ...(leftOut && { leftOut }),
    total: payable.reduce((sum, { payout }) => add(sum, payout?.amount ?? nothing), nothing),
    charges: payable.reduce((sum, { charge }) => add(sum, charge ?? nothing), nothing),
    balance: { ...nothing, minor: 500_000_000n },
    plannedAt: BATCH_TIME,
    maker: 'grace on finance-pc',
    confirmation: 'The total was typed: 1,254,300.00',
    version: '0.1.0',
    ...over,
  };
}

/** A source over rows in memory, in blocks of `blockRows`. */
export function sourceOf(rows: readonly ResultRow[], over: Partial<BatchHeader> = {}, blockRows = 500): ResultsSource {
  const header = headerFor(rows, over);
  return {
    header,
    tallies: talliesOf(rows, zero(header.currency)),
    async *rows() {
      for (let start = 0; start < rows.length; start += blockRows) yield rows.slice(start, start + blockRows);
    },
  };
}
