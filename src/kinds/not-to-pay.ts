/**
 * What people write into the row of a person who is not to be paid: `DO NOT PAY` under Remarks, `(HOLD)` behind a name. Only
 * the column `Hold` leaves a row out, so such words are reported and decide nothing. Each table of words says where it counts.
 */
import type { Cell } from '../domain/cell.ts';
import { foldedWord, isPlainAscii, wordsOf } from './plain-text.ts';

/**
 * Folded words, each always the whole cell, in any column. Each says on its own that no money is to leave from here.
 * `Pending` and `En attente` are states of something else, and `Paid` mostly refers to another month.
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
  // It is no payment.
  ...['reversal', 'reverse', 'creditnote'],
  ...['notauthorised', 'notauthorized', 'ruka', 'ondoa', 'imeondolewa', 'hajaidhinishwa', 'haijaidhinishwa'],
  ...['exclure', 'exclu', 'exclue', 'nepasinclure', 'nonapprouve', 'nonautorise'],
  // It was paid, or is paid in another way.
  ...['amelipwatayari', 'ameshapewa', 'payeenliquide', 'enliquide', 'paymanually', 'paidmanually'],
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

/**
 * Folded words that are the whole cell in a column of states or remarks. In any other column they may be something else: a
 * site called Exit, or goods that were returned.
 */
const STATES: ReadonlySet<string> = new Set([
  ...['deceased', 'dead', 'died', 'resigned', 'terminated', 'dismissed', 'absconded', 'deserted', 'retired', 'left'],
  ...['draft', 'brouillon'],
  ...['contractended', 'endofcontract', 'contractexpired', 'contractterminated', 'exit', 'exited', 'ghost', 'inactive'],
  ...['fraud', 'suspectedfraud', 'fraudulent', 'blacklisted', 'blacklist', 'dormant'],
  ...[
    'notactive',
    'rejected',
    'declined',
    'reversed',
    'returned',
    'withdrawn',
    'ignore',
    'delete',
    'deleted',
    'removed',
  ],
  ...['noteligible', 'ineligible', 'deferred', 'nextmonth', 'paynextmonth', 'duplicate', 'duplicated', 'ghostworker'],
  ...[
    'droppedout',
    'dropout',
    'dropped',
    'awol',
    'absent',
    'absente',
    'interdicted',
    'notcleared',
    'notdue',
    'optedout',
  ],
  ...['forfeited', 'forfeit', 'underreview', 'ametoroka', 'hakufika', 'hakuja', 'hakufanyakazi', 'hajafika', 'doublon'],
  ...['abandondeposte', 'averifier', 'numeroincorrect'],
  ...[
    'eft',
    'rtgs',
    'byeft',
    'bybank',
    'viabank',
    'throughbank',
    'banktransfer',
    'kwabenki',
    'parbanque',
    'parvirement',
  ],
  ...['notverified', 'unverified', 'didnotattend', 'noshow', 'disputed', 'doublepayment', 'vacant'],
  ...['amefariki', 'marehemu', 'ameacha', 'ameachakazi', 'amefukuzwa', 'amestaafu', 'imekataliwa', 'amekataliwa'],
  ...['mweziujao', 'siohai', 'hayupo', 'haistahili', 'hastahili'],
  ...[
    'decede',
    'decedee',
    'demissionnaire',
    'demissionne',
    'licencie',
    'licenciee',
    'retraite',
    'retraitee',
    'inactif',
  ],
  ...['nonactif', 'nonactive', 'rejete', 'rejetee', 'refuse', 'refusee', 'supprime', 'supprimee', 'reporte'],
  ...['parti', 'partie', 'moisprochain', 'noneligible'],
]);

/** Orders that mean nothing else, wherever they stand in a cell, even in a name. A blank stands for any white space. */
const ORDERS: readonly string[] = [
  "(?:do not|don['’]?t) (?:pay|process|release|send|disburse)",
  '(?:must|should|shall|may|can) not be (?:paid|processed|released)|not to be (?:paid|processed|released)|not for payment',
  'usilipe|usimlipe|asilipwe|wasilipwe|isilipwe|ne pas (?:payer|regler|verser)|ne doi(?:t|vent) pas etre payee?s?',
];

