/**
 * What people write beside somebody who is not to be paid, in a column of their own: `DO NOT PAY` under Remarks. The column `Hold`
 * alone leaves a row out, so this is told and decides nothing.
 */
import type { Cell } from '../domain/cell.ts';
import { foldedWord } from './plain-text.ts';

/**
 * Folded, and always the whole cell. Each says by itself that no money is to leave from here. `Pending`, `Inactive` and `En attente` are
 * states of something, and `Paid` is mostly said of another month.
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
  // It was paid, or is in another way.
  ...['alreadypaid', 'paidalready', 'ameshalipwa', 'imeshalipwa', 'yameshalipwa', 'dejapaye', 'dejapayee', 'dejaregle'],
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

/** A longer text is no word of these, however many marks stand around it. */
const CHARACTERS_MAX = 40;

const starts: ReadonlySet<string> = new Set([...WORDS].map((word) => word.slice(0, 2)));

/** Asked of every cell of a sheet, and the first letters of nearly all show that they are none. */
function mayBeWord(text: string): boolean {
  const start = text.slice(0, 2).toLowerCase();
  return text.length <= CHARACTERS_MAX && (starts.has(start) || !/^[a-z0-9]{2}$/.test(start));
}

/** Whether a cell says, and says nothing else, that its row is not to be paid. */
export const saysNotToPay = ({ type, text }: Cell): boolean =>
  type === 'text' && mayBeWord(text) && WORDS.has(foldedWord(text));
