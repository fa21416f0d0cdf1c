/**
 * Parses XML in pieces of any size into the events of one vocabulary. Elements of other vocabularies (extensions, drawings)
 * are skipped with everything inside them. A DOCTYPE is refused, so only the five entities of XML itself can exist.
 */
import { TextDecoder } from 'node:util';
import { SaxesParser } from 'saxes';
import type { SheetLimits } from '../sheet-limits.ts';
import { damaged, saveAgain, unreadable } from '../unreadable.ts';

export type Attributes = Readonly<Record<string, string>>;

/** The events that the reader of one kind of part handles. Names come without their prefix, attributes as written. */
export interface XmlHandler {
  readonly open: (name: string, attributes: Attributes) => void;
  readonly close?: (name: string) => void;
  readonly text?: (text: string) => void;
  /** Called at the start of an element of another vocabulary, with its prefix; the element is skipped with everything inside it. */
  readonly foreign?: (name: string) => void;
}

export interface XmlReader {
  /** Takes the next bytes; they may be split anywhere, even inside a character. */
  readonly write: (bytes: Uint8Array) => void;
  /** Ends the part. A part that was cut off is a fault. */
  readonly end: () => void;
}

export interface XmlOptions {
  /** Name of the part, for faults. */
  readonly part: string;
  /** All namespaces of the vocabulary (transitional and strict). */
  readonly namespaces: ReadonlySet<string>;
  /** The element the document must begin with. */
  readonly root: string;
  readonly limits: SheetLimits;
}

interface Scope {
  readonly prefixes: ReadonlyMap<string, string>;
  /** Depth of the element that declared the prefixes. */
  readonly depth: number;
}

/** Reads a whole part. Fault `sheet-unreadable` if the part is not what it should be. */
export async function readXml(
  chunks: AsyncIterable<Uint8Array>,
  options: XmlOptions,
  handler: XmlHandler,
): Promise<void> {
  const xml = xmlReader(options, handler);
  for await (const chunk of chunks) xml.write(chunk);
  xml.end();
}

/** Returns a reader for a part that is read in pieces, so that the caller can hand on results in between or stop before the end. */
export function xmlReader(options: XmlOptions, handler: XmlHandler): XmlReader {
  const { part, limits } = options;
  const decode = xmlDecoder(part);
  const parser = new SaxesParser({ xmlns: false, position: false });
  refuseOddities(parser, part);
  const names = namespaceScopes(options);
  let depth = 0;
  // Depth of the foreign element that is being skipped; 0 if none is.
  let foreignFrom = 0;
  let charactersSinceEvent = 0;

  const say = (text: string) => {
    charactersSinceEvent = 0;
    if (foreignFrom === 0 && depth > 0) handler.text?.(text);
  };
  parser.on('text', say);
  parser.on('cdata', say);
  parser.on('opentag', ({ name, attributes }) => {
    charactersSinceEvent = 0;
    depth += 1;
    if (depth > limits.elementDepth) throw damaged(`${part} nests more than ${limits.elementDepth} elements.`);
    if (foreignFrom > 0) return;
    const local = names.enter(name, attributes, depth);
    if (local === undefined) {
      foreignFrom = depth;
      handler.foreign?.(name);
    } else handler.open(local, attributes);
  });
  parser.on('closetag', ({ name }) => {
    charactersSinceEvent = 0;
    if (foreignFrom === 0) handler.close?.(localName(name));
    else if (foreignFrom === depth) foreignFrom = 0;
    names.leave(depth);
    depth -= 1;
  });

  function parse(text: string): void {
    charactersSinceEvent += text.length;
    parser.write(text);
    if (charactersSinceEvent > limits.tokenCharacters) throw damaged(`${part} holds a text of unreasonable length.`);
  }

  return {
    write(bytes) {
      if (bytes.length > 0) parse(decode(bytes));
    },
    end() {
      parse(decode(undefined));
      parser.close();
    },
  };
}

function refuseOddities(parser: SaxesParser<{ xmlns: false; position: false }>, part: string): void {
  parser.on('error', (error) => {
    throw damaged(`${part} is not well-formed XML.`, error);
  });
  parser.on('doctype', () => {
    throw unreadable(`The workbook holds a DOCTYPE (${part}), which no spreadsheet writes.`, saveAgain);
  });
  parser.on('xmldecl', ({ encoding = 'UTF-8' }) => {
    if (!/^(?:utf-?8|utf-?16(?:le|be)?|us-ascii)$/i.test(encoding)) {
      throw damaged(`${part} is written in ${encoding}, which workbooks may not use.`);
    }
  });
}

/** Returns a decoder from bytes to text, in which a character may be split between calls; `undefined` ends the bytes. */
function xmlDecoder(part: string): (bytes: Uint8Array | undefined) => string {
  let decoder: TextDecoder | undefined;
  return (bytes) => {
    try {
      if (bytes === undefined) return decoder?.decode() ?? '';
      decoder ??= new TextDecoder(encodingOf(bytes), { fatal: true });
      return decoder.decode(bytes, { stream: true });
    } catch (error) {
      throw damaged(`${part} holds bytes that are not text.`, error);
    }
  };
}

/** Returns the encoding: that of a byte order mark, or UTF-16 if a zero byte is next to the first `<`; otherwise UTF-8. */
function encodingOf(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be';
  return 'utf-8';
}

/** Returns a name without its prefix: `x:row` is `row`. */
export const localName = (name: string): string => {
  const colon = name.indexOf(':');
  return colon === -1 ? name : name.slice(colon + 1);
};

const prefixOf = (name: string): string => {
  const colon = name.indexOf(':');
  return colon === -1 ? '' : name.slice(0, colon);
};

/**
 * Tracks which prefix means which namespace. Saxes can do this itself, but with an object for every attribute of every cell,
 * and a workbook then takes three times as long. Declarations are so rare that searching for them costs little.
 */
function namespaceScopes({ part, namespaces, root }: XmlOptions) {
  const scopes: Scope[] = [{ prefixes: new Map(), depth: 0 }];
  const isOurs = (prefix: string) => namespaces.has(scopes.at(-1)?.prefixes.get(prefix) ?? '');

  return {
    /** Returns the local name of an element of the vocabulary, or `undefined` for an element of another one. */
    enter(name: string, attributes: Attributes, depth: number): string | undefined {
      const declared = declarations(attributes);
      if (declared.length > 0) {
        scopes.push({ prefixes: new Map([...(scopes.at(-1)?.prefixes ?? []), ...declared]), depth });
      }
      const local = isOurs(prefixOf(name)) ? localName(name) : undefined;
      if (depth === 1 && local !== root) throw damaged(`${part} begins with <${name}> where <${root}> belongs.`);
      return local;
    },
    leave(depth: number): void {
      if (scopes.at(-1)?.depth === depth && depth > 0) scopes.pop();
    },
  };
}

const none: readonly [string, string][] = [];

function declarations(attributes: Attributes): readonly [string, string][] {
  let found: [string, string][] | undefined;
  for (const name in attributes) {
    if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue;
    found ??= [];
    found.push([name === 'xmlns' ? '' : name.slice('xmlns:'.length), attributes[name] ?? '']);
  }
  return found ?? none;
}