/** Phrases that say it even in a name, unless the payment is made because of them. */
const ALWAYS: readonly string[] = [
  'deceased|passed away|already paid|paid already|left (?:employment|the company|the organi[sz]ation|the service)',
  'ameacha kazi|amefariki|malipo yamesimamishwa|ameshalipwa|decedee?s?|deja (?:paye|regle)e?s?',
];

/** Phrases that say it in a text. In a name they may be a part of it: `On Hold Music Ltd`. */
const IN_TEXT: readonly string[] = [
  'on hold|hold (?:till?|until|for now|this month)',
  '(?:salar(?:y|ies)|payments?|pay|wages?) (?:(?:is|are|was|were|has been|have been|to be) )?(?:on hold|held|stopped|suspended|withheld|blocked|frozen|cancelled)',
  '(?:hold|stop|withhold) (?:(?:his|her|their|the|this) )?(?:pay|payments?|salary|salaries)',
  '(?:stopped|suspended|withheld) (?:pay|payments?|salary|salaries)|(?:to be|was|were|been) (?:withheld|excluded)',
  '(?:paid|pay) (?:(?:in|by|via|through|with) )?(?:cash|cheques?)|payment (?:in|by|via|through|with) (?:cash|cheques?)|(?:cheque|chq)\\.? (?:(?:no|number)\\.? )?\\d+|(?:pay|paid|payment) manually|paid (?:by hand|(?:by|via|through|to) (?:the |his |her )?bank)',
  '(?:numbers?|no|accounts?|till|details) (?:is |are )?(?:to be|not|not yet|yet to be) (?:confirmed|verified)',
  '(?:with)?held (?:pending|till?|until|for now)|(?:awaiting|pending) (?:approval|clearance|confirmation|verification)(?! (?:of|for) )',
  '(?:amount|salary|pay|hours|days) (?:is |are )?(?:disputed|in dispute|not (?:yet )?agreed)|(?:did not|didn.t) (?:attend|work|report|show up)',
  '(?:wrong|invalid) (?:(?:phone|mobile|mpesa|m-pesa|account|bank|till|a/c) )*(?:numbers?|no|accounts?)|wrong names?',
  'names? (?:mismatch|(?:do|does) not match)|(?:number|line|phone) (?:belongs to|is (?:of|for)|ya) (?:another|someone|somebody|mtu)',
  '(?:refund(?:ed)?|return(?:ed)?|surrender(?:ed)?) (?:back )?to (?:the )?(?:company|employer|office|finance|accounts|organi[sz]ation|donor)',
  '(?:not|isn.t) (?:registered )?(?:on|for|with) (?:m-?pesa|mobile money|momo)|(?:lost|changed) (?:(?:his|her|the) )?(?:line|phone|sim|numbers?)',
  '(?:number|line|phone|sim) (?:is |was )?(?:not (?:registered|active|working|in use)|lost|stolen|inactive|closed|blocked)',
  'under investigation|(?:not eligible|not (?:yet )?(?:approved|authori[sz]ed))(?! for (?!pay|salary))|unapproved',
  'under interdiction|contract (?:has )?(?:ended|expired)|left (?:work|the job|employ)|absconded',
  'left (?:in|on) (?:\\d+|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*)',
  'duplicate (?:of|entry|payment|row)|(?:double|duplicated?) payment|paid twice|duplicate[ ,;:/–—-]+ignore|ignore[ ,;:/–—-]+duplicate|(?:ignore|delete|remove|hold|skip|stop|exclude|omit) this (?:row|line|payment|entry|one|person|employee)',
  'amesimamishwa kazi|amefukuzwa kazi|mshahara (?:umesimamishwa|umezuiwa|umesitishwa)|malipo (?:yamezuiwa|yamesitishwa)',
  '(?:amelipwa|imelipwa|yamelipwa) tayari|ameshapewa (?:pesa|hela|fedha)|hakuf(?:ika|anya) kazi(?:ni)?|hakuja kazini|ametoroka',
  'mkataba (?:wake )?(?:umeisha|umekwisha)|(?:lipa|alipwe|atalipwa|kulipwa) (?:wiki ijayo|mwezi ujao|baadaye)|(?:analipwa|amelipwa|alipwe) (?:na|kwa|kupitia) benki',
  'amelipwa (?:kwa )?(?:pesa |fedha )?taslimu|namba (?:si|sio) sahihi|nambari (?:si|sio) sahihi',
  'paiement (?:suspendu|bloque|annule|retenu)|salaire (?:suspendu|bloque|retenu)|a demissionne|non (?:approuvee?|autorisee?)',
  'payee? (?:en especes|en liquide|par cheque|par banque|par virement)|vire (?:a|sur) (?:la|sa|son|le) (?:banque|compte)|abandon de poste|numero incorrect',
  "n['’]a pas travaille|a payer (?:le mois|la semaine) prochaine?|payer (?:le mois|la semaine) prochaine?",
  'mauvais numero|numero errone|fin de contrat|contrat (?:termine|expire)',
  "a suspendre|a quitte (?:l['’]entreprise|la societe|son poste)",
];

