/** Columns beside the payments that say who a person is: `ID No`, `KRA PIN`, `NSSF Number`, `Namba ya kitambulisho`. */
import { cellIn, type SheetRow } from '../domain/cell.ts';
import { wordsOf } from '../kinds/plain-text.ts';
import type { ColumnMap } from './column-map.ts';

const anyOf = (words: readonly string[]): string => `(?:${words.join('|')})`;

const NUMBER = anyOf(['no', 'nos', 'nr', 'num', 'number', 'numbers', 'numero', 'namba', 'nambari']);
const OF = anyOf([
  ...['staff', 'employee', 'worker', 'member', 'farmer', 'payee', 'recipient', 'beneficiary', 'personal', 'his her'],
  ...['national', 'natl', 'nat', 'huduma', 'maisha', 'alien', 'government'],
]);
/** Documents of a person, as patterns of folded words. */
const DOCUMENTS = anyOf([
  `(?:${OF} ?)?(?:id|idno|identity|identification|passport|passeport)(?: (?:card|document|passport|pp))?(?: or passport)?`,
  ...['huduma', 'maisha', 'nida', 'nin', 'nid', 'n i d', 'cni', 'indangamuntu', 'kitambulisho(?: cha taifa)?'],
  '(?:carte|piece) (?:nationale )?d identite',
]);
/** Registers of tax, pensions and health. Some sheets have the number of the employer there. */
const REGISTERS = anyOf([
  ...['(?:(?:kra|tax|itax) ?)?pin', 'tin', 'nui'],
  ...['nssf(?: membership)?', 'nhif', 'shif', 'sha', '(?:shif|sha) nhif', 'cnps', 'inss'],
]);
/**
 * Only whole headings count: an `Employer PIN` is the same in all rows, and a `Guardian ID` in those of all children. A document
 * comes before a register.
 */
const HEADINGS = [DOCUMENTS, REGISTERS].map(
  (names) =>
    new RegExp(
      `^ (?:(?:n|no|numero|namba|nambari) )?(?:(?:de|du|d|ya) )?(?:la )?${names}(?: ${NUMBER})?(?: \\d+ digits)? $`,
    ),
);
/** What may be a number that the employer gave. All others come before these. */
const MAY_BE_OWN = /^ (?:(?:staff|employee|worker|member|farmer) .*|id) $/;

/** The column of a bank payment for the same number. Any other column that is read decides something else. */
const RECIPIENT_ID = 'recipient_id_number';

/** Such a number has at least five digits, and not always the same one: `00000000` stands for none. */
const DIGITS_MIN = 5;

/** The place of registers in `HEADINGS`. */
const REGISTER = 1;

/** The identity numbers that a sheet states beside its payments. */
export interface IdentityNumbers {
  /** Whether all of them are of registers, in which a sheet may have the number of the employer. */
  readonly areOfRegisters: boolean;
  /**
   * Returns the number that a row states, as it is compared; `undefined` if it states none. Of several columns, the first one
   * counts in which the row states one, and documents come before registers.
   */
  readonly of: (row: SheetRow) => string | undefined;
}

export function identityNumbers({ headings }: ColumnMap): IdentityNumbers {
  const found = headings.flatMap(({ column, means, text }) => {
    const words = wordsOf(text);
    if (means === RECIPIENT_ID) return [{ column, rank: 0 }];
    const rank = HEADINGS.findIndex((heading) => heading.test(words));
    if (means !== undefined || rank === -1) return [];
    return [{ column, rank: MAY_BE_OWN.test(words) ? HEADINGS.length : rank }];
  });
  const columns = found.toSorted((one, other) => one.rank - other.rank).map(({ column }) => column);
  return {
    areOfRegisters: found.every(({ rank }) => rank === REGISTER),
    of({ cells }) {
      for (const column of columns) {
        const number = identityOf(cellIn(cells, column)?.text ?? '');
        if (number !== undefined) return number;
      }
      return undefined;
    },
  };
}

function identityOf(text: string): string | undefined {
  const number = text.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '');
  const digits = number.match(/\d/g) ?? [];
  return digits.length >= DIGITS_MIN && new Set(digits).size > 1 ? number : undefined;
}
