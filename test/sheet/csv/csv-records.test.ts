import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BrokenRecord, csvRecords } from '../../../src/sheet/csv/csv-records.ts';

const options = { delimiter: ',', lineBytes: 1024, width: 2 };

/** Whole lines, cut behind the breaks that are chosen; none is cut between CR and LF. */
async function* linesOf(text: string, cuts: readonly boolean[]): AsyncGenerator<Buffer> {
  const lines = text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];
  let piece = '';
  for (const [index, line] of lines.entries()) {
    piece += line;
    if (cuts[index % cuts.length] !== true) continue;
    yield Buffer.from(piece);
    piece = '';
  }
  if (piece !== '') yield Buffer.from(piece);
}

async function partedInto(text: string, cuts: readonly boolean[]): Promise<unknown> {
  const records: (readonly string[])[] = [];
  try {
    for await (const some of csvRecords(linesOf(text, cuts), options)) records.push(...some);
    return records;
  } catch (error) {
    if (error instanceof BrokenRecord) return error.code;
    throw error;
  }
}

/** What the parser alone makes of the whole text. */
function parsed(text: string): unknown {
  try {
    return parse(text, {
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      max_record_size: options.lineBytes,
    });
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error;
  }
}

const field = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: fc.constantFrom('a', 'é', ' ', '=', '😀', '\t'), maxLength: 4 }) },
  { weight: 2, arbitrary: fc.constantFrom('"a,b"', '"line\nbreak"', '"5"" pipe"', '""', '"\r\n"') },
  { weight: 1, arbitrary: fc.constantFrom('"', 'a"b', '"a"b', 'long '.repeat(210)) },
);
const line = fc.tuple(fc.array(field, { minLength: 1, maxLength: 4 }), fc.constantFrom('\n', '\r\n', '\r'));
const sheet = fc
  .array(line, { maxLength: 6 })
  .map((lines) => lines.map(([fields, end]) => fields.join() + end).join(''));
const end = fc.constantFrom('', '', 'a,b', ',', '"x"');

test('lines without quotes are parted as the parser parts them, wherever the pieces of a file end', async () => {
  await fc.assert(
    fc.asyncProperty(sheet, end, fc.array(fc.boolean(), { minLength: 1, maxLength: 7 }), async (lines, last, cuts) => {
      expect(await partedInto(lines + last, cuts)).toEqual(parsed(lines + last));
    }),
    { numRuns: 1500 },
  );
});

test('a broken quote is told where it stands in all that was given, whoever read what is before it', async () => {
  const before = 'a,b\n'.repeat(500);
  const parting = async (): Promise<void> => {
    for await (const _ of csvRecords(linesOf(`${before}"x",y\n${before}z,"w`, [true]), options));
  };
  await expect(parting()).rejects.toMatchObject({ code: 'CSV_QUOTE_NOT_CLOSED', at: 2 * before.length + 7 });
});
