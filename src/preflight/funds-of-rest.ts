/**
 * Checks how many unsent rows of a batch the wallet covers. What other batches still need is reserved for them. So is what the
 * service has accepted of this batch and not finished, because it may not have debited it yet.
 */

import type { BatchHeader } from '../domain/batch.ts';
import { counted, firstOf } from '../domain/counted.ts';
import { Fault } from '../domain/fault.ts';
import type { BatchId } from '../domain/ids.ts';
import { add, type Money, moneyText, subtract } from '../domain/money.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Client } from '../service/client/client.ts';
import { type OwedDeps, owedByOthers } from './owed-elsewhere.ts';
import { type PatienceDeps, patientClient } from './patient-client.ts';
import { readBalance } from './read-service.ts';

interface RestDeps extends OwedDeps, PatienceDeps {
  readonly ledger: OwedDeps['ledger'] & Pick<Ledger, 'unsentOutstanding'>;
  readonly client: Client;
}

type Outstanding = Awaited<ReturnType<Ledger['unsentOutstanding']>>;

const moneyOf = ({ amount, charges }: Outstanding): Money => add(amount, charges);

/**
 * Throws a Fault `balance-short` or `preflight-refused` unless the wallet covers exactly `said` of the unsent rows, and not
 * all of them.
 */
export async function requireCoveredRest(batch: BatchHeader, said: number, deps: RestDeps): Promise<void> {
  const { ledger } = deps;
  const [rest, open] = [await ledger.unsentOutstanding(batch.id), await ledger.openOutstanding(batch.id)];
  const balance = await readBalance(patientClient(deps.client, deps), batch.currency);
  const underWay = subtract(moneyOf(open), moneyOf(rest));
  const owed = await owedByOthers(balance, deps, batch.id);
  const spokenFor = owed ? add(owed.amount, underWay) : underWay;
  const free = subtract(balance, spokenFor);
  if (moneyOf(rest).minor <= free.minor) {
    throw new Fault(
      'preflight-refused',
      `The wallet covers all ${counted(rest.rows, 'row that was', 'rows that were')} not sent, not ${said}. Nothing was sent.`,
      `Continue without --up-to-balance: paybatch resume ${batch.id}`,
    );
  }
  const rows = await coveredRows(batch.id, free, rest, ledger);
  if (rows > 0 && rows === said) return;
  const spoken = spokenFor.minor > 0n ? `, of which ${moneyText(spokenFor)} are reserved` : '';
  const upTo = rows === 0 ? '' : ` Or pay the ${firstOf(rows, 'row')} of these: --up-to-balance ${rows}`;
  throw new Fault(
    'balance-short',
    `The wallet holds ${moneyText(balance)}${spoken}, and the ${counted(rest.rows, 'row that was', 'rows that were')} not sent need ${moneyText(moneyOf(rest))} with their charges. It covers ${rows} of them, not ${said}. Nothing was sent.`,
    `Top up the wallet, then: \`paybatch resume ${batch.id}\`.${upTo}`,
  );
}

/**
 * Returns how many rows the free amount covers, in whole orders and in sheet order. Searches for the last position up to
 * which their sum is covered.
 */
async function coveredRows(
  batch: BatchId,
  free: Money,
  rest: Outstanding,
  { unsentOutstanding }: Pick<Ledger, 'unsentOutstanding'>,
): Promise<number> {
  let tooFar = 1;
  while ((await unsentOutstanding(batch, tooFar)).rows < rest.rows) tooFar *= 2;
  let covered = 0;
  let rows = 0;
  while (covered < tooFar) {
    const middle = Math.ceil((covered + tooFar) / 2);
    const need = await unsentOutstanding(batch, middle);
    if (moneyOf(need).minor > free.minor) {
      tooFar = middle - 1;
      continue;
    }
    covered = middle;
    rows = need.rows;
  }
  return rows;
}
