/**
 * The parts of a workbook that exceljs's streaming writer puts into its zip: each gets the same date, so that the bytes of a workbook
 * depend on its content alone, and parts of ours are declared beside those of exceljs.
 */
import exceljs, { type stream } from 'exceljs';

/** The first date that a zip can hold. */
const FIRST_DATE = new Date(Date.UTC(1980, 0, 1));

const CONTENT_TYPES = '[Content_Types].xml';

type Book = stream.xlsx.WorkbookWriter;
type Options = ConstructorParameters<typeof stream.xlsx.WorkbookWriter>[0];

/** What the types of exceljs leave out: the zip, into which everything goes through `append`, and the first part, added while it is made. */
interface ZippedBook {
  readonly zip: { append(content: unknown, entry: Readonly<Record<string, unknown>>): unknown };
  addThemes(): Promise<void>;
}

/** Adds a part; `contentType` where the extension of its name does not say what it is. */
export type AddPart = (name: string, content: string | Buffer, contentType?: string) => void;

const Zipped = exceljs.stream.xlsx.WorkbookWriter as unknown as new (options: Options) => Book & ZippedBook; // see ZippedBook

/** A workbook whose zip is ours. */
export class PartedBook extends Zipped {
  /** Elements that declare parts of ours. Made with the first part, which comes before the fields of this class would. */
  declare private declared: string[];

  override addThemes(): Promise<void> {
    const { zip } = this;
    this.declared = [];
    const append = zip.append.bind(zip);
    zip.append = (content, entry) => {
      const isTypes = entry['name'] === CONTENT_TYPES && typeof content === 'string';
      const whole = isTypes ? content.replace('</Types>', `${this.declared.join('')}</Types>`) : content;
      return append(whole, { ...entry, date: FIRST_DATE });
    };
    return super.addThemes();
  }

  readonly addPart: AddPart = (name, content, contentType) => {
    if (contentType !== undefined) {
      this.declared.push(`<Override PartName="/${name}" ContentType="${contentType}"/>`);
    }
    this.zip.append(content, { name });
  };
}
