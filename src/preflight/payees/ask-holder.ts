/**
 * Asks the service who holds an account: one request, then look-ups until there is a final answer. This cannot move money,
 * so a request that was not accepted is made again. The service also sends results to the address that the request must
 * name, but paybatch never waits for them there. Spec: "Account validation status"; the provider publishes the request.
 */

import type { Clock, Random } from '../../domain/clock.ts';
import { freshTraceNumber, type TraceNumber } from '../../domain/ids.ts';
import { unreachable } from '../../domain/invariant.ts';
import { lineStatusOf } from '../../domain/order-line.ts';
import { NOBODYS_ADDRESS, type PollingSettings, type Settings } from '../../domain/settings.ts';
import type { AccountToAsk } from '../../kinds/account-column.ts';
import type { Client } from '../../service/client/client.ts';
import { type Reply, reasonOf } from '../../service/client/reply.ts';
import {
  type AccountValidationRecord,
  findAccountValidation,
  validateAccount,
} from '../../service/contract/account-validation.ts';
import { valueOrFault } from '../read-service.ts';
import { holderNameOf } from './holder-name.ts';

export type HolderAnswer =
  | { readonly tag: 'holder'; readonly name: string }
  /** There is no name to compare with, for this reason. */
  | { readonly tag: 'none'; readonly reason: string };

interface AskDeps {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly settings: Pick<Settings, 'currency' | 'country' | 'polling' | 'callbackUrl'>;
  /** Ends the asking. The answer is then meaningless. */
  readonly signal: AbortSignal;
}

/** How long to wait for an answer, in milliseconds. A service usually names the holder within seconds. */
const ANSWER_MS_MAX = 120_000;

/** How often a request is made that the service did not accept: throttled, lost on the way, or without a connection. */
const REQUESTS_MAX = 4;

/** A request whose answer was lost was not accepted if this many look-ups in a row do not know it. */
const UNKNOWN_LOOK_UPS = 3;

const WHAT = 'the holder of an account';
const stopped: HolderAnswer = { tag: 'none', reason: 'it was stopped' };

/** Returns the holder, or why there is none. Throws a Fault if the service refuses the client or cannot be reached. */
export async function askHolder(account: AccountToAsk, deps: AskDeps): Promise<HolderAnswer> {
  for (let request = 1; ; request += 1) {
    const answer = await answerOf(account, request, deps);
    if (answer) return answer;
    await deps.clock.sleep(waitAfter(request, deps.settings.polling), deps.signal);
  }
}

/** Makes one request. Returns `undefined` if it was not accepted and must be made again. */
async function answerOf(account: AccountToAsk, request: number, deps: AskDeps): Promise<HolderAnswer | undefined> {
  // Never a number that was used before, because the service recognises requests by it.
  const trace = freshTraceNumber(deps.random);
  const reply = await deps.client.call(validateAccount, {
    body: {
      type: account.type,
      systemTraceAuditNumber: trace,
      primaryAccountNumber: account.account,
      institutionCode: account.institutionCode,
      callBackUrl: deps.settings.callbackUrl ?? NOBODYS_ADDRESS,
      callBackFormat: 'JSON',
      ccy: deps.settings.currency,
      countryCode: deps.settings.country,
    },
    signal: deps.signal,
  });
  if (deps.signal.aborted) return stopped;
  const isLast = request === REQUESTS_MAX;
  switch (reply.tag) {
    case 'accepted': {
      const name = holderNameOf(reply.value.creditParty, account.account);
      return name === undefined ? finalAnswer(account, trace, deps, false) : { tag: 'holder', name };
    }
    case 'exists':
    case 'ambiguous':
      // The request may have been accepted; the look-up shows whether it was.
      return finalAnswer(account, trace, deps, !isLast);
    case 'refused':
      return { tag: 'none', reason: reply.reason };
    case 'unauthorised':
      // The client has dropped the refused token, so a new one is tried once.
      return reply.unsent || reply.forbidden || request > 1 ? valueOrFault(reply, WHAT) : undefined;
    case 'throttled':
    case 'not-sent':
      return isLast ? valueOrFault(reply, WHAT) : undefined;
    default:
      return unreachable(reply);
  }
}

/** Returns the wait after a try. It doubles from the first wait to the longest. */
const waitAfter = (asked: number, { firstMs, maxMs }: PollingSettings): number =>
  Math.min(firstMs * 2 ** (asked - 1), Math.max(firstMs, maxMs));

/**
 * Looks a request up until it has a final answer, or time runs out. Returns `undefined` if the request may not have been
 * accepted and the service does not know it.
 */
