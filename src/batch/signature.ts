/**
 * Whether a text is for somebody to sign, or a day beside it: `Approved by: ____`. A word that such lines begin with is not enough,
 * because suppliers are called so as well: `Approved Traders Ltd`.
 */

export interface Signature {
  /** It is one whatever stands beside it. `Approved` may be the state of a row, and `Approved by:` may not. */
  readonly isLabel: boolean;
  /** It asks for a day. */
  readonly isDate: boolean;
}

/** What was done by whoever signs, in English, French and Swahili. */
const DONE = [
  'prepared|compiled|checked|approved|authori[sz]ed|verified|reviewed|certified|confirmed|received|signed',
  '(?:préparé|établi|vérifié|contrôlé|approuvé|autorisé|certifié|reçu|signé|visé)e?s?',
  'imeandaliwa|imetayarishwa|imekaguliwa|imehakikiwa|imeidhinishwa|imethibitishwa|imepokelewa|imesainiwa',
].join('|');
const DATE = 'date|tarehe';
/** What somebody writes on the line, in the same languages. */
const WRITTEN = `sign|signatures?|signator(?:y|ies)|stamp|sahihi|saini|${DATE}`;
/** Whose it is: `Approved by` somebody, `Signature of` an office, `Date de` something. */
const BY = 'by|par|na|of|de|du|ya';
/** Words that may go with these, and are no name. */
const BESIDE = `and|et|for|pour|payments?|malipo|paiement|on|off|ok|correct|found|with|thanks|officer|${BY}`;

const word = (words: string): string => `(?:${words})(?!\\p{L})`;
/** All words of a text that no name begins with. */
const PHRASE = new RegExp(`^${word(`${DONE}|${WRITTEN}`)}(?:[\\s/,&-]*${word(`${DONE}|${WRITTEN}|${BESIDE}`)})*`, 'iu');
const ENDS_WITH_BY = new RegExp(`(?<!\\p{L})(?:${BY})$`, 'iu');
const IS_WRITTEN = new RegExp(`^${word(WRITTEN)}$`, 'iu');
const IS_DATE = new RegExp(`^${word(DATE)}`, 'iu');
/** A colon behind the words, or behind the office of whoever signs: `Approved (Director):`. */
const COLON = /^\s*(?:\([^)]*\)\s*)?:/;
/** Nothing but dots, dashes and lines to write on. */
const BLANK = /^[\s._…-]*$/;
/** A line or dots to sign on, or a day. */
const TO_WRITE_ON = /^\s*(?:[._…-]{2}|…|\d)|_{2}|\.{4}/;
/** The office of whoever signs, and nothing else. */
const OFFICE = /^\s*\([^)]*\)\s*$/;

/** undefined: nobody signs there. */
export function signatureIn(text: string): Signature | undefined {
  const phrase = PHRASE.exec(text)?.[0];
  if (phrase === undefined) return undefined;
  const rest = text.slice(phrase.length);
  const isBy = ENDS_WITH_BY.test(phrase);
  const isBlank = BLANK.test(rest);
  const isLabel = COLON.test(rest) || (isBy && !/\p{L}[^:]*$/u.test(rest)) || (isBlank && IS_WRITTEN.test(phrase));
  const isOne = isLabel || isBy || isBlank || OFFICE.test(rest) || TO_WRITE_ON.test(rest);
  return isOne ? { isLabel, isDate: IS_DATE.test(phrase) } : undefined;
}
