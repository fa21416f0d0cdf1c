/** Columns beside the payments that say who a person is: `ID No`, `KRA PIN`, `NSSF Number`, `Namba ya kitambulisho`. */
import { cellIn, type SheetRow } from '../domain/cell.ts';
import { wordsOf } from '../kinds/plain-text.ts';
import type { ColumnMap } from './column-map.ts';

const NUMBER = '(?:no|nos|nr|num|number|numbers|numero|namba)';
/** Only whole headings count: an `Employer PIN` is the same in all rows. */
const HEADING = new RegExp(
  `^ (?:(?:n|no|numero|namba)? ?(?:de |du |d |ya )?(?:(?:staff|employee|member|national|natl|huduma|alien|government|personal|his her)? ?(?:id|identity|identification|passport)(?: card| document| passport)?(?: or passport)?|(?:kra|tax|itax)? ?pin|tin|nida|nin|nssf|nhif|shif|sha|cni|nui|cnps|inss|(?:carte|piece) (?:nationale )?d identite|kitambulisho(?: cha taifa)?)(?: ${NUMBER})?) $`,
);

/** Such a number has at least five digits, and not always the same one: `00000000` stands for none. */
const DIGITS_MIN = 5;

/** Returns a function that returns the identity number that a row states, as it is compared; `undefined` if it states none. */
export function identityIn(map: ColumnMap | undefined): (row: SheetRow) => string | undefined {
  const heading = map?.headings.find(({ means, text }) => means === undefined && HEADING.test(wordsOf(text)));
  if (!heading) return () => undefined;
  return ({ cells }) => {
    const text =
      cellIn(cells, heading.column)
        ?.text.toUpperCase()
        .replace(/[^\p{L}\p{N}]/gu, '') ?? '';
    const digits = text.match(/\d/g) ?? [];
    return digits.length >= DIGITS_MIN && new Set(digits).size > 1 ? text : undefined;
  };
}
