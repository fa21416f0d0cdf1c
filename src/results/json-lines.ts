/** The rows of the results for programs, one JSON object a line, in the form of an event: `{"v":1,"type":"row.outcome", …}`. */
import { shownJson } from '../domain/shown-text.ts';
import type { Report } from './report.ts';
import { rowRecordOf } from './row-record.ts';
import { rowsOf } from './source.ts';

/** Yields a line for every row of the sheet, in sheet order. */
export async function* jsonLines({ source, options }: Report): AsyncGenerator<string> {
  for await (const row of rowsOf(source)) {
    const record = rowRecordOf(row, source.header, options.timezone);
    yield `${shownJson(JSON.stringify({ v: 1, type: 'row.outcome', ...record }))}\n`;
  }
}
