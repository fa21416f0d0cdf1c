/**
 * XML as spreadsheet programs write nearly all of it: plain tags, nothing escaped, nothing nested in an odd way. An element of
 * which every sign is known to be allowed needs no parser, so these patterns allow little. What they do not fit is parsed.
 */

/** Signs of an attribute: none that ends it or the tag, stands for another one, or may not stand in XML. */
const ATTRIBUTE = "[ !#-%'-;=?-~]*";
/** Signs of a text likewise. No separator of lines is among them: XML 1.1 would read a line feed. */
const TEXT = "[ -%'-;=?-~\\u00a0-\\u2027\\u202a-\\ud7ff]*";

const ATTRIBUTES = `(?: [A-Za-z][A-Za-z0-9:]*="${ATTRIBUTE}")*`;
const CELL_TAG = '<c r="[A-Z]{1,3}[0-9]{1,7}"(?: s="[0-9]{1,6}")?(?: t="[A-Za-z]{1,9}")?';

/** White space ahead of it, as some programs put each row in a line of its own. */
const ROW = new RegExp(`[ \\t\\n]*<row(${ATTRIBUTES})>((?:${CELL_TAG}(?:/>|><v>${TEXT}</v></c>))*)</row>`, 'y');
const CELL = new RegExp(
  `<c r="([A-Z]+[0-9]+)"(?: s="([0-9]+)")?(?: t="([A-Za-z]+)")?(?:/>|><v>(${TEXT})</v></c>)`,
  'y',
);
const ITEM = new RegExp(`[ \\t\\n]*<si><t(?: xml:space="preserve")?>(${TEXT})</t></si>`, 'y');
const ATTRIBUTE_PAIR = new RegExp(` ([A-Za-z][A-Za-z0-9:]*)="(${ATTRIBUTE})"`, 'g');

export interface PlainRow {
  readonly attributes: Readonly<Record<string, string>>;
  /** The text of its cells. */
  readonly cells: string;
  /** Where the text goes on. */
  readonly end: number;
}

/** The whole row that begins here; undefined when a parser has to look at it, or it has not ended yet. */
export function plainRowAt(text: string, at: number): PlainRow | undefined {
  ROW.lastIndex = at;
  const found = ROW.exec(text);
  const attributes = found && attributesOf(found[1] ?? '');
  return attributes ? { attributes, cells: found[2] ?? '', end: ROW.lastIndex } : undefined;
}

/** The attributes of a tag; undefined when one stands there twice, or declares a namespace. */
function attributesOf(written: string): Readonly<Record<string, string>> | undefined {
  const attributes: Record<string, string> = {};
  ATTRIBUTE_PAIR.lastIndex = 0;
  for (let found = ATTRIBUTE_PAIR.exec(written); found !== null; found = ATTRIBUTE_PAIR.exec(written)) {
    const [, name = '', value = ''] = found;
    if (Object.hasOwn(attributes, name) || name.startsWith('xmlns')) return undefined;
    attributes[name] = value;
  }
  return attributes;
}

/** What hears the cells of a plain row; `value` is missing where the tag closes itself. */
export type PlainCells = (r: string, s: string | undefined, t: string | undefined, value: string | undefined) => void;

/** Tells the cells of a plain row, one after another. */
export function eachPlainCell({ cells }: PlainRow, hear: PlainCells): void {
  CELL.lastIndex = 0;
  for (let found = CELL.exec(cells); found !== null; found = CELL.exec(cells)) {
    hear(found[1] ?? '', found[2], found[3], found[4]);
  }
}

/** The shared text that begins here, when no parser has to look at it and it has ended. */
export function plainItemAt(text: string, at: number): { readonly text: string; readonly end: number } | undefined {
  ITEM.lastIndex = at;
  const found = ITEM.exec(text);
  return found ? { text: found[1] ?? '', end: ITEM.lastIndex } : undefined;
}
