/**
 * What the title of a list, its worksheet or its file calls it: payments of a kind that only the type column shows, or a list
 * of something else than payments to make.
 */
import { kinds } from './index.ts';
import type { Kind } from './kind.ts';
import { wordsOf } from './plain-text.ts';

/** Longer texts are no titles. */
const TITLE_MAX = 80;

/** What says that people get money for it, or in addition to it, or that the list is of other things. */
const IN_MONEY =
  / (?:allowances?|refund\w*|reimburse\w*|claims?|facilitation|expenses?|expenditure|costs?|stipends?|compensation|commissions?|agents?|sellers?|vendors?|dealers?|distributors?|suppliers?|hawkers?|retailers?|shops?|sales|float|money|cash|m pesa|mpesa|wallets?|lunch|meals?|transport|fare|fuel|travel|accommodation|per diem|perdiem|salar(?:y|ies)|wages|payroll|bonus|deductions?|recover\w*|advances?|loans?|paid|no|not|without|less|excluding|including|remboursements?|indemnites?|frais|primes?|forfaits?|transports?|posho|nauli|marupurupu|fidia|gharama|mshahara|mishahara|kurejesh\w*|marejesho) /;

/** Returns the kind of payments that a title calls its list; `undefined` if it says nothing, or that money is meant. */
export function kindInTitle(title: string): Kind | undefined {
  if (title.length > TITLE_MAX) return undefined;
  const words = wordsOf(title);
  return IN_MONEY.test(words) ? undefined : kinds.find(({ titleWords }) => titleWords?.test(words));
}

/** Words of a title that say when and for whom, and not of what the list is. */
const BESIDE =
  /^(?:\d.*|list|orodha|liste|lista|ya|wa|of|for|the|de|des|du|la|le|les|d|as|at|on|to|month|mwezi|mois|year|mwaka|date|dated|tarehe|term|week|quarter|q\d|fy|form|class|grade|jan\w*|feb\w*|mar|march|machi|mars|apr\w*|avril|may|mei|mai|june?|juni|juin|july?|julai|juillet|aug\w*|agosti|aout|sept?\w*|oct\w*|oktoba|nov\w*|dec\w*|desemba)$/;

/** What is left of the title of a list that is not of payments to make. */
const OTHER_LISTS: ReadonlySet<string> = new Set([
  // What others are to pay.
  ...[
    'invoice',
    'tax invoice',
    'sales invoice',
    'proforma invoice',
    'pro forma invoice',
    'quotation',
    'price',
    'prices',
  ],
  ...['debtors', 'trade debtors', 'debtors ageing', 'debtors aging', 'aged debtors', 'defaulters', 'loan defaulters'],
  ...['accounts receivable', 'receivables', 'fee balances', 'fees balances', 'fee arrears', 'fees arrears', 'pledges'],
  ...['loan balances', 'loans balances', 'loan arrears', 'outstanding loans', 'outstanding balances'],
  ...['facture', 'devis', 'prix', 'tarifs', 'debiteurs', 'creances', 'ankara', 'bei', 'wadaiwa', 'wadeni'],
  // What they paid, or what was kept from their pay.
  ...['receipt', 'receipts', 'official receipt', 'cash receipts', 'fee collection', 'fees collection'],
  ...[
    'contributions',
    'monthly contributions',
    'member contributions',
    'members contributions',
    'member s contributions',
  ],
  ...['contributions received', 'contribution received', 'payments received', 'money received', 'cash received'],
  ...['fees received', 'fee received', 'fees collected', 'fees paid', 'deposits received', 'loan repayments received'],
  ...['deductions', 'payroll deductions', 'salary deductions', 'staff deductions', 'total deductions'],
  ...['recus', 'cotisations', 'cotisations recues', 'paiements recus', 'retenues', 'retenues sur salaires'],
  ...[
    'michango',
    'michango iliyopokelewa',
    'malipo yaliyopokelewa',
    'risiti',
    'stakabadhi',
    'makato',
    'makato mishahara',
  ],
  // What was paid already.
  ...['payments made', 'paiements effectues', 'statement', 'bank statement', 'm pesa statement', 'mpesa statement'],
  ...['account statement', 'statement account', 'statement accounts', 'releve', 'releve compte'],
]);

/** Reports whether a title is the name of a list that is not of payments to make. An organisation may stand apart from it. */
export function isOfOtherList(title: string): boolean {
  if (title.length > TITLE_MAX) return false;
  return title.split(/\s[-–—]\s|\||\n/).some((part) => {
    const words = wordsOf(part).trim().split(' ');
    return OTHER_LISTS.has(words.filter((word) => !BESIDE.test(word)).join(' '));
  });
}
