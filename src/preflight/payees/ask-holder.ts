/**
 * Asks the service whose an account is: one request, then look-ups until there is a final word. No money can move by it, so a
 * request that was not taken is simply made again. Results also go to the address that the request must name, and are never
 * waited for there. Spec: "Account validation status"; the request is published by the provider.
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
  /** There is no name to compare with, and why. */
  | { readonly tag: 'none'; readonly reason: string };

interface AskDeps {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly settings: Pick<Settings, 'currency' | 'country' | 'polling' | 'callbackUrl'>;
  /** Ends the asking; what it then answers means nothing. */
  readonly signal: AbortSignal;
}

/** Whose an account is takes seconds; a service that has not said it after this long is not waited for, in milliseconds. */
const ANSWER_MS_MAX = 120_000;

/** How often a request is made that the service did not take: throttled, lost on the way, no connection. */
const REQUESTS_MAX = 4;

/** A request whose answer was lost was not taken when so many look-ups in a row do not know it. */
const UNKNOWN_LOOK_UPS = 3;

const WHAT = 'the holder of an account';
const stopped: HolderAnswer = { tag: 'none', reason: 'it was stopped' };

/** Gives the holder, or why there is none. A service that refuses the client or cannot be reached is a Fault. */
export async function askHolder(account: AccountToAsk, deps: AskDeps): Promise<HolderAnswer> {
  for (let request = 1; ; request += 1) {
    const answer = await answerOf(account, request, deps);
    if (answer) return answer;
    await deps.clock.sleep(waitAfter(request, deps.settings.polling), deps.signal);
  }
}

/** Makes one request; undefined when it was not taken and is to be made again. */
async function answerOf(account: AccountToAsk, request: number, deps: AskDeps): Promise<HolderAnswer | undefined> {
  // Never one that was used before: the service knows requests by it.
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
      // It may have been taken, and the look-up tells.
      return finalAnswer(account, trace, deps, !isLast);
    case 'refused':
      return { tag: 'none', reason: reply.reason };
    case 'unauthorised':
      // The client has dropped the token that was refused; a new one is tried once.
      return reply.unsent || reply.forbidden || request > 1 ? valueOrFault(reply, WHAT) : undefined;
    case 'throttled':
    case 'not-sent':
      return isLast ? valueOrFault(reply, WHAT) : undefined;
    default:
      return unreachable(reply);
  }
}

/** Waits double from the first to the longest. */
const waitAfter = (asked: number, { firstMs, maxMs }: PollingSettings): number =>
  Math.min(firstMs * 2 ** (asked - 1), Math.max(firstMs, maxMs));

/**
 * Looks the request up until its final word, or until it has been waited for long enough; undefined when it may not have been
 * taken and is not known.
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

/** What a look-up says for good; undefined when it has to be made again. A service that refuses the client is a Fault. */
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
  return name === undefined ? { tag: 'none', reason: 'the service tells no name' } : { tag: 'holder', name };
}

/** Nothing final in time. Nobody there to ask is no answer about an account, but a Fault. */
function openAnswer(reply: Reply<AccountValidationRecord>): HolderAnswer {
  if (reply.tag === 'not-sent' || reply.tag === 'throttled') return valueOrFault(reply, WHAT);
  const open = reply.tag === 'accepted' ? (reply.value.statusDesc ?? `status ${reply.value.status}`) : reasonOf(reply);
  return { tag: 'none', reason: `no final word in time: ${open}` };
}

type FinalWord = { readonly good: true } | { readonly good: false; readonly reason: string };

/** Codes of success; observed as "0", and wallet and KYC answers of the specification carry "00". */
const SUCCESS = /^0{1,2}$/;

/** Numbers nobody has documented are understood by their description, which is all there is. */
const DONE = /^(?:completed?|success(?:ful)?)$/i;
const FAILED = /fail|reject|declin|cancel|invalid|time[ds]? ?out|not found/i;

/**
 * The final word of a record, or undefined while there is none. A record of another request or another account is believed in
 * nothing.
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

/** Completed says that the validation is over; the codes say what came of it. */
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

/** Fewer figures than these are no account that could be told apart. */
const COMPARED_MIN = 5;

/** A number may come back without its plus, its country or its zeros, or with a part hidden. */
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
