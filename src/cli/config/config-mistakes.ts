/**
 * Finds what is wrong with a configuration, for people who write it by hand: where the text stops being JSON, a name that
 * occurs twice in one object (a parser silently keeps the last), and one sentence for each wrong setting, with an example.
 */
import { type Node, type ParseErrorCode, parseTree, printParseErrorCode, visit } from 'jsonc-parser';
import { z } from 'zod';
import { didYouMean } from '../../domain/likeness.ts';
import { shortQuiet, type Waits } from '../../domain/quiet-time.ts';
import { configSchema, SHORT_QUIET } from './config-schema.ts';

/** A mistake in a text, and its place. */
export interface PlacedMistake {
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1, in characters. */
  readonly column: number;
  /** A sentence. It quotes short values of settings, but never an address, which may hold a password. */
  readonly says: string;
}

/** What is wrong with a text. */
export interface Mistaken {
  readonly mistakes: readonly PlacedMistake[];
  /** False if the text is not JSON. What comes after the last mistake was not read then. */
  readonly isReadable: boolean;
}

/** Returns the line and column of an offset in a text. */
function placeAt(text: string, at: number): Pick<PlacedMistake, 'line' | 'column'> {
  const before = text.slice(0, at).split(/\r\n|\r|\n/);
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

type ErrorName = ReturnType<typeof printParseErrorCode>;

const COMMENT = 'JSON has no comments. Delete it.';
const NUMBER = 'This is not a number. Write it with digits and a point, for example 1500.5.';
const BACKSLASH = 'A backslash in this text must be written twice (\\\\), also in a path.';

/** What each error name of the parser means to a person, if the text around it says no more. */
const sentences: Readonly<Partial<Record<ErrorName, string>>> = {
  ValueExpected: 'A value is missing here.',
  PropertyNameExpected: 'A name in double quotes is missing here.',
  ColonExpected: 'A colon (:) is missing here, between a name and its value.',
  CloseBraceExpected: 'The bracket that opens here is never closed. Add } where it ends.',
  CloseBracketExpected: 'The bracket that opens here is never closed. Add ] where it ends.',
  EndOfFileExpected: 'Nothing may follow after the last bracket.',
  InvalidCommentToken: COMMENT,
  UnexpectedEndOfString: 'The text that begins here has no closing quote, or one backslash just before it.',
  UnexpectedEndOfNumber: NUMBER,
  InvalidUnicode: BACKSLASH,
  InvalidEscapeCharacter: BACKSLASH,
  InvalidCharacter: 'This text holds a tab or another control character. Write \\t for a tab.',
};

/** Most levels of brackets: deeper than anything that people write. The parser calls itself once for each level. */
const DEPTH_MAX = 200;

/** Ends the parsing at the first mistake, because further ones that a tolerant parser finds may only follow from it. */
class Mistake extends Error {
  readonly at: number;
  constructor(at: number, says: string) {
    super(says);
    this.at = at;
  }
}

/**
 * Reports whether a text is JSON, with its mistakes: every repeated name, up to the first mistake that makes the rest
 * unreadable.
 */
export function jsonMistakes(text: string): Mistaken {
  const mistakes: PlacedMistake[] = [];
  const emit = ({ at, message }: Mistake): void => void mistakes.push({ ...placeAt(text, at), says: message });
  try {
    parse(text, emit);
    return { isReadable: true, mistakes };
  } catch (error) {
    if (!(error instanceof Mistake)) throw error;
    emit(error);
    return { isReadable: false, mistakes };
  }
}

function parse(text: string, emit: (mistake: Mistake) => void): void {
  /** The open brackets around the current place, and the names found in each. */
  const around: { readonly at: number; readonly names: Set<string> }[] = [];
  const open = (at: number): void => {
    if (around.push({ at, names: new Set() }) > DEPTH_MAX) throw new Mistake(at, 'The brackets are nested too deeply.');
  };
  const close = (at: number): void => {
    // At the end of the text the parser closes the brackets itself and reports its error after that, so they are kept.
    if (at < text.length) around.pop();
  };
  const nameOnce = (name: string, at: number, length: number): void => {
    const names = around.at(-1)?.names;
    const quoted = text.slice(at, at + length);
    if (names?.has(name)) emit(new Mistake(at, `${quoted} occurs twice in one group. Keep one of them.`));
    names?.add(name);
  };
  const onError = (code: ParseErrorCode, at: number): void => {
    throw mistake(printParseErrorCode(code), text, at, around.at(-1)?.at ?? 0);
  };
  const brackets = { onObjectBegin: open, onArrayBegin: open, onObjectEnd: close, onArrayEnd: close };
  visit(text, { ...brackets, onObjectProperty: nameOnce, onError }, { disallowComments: true });
}

/**
 * Returns the mistake behind a parser error. The parser reports where it could not continue; the cause is often just before
 * that.
 */
function mistake(error: ErrorName, text: string, at: number, opened: number): Mistake {
  const before = text.slice(0, at).trimEnd();
  const here = text.charAt(at);
  const number = /[\w.+-]*$/.exec(text.slice(0, at))?.[0] ?? '';
  if (number !== '' && /[\w.+-]/.test(here)) return new Mistake(at - number.length, NUMBER);
  if (before === '' && here === '') return new Mistake(at, 'The file is empty. Write {} for no settings.');
  if (error.startsWith('Close')) return new Mistake(opened, sentences[error] ?? '');
  if (error === 'InvalidSymbol') return new Mistake(at, symbolSays(here));
  if (/[}\]]/.test(here)) {
    if (before.endsWith(','))
      return new Mistake(before.length - 1, `Delete this comma: nothing follows before ${here}.`);
    if (error === 'CommaExpected') return new Mistake(at, `This bracket should be ${here === '}' ? ']' : '}'}.`);
  }
  if (error === 'CommaExpected') return new Mistake(before.length, 'A comma is missing here.');
  return new Mistake(at, sentences[error] ?? 'This does not belong here.');
}

