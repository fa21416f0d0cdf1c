/**
 * The parts of a workbook that exceljs's streaming writer puts into its zip: each gets the same date, so that the bytes of a workbook
 * depend on its content alone, and parts of ours are declared beside those of exceljs.
 */
import type { stream } from 'exceljs';

/** The first date that a zip can hold. */
const FIRST_DATE = new Date(Date.UTC(1980, 0, 1));

const CONTENT_TYPES = '[Content_Types].xml';

/** The zip of exceljs's workbook, which its types leave out. Everything that is written goes through `append`. */
interface ZippedBook {
  readonly zip: { append(content: unknown, entry: Readonly<Record<string, unknown>>): unknown };
}

/** Adds a part; `contentType` where the extension of its name does not say what it is. */
export type AddPart = (name: string, content: string | Buffer, contentType?: string) => void;

/** Takes the zip of a workbook over. It must be called before the first worksheet is begun. */
export function ownParts(book: stream.xlsx.WorkbookWriter): AddPart {
  const { zip } = book as unknown as ZippedBook; // see ZippedBook
  const declared: string[] = [];
  const append = zip.append.bind(zip);
  zip.append = (content, entry) => {
    const isTypes = entry['name'] === CONTENT_TYPES && typeof content === 'string';
    const whole = isTypes ? content.replace('</Types>', `${declared.join('')}</Types>`) : content;
    return append(whole, { ...entry, date: FIRST_DATE });
  };
  return (name, content, contentType) => {
    if (contentType !== undefined) declared.push(`<Override PartName="/${name}" ContentType="${contentType}"/>`);
    zip.append(content, { name });
  };
}
