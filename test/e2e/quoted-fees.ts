/** Sheets of random amounts on five scales of charges: what was quoted, beside what the service's books charged. */

import { openDurable } from '../../src/database/sqlite.ts';
import { decimalOf } from '../../src/domain/money.ts';
import { rails } from '../../src/sandbox/catalogue.ts';
import { accountIn, openService, quickProfile } from '../support/desk/account.ts';
import { openDesk } from '../support/desk/command-line.ts';
import { fastClock } from '../support/fast-clock.ts';
import { remitter } from '../support/remitter.ts';
import { type Chance, chanceOf } from '../support/seeded-random.ts';

type Rail = (typeof rails)[number];

/** A column that says where the money goes, and its text for the row of a number. */
type Where = readonly [heading: string, of: (row: number) => string];

interface Country {
  readonly country: string;
  readonly currency: string;
  readonly ways: readonly { readonly type: string; readonly channelType: number; readonly where: readonly Where[] }[];
}

const digits = (row: number): string => `${String(row).padStart(5, '0')}55`;
const phones = (prefix: string): Where => ['Phone', (row) => `${prefix}${digits(row)}`];

/** Five scales, by country: each sheet has one currency. The numbers have no magic endings. */
const countries: readonly Country[] = [
  {
    country: 'KE',
    currency: 'KES',
    ways: [
      { type: 'wallet', channelType: 1, where: [phones('+25471')] },
      { type: 'till', channelType: 13, where: [['Till number', (row) => `5${digits(row).slice(1)}`]] },
      {
        type: 'bank',
        channelType: 21,
        where: [
          ['Bank code', () => '68'],
          ['Bank name', () => 'Practice Bank'],
          ['Account number', (row) => `01002${digits(row)}`],
        ],
      },
    ],
  },
  { country: 'UG', currency: 'UGX', ways: [{ type: 'wallet', channelType: 1, where: [phones('+25677')] }] },
  { country: 'TZ', currency: 'TZS', ways: [{ type: 'wallet', channelType: 1, where: [phones('+25575')] }] },
];

/** One row: decimals of the ledger, and of the books under its trace number. */
export interface Priced {
  readonly amount: string;
  readonly quoted: string;
  readonly booked: { readonly amount: string; readonly fee: string } | undefined;
}

/** The first rows that the books charge otherwise than they were quoted. */
export const differingFees = (rows: readonly Priced[]): readonly Priced[] =>
  rows.filter(({ amount, quoted, booked }) => booked?.fee !== quoted || booked.amount !== amount).slice(0, 5);

/** Fees are those of lines, and orders of many lines are fewer requests. */
const sending = { linesPerOrder: 40, requestTimeoutMs: 500 };

interface Sheet {
  readonly csv: string;
  readonly rows: number;
  readonly total: string;
}

/** Pays so many random amounts on each of the five scales. Gives every row, by the name of its scale. */
export async function feesOfRandomAmounts(
  rowsPerScale: number,
  seed: number,
): Promise<ReadonlyMap<string, readonly Priced[]>> {
  const chance = chanceOf(seed);
  const fees = new Map<string, readonly Priced[]>();
  for (const country of countries) {
    for (const [type, rows] of await feesIn(country, rowsPerScale, chance)) {
      fees.set(railOf(country, type).scale.name, rows);
    }
  }
  return fees;
}

/** Pays the sheet of one country. Gives its rows by type. */
async function feesIn(country: Country, rowsPerScale: number, chance: Chance): Promise<Map<string, Priced[]>> {
  const clock = fastClock();
  const [desk, service] = [
    await openDesk(clock),
    await openService('settle-min=5,settle-max=10,balance=900000000000', clock),
  ];
  const { csv, rows, total } = sheetOf(country, rowsPerScale, chance);
  await desk.writeConfig({
    country: country.country,
    currency: country.currency,
    remitter,
    profiles: { env: { ...quickProfile(service.routes, 60_000), routes: routesOf(country), sending } },
  });
  desk.payBy(accountIn(service));
  await desk.write('pay.csv', csv);
  const totals = ['--expect-count', String(rows), '--expect-total', total];
  const { exit, fault } = await desk.emit(['run', 'pay.csv', '--concurrency', '8', '--no-copy', ...totals]);
  if (exit !== 0) throw new Error(`the run ended with ${exit}: ${JSON.stringify(fault)}`);

  const lines = new Map(service.books().orders.flatMap((order) => order.lines.map((line) => [line.trace, line])));
  const ledger = openDurable(desk.path('home', 'env', 'ledger.db'));
  const stored = ledger.all('SELECT kind, trace, amount_minor, charge_minor FROM payout');
  ledger.close();
  const { currency } = railOf(country, country.ways[0]?.type ?? '').scale;
  const decimal = (minor: unknown): string => decimalOf({ minor: minor as bigint, currency });
  const priced = stored.map((row) => ({
    type: String(row['kind']),
    amount: decimal(row['amount_minor']),
    quoted: decimal(row['charge_minor']),
    booked: lines.get(String(row['trace'])),
  }));
  return Map.groupBy(priced, ({ type }) => type);
}

function sheetOf(country: Country, rowsPerScale: number, chance: Chance): Sheet {
  const headings = [...new Set(country.ways.flatMap(({ where }) => where.map(([heading]) => heading)))];
  const lines = [['Reference', 'Name', 'Type', ...headings, 'Amount'].join(',')];
  const { currency } = railOf(country, country.ways[0]?.type ?? '').scale;
  let minor = 0n;
  for (const { type, where } of country.ways) {
    for (let row = 0; row < rowsPerScale; row++) {
      const amount = amountIn(railOf(country, type), chance);
      minor += amount;
      const cells = headings.map((heading) => where.find(([own]) => own === heading)?.[1](row) ?? '');
      const decimal = decimalOf({ minor: amount, currency });
      lines.push([`${type}-${row}`, `Somebody ${row}`, type, ...cells, decimal].join(','));
    }
  }
  return { csv: lines.join('\n'), rows: lines.length - 1, total: decimalOf({ minor, currency }) };
}

function railOf({ currency, ways }: Country, type: string): Rail {
  const channelType = ways.find((way) => way.type === type)?.channelType;
  const rail = rails.find((one) => one.channelType === channelType && one.scale.currency === currency);
  if (rail) return rail;
  throw new Error(`the practice service has no rail for ${type}`);
}

const routesOf = (country: Country): object =>
  Object.fromEntries(
    country.ways.map(({ type, channelType }) => {
      const { routeId, scale } = railOf(country, type);
      return [type, { routeId, channelType, transactionTypeId: scale.transactionTypeId }];
    }),
  );

/** An amount in any band with the same chance, at its edges more often: an edge is where two readings would differ. */
function amountIn({ scale }: Rail, chance: Chance): bigint {
  const { from, to } = chance.pick(scale.bands);
  if (chance.onceIn(4)) return chance.pick([from, to]);
  return from + BigInt(chance.below(Number(to - from + 1n)));
}
