/** A small spreadsheet: what a formula of the results comes to, from the other cells of its workbook. An independent reading of them. */
import type { CellValue, Workbook, Worksheet } from 'exceljs';

type Value = string | number | undefined;

/** A name with its bracket, a range or cell of some worksheet, a text, a number, or a sign. */
const TOKEN =
  /([A-Z]+\()|((?:[A-Z]\w*!)?\$?[A-Z]{1,3}\$?\d+(?::\$?[A-Z]{1,3}\$?\d+)?)|("(?:[^"]|"")*")|(\d+(?:\.\d+)?)|([-+=,()])/gy;

/** Of a formula without its `=` in a cell of `sheet`. Throws for what it does not know. */
export function formulaResult(formula: string, sheet: Worksheet, book: Workbook): Value {
  const tokens = [...formula.matchAll(TOKEN)].map(([token]) => token);
  if (tokens.join('') !== formula) throw new Error(`it knows no ${formula}`);
  const next = (): string => tokens.shift() ?? '';
  const isNext = (token: string): boolean => tokens[0] === token && tokens.shift() !== undefined;

  const cellsOf = (range: string): readonly Value[] => {
    const [address = '', named] = range.replaceAll('$', '').split('!').reverse();
    const from = named === undefined ? sheet : book.getWorksheet(named);
    const [first = '', last = first] = address.split(':');
    const [start, end] = [from?.getCell(first), from?.getCell(last)];
    const rows = Number(end?.row) - Number(start?.row) + 1;
    return Array.from({ length: rows }, (_, at) =>
      shown(from?.getCell(Number(start?.row) + at, Number(start?.col)).value),
    );
  };
  /** A range has several values; what is calculated has one. */
  const argument = (): readonly Value[] =>
    !tokens[0]?.startsWith('"') && tokens[0]?.includes(':') ? cellsOf(next()) : [sum()];
  const called = (name: string): Value => {
    const given: (readonly Value[])[] = [];
    while (!isNext(')')) {
      given.push(argument());
      isNext(',');
    }
    return results[name]?.(given) ?? 0;
  };
  function part(): Value {
    const token = next();
    if (token.endsWith('(') && token.length > 1) return called(token.slice(0, -1));
    if (token.startsWith('"')) return token.slice(1, -1).replaceAll('""', '"');
    return /^\d/.test(token) ? Number(token) : cellsOf(token)[0];
  }
  function sum(): Value {
    let value = part();
    for (;;) {
      if (isNext('+')) value = Number(value ?? 0) + Number(part() ?? 0);
      else if (isNext('-')) value = Number(value ?? 0) - Number(part() ?? 0);
      else if (isNext('=')) value = Number(Number(value ?? 0) === Number(part() ?? 0));
      else return value;
    }
  }
  return sum();
}

/** What a cell shows: of a formula the result that stands beside it. */
function shown(value: CellValue | undefined): Value {
  if (typeof value === 'object' && value !== null && 'result' in value) return shown(value.result as CellValue);
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}

const total = (values: readonly Value[]): number =>
  values.reduce<number>((sum, value) => sum + (typeof value === 'number' ? value : 0), 0);

const meets = (value: Value, wanted: Value): boolean =>
  String(wanted).startsWith('<>') ? value !== String(wanted).slice(2) : value === wanted;

/** The places at which every range has what is wanted of it. */
const matching = ([first = [], ...rest]: readonly (readonly Value[])[]): readonly number[] => {
  const pairs = [first, ...rest];
  return first.flatMap((_, at) =>
    pairs.every((range, index) => index % 2 === 1 || meets(range[at], pairs[index + 1]?.[0])) ? [at] : [],
  );
};

type Given = readonly (readonly Value[])[];

const results: Readonly<Record<string, (given: Given) => Value>> = {
  ROUND: (given) => Number(Number(given[0]?.[0]).toFixed(Number(given[1]?.[0]))),
  SUM: (given) => total(given.flat()),
  SUBTOTAL: ([, ...given]) => total(given.flat()),
  COUNTA: (given) => given.flat().filter((value) => value !== undefined).length,
  COUNTIFS: (given) => matching(given).length,
  SUMIFS: ([summed = [], ...given]) => total(matching(given).map((at) => summed[at])),
  IF: (given) => given[given[0]?.[0] === 0 ? 2 : 1]?.[0],
};