/** Returns the sentence about a text that begins like nothing in JSON. */
function symbolSays(begins: string): string {
  if (begins === '#') return COMMENT;
  if (/[\d.+-]/.test(begins)) return NUMBER;
  const isText = /[\p{L}_$'`\u2018\u2019\u201c\u201d\u201e\u00ab]/u.test(begins);
  return isText ? 'Put this in straight double quotes (").' : 'This character does not belong here.';
}

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** Longest value of the file that a message quotes, in characters. */
const SHOWN_CHARACTERS_MAX = 40;

/** A mistake in a setting, and whether it is about the name of the setting or its value. */
export interface ConfigMistake {
  readonly path: Path;
  readonly part: 'name' | 'value';
  readonly says: string;
}

/** Returns every mistake, in the order of the schema. `given` is the parsed file. */
export const configMistakes = (issues: readonly Issue[], given: unknown): readonly ConfigMistake[] =>
  issues.flatMap((issue): readonly ConfigMistake[] => {
    const { path } = issue;
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({ path: [...path, key], part: 'name', says: unknownSetting(path, key) }));
    }
    if (issue.code === 'invalid_key') return [{ path, part: 'name', says: unknownKey(issue) }];
    if (issue.code === 'custom' && issue.message === SHORT_QUIET) {
      return [shortQuietOf(path, issue.params as unknown as Waits, given)]; // the params that the schema sets
    }
    return [{ path, part: 'value', says: wrongValue(issue, given) }];
  });

/** Returns mistakes with their places in the text. A missing setting is placed at the group that lacks it. */
export function placedIn(text: string, mistakes: readonly ConfigMistake[]): readonly PlacedMistake[] {
  const root = parseTree(text);
  return mistakes.map(({ path, part, says }) => ({ ...placeAt(text, offsetOf(root, path, part)), says }));
}

function offsetOf(root: Node | undefined, path: Path, part: ConfigMistake['part']): number {
  const node = path.reduce<Node | undefined>(within, root);
  if (!node) return path.length === 0 ? 0 : offsetOf(root, path.slice(0, -1), 'name');
  const name = node.parent?.type === 'property' ? node.parent.children?.[0] : undefined;
  return part === 'name' && name ? name.offset : node.offset;
}

/** Returns the node of a value in a group or a list. Of a repeated name it is the last one, which parsers take. */
const within = (node: Node | undefined, key: PropertyKey): Node | undefined =>
  node?.type === 'array'
    ? node.children?.[Number(key)]
    : node?.children?.findLast(({ children: [name] = [] }) => name?.value === key)?.children?.[1];

/** Returns the mistake of two waits that do not fit each other. It says which one the file sets and which one is a default. */
function shortQuietOf(profile: Path, waits: Waits, given: unknown): ConfigMistake {
  const said: Path[] = [];
  const { why, write } = shortQuiet(waits, (setting) => {
    const path = [...profile, ...setting.split('.')];
    const isSaid = valueAt(given, path) !== undefined;
    if (isSaid) said.push(path);
    return `${pathText(path)}${isSaid ? '' : ' (not in the file, its default)'}`;
  });
  return { path: said[0] ?? profile, part: 'value', says: `${why} ${write}` };
}

const pathText = (path: Path): string => path.map(String).join('.');

function unknownSetting(path: Path, key: string): string {
  const known = namesOf(bare(schemaAt(path)));
  const homes = homesOf(key);
  const home = homes.length > 0 ? `It belongs ${homes.join(' or ')}.` : undefined;
  const advice = home ?? didYouMean(key, known) ?? `Known here: ${known.join(', ')}.`;
  return `Unknown setting ${pathText([...path, key.slice(0, SHOWN_CHARACTERS_MAX)])}. ${advice}`;
}

/** Returns the sentence about a wrong name that is itself a value, for example the currency of a limit. */
function unknownKey({ path, issues }: Extract<Issue, { code: 'invalid_key' }>): string {
  const group = path.slice(0, -1);
  const schema = bare(schemaAt(group));
  const example = schema instanceof z.ZodRecord ? exampleText(schema.keyType) : '';
  return `In ${pathText(group)}, "${String(path.at(-1))}" must be ${issues[0]?.message ?? 'another name'}${example}.`;
}

