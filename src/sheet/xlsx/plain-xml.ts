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
const INLINE_START = '><is><t(?: xml:space="preserve")?>';
const CELL = `${CELL_TAG}(?:/>|><v>${TEXT}</v></c>|${INLINE_START}${TEXT}</t></is></c>)`;

/** White space ahead of it, as some programs put each row in a line of its own. */
const ROW = new RegExp(`[ \\t\\n]*<row r="[0-9]{1,7}"${ATTRIBUTES}>(?:${CELL})*</row>`, 'y');
const ITEM_END = '</t></si>';
const ITEM = new RegExp(`[ \\t\\n]*<si><t(?: xml:space="preserve")?>${TEXT}${ITEM_END}`, 'y');
/** Which columns a row has, in a way that nobody needs. */
const SPANS = /^ spans="[0-9: ]*"/;
const ATTRIBUTE_PAIR = new RegExp(` ([A-Za-z][A-Za-z0-9:]*)="(${ATTRIBUTE})"`, 'g');

type Attributes = Readonly<Record<string, string>>;

export interface PlainRow {
  /** Its number as it is written. */
  readonly r: string;
  /** Its other attributes. */
  readonly attributes: Attributes;
  /** Where the text goes on. */
  readonly end: number;
}

// Once a whole fits its pattern its parts are where the next sign of their kind is: that costs less than to have them captured.

/** The whole row that begins here; undefined when a parser has to look at it, or it has not ended yet. */
export function plainRowAt(text: string, at: number): PlainRow | undefined {
  ROW.lastIndex = at;
  if (!ROW.test(text)) return undefined;
  const from = text.indexOf('"', at) + 1;
  const to = text.indexOf('"', from);
  const attributes = attributesOf(text.slice(to + 1, text.indexOf('>', to)));
  return attributes ? { r: text.slice(from, to), attributes, end: ROW.lastIndex } : undefined;
}

const NO_ATTRIBUTES: Attributes = {};
/** Rows mostly have the same ones, so those of the row before are kept. */
let lastAttributes: { readonly written: string; readonly read: Attributes | undefined } = {
  written: '',
  read: NO_ATTRIBUTES,
};

/** The attributes of a row beside its number; undefined when one stands there twice, or declares a namespace. */
function attributesOf(written: string): Attributes | undefined {
  if (lastAttributes.written !== written) lastAttributes = { written, read: readAttributes(written) };
  return lastAttributes.read;
}

function readAttributes(written: string): Attributes | undefined {
  const attributes: Record<string, string> = {};
  for (const [, name = '', value = ''] of written.replace(SPANS, '').matchAll(ATTRIBUTE_PAIR)) {
    // Those two stand ahead of these already.
    if (name === 'r' || name === 'spans') return undefined;
    if (Object.hasOwn(attributes, name) || name.startsWith('xmlns')) return undefined;
    attributes[name] = value;
  }
  return attributes;
}

/** The shared text that begins here, when no parser has to look at it and it has ended. */
export function plainItemAt(text: string, at: number): { readonly text: string; readonly end: number } | undefined {
  ITEM.lastIndex = at;
  if (!ITEM.test(text)) return undefined;
  const end = ITEM.lastIndex;
  const from = text.indexOf('>', text.indexOf('<t', at)) + 1;
  return { text: text.slice(from, end - ITEM_END.length), end };
}