async function finalAnswer(
  account: AccountToAsk,
  trace: TraceNumber,
  { client, clock, signal, settings: { polling } }: AskDeps,
  mayBeLost: boolean,
): Promise<HolderAnswer | undefined> {
  const untilMs = clock.monotonicMs() + Math.min(polling.deadlineMs, ANSWER_MS_MAX);
  let unknown = 0;
  for (let asked = 1; ; asked += 1) {
    await clock.sleep(Math.min(waitAfter(asked, polling), Math.max(untilMs - clock.monotonicMs(), 0)), signal);
    if (signal.aborted) return stopped;
    const reply = await client.call(findAccountValidation, { query: { stan: trace }, signal });
    if (signal.aborted) return stopped;
    const answer = finalOf(reply, account, trace);
    if (answer) return answer;
    unknown = reply.tag === 'refused' ? unknown + 1 : 0;
    if (mayBeLost && unknown === UNKNOWN_LOOK_UPS) return undefined;
    if (clock.monotonicMs() >= untilMs) return openAnswer(reply);
  }
}

/**
 * Returns the final answer of a look-up, or `undefined` if the look-up must be repeated. Throws a Fault if the service
 * refuses the client.
 */
function finalOf(
  reply: Reply<AccountValidationRecord>,
  { account }: AccountToAsk,
  trace: TraceNumber,
): HolderAnswer | undefined {
  if (reply.tag === 'unauthorised') return valueOrFault(reply, WHAT);
  if (reply.tag !== 'accepted') return undefined;
  const word = finalWordOf(reply.value, { account, trace });
  if (!word?.good) return word && { tag: 'none', reason: word.reason };
  const name = holderNameOf(reply.value.transactionCreditParty, account);
  return name === undefined ? { tag: 'none', reason: 'the service gives no name' } : { tag: 'holder', name };
}

/** Returns the answer when nothing final came in time. An unreachable service says nothing about an account, so it is a Fault. */
function openAnswer(reply: Reply<AccountValidationRecord>): HolderAnswer {
  if (reply.tag === 'not-sent' || reply.tag === 'throttled') return valueOrFault(reply, WHAT);
  const open = reply.tag === 'accepted' ? (reply.value.statusDesc ?? `status ${reply.value.status}`) : reasonOf(reply);
  return { tag: 'none', reason: `no final answer in time: ${open}` };
}

type FinalWord = { readonly good: true } | { readonly good: false; readonly reason: string };

/** Codes of success. "0" was observed, and wallet and KYC answers of the specification carry "00". */
const SUCCESS = /^0{1,2}$/;

/** For a status number that is not documented, the description is all there is to go by. */
const DONE = /^(?:completed?|success(?:ful)?)$/i;
const FAILED = /fail|reject|declin|cancel|invalid|time[ds]? ?out|not found/i;

/**
 * Returns the final answer of a record, or `undefined` while it has none. A record of another request or another account is
 * not believed.
 */
export function finalWordOf(
  record: AccountValidationRecord,
  asked: { readonly account: string; readonly trace: string },
): FinalWord | undefined {
  if (record.systemTraceAuditNumber !== asked.trace || isAnother(record.accountNumber, asked.account)) {
    return { good: false, reason: 'the service answered about another account' };
  }
  const described = (record.statusDesc ?? String(record.status)).trim();
  const status = lineStatusOf(Number(record.status));
  if (status === 'completed' || (status === 'unrecognised' && DONE.test(described))) return wordOfCodes(record);
  const hasFailed = status === 'rejected' || status === 'timed-out';
  return hasFailed || (status === 'unrecognised' && FAILED.test(described))
    ? { good: false, reason: reasonOfRecord(record) }
    : undefined;
}

/** Returns the final answer of a completed record. Completed says that the validation is over; the codes say how it ended. */
function wordOfCodes(record: AccountValidationRecord): FinalWord {
  const codes = [record.responseCode, record.resultCode].flatMap((code) => (code?.trim() ? [code.trim()] : []));
  return codes.every((code) => SUCCESS.test(code)) ? { good: true } : { good: false, reason: reasonOfRecord(record) };
}

function reasonOfRecord({
  responseCode,
  responseDesc,
  resultCode,
  resultDesc,
  statusDesc,
  status,
}: AccountValidationRecord) {
  const isBad = (code: string | null | undefined): boolean =>
    Boolean(code?.trim()) && !SUCCESS.test(code?.trim() ?? '');
  const said = (isBad(resultCode) && resultDesc) || (isBad(responseCode) && responseDesc) || resultDesc || responseDesc;
  return (said || statusDesc || `status ${status}`).replace(/[\p{Cc}\s]+/gu, ' ').trim();
}

/** Fewest characters of an account number that can be compared. Shorter ones do not distinguish accounts. */
const COMPARED_MIN = 5;

/**
 * Reports whether an answer is about another account. A number may come back without its plus, its country or its zeros, or
 * with a part hidden.
 */
function isAnother(answered: string | null | undefined, asked: string): boolean {
  const bare = (text: string): string =>
    text
      .replace(/[\s+-]/g, '')
      .replace(/^0+/, '')
      .toLowerCase();
  const [theirs, ours] = [bare(answered ?? ''), bare(asked)];
  if (theirs.length < COMPARED_MIN || /[^\p{L}\p{N}]/u.test(theirs)) return false;
  return !theirs.endsWith(ours) && !ours.endsWith(theirs);
}
