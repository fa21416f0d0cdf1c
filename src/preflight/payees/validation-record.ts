/** What an account validation record says in the end. Spec: "Account validation status record". */
import type { AccountValidationRecord } from '../../contract/account-validation.ts';
import { lineStatusOf } from '../../domain/line-status.ts';

export type FinalWord = { readonly good: true } | { readonly good: false; readonly reason: string };

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