/**
 * Words of a text that describe something else in front of a noun: `suspended ceiling`. They count where the text or a part of
 * it ends, and before what says since when or why.
 */
const BEFORE_NO_NOUN: readonly string[] = [
  'stopped|suspended|resigned|terminated|dismissed|absconded|dropped out|opted out',
  'suspendue?s?|licenciee?s?|demissionnaires?|rejetee?s?|amesimamishwa|amefukuzwa',
];
const NO_NOUN =
  '(?=\\s*(?:$|[.,;:!?*)/\\]–—-])|\\s+(?:on|in|from|since|till?|until|by|with|w\\.?e\\.?f|effective|last|this|as|due|pending|after|depuis|le|jusqu|par|tangu|mpaka|\\d))';

/** Words that say it at the beginning of a text, if what follows is apart from them: `Hold, see HR`, `Stop (no contract)`. */
const FIRST: readonly string[] = ['hold|stop|held|skip|exclude|zuia|subiri'];

/** Words that say it where a sign sets them apart from what the cell is about: `Jane (HOLD)`, `Jane - stopped`, `*stop* Jane`. */
const SET_APART: readonly string[] = [
  'on hold|hold|held|stop|stopped|suspend|suspended|resigned|terminated|deceased|dead|died|left|dismissed|absconded',
  'exited|withheld|cancelled|blocked|excluded|duplicate|not eligible|wrong number',
  'marehemu|zuia|zuiliwa|amezuiwa|amesimamishwa|ameacha|amefukuzwa',
  'suspendue?|decedee?|demissionnaire|licenciee?|bloquee?|rejetee?',
];
/** The same behind a name, where `paid` is about the person. In a text it mostly refers to another month. */
const APART_FROM_NAME: readonly string[] = [...SET_APART, 'paid|paid cash|amelipwa|payee?'];

/** Phrases about several rows: a title above them, or a note beside the table. */
const OF_ROWS: readonly string[] = [
  'on hold(?! (?:line|music))|not (?:yet )?(?:approved|authori[sz]ed)(?!\\s*:)|unapproved|(?:awaiting|pending) approval',
  '(?:stopped|suspended|held|withheld|blocked|frozen|cancelled|rejected|excluded) (?:salar(?:y|ies)|payments?|wages|staff|employees?|workers?|beneficiaries|members|recipients|teachers|pensioners|farmers|casuals)',
  '(?:salar(?:y|ies)|payments?|wages|staff|employees|workers) (?:to be )?(?:held|stopped|suspended|withheld|blocked|cancelled|rejected|excluded)',
  '(?:terminated|resigned|dismissed|deceased|exited|absconded|ghost) (?:staff|employees?|workers?|members?|beneficiaries|teachers|casuals)',
  'hold (?:list|salaries|payments?|staff)|stop (?:list|salaries|payments?)|(?:cash|cheque) payments(?=\\W*$)',
  'paid (?:(?:in|by|via|through) )?(?:cash|cheques?)|paid (?:by|via|through) (?:the )?bank(?=\\W*$)',
  'haijaidhinishwa|hawajaidhinishwa|wameshalipwa|wamelipwa|walio(?:acha kazi|simamishwa|fukuzwa|fariki)',
  '(?:mishahara|malipo) (?:ili|yali)yo(?:sitishwa|simamishwa|zuiwa)|(?:i|ya)melipwa kwa (?:hundi|taslimu)',
  '(?:non|pas) (?:encore )?(?:approuve|autorise|valide)e?s?|(?:salaires?|paiements?) (?:suspendu|bloque|retenu|annule)s?',
  'payee?s? (?:par cheque|en especes)|superseded|(?:waiting|reserve) list(?=\\W*$)|to be paid (?:next (?:week|month|payroll)|later|separately)',
  '(?:please|kindly|pls) (?:exclude|remove|skip|omit|hold|leave out|stop)(?! this)',
  '(?:pay|paid|payment|payable|release|released) (?:only )?(?:after|not before|not earlier than) (?:the )?\\d\\w*',
];