function wrongValue(issue: Issue, given: unknown): string {
  const { path } = issue;
  const where = path.length === 0 ? 'The configuration' : pathText(path);
  const value = valueAt(given, path);
  const seen = seenText(value);
  const schema = schemaAt(path);
  const isToldBySchema = issue.code !== 'custom' && issue.code !== 'invalid_format';
  const expected = `${isToldBySchema ? expectedOf(bare(schema)) : issue.message}${exampleText(schema)}`;
  if (value === undefined) return `${where} is missing. It must be ${expected}.`;
  return `${where} must be ${expected}${seen === undefined ? '' : `, not ${seen}`}.`;
}

/** Returns the example of a setting in words; empty if its choices are named anyway, and for a group, a list, true and false. */
function exampleText(schema: z.core.$ZodType): string {
  const example = bare(schema) instanceof z.ZodEnum ? undefined : exampleOf(schema);
  return typeof example === 'string' || typeof example === 'number' ? `, for example ${JSON.stringify(example)}` : '';
}

/** Returns the example that a setting has, or else its default. */
function exampleOf(schema: z.core.$ZodType): unknown {
  const examples = z.globalRegistry.get(schema)?.['examples'];
  if (Array.isArray(examples)) return examples[0];
  if (!isWrapper(schema)) return undefined;
  return exampleOf(schema.unwrap()) ?? (schema instanceof z.ZodDefault ? schema.def.defaultValue : undefined);
}

/** Returns a value as a message quotes it; `undefined` if it is too long, or an address, which may hold a password. */
function seenText(value: unknown): string | undefined {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'a group of settings';
  const text = JSON.stringify(value) ?? '';
  return text.length > SHOWN_CHARACTERS_MAX || text.includes('://') ? undefined : text;
}

/** Returns in words what a setting must be, derived from the schema itself. */
function expectedOf(schema: z.core.$ZodType): string {
  if (schema instanceof z.ZodEnum) {
    const options = schema.options.map((option) => JSON.stringify(option));
    return `one of ${options.join(', ')}`;
  }
  if (schema instanceof z.ZodArray) return 'a list in [ ]';
  if (schema instanceof z.ZodBoolean) return 'true or false without quotes';
  if (schema instanceof z.ZodNumber) {
    const { minValue: least, maxValue: most } = schema;
    const range = [bound('from', least), bound('to', most)].filter(Boolean).join(' ');
    return `a${schema.isInt ? ' whole' : ''} number without quotes${range && ` ${range}`}`;
  }
  if (schema instanceof z.ZodString) {
    const { maxLength } = schema;
    return `a text in double quotes${maxLength === null ? '' : ` of at most ${maxLength} characters`}`;
  }
  return 'a group of settings in { }';
}

/** Returns a bound in words. Bounds that only say what numbers can hold mean nothing to people, and are left out. */
const bound = (word: string, value: number | null): string =>
  value === null || !Number.isFinite(value) || Math.abs(value) >= Number.MAX_SAFE_INTEGER ? '' : `${word} ${value}`;

const schemaAt = (path: Path): z.core.$ZodType =>
  path.reduce<z.core.$ZodType>((schema, key) => inside(bare(schema), key), configSchema);

function inside(schema: z.core.$ZodType, key: PropertyKey): z.core.$ZodType {
  if (schema instanceof z.ZodObject) return schema.shape[String(key)] ?? z.unknown();
  if (schema instanceof z.ZodArray) return schema.element;
  return schema instanceof z.ZodRecord ? schema.valueType : z.unknown();
}

const isWrapper = (schema: z.core.$ZodType) =>
  schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault || schema instanceof z.ZodOptional;

/** Returns a schema without the wrappers that only say that it is optional. */
const bare = (schema: z.core.$ZodType): z.core.$ZodType => (isWrapper(schema) ? bare(schema.unwrap()) : schema);

/** Returns the settings that a group may have; none if the user chooses the names in it. */
function namesOf(schema: z.core.$ZodType): readonly string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  return schema instanceof z.ZodRecord && schema.keyType instanceof z.ZodEnum ? schema.keyType.options.map(String) : [];
}

/** Returns the groups that have a setting of this name. */
function homesOf(key: string): readonly string[] {
  const homes: string[] = [];
  const walk = (schema: z.core.$ZodType, path: readonly string[]): void => {
    if (schema instanceof z.ZodRecord) walk(bare(schema.valueType), [...path, 'NAME']);
    if (!(schema instanceof z.ZodObject)) return;
    if (Object.hasOwn(schema.shape, key)) homes.push(path.length > 0 ? `in ${path.join('.')}` : 'at the top level');
    for (const [name, one] of Object.entries(schema.shape)) walk(bare(one), [...path, name]);
  };
  walk(bare(configSchema), []);
  return homes;
}

/** Returns the value at a path of the parsed file. */
const valueAt = (whole: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    whole,
  );
