/** Makes a plan: everything that a run would pay now. The same function later shows what a run would pay then, for comparison. */

import type { PlannedBlock, PlannedOrder, PlannedRow } from '../domain/batch.ts';
import { canonicalText } from '../domain/canonical.ts';
import { isoTime } from '../domain/clock.ts';
import { Fault } from '../domain/fault.ts';
import { sha256 } from '../domain/ids.ts';
import { invariant } from '../domain/invariant.ts';
import type { Settings } from '../domain/settings.ts';
import { type Offer, PERSONAL_DATA, PLAN_ROWS_MAX, type Plan, type PlanRequest } from './plan.ts';

/** Who makes a plan, from which request, and until when it is valid. */
export interface FreezeContext {
  readonly settings: Settings;
  readonly account: FrozenAccount;
  readonly request: PlanRequest;
  readonly maker: string;
  readonly version: string;
  /** Wall-clock milliseconds, like `expiresAt`. */
  readonly now: number;
  readonly expiresAt: number;
}

export function freeze(offer: Offer, context: FreezeContext): Omit<Plan, 'signed'> {
  const { settings, account, request, maker, version, now, expiresAt } = context;
  const { batch, sheet, statement } = offer;
  const { orders, setAside, leftOut } = frozenRows(offer.blocks());
  const { name, folder, sha256: hash, worksheet, mapping } = sheet;
  return {
    v: 1,
    type: 'paybatch plan',
    notice: PERSONAL_DATA,
    batch,
    organisation: settings.organisation,
    profile: settings.profile,
    sandbox: settings.sandbox,
    service: account.service,
    maker,
    madeAt: isoTime(now),
    expiresAt: isoTime(expiresAt),
    madeWith: version,
    sheet: {
      name,
      folder,
      sha256: hash,
      ...(worksheet !== undefined && { worksheet }),
      ...(mapping && { mapping: mapping.sha256 }),
    },
    request,
    settings: frozenSettings(settings, account),
    total: statement.total,
    charges: statement.charges,
    statement,
    setAside,
    ...(leftOut && { leftOut }),
    orders,
  };
}

function frozenRows(blocks: Iterable<PlannedBlock>): Pick<Plan, 'orders' | 'setAside' | 'leftOut'> {
  const orders: Plan['orders'][number][] = [];
  const setAside: number[] = [];
  const leftOut: NonNullable<Plan['leftOut']>[number][] = [];
  let rows = 0;
  for (const block of blocks) {
    rows += block.rows.length;
    if (rows > PLAN_ROWS_MAX) throw tooLong();
    const byRow = new Map(block.rows.map((one) => [one.row, one]));
    for (const one of block.rows) {
      if (one.leftOut) leftOut.push({ row: one.row, ...one.leftOut });
      else if (!one.payout) setAside.push(one.row);
    }
    for (const order of block.orders) orders.push(frozenOrder(order, byRow));
  }
  return { orders, setAside, ...(leftOut.length > 0 && { leftOut }) };
}

function frozenOrder({ id, body, lines }: PlannedOrder, rows: ReadonlyMap<number, PlannedRow>): Plan['orders'][number] {
  const paid = lines.map(({ row }) => {
    const { payout, charge } = rows.get(row) ?? {};
    invariant(payout && charge, `row ${row} is planned in the block of its order`);
    return { row, name: payout.name, to: payout.destination, amount: payout.amount, charge };
  });
  return { id, body: sha256(body), rows: paid };
}

const tooLong = (): Fault =>
  new Fault(
    'usage',
    `The sheet has more than ${PLAN_ROWS_MAX} rows, the most that a plan holds. No plan was made.`,
    'Divide it into several sheets.',
  );

/** The account at the service, as a plan keeps it. */
export interface FrozenAccount {
  readonly service: string;
  /** Absent for the practice service, whose token address and client id change at each start. */
  readonly tokenUrl?: string;
  readonly clientId?: string;
}

/**
 * Returns the settings by name, sorted by name, without those that do not change what is paid. The remitter is personal data and
 * the callback address a secret, so only their hashes are kept: these show a change as well.
 */
export function frozenSettings(settings: Settings, account: FrozenAccount): readonly (readonly [string, string])[] {
  const { language: _, file: __, approval: ___, remitter, callbackUrl, ...rest } = settings;
  const hidden = { remitter: remitter && digest(remitter), callbackUrl: callbackUrl && digest(callbackUrl) };
  return leavesOf({ ...rest, ...hidden, ...account }).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** Returns a hash of a value that does not depend on the order in which a file lists its fields. */
const digest = (value: unknown): string => `SHA-256 ${sha256(canonicalText(value))}`;

function leavesOf(value: unknown, path: readonly string[] = []): readonly (readonly [string, string])[] {
  if (value === undefined) return [];
  if (typeof value !== 'object' || value === null) return [[path.join('.'), String(value)]];
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, [...path, name]));
}
