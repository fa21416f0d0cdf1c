/**
 * Headings that ask whether a row is to be paid, and the answers that say that it is not: `No` under `Payment Approved?`. Like
 * any words outside of the column `Hold`, they are reported and decide nothing.
 */
import type { Cell } from '../domain/cell.ts';
import { isWordNotToPay } from './not-to-pay.ts';
import { foldedWord, withoutAnswers, wordsOf } from './plain-text.ts';

/** Who is asked: `CEO Approval`, `Approved by HR`. */
const WHO = [
  'ceo|cfo|coo|md|gm|hr|hod|director|directors|manager|managers|management|finance|accounts|accountant|payroll|admin|board',
  'supervisor|head|chairman|chairperson|treasurer|secretary|principal|auditor|audit|internal|general|line|department|dept|final',
  'mkurugenzi|meneja|mhasibu|direction|directeur|directrice|drh|rh|comptable',
].join('|');

/** The questions, in words without accents. */
const QUESTIONS = [
  'pay|to pay|to be paid|payable|pay this (?:person|employee|staff|one|row|month)|pay now|includ(?:e|ed)(?: in (?:the )?(?:payroll|payment|batch|list))?',
  '(?:on|in) payroll|(?:(?:m ?pesa|momo|phone|id) )?names? match(?:es|ed)?|kyc|valid|validated|validation',
  'approval|approve|approved|authorisation|authorization|authorise|authorize|authorised|authorized',
  'ok|okay|clear|cleared|clearance|release|released|confirm|confirmed|confirmation|verified|verify|verification|eligible|active|selected|select',
  'action|decision|recommendation|recommended|verdict|uamuzi|hatua',
  'lipa|alipwe|alipwa|kulipwa|imeidhinishwa|ameidhinishwa|idhinisha|imethibitishwa|amethibitishwa|anastahili|hai',
  'payer|a payer|approuvee?|approbation|validee?|validation|autorisee?|autorisation|confirmee?|eligible|actif|selectionnee?',
].join('|');

/** What is asked about, and for what. */
const ABOUT = 'payment|pay|salary|paiement|malipo|is|are';
const FOR =
  'for payment|for pay|to pay|to be paid|for salary|this month|now|status|state|kwa malipo|pour paiement|le paiement|par';

const ASKS_TO_PAY = new RegExp(
  `^ (?:(?:${WHO}|s) )*(?:(?:${ABOUT}) )?(?:${QUESTIONS}) (?:(?:${FOR}) )*(?:by |na |par )?(?:(?:${WHO}) )*$`,
);

/** Reports whether a heading asks if its rows are to be paid. */
export const asksToPay = (heading: string): boolean => ASKS_TO_PAY.test(wordsOf(withoutAnswers(heading)));

/** Folded answers. */
const NO: ReadonlySet<string> = new Set([
  ...['no', 'n', 'false', 'not', 'notyet', 'nope', 'rejected', 'reject', 'declined', 'denied', 'refused'],
  ...['disapproved'],
  ...['notapproved', 'unapproved', 'notcleared', 'notverified', 'unverified', 'noteligible', 'ineligible', 'notok'],
  ...['notactive', 'inactive', 'notconfirmed', 'notreleased', 'notselected', 'notrecommended', 'pending', 'awaiting'],
  ...['failed', 'fail', 'invalid', 'notvalid', 'notfound', 'notregistered', 'unregistered', 'mismatch'],
  ...['nomatch', 'notmatched', 'notmatching', 'doesnotmatch', 'later', 'nextmonth'],
  ...['query', 'queried', 'defer', 'deferred', 'return', 'returned', 'recover', 'recovery', 'investigate'],
  ...['repudiated'],
  ...['hapana', 'la', 'bado', 'baadaye', 'inasubiri', 'imekataliwa', 'amekataliwa', 'hajaidhinishwa'],
  ...['non', 'faux', 'pasencore', 'enattente', 'refuse', 'refusee', 'rejete', 'rejetee', 'inactif'],
  ...['nonvalide', 'nonapprouve'],
]);
/** A no with a reason behind it: `No - on leave`, `Rejected (no contract)`. */
const NO_BECAUSE = /^\s*(?:no|non|hapana|not\s+yet|rejected|declined|rejet[ée]e?|refus[ée]e?)\s*[-–—,.;:(]/iu;
const CROSSES = /^\s*[✗✘☒✖❌]\ufe0f?\s*$/u;
export const TICKS = /^\s*[✓✔☑✅]\ufe0f?\s*$/u;
const ANSWER_MAX = 60;

/** Reports whether a cell says no. Below a heading that asks whether its row is to be paid, that means that it is not. */
export const answersNo = ({ type, text }: Cell): boolean =>
  (type === 'text' || type === 'boolean') &&
  text.length <= ANSWER_MAX &&
  (NO.has(foldedWord(text)) || NO_BECAUSE.test(text) || CROSSES.test(text));

/**
 * Reports whether a heading asks if its rows are left out, in words that are not enough to leave them out: a farm has blocks,
 * a bus route has stops, a tax is withheld, and who says that somebody is a duplicate may be wrong.
 */
export function asksToLeaveOut(heading: string): boolean {
  const asked = wordsOf(withoutAnswers(heading)).replace(
    /^ (?:is|was|has) | (?:flag|flagged|employee|staff|worker) $/g,
    ' ',
  );
  return /^ (?:block|stop|skip|withh(?:old|eld)) $/.test(asked) || isWordNotToPay(asked);
}

const YES: ReadonlySet<string> = new Set(['yes', 'y', 'x', 'true', 'ndiyo', 'ndio', 'oui']);
/** Other answers that say yes below a heading that asks whether its row is to be paid. */
const APPROVED: ReadonlySet<string> = new Set([
  ...['approved', 'authorised', 'authorized', 'ok', 'okay', 'cleared', 'confirmed', 'verified', 'released', 'eligible'],
  ...['pay', 'topay', 'imeidhinishwa', 'ameidhinishwa', 'approuve', 'approuvee', 'valide', 'validee'],
]);

/** Reports whether a heading is that of the time that is paid. */
export const asksForTime = (heading: string): boolean =>
  /^ (?:(?:no|number|total) (?:of )?)?(?:days|hours|shifts|trips|siku|jours|heures)(?: (?:worked|present|attended|done))? $/.test(
    wordsOf(heading),
  );

/** Reports whether a cell is a zero. */
export const answersNone = ({ text }: Cell): boolean => /^\s*0+(?:\.0*)?\s*$/.test(text);

/** Reports whether a cell says yes. */
export const answersYes = ({ type, text }: Cell): boolean =>
  (type === 'text' || type === 'boolean') &&
  text.length <= ANSWER_MAX &&
  (YES.has(foldedWord(text)) || TICKS.test(text));

/** Reports whether a cell says that its row is to be paid, below a heading that asks. */
export const answersApproved = (cell: Cell): boolean =>
  answersYes(cell) || (cell.text.length <= ANSWER_MAX && APPROVED.has(foldedWord(cell.text)));
