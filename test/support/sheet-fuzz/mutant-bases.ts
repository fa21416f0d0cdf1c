/** Sound sheets of a few rows in the many shapes in which they come: what the mutants are made from. */
import type { Chance } from '../seeded-random.ts';

/** A cell as it is stored: attributes of `<c>` and what stands inside. */
export interface BaseCell {
  readonly column: number;
  /** `n` number, `s` shared text, `inlineStr`, `str`, `b`, `e`, `d`. */
  readonly type: string;
  readonly value: string;
  readonly style?: string;
  readonly formula?: string;
}

export interface BaseRow {
  readonly number: number;
  readonly hidden: boolean;
  readonly cells: readonly BaseCell[];
}

const people = ['Jane Wanjiku', 'Ali Hassan', 'Wanjikũ Otieno', 'Ann "Mama" Atieno', "O'Neil & Sons", 'Peter; Paul'];
const headings = [
  ['Reference', 'Name', 'Phone', 'Amount'],
  ['Staff No', 'Employee Name', 'Mobile No', 'Department', 'Net Pay'],
  ['Name', 'Phone', 'Amount', 'Note'],
  ['Amount', 'Name', 'Type', 'Till number', 'Paybill number', 'Account number', 'Phone'],
] as const;

const wholes = ['1500', '1500.5', '0.05', '99.99', '250000', '1234.0999999999999', '1E3', '7'];
const plain = ['1500', '1500.5', '0.05', '99.99', '7', '2500.00'];

function valueUnder(
  heading: string,
  index: number,
  chance: Chance,
  isText: boolean,
): readonly [type: string, value: string] {
  const phone = `7${String(10_000_000 + chance.below(9_999_999)).padStart(8, '0')}`;
  switch (heading) {
    case 'Amount':
    case 'Net Pay':
      if (chance.onceIn(6)) return ['s', chance.pick(['1,500.00', 'KSh 2500/=', '3 000.50', '12.30', ' 45 '])];
      return ['n', chance.pick(isText ? plain : wholes)];
    case 'Phone':
    case 'Mobile No':
      return chance.onceIn(2) ? ['n', phone] : ['s', `0${phone}`];
    case 'Name':
    case 'Employee Name':
      return ['s', chance.pick(people)];
    case 'Reference':
    case 'Staff No':
      return ['s', `EMP-${index + 1}`];
    case 'Type':
      return ['s', 'wallet'];
    case 'Note':
    case 'Department':
      return ['s', chance.pick(['', 'Field', '=1+1', 'line\nbreak', 'a,b;c'])];
    default:
      return ['s', ''];
  }
}

/** A table with headings, now and then with titles above and a signature below; `isText`: no forms that only numbers have. */
export function baseTable(chance: Chance, isText = false): readonly BaseRow[] {
  const words = chance.pick(headings);
  const rows: BaseRow[] = [];
  const add = (number: number, cells: readonly BaseCell[]): void => {
    rows.push({ number, hidden: false, cells: cells.filter(({ value }) => value !== '') });
  };
  let number = 1;
  if (chance.onceIn(3)) {
    add(number, [{ column: 1, type: 's', value: 'Kilimo Bora Ltd' }]);
    number += chance.between(1, 3);
  }
  add(
    number,
    words.map((value, at) => ({ column: at + 1, type: 's', value })),
  );
  const count = chance.between(1, 6);
  for (let index = 0; index < count; index += 1) {
    number += 1;
    add(
      number,
      words.map((word, at) => {
        const [type, value] = valueUnder(word, index, chance, isText);
        return { column: at + 1, type, value };
      }),
    );
  }
  if (chance.onceIn(4)) add(number + 2, [{ column: 1, type: 's', value: 'Prepared by: C. Wairimu' }]);
  return rows;
}