/** A note that is about the whole sheet: a stamp, also behind a title, or a sheet that was made to show something. */
const OF_SHEET =
  /(?<!(?:be|not|un|pre)\s*)(?:\s[-–—]\s*|[_([]\s*)(?:paid|void|cancell?ed|superseded|imelipwa|annulee?)\W*$|^\W*(?:(?:paid|void(?:ed)?|cancell?ed|specimen|superseded|imelipwa|annulee?)\W*$|(?:paid|imelipwa)(?: (?:on|tarehe))? \d|(?:sample|example|specimen|dummy|test) (?:payroll|payments?|payouts?|sheet|list|data)\b)/;

/** A draft of a sheet, called so at an end of a title or of the name of a file; no bank draft. */
const OF_DRAFT =
  /(?:^|(?<!bank(?:er'?s?|s)?)[\s_([–—-])(?:draft|brouillon|rasimu|not final)(?:[\s_-]*(?:copy|only|v(?:er(?:sion)?)?\.?\s?\d+|\d{1,2}))?\W*$|^\W*(?:draft|brouillon|rasimu)(?:\s*[-–—:_,;]|[ -](?:payroll|payments?|payouts?|paysheet|salar(?:y|ies)|wages|sheet|list|de la|des?|ya)\b)/;

/** Folded words that are the whole title of rows, besides those that are a whole cell in any column. */
const TITLES: ReadonlySet<string> = new Set([
  ...['paid', 'paidstaff', 'paidemployees', 'notpaid', 'deceased', 'resigned', 'terminated', 'dismissed', 'absconded'],
  ...['rejected', 'declined', 'deferred', 'noteligible', 'ineligible', 'nextmonth'],
  ...['incompletedocuments', 'missingdocuments', 'nompesa', 'notonmpesa', 'notcleared'],
  ...['waliofariki', 'walioacha', 'walioondoka', 'wamelipwa', 'waliolipwa'],
  ...['payes', 'payees', 'decedes', 'demissionnaires', 'licencies', 'suspendus', 'rejetes'],
]);

/**
 * A title among the rows that sets apart those that wait: `PENDING (awaiting documents)`. Elsewhere, and with a noun
 * (`Pending salaries`), what is pending may be what is paid now.
 */
const WAITING =
  /^\W*(?:pending|awaiting|en attente|bado)(?:\W*$|\s*[-–—:(]|\s+(?:de |d['’])?(?:documents?|docs|papers|paperwork|pieces?|dossiers?|verification|confirmation|approval|approbation|validation|clearance|(?:bank |phone |account )?(?:details|numbers?))\b)/;

/** A title among the rows that says that the bank pays them. */
const BY_BANK =
  /^\W*(?:(?:(?:paid |pay |payments? )?(?:by|via|through) (?:the )?)?(?:bank(?: (?:transfers?|payments?|deposits?))?|eft|rtgs)|(?:malipo )?(?:kwa|kupitia) benki|(?:par )?virements?(?: bancaires?)?|par banque)(?:\W*$|\s*[-–—(])/;

const spaced = (phrases: readonly string[]): string => `(?:${phrases.join('|').replaceAll(' ', '\\s+')})`;

/** Matches words in brackets, between asterisks, and behind or before a dash at an end of the text. */
function setApart(words: readonly string[]): string {
  const said = spaced(words);
  const why = '(?:\\s+(?:till?|until|for|by|since|on|from|pending|due|in)\\s[^)\\]]*|\\s+\\d[^)\\]]*)?';
  return [
    `[([{]\\s*${said}${why}\\W*[)\\]}]`,
    `\\*\\s*${said}\\s*\\*`,
    `(?:(?<=\\s)[-–—]|[:*–—/#])\\s*${said}${why}\\W*$`,
    `^\\W*${said}(?:\\s+[-–—]|\\s*:)\\s`,
  ].join('|');
}

/** Patterns for texts in small letters without accents. They begin with a word, so that most texts fail at once. */
const ORDER = new RegExp(`\\b${spaced(ORDERS)}\\b`);
const IN_NAME = new RegExp(`\\b${spaced(ALWAYS)}\\b`);
const IN_ANY_TEXT = new RegExp(
  `\\b(?:${spaced([...ALWAYS, ...IN_TEXT])}\\b|${spaced(BEFORE_NO_NOUN)}\\b${NO_NOUN})|^\\W*${spaced(FIRST)}\\s*[,;.(]`,
);
const IN_NOTE = new RegExp(`\\b${spaced([...ALWAYS, ...OF_ROWS])}\\b`);
const APART = new RegExp(setApart(SET_APART));
const APART_IN_NAME = new RegExp(setApart(APART_FROM_NAME));
const SIGN = /[([{*:/#–—-]/;

/** What denies the words behind it: `not on hold`, `no longer suspended`, `has not been paid already`. */
const DENIAL = /(?:\b(?:not|never|longer|if)|n['’]t)\s+(?:been\s+|yet\s+)?$/;
/** What says that such words are about somebody other than who is paid: `Families of deceased staff`. */
const OF_OTHERS =
  /\b(?:funeral|bereave\w*|condolences?|benevolent|next of kin|famil(?:y|ies)|children|widows?|dependants?|estate|death|rambirambi|mirathi|deuil|obseques|deces)\b|\bdeceased (?:father|mother|parent|spouse|wife|husband|child|son|daughter|brother|sister)/;
/**
 * What a row is paid for, after which such words are the reason, or that they are over: `Final dues - resigned`,
 * `Refund for wrong number`, `Salary was stopped, resumed`. Or what else was paid: `Advance paid in cash`.
 */
const REASON_TO_PAY =
  /\b(?:(?:advance|loan|deposit|part payment) (?:of [\d,.]+ )?(?:was |already )?paid|now (?:by|via|through)|final (?:dues|pay|payment|settlement)|terminal (?:dues|benefits?)|gratuity|in lieu|refund (?:of|for)|arrears ?:|arrears (?:of|for)|now released|lifted)\b|^arrears\b|^previously [^.;,]*$|^was (?:on hold|held) [^.;,]*\blast [^.;,]*$|(?<!\b(?:be|not|yet) )(?:resumed|reinstated|corrected)\W*$/;

/** Longest text that can be one of the words, including the signs around it. */
const WORD_MAX = 40;
/** Most characters of a text in which phrases are looked for. */
const TEXT_MAX = 400;

/** What the cells of a column are, as far as words about paying are concerned. */
export type Content =
  /** Names of people, businesses and places, which are made of any words. */
  | 'names'
  /** States and remarks about the row. */
  | 'states'
  | 'text';

/** Words of a heading below which stand names of anything. */
const OF_NAMES =
  / (?:names?|nom|noms|jina|majina|supplier|vendor|company|business|employer|client|customer|bank|branch|benki|banque|department|dept|departement|idara|section|unit|division|designation|position|title|job|role|occupation|cheo|poste|fonction|site|station|location|address|town|county|region|area|project|product|item|route|stage|stop|shift|terms|sale) /;
/** Words of a heading below which stands what is so with a row. */
const OF_STATES =
  / (?:status|state|statut|etat|hali|remarks?|remarques?|notes?|comments?|commentaires?|observations?|reasons?|motif|sababu|maoni|maelezo|action|actions|purpose|narration|narrative|description|details|flag|employment) /;
/** A state of something else: who returned from leave works again. */
const OF_OTHER_STATES =
  / (?:leave|likizo|conges?|marital|ndoa|loan|mkopo|tax|delivery|goods|vehicle|project|policy|order|previous|last) /;

/** Returns what the cells below a heading are. */
export function contentBelow(heading: string): Content {
  const words = wordsOf(heading);
  if (OF_NAMES.test(words)) return 'names';
  return OF_STATES.test(words) && !OF_OTHER_STATES.test(words) ? 'states' : 'text';
}

const starts: ReadonlySet<string> = new Set([...WORDS, ...STATES].map((word) => word.slice(0, 2)));

/**
 * Reports whether a text may be one of the words. Every cell of a sheet is checked, and the first letters of nearly all show
 * that it is not.
 */
function mayBeWord(text: string): boolean {
  const start = text.slice(0, 2).toLowerCase();
  return text.length <= WORD_MAX && (starts.has(start) || !/^[a-z0-9]{2}$/.test(start));
}

/** Reports whether a cell says that its row is not to be paid. */
export function saysNotToPay({ type, text }: Cell, content: Content): boolean {
  if (type !== 'text') return false;
  const word = mayBeWord(text) ? foldedWord(text) : '';
  if (WORDS.has(word) || (content === 'states' && STATES.has(word))) return true;
  return saysInside(plainText(text), content === 'names');
}

/** Reports whether a text is one of the words, as the heading of a column of ticks may be: `Deceased`, `Duplicate?`. */
export function isWordNotToPay(text: string): boolean {
  const word = foldedWord(text);
  return WORDS.has(word) || STATES.has(word);
}

/** Reports whether a note above or below the table says that something in it is not to be paid. */
export function notesNotToPay({ type, text }: Cell): boolean {
  const said = type === 'text' ? plainText(text) : '';
  return isSaid(ORDER, said) || OF_SHEET.test(said) || isSaidForNoReason(IN_NOTE, said);
}

/**
 * Reports whether a text above or below the table, or the name of a file, calls the sheet a draft. A title among the rows is
 * not asked, because what it says stops the whole sheet.
 */
export const isCalledDraft = (text: string): boolean => OF_DRAFT.test(plainText(text));

/** Reports whether a title among the rows says that the rows below it are not to be paid. */
export function titlesNotToPay(cell: Cell): boolean {
  if (cell.type !== 'text') return false;
  const word = cell.text.length <= WORD_MAX ? foldedWord(cell.text) : '';
  return WORDS.has(word) || TITLES.has(word) || notesNotToPay(cell);
}

/** Reports whether a title among the rows sets apart those that wait. */
export const titlesWaiting = ({ type, text }: Cell): boolean => type === 'text' && WAITING.test(plainText(text));

/** Reports whether a title among the rows says that the bank pays them. */
export const titlesByBank = ({ type, text }: Cell): boolean => type === 'text' && BY_BANK.test(plainText(text));

/** Reports whether words inside a text say so. */
const saysInside = (text: string, isName: boolean): boolean =>
  isSaid(ORDER, text) ||
  isSaidForNoReason(isName ? IN_NAME : IN_ANY_TEXT, text) ||
  (SIGN.test(text) && isSaidForNoReason(isName ? APART_IN_NAME : APART, text));

/** Reports whether a text has one of the words, and does not deny it. */
function isSaid(words: RegExp, text: string): boolean {
  const found = words.exec(text);
  return found !== null && !DENIAL.test(text.slice(0, found.index));
}

/** Reports whether a text has one of the words, and none that makes it a reason to pay. */
const isSaidForNoReason = (words: RegExp, text: string): boolean =>
  isSaid(words, text) && !OF_OTHERS.test(text) && !REASON_TO_PAY.test(text);

/** Returns the beginning of a text in small letters without accents. */
function plainText(text: string): string {
  const beginning = text.slice(0, TEXT_MAX).toLowerCase();
  return isPlainAscii(beginning) ? beginning : beginning.normalize('NFD').replace(/\p{M}/gu, '');
}
