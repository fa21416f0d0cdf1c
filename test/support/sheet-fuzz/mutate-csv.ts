/** CSV files made false on purpose: fields, quotes, separators, line ends, encodings, bytes. */

import { type Chance, chanceOf } from '../seeded-random.ts';
import { baseTable } from './mutant-bases.ts';
import { flipped } from './mutate-workbook.ts';

const oddFields = [
  ...[
    '"',
    '""',
    '"""',
    '"a',
    'a"b',
    '"a"b',
    ' "a" ',
    '="0712345678"',
    '"=""5"""',
    '=1+1',
    '1,500',
    '1.500',
    '"1,500.00"',
  ],
  ...[
    '1;2',
    'a|b',
    'a\tb',
    '"a\nb"',
    '"a\r\nb"',
    '\0',
    '\u0007',
    '\u200b',
    '\ufeff',
    '7.12E+08',
    'TRUE',
    '#N/A',
    '-5',
    '0',
  ],
  ...['Total', 'Amount', 'Name', '__proto__', '１２', 'x'.repeat(33_000), '1'.repeat(300), 'é', '😀', ''],
];

const quoted = (text: string, separator: string): string =>
  text.includes('"') || text.includes('\n') || text.includes(separator) ? `"${text.replaceAll('"', '""')}"` : text;

interface Draft {
  readonly lines: readonly (readonly string[])[];
  readonly separator: string;
  readonly lineEnd: string;
}

type Mutation = (draft: Draft, chance: Chance) => Draft;

const changedLine =
  (change: (fields: readonly string[], chance: Chance) => readonly (readonly string[])[]): Mutation =>
  (draft, chance) => {
    const index = chance.below(draft.lines.length);
    return { ...draft, lines: draft.lines.flatMap((line, at) => (at === index ? change(line, chance) : [line])) };
  };

const mutations: readonly Mutation[] = [
  changedLine((fields, chance) => {
    const index = chance.below(Math.max(1, fields.length));
    return [fields.map((field, at) => (at === index ? chance.pick(oddFields) : field))];
  }),
  changedLine((fields, chance) => [fields.map((field) => (chance.onceIn(2) ? `"${field}"` : field))]),
  changedLine((fields) => [[...fields, '']]),
  changedLine((fields, chance) => [[...fields, chance.pick(oddFields)]]),
  changedLine((fields, chance) => [fields.toSpliced(chance.below(fields.length + 1), 1)]),
  changedLine((fields, chance) => [fields.toSpliced(chance.below(fields.length + 1), 0, chance.pick(oddFields))]),
  changedLine((fields) => [fields, fields]),
  changedLine((fields) => [[], fields]),
  changedLine((fields) => [[' '], fields, ['']]),
  changedLine(() => []),
  changedLine((fields, chance) => [[chance.pick(['Total', 'TOTAL:', 'Prepared by', 'sep=;', 'sep=,'])], fields]),
  (draft, chance) => ({ ...draft, separator: chance.pick([',', ';', '\t', '|', ':', ' ', ',,', ', ']) }),
  (draft, chance) => ({ ...draft, lineEnd: chance.pick(['\n', '\r', '\r\n', '\n\r', '\r\r\n', '\u2028', '\n\n', '']) }),
];

type BytesMutation = (bytes: Buffer, chance: Chance) => Buffer;

const bytesMutations: readonly BytesMutation[] = [
  (bytes) => Buffer.from(`\ufeff${bytes.toString('utf8')}`),
  (bytes) => Buffer.from(`\ufeff\ufeff${bytes.toString('utf8')}`),
  (bytes) => Buffer.from(`\ufeff${bytes.toString('utf8')}`, 'utf16le'),
  (bytes) => Buffer.from(`\ufeff${bytes.toString('utf8')}`, 'utf16le').swap16(),
  (bytes) => Buffer.from(bytes.toString('utf8'), 'utf16le'),
  (bytes) => Buffer.from(bytes.toString('utf8'), 'latin1'),
  (bytes, chance) => Buffer.from(`\ufeff${bytes.toString('utf8')}`, 'utf16le').subarray(0, -chance.between(1, 9)),
  (bytes, chance) => flipped(bytes, chance, 1),
  (bytes, chance) => flipped(bytes, chance, chance.between(1, 5)),
  (bytes, chance) => bytes.subarray(0, chance.below(bytes.length + 1)),
  (bytes, chance) => bytes.subarray(chance.below(bytes.length + 1)),
  (bytes, chance) =>
    replaced(bytes, chance, chance.pick(['"', '""', '\r', '\n', '\0', ',', ';', '="', '\ufffd', '\u0085'])),
  (bytes, chance) => replaced(bytes, chance, 'x'.repeat(1_100_000)),
  // What costs time rather than width: many of one short thing.
  (bytes, chance) =>
    replaced(bytes, chance, chance.pick(['\n', '\r\n', ',\n', '""', '"', ' \n', 'a,\n', '="5"\n']).repeat(5_000)),
  (bytes, chance) => replaced(bytes, chance, '"\n'.repeat(chance.between(1, 3))),
  (bytes, chance) =>
    Buffer.concat([Buffer.from(chance.pick(['sep=;\n', 'sep=,\r\n', '"sep=;"\n', 'sep=', 'sep=\t\n'])), bytes]),
  (bytes, chance) =>
    Buffer.concat([Buffer.from(chance.pick(['PK\x03\x04', '<html>', '%PDF', '\x1f\x8b', '{"a":1}\n', '\n\n'])), bytes]),
];

/** The text put in, over up to two bytes, at any place. */
function replaced(bytes: Buffer, chance: Chance, text: string): Buffer {
  const at = chance.below(bytes.length + 1);
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(text), bytes.subarray(at + chance.below(3))]);
}

/** Mutant number `index` of a campaign with this seed. */
export function mutantCsv(seed: number, index: number): Buffer {
  const chance = chanceOf(seed, index);
  const separator = chance.pick([',', ',', ';', '\t', '|']);
  const lines = baseTable(chance, true).map(({ cells }) => {
    const width = Math.max(...cells.map(({ column }) => column), 0);
    return Array.from({ length: width }, (_, at) => {
      const value = cells.find(({ column }) => column === at + 1)?.value ?? '';
      return quoted(value, separator);
    });
  });
  const widest = Math.max(...lines.map((fields) => fields.length));
  const padded = lines.map((fields) =>
    chance.onceIn(20) ? fields : [...fields, ...Array(widest - fields.length).fill('')],
  );
  let draft: Draft = { lines: padded, separator, lineEnd: chance.pick(['\n', '\r\n']) };
  const isText = chance.onceIn(2);
  const times = chance.onceIn(4) ? chance.between(2, 4) : 1;
  for (let left = isText ? times : 0; left > 0 && draft.lines.length > 0; left -= 1) {
    draft = chance.pick(mutations)(draft, chance);
  }
  let bytes: Buffer = Buffer.from(draft.lines.map((fields) => fields.join(draft.separator) + draft.lineEnd).join(''));
  for (let left = isText ? 0 : times; left > 0; left -= 1) bytes = chance.pick(bytesMutations)(bytes, chance);
  return bytes;
}
