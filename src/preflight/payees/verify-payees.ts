/**
 * Verifies the payees of a sheet before it is paid: asks about each account once, and compares the holder's name with the
 * sheet's. Findings are reported row by row in sheet order, and noted at the name cells for the checked copy.
 */
import pLimit from 'p-limit';
import { type Heading, isNamed, type Payout } from '../../domain/batch.ts';
import { addressOf } from '../../domain/cell.ts';
import type { Clock, Random } from '../../domain/clock.ts';
import type { Sum } from '../../domain/duplicate.ts';
import type { Emit } from '../../domain/event.ts';
import { invariant } from '../../domain/invariant.ts';
import { type Issue, issue } from '../../domain/issue.ts';
import { add, type Money, zero } from '../../domain/money.ts';
import { matchNames } from '../../domain/name-match.ts';
import {
  type PayeeFigures,
  type PayeeFinding,
  type PayeeVerdict,
  payeeVerdicts,
  payeeVerdictTable,
} from '../../domain/payee.ts';
import type { Settings } from '../../domain/settings.ts';
import type { StagedRow, Staging } from '../../domain/staging.ts';
import { type AccountToAsk, accountToAsk } from '../../kinds/account-column.ts';
import { kindTitles } from '../../kinds/index.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Client } from '../../service/client/client.ts';
import { stoppedBy } from '../patient-client.ts';
import { askHolder, type HolderAnswer } from './ask-holder.ts';

export interface VerifyDeps {
  readonly settings: Pick<Settings, 'currency' | 'country' | 'polling' | 'sending' | 'callbackUrl'>;
  readonly client: Client;
  readonly ledger: Pick<Ledger, 'knownPayees'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly emit: Emit;
  readonly signal: AbortSignal;
}

export interface VerifyRequest {
  /** Whether only payees that this ledger has not paid before are verified. */
  readonly newOnly: boolean;
}

/** The checked sheet, as far as verifying needs it. */
interface SheetToVerify {
  readonly headings: readonly Heading[];
  readonly total: Money;
}

/** A validation mostly waits for its end, so more of them run at the same time than there are connections. */
const UNDER_WAY_PER_CONNECTION = 8;

/**
 * Asks about the accounts, compares the names, and reports and notes the findings. The answers are held in memory, some 200
 * bytes each. Throws a Fault if the service refuses the client or cannot be reached, and a Fault `interrupted` or
 * `terminated` if the signal is aborted in the meantime.
 */
export async function verifyPayees(
  { headings, total }: SheetToVerify,
  staging: Staging,
  { newOnly }: VerifyRequest,
  deps: VerifyDeps,
): Promise<PayeeFigures> {
  const known = newOnly ? await deps.ledger.knownPayees(stagedPayees(staging)) : undefined;
  const isVerified = ({ payee }: Payout): boolean => known?.has(payee) !== true;
  const answers = await askAll(accountsOf(staging, isVerified), deps);
  emitIfNobody([...answers.values()], deps.emit);
  const sums = new Map<PayeeVerdict | 'paid before', Sum>();
  const sumOf = (of: PayeeVerdict | 'paid before'): Sum => sums.get(of) ?? { count: 0, amount: zero(total.currency) };
  const count = (of: PayeeVerdict | 'paid before', amount: Money): void => {
    const sum = sumOf(of);
    sums.set(of, { count: sum.count + 1, amount: add(sum.amount, amount) });
  };
  const nameColumn = headings.find(({ means }) => means === 'name')?.column;
  for (const block of staging.blocks()) {
    const found: Issue[] = [];
    for (const { row, payout, draft } of block) {
      if (!payout) continue;
      if (!isVerified(payout)) {
        count('paid before', payout.amount);
        continue;
      }
      const finding = findingOf(row, payout, draft, answers);
      count(finding.verdict, finding.amount);
      deps.emit({ type: 'payee', ...finding });
      const warning = payeeIssue(finding, nameColumn);
      if (warning) found.push(warning);
    }
    if (found.length > 0) staging.note(found);
  }
  const figures: PayeeFigures = {
    asked: answers.size,
    verdicts: payeeVerdicts.map((verdict) => ({ verdict, ...sumOf(verdict) })),
    ...(newOnly && { paidBefore: sumOf('paid before') }),
  };
  deps.emit({ type: 'payees', ...figures });
  return figures;
}

const keyOf = ({ type, institutionCode, account }: AccountToAsk): string => `${type}|${institutionCode}|${account}`;

