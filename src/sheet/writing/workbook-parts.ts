/**
 * The parts of a workbook that exceljs's streaming writer puts into its zip: each gets the same date, so that the bytes of a workbook
 * depend on its content alone, and parts of ours are declared beside those of exceljs.
 */
import type { stream } from 'exceljs';

/** The first date that a zip can hold. */
const FIRST_DATE = new Date(Date.UTC(1980, 0, 1));

const CONTENT_TYPES = '[Content_Types].xml';

type Book = stream.xlsx.WorkbookWriter;
type Options = ConstructorParameters<typeof stream.xlsx.WorkbookWriter>[0];

/** What the types of exceljs leave out: the zip, into which everything goes through `append`, and the first part, added by its constructor. */
interface ZippedBook {
  readonly zip: { append(content: unknown, entry: Readonly<Record<string, unknown>>): unknown };
  addThemes(): Promise<void>;
}

/** Adds a part; `contentType` where the extension of its name does not say what it is. */
type AddPart = (name: string, content: string | Buffer, contentType?: string) => void;

/** A workbook under way whose zip is ours. */
export type PartedBook = Book & { readonly addPart: AddPart };

/** Begins a workbook. */
export async function partedBook(options: Options): Promise<PartedBook> {
  // Only here: it is the largest package of all, and most commands write no workbook.
  const { default: exceljs } = await import('exceljs');
  const Zipped = exceljs.stream.xlsx.WorkbookWriter as unknown as new (options: Options) => Book & ZippedBook; // see ZippedBook
  const declared: string[] = [];
  class Parted extends Zipped {
    override addThemes(): Promise<void> {
      const append = this.zip.append.bind(this.zip);
      this.zip.append = (content, entry) => {
        const isTypes = entry['name'] === CONTENT_TYPES && typeof content === 'string';
        const whole = isTypes ? content.replace('</Types>', `${declared.join('')}</Types>`) : content;
        return append(whole, { ...entry, date: FIRST_DATE });
      };
      return super.addThemes();
    }
  }
  const book = new Parted(options);
  const addPart: AddPart = (name, content, contentType) => {
    if (contentType !== undefined) declared.push(`<Override PartName="/${name}" ContentType="${contentType}"/>`);
    book.zip.append(content, { name });
  };
  return Object.assign(book, { addPart });
}
