/**
 * The words of the checked copy around the problems, in every language. The heading of the problem column and the name of the
 * list are not translated, because they identify a checked copy when it is read again.
 */

import { PROBLEMS_HEADING } from '../../domain/checked-copy.ts';
import { counted } from '../../domain/counted.ts';
import type { Language } from '../../domain/language.ts';

interface RowCounts {
  readonly rows: number;
  /** Rows that can be paid as the sheet is. */
  readonly ready: number;
  readonly invalid: number;
  /** Sum of the rows that can be paid, as text. */
  readonly total: string;
}

export interface CheckedWords {
  /** Words with which a problem begins. */
  readonly error: string;
  readonly warning: string;
  /** Label of problems that belong to no row. */
  readonly wholeSheet: string;
  /** Returns what to do about the mark that keeps a row refused. */
  readonly raggedAdvice: (mark: string) => string;
  /** Headings of the list of problems. */
  readonly headings: Readonly<
    Record<'row' | 'cell' | 'heading' | 'value' | 'problem' | 'fix' | 'level' | 'code', string>
  >;
  readonly levels: Readonly<Record<'error' | 'warning', string>>;
  readonly title: (sheet: string) => string;
  readonly found: (errors: number, warnings: number) => string;
  readonly rows: (counts: RowCounts) => string;
  readonly advice: (worksheet: string) => string;
  readonly formulas: string;
}

const english: CheckedWords = {
  error: 'ERROR',
  warning: 'WARNING',
  wholeSheet: 'THE WHOLE SHEET',
  raggedAdvice: (mark) => `When the fields are right, delete "${mark}" at the end of the row.`,
  headings: {
    row: 'Row',
    cell: 'Cell',
    heading: 'Heading',
    value: 'Value',
    problem: 'Problem',
    fix: 'How to correct',
    level: 'Level',
    code: 'Code',
  },
  levels: { error: 'Error', warning: 'Warning' },
  title: (sheet) => `Problems in ${sheet}`,
  found: (errors, warnings) => `${counted(errors, 'error')}, ${counted(warnings, 'warning')}`,
  rows: ({ rows, ready, invalid, total }) => {
    const paid = ready === 0 ? 'none can be paid as it is' : `${ready} can be paid as they are: ${total}`;
    return `${counted(rows, 'row')}: ${paid}; ${invalid} with errors`;
  },
  advice: (worksheet) =>
    `Correct the coloured cells in the worksheet "${worksheet}", save this file and run it. ` +
    `This list and the column "${PROBLEMS_HEADING}" are never read.`,
  formulas:
    'Formulas in this file were replaced by their results, or by #N/A if they had none: when you change an amount, change the total row as well.',
};

const swahili: CheckedWords = {
  error: 'KOSA',
  warning: 'ONYO',
  wholeSheet: 'ORODHA NZIMA',
  raggedAdvice: (mark) => `Sehemu zikiwa sawa, futa "${mark}" mwishoni mwa mstari.`,
  headings: {
    row: 'Mstari',
    cell: 'Seli',
    heading: 'Kichwa',
    value: 'Thamani',
    problem: 'Tatizo',
    fix: 'Namna ya kusahihisha',
    level: 'Kiwango',
    code: 'Msimbo',
  },
  levels: { error: 'Kosa', warning: 'Onyo' },
  title: (sheet) => `Matatizo katika ${sheet}`,
  found: (errors, warnings) => `Makosa ${errors}, maonyo ${warnings}`,
  rows: ({ rows, ready, invalid, total }) => {
    const paid = ready === 0 ? 'hakuna unaoweza kulipwa ulivyo' : `inayoweza kulipwa ilivyo ${ready}: ${total}`;
    return `Mistari ${rows}: ${paid}; yenye makosa ${invalid}`;
  },
  advice: (worksheet) =>
    `Sahihisha seli zenye rangi katika laha "${worksheet}", hifadhi faili hii kisha uiendeshe. ` +
    `Jedwali hili na safu "${PROBLEMS_HEADING}" hazisomwi kamwe.`,
  formulas:
    'Mahali pa fomula pana majibu yake, au #N/A pasipo na jibu: ukibadilisha kiasi, badilisha pia mstari wa jumla.',
};

const nombre = (count: number, noun: string): string => counted(count, noun, `${noun}s`, 'fr');

const french: CheckedWords = {
  error: 'ERREUR',
  warning: 'AVERTISSEMENT',
  wholeSheet: 'TOUTE LA FEUILLE',
  raggedAdvice: (mark) => `Quand les champs sont corrects, supprimez "${mark}" à la fin de la ligne.`,
  headings: {
    row: 'Ligne',
    cell: 'Cellule',
    heading: 'En-tête',
    value: 'Valeur',
    problem: 'Problème',
    fix: 'Comment corriger',
    level: 'Niveau',
    code: 'Code',
  },
  levels: { error: 'Erreur', warning: 'Avertissement' },
  title: (sheet) => `Problèmes dans ${sheet}`,
  found: (errors, warnings) => `${nombre(errors, 'erreur')}, ${nombre(warnings, 'avertissement')}`,
  rows: ({ rows, ready, invalid, total }) => {
    const paid =
      ready === 0 ? 'aucune ne peut être payée telle quelle' : `à payer sans correction ${ready}, soit ${total}`;
    return `${nombre(rows, 'ligne')} : ${paid} ; avec des erreurs ${invalid}`;
  },
  advice: (worksheet) =>
    `Corrigez les cellules colorées dans la feuille "${worksheet}", enregistrez ce fichier et lancez-le. ` +
    `Cette liste et la colonne "${PROBLEMS_HEADING}" ne sont jamais lues.`,
  formulas:
    'Les formules figurent ici avec leurs résultats, ou #N/A sans résultat : si vous changez un montant, changez aussi la ligne de total.',
};

const words: Readonly<Record<Language, CheckedWords>> = { en: english, sw: swahili, fr: french };

/** Returns the words of a language; English if none was chosen. */
export const checkedWords = (language: Language = 'en'): CheckedWords => words[language];