function stagedPayees(staging: Staging): ReadonlySet<string> {
  const payees = new Set<string>();
  for (const row of rowsOf(staging)) if (row.payout) payees.add(row.payout.payee);
  return payees;
}

function* rowsOf(staging: Staging): Generator<StagedRow> {
  for (const block of staging.blocks()) yield* block;
}

/** Returns every account that can be asked about, once. */
function accountsOf(staging: Staging, isVerified: (payout: Payout) => boolean): ReadonlyMap<string, AccountToAsk> {
  const accounts = new Map<string, AccountToAsk>();
  for (const { payout, draft } of rowsOf(staging)) {
    const account = payout && isVerified(payout) ? accountToAsk(draft) : undefined;
    if (account) accounts.set(keyOf(account), account);
  }
  return accounts;
}

async function askAll(
  accounts: ReadonlyMap<string, AccountToAsk>,
  { settings, signal, emit, client, clock, random }: VerifyDeps,
): Promise<ReadonlyMap<string, HolderAnswer>> {
  const answers = new Map<string, HolderAnswer>();
  await inParallel(
    accounts,
    settings.sending.concurrency * UNDER_WAY_PER_CONNECTION,
    signal,
    async ([key, account], stop) => {
      answers.set(key, await askHolder(account, { client, clock, random, settings, signal: stop }));
      emit({ type: 'payees.progress', done: answers.size, of: accounts.size });
    },
  );
  if (signal.aborted) throw stoppedBy(signal, 'Verifying the payees was stopped.');
  return answers;
}

/** Warns if the service names no holder at all. The obstacle is then the service, not the accounts. */
function emitIfNobody(answers: readonly HolderAnswer[], emit: Emit): void {
  const [first] = answers;
  if (first?.tag !== 'none' || answers.some(({ tag }) => tag === 'holder')) return;
  emit({
    type: 'notice',
    level: 'warning',
    code: 'no-holders',
    message: `The service named no holder for any account (${answers.length} asked), so no name was compared. Its first answer: ${first.reason}`,
  });
}

function findingOf(
  row: number,
  { name, destination, amount, kind }: Payout,
  draft: unknown,
  answers: ReadonlyMap<string, HolderAnswer>,
): PayeeFinding {
  const of = { row, name, payee: destination, amount };
  const account = accountToAsk(draft);
  if (!account) {
    const reason = `the service names no holder for: ${kindTitles[kind] ?? kind}`;
    return { ...of, verdict: 'not-possible', reason };
  }
  const answer = answers.get(keyOf(account));
  invariant(answer, 'every account of the sheet was asked about');
  if (answer.tag === 'none') return { ...of, verdict: 'not-possible', reason: answer.reason };
  if (!isNamed({ name, destination })) {
    return { ...of, verdict: 'not-possible', holder: answer.name, reason: 'the sheet has no name for it' };
  }
  return { ...of, verdict: matchNames(name, answer.name), holder: answer.name };
}

/** Returns the warning at the name of a row, or `undefined` for a match. */
function payeeIssue(
  { row, name, payee, verdict, holder, reason }: PayeeFinding,
  column: number | undefined,
): Issue | undefined {
  const entry = payeeVerdictTable[verdict];
  if (!('issue' in entry)) return undefined;
  const place = { row, value: name, ...(column !== undefined && { cell: addressOf(column, row) }) };
  return issue(entry.issue, place, {
    payee,
    ...(holder !== undefined && { holder }),
    hint: reason === undefined ? '' : ` (${reason})`,
  });
}

/**
 * Does the work for every item, at most `most` at a time. After the first failure no more work begins, work in progress is
 * asked to stop and awaited, and the failure is thrown. An aborted signal ends the work early without a failure. Every item
 * waits as a promise, which takes less than 2 KiB: suitable for the accounts of a sheet, but not for its rows.
 */
export async function inParallel<T>(
  items: Iterable<T>,
  most: number,
  signal: AbortSignal,
  work: (item: T, stop: AbortSignal) => Promise<void>,
): Promise<void> {
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, failed.signal]);
  let failure: { readonly error: unknown } | undefined;
  // A rejection would end `map` immediately, while other work is still in progress.
  await pLimit(Math.max(1, most)).map(items, async (item) => {
    if (stop.aborted) return;
    try {
      await work(item, stop);
    } catch (error) {
      failure ??= { error };
      failed.abort();
    }
  });
  if (failure) throw failure.error;
}
