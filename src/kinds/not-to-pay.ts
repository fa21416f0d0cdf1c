/**
 * What people write, in a separate column, next to a person who is not to be paid: `DO NOT PAY` under Remarks. Only the
 * column `Hold` leaves a row out, so such a word is reported and decides nothing.
 */
import type { Cell } from '../domain/cell.ts';
import { foldedWord } from './plain-text.ts';

/**
 * Folded words, each always the whole cell. Each says on its own that no money is to leave from here. `Pending`, `Inactive`
 * and `En attente` are states of something else, and `Paid` mostly refers to another month.
 */
const WORDS: ReadonlySet<string> = new Set([
  // Do not pay.
  ...['donotpay', 'dontpay', 'donotpayyet', 'donotpaynow', 'dontpayyet', 'nottobepaid', 'nottopay', 'notpayable'],
  ...['nopay', 'nopayment', 'donotprocess', 'donotrelease', 'donotsend', 'donotinclude', 'donotdisburse'],
  ...['usilipe', 'usimlipe', 'asilipwe', 'isilipwe', 'yasilipwe', 'wasilipwe', 'hailipwi', 'halipwi'],
  ...['nepaspayer', 'anepaspayer', 'nepasregler', 'nepasverser', 'nepasenvoyer', 'nonpayable'],
  // Hold it, or wait.
  ...['hold', 'onhold', 'putonhold', 'held', 'tobeheld', 'holdpayment', 'holdpay', 'holdsalary', 'paymentonhold'],
  ...['paymenthold', 'paymentheld', 'salaryonhold', 'salaryheld', 'payonhold', 'withhold', 'withheld', 'wait'],
  ...['zuia', 'zuiamalipo', 'imezuiwa', 'amezuiwa', 'yamezuiwa', 'malipoyamezuiwa', 'subiri', 'subirikwanza'],
  ...['retenu', 'retenue', 'retenir', 'attendre', 'paiementretenu'],
  // Stop it.
  ...['stop', 'stopped', 'stoppay', 'stoppayment', 'stopsalary', 'paymentstopped', 'salarystopped', 'suspend'],
  ...['suspended', 'suspendpayment', 'paymentsuspended', 'suspendsalary', 'salarysuspended', 'onsuspension', 'blocked'],
  ...['frozen', 'freeze', 'cancel', 'cancelled', 'canceled', 'cancelpayment', 'paymentcancelled', 'void', 'voided'],
  ...['sitisha', 'sitishamalipo', 'imesitishwa', 'yamesitishwa', 'simamisha', 'amesimamishwa', 'imesimamishwa'],
  ...['imefungwa', 'imefutwa', 'futa', 'batili', 'imebatilishwa'],
  ...[
    'suspendu',
    'suspendue',
    'suspendre',
    'paiementsuspendu',
    'bloque',
    'bloquee',
    'bloquer',
    'paiementbloque',
    'gele',
  ],
  ...['arreter', 'arrete', 'annule', 'annulee', 'annuler', 'paiementannule'],
  // Leave it out.
  ...['skip', 'skipped', 'skipthismonth', 'exclude', 'excluded', 'omit', 'leaveout', 'remove', 'notapproved'],
  ...['notauthorised', 'notauthorized', 'ruka', 'ondoa', 'imeondolewa', 'hajaidhinishwa', 'haijaidhinishwa'],
  ...['exclure', 'exclu', 'exclue', 'nepasinclure', 'nonapprouve', 'nonautorise'],
  // It was paid, or is paid in another way.
  ...['alreadypaid', 'paidalready', 'ameshalipwa', 'imeshalipwa', 'yameshalipwa', 'dejapaye', 'dejapayee', 'dejaregle'],
  ...['cheque', 'bycheque', 'paybycheque', 'paidbycheque', 'chequepayment', 'hundi', 'parcheque'],
  ...['cash', 'incash', 'paycash', 'paidincash', 'paybycash', 'paidbycash', 'paidcash', 'cashinhand'],
  ...[
    'taslimu',
    'pesataslimu',
    'fedhataslimu',
    'amelipwataslimu',
    'especes',
    'enespeces',
    'payeenespeces',
    'numeraire',
  ],
]);

/** What says the same with more behind it: `Do not pay - on leave`, `On hold until December`. */
const BEGINNING =
  /^\W*(?:do\s*not\s+(?:pay|process|release|send|disburse)|don['’]?t\s+pay|(?:to\s+be\s+)?(?:put\s+)?on\s+hold|(?:hold|stop)\s+(?:pay|payment|salary)|(?:salary|payment|pay)\s+(?:on\s+hold|held|stopped|suspended)|already\s+paid|usilipe|usimlipe|asilipwe|ne\s+pas\s+payer)(?!\p{L})/iu;

/** Longest text that can be one of these words, including the signs around it. */
const CHARACTERS_MAX = 40;

const starts: ReadonlySet<string> = new Set([...WORDS].map((word) => word.slice(0, 2)));

/**
 * Reports whether a text may be one of the words. Every cell of a sheet is checked, and the first letters of nearly all show
 * that it is not.
 */
function mayBeWord(text: string): boolean {
  const start = text.slice(0, 2).toLowerCase();
  return text.length <= CHARACTERS_MAX && (starts.has(start) || !/^[a-z0-9]{2}$/.test(start));
}

/** Reports whether a cell says that its row is not to be paid, and says nothing else or begins with it. */
export const saysNotToPay = ({ type, text }: Cell): boolean =>
  type === 'text' && ((mayBeWord(text) && WORDS.has(foldedWord(text))) || BEGINNING.test(text));

/** Folded headings that ask whether a row is to be paid, so that a "no" below them says that it is not. */
const ASKS_TO_PAY: ReadonlySet<string> = new Set([
  ...['pay', 'payyn', 'payyesno', 'topay', 'tobepaid', 'paythismonth', 'paynow', 'payable', 'include', 'included'],
  ...['approved', 'approvedyn', 'approvedforpayment', 'approvedtopay', 'authorised', 'authorized', 'cleared'],
  ...['lipa', 'alipwe', 'alipwa', 'kulipwa', 'imeidhinishwa', 'payer', 'apayer', 'approuve', 'autorise'],
]);
const NO: ReadonlySet<string> = new Set(['no', 'n', 'false', 'not', 'hapana', 'la', 'non', 'faux']);

/** Reports whether a heading asks if its rows are to be paid. */
export const asksToPay = (heading: string): boolean => ASKS_TO_PAY.has(foldedWord(heading));

/** Reports whether a cell says no. Below a heading that asks whether its row is to be paid, that means that it is not. */
export const answersNo = ({ type, text }: Cell): boolean =>
  (type === 'text' || type === 'boolean') && text.length <= CHARACTERS_MAX && NO.has(foldedWord(text));
