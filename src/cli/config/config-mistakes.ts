/**
 * What is wrong with a configuration, for people who write it by hand: where the text stops being JSON, a name that stands twice in
 * one object (a parser keeps the last in silence), and one sentence for each wrong setting, with an example.
 */
import { type Node, type ParseErrorCode, parseTree, printParseErrorCode, visit } from 'jsonc-parser';
import { z } from 'zod';
import { didYouMean } from '../../domain/likeness.ts';
import { shortQuiet, type Waits } from '../../domain/quiet-time.ts';
import { configSchema, SHORT_QUIET } from './config-schema.ts';
import { exampleConfig } from './example-config.ts';

/** Something that is wrong in a text, and where. */
export interface PlacedMistake {
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1, in characters. */
  readonly column: number;
  /** A sentence that never quotes values, which may be secret. */
  readonly says: string;
}

/** A place of a text as people count. */
function placeAt(text: string, at: number): Pick<PlacedMistake, 'line' | 'column'> {
  const before = text.slice(0, at).split(/\r\n|\r|\n/);
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

type ErrorName = ReturnType<typeof printParseErrorCode>;

const COMMENT = 'JSON has no comments. Delete it.';
const NUMBER = 'This is not a number. Write it with digits and a point, for example 1500.5.';
const BACKSLASH = 'A backslash in this text must be written twice (\\\\), also in a path.';

/** What the parser's word for an error means to a person, where the text around it says no more. */
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

/** Deeper than anything that people write; the parser calls itself once a level. */
const DEPTH_MAX = 200;

/** Ends the parsing: what a tolerant parser finds after the first mistake may only follow from it. */
class Mistake extends Error {
  readonly at: number;
  constructor(at: number, says: string) {
    super(says);
    this.at = at;
  }
}

/** Whether a text can be read as JSON, and its mistakes: every name that stands twice, up to the first that leaves the rest unreadable. */
export function jsonMistakes(text: string): {
  readonly isReadable: boolean;
  readonly mistakes: readonly PlacedMistake[];
} {
  const mistakes: PlacedMistake[] = [];
  const tell = ({ at, message }: Mistake): void => void mistakes.push({ ...placeAt(text, at), says: message });
  try {
    parse(text, tell);
    return { isReadable: true, mistakes };
  } catch (error) {
    if (!(error instanceof Mistake)) throw error;
    tell(error);
    return { isReadable: false, mistakes };
  }
}

function parse(text: string, tell: (mistake: Mistake) => void): void {
  /** The brackets around the place, and the names that stand in each. */
  const around: { readonly at: number; readonly names: Set<string> }[] = [];
  const open = (at: number): void => {
    if (around.push({ at, names: new Set() }) > DEPTH_MAX) throw new Mistake(at, 'The brackets are nested too deeply.');
  };
  const close = (at: number): void => {
    // At its end the text closes nothing; the parser does, and tells its error after that.
    if (at < text.length) around.pop();
  };
  const nameOnce = (name: string, at: number, length: number): void => {
    const names = around.at(-1)?.names;
    const quoted = text.slice(at, at + length);
    if (names?.has(name)) tell(new Mistake(at, `${quoted} stands twice in one group. Keep one of them.`));
    names?.add(name);
  };
  const onError = (code: ParseErrorCode, at: number): void => {
    throw mistake(printParseErrorCode(code), text, at, around.at(-1)?.at ?? 0);
  };
  const brackets = { onObjectBegin: open, onArrayBegin: open, onObjectEnd: close, onArrayEnd: close };
  visit(text, { ...brackets, onObjectProperty: nameOnce, onError }, { disallowComments: true });
}

/** The parser tells where it could not go on; people look for what is wrong, which is often just before. */
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

/** About what begins like nothing that JSON knows. */
function symbolSays(begins: string): string {
  if (begins === '#') return COMMENT;
  if (/[\d.+-]/.test(begins)) return NUMBER;
  const isText = /[\p{L}_$'`\u2018\u2019\u201c\u201d\u201e\u00ab]/u.test(begins);
  return isText ? 'Put this in straight double quotes (").' : 'This character does not belong here.';
}

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** Longest value of the file that is shown again, in characters. */
const SHOWN_CHARACTERS_MAX = 40;

/** A mistake, and the setting that it is about: its name in the file, or its value. */
export interface ConfigMistake {
  readonly path: Path;
  readonly part: 'name' | 'value';
  readonly says: string;
}

/** Every mistake, in the order of the schema. `given` is the file as it was parsed. */
export const configMistakes = (issues: readonly Issue[], given: unknown): readonly ConfigMistake[] =>
  issues.flatMap((issue): readonly ConfigMistake[] => {
    const { path } = issue;
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({ path: [...path, key], part: 'name', says: unknownSetting(path, key) }));
    }
    if (issue.code === 'invalid_key') return [{ path, part: 'name', says: unknownKey(issue) }];
    if (issue.code === 'custom' && issue.message === SHORT_QUIET) {
      return [shortQuietOf(path, issue.params as unknown as Waits, given)]; // as the schema gave them
    }
    return [{ path, part: 'value', says: wrongValue(issue, given) }];
  });

/** The same with their places in the text. What is missing is told at the group that it is missing in. */
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

/** A value in a group or a list. Of one name twice it is the last, which is the one that a parser takes. */
const within = (node: Node | undefined, key: PropertyKey): Node | undefined =>
  node?.type === 'array'
    ? node.children?.[Number(key)]
    : node?.children?.findLast(({ children: [name] = [] }) => name?.value === key)?.children?.[1];

/** Two settings that do not fit: which of them the file says, and which is as it is by default. */
function shortQuietOf(profile: Path, waits: Waits, given: unknown): ConfigMistake {
  const said: Path[] = [];
  const { why, write } = shortQuiet(waits, (setting) => {
    const path = [...profile, ...setting.split('.')];
    const isSaid = valueAt(given, path, false) !== undefined;
    if (isSaid) said.push(path);
    return `${pathText(path)}${isSaid ? '' : ' (not in the file, its default)'}`;
  });
  return { path: said[0] ?? profile, part: 'value', says: `${why} ${write}` };
}

const pathText = (path: Path): string => path.map(String).join('.');

function unknownSetting(path: Path, key: string): string {
  const known = namesOf(schemaAt(path));
  const homes = homesOf(key);
  const home = homes.length > 0 ? `It belongs into ${homes.join(' or ')}.` : undefined;
  const advice = home ?? didYouMean(key, known) ?? `Known here: ${known.join(', ')}.`;
  return `Unknown setting ${pathText([...path, key.slice(0, SHOWN_CHARACTERS_MAX)])}. ${advice}`;
}

/** A name that is itself a value, for example the currency of a limit. */
function unknownKey({ path, issues }: Extract<Issue, { code: 'invalid_key' }>): string {
  const group = path.slice(0, -1);
  const [example] = Object.keys(groupOf(valueAt(exampleConfig, group, true)));
  return `In ${pathText(group)}, "${String(path.at(-1))}" must be ${issues[0]?.message ?? 'another name'}${exampleText(example)}.`;
}

function wrongValue(issue: Issue, given: unknown): string {
  const { path } = issue;
  const where = path.length === 0 ? 'The configuration' : pathText(path);
  const value = valueAt(given, path, false);
  const seen = seenText(value);
  const expected =
    issue.code === 'custom' || issue.code === 'invalid_format' ? issue.message : expectedOf(schemaAt(path));
  const example = schemaAt(path) instanceof z.ZodEnum ? undefined : valueAt(exampleConfig, path, true);
  if (value === undefined) return `${where} is missing. It must be ${expected}${exampleText(example)}.`;
  return `${where} must be ${expected}${exampleText(example)}${seen === undefined ? '' : `, not ${seen}`}.`;
}

const exampleText = (example: unknown): string =>
  typeof example === 'string' || typeof example === 'number' ? `, for example ${JSON.stringify(example)}` : '';

/** A value as it stands in the file. An address may hold a password, so it is not shown again. */
function seenText(value: unknown): string | undefined {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'a group of settings';
  const text = JSON.stringify(value) ?? '';
  return text.length > SHOWN_CHARACTERS_MAX || text.includes('://') ? undefined : text;
}

/** What a setting must be, in words, from the schema itself. */
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

/** Bounds that only say what numbers can hold say nothing to people. */
const bound = (word: string, value: number | null): string =>
  value === null || !Number.isFinite(value) || Math.abs(value) >= Number.MAX_SAFE_INTEGER ? '' : `${word} ${value}`;

/** The schema of a place, without what says only that it may be left out. */
function schemaAt(path: Path): z.core.$ZodType {
  return path.reduce<z.core.$ZodType>((schema, key) => bare(inside(bare(schema), key)), bare(configSchema));
}

function inside(schema: z.core.$ZodType, key: PropertyKey): z.core.$ZodType {
  if (schema instanceof z.ZodObject) return schema.shape[String(key)] ?? z.unknown();
  if (schema instanceof z.ZodArray) return schema.element;
  return schema instanceof z.ZodRecord ? schema.valueType : z.unknown();
}

function bare(schema: z.core.$ZodType): z.core.$ZodType {
  const isWrapped =
    schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault || schema instanceof z.ZodOptional;
  return isWrapped ? bare(schema.unwrap()) : schema;
}

/** The settings that a group may have; none where they are names of the user's own. */
function namesOf(schema: z.core.$ZodType): readonly string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  return schema instanceof z.ZodRecord && schema.keyType instanceof z.ZodEnum ? schema.keyType.options.map(String) : [];
}

/** The groups in which a setting of this name belongs. */
function homesOf(key: string): readonly string[] {
  const homes: string[] = [];
  const walk = (schema: z.core.$ZodType, path: readonly string[]): void => {
    if (schema instanceof z.ZodRecord) walk(bare(schema.valueType), [...path, 'NAME']);
    if (!(schema instanceof z.ZodObject)) return;
    if (path.length > 0 && Object.hasOwn(schema.shape, key)) homes.push(path.join('.'));
    for (const [name, one] of Object.entries(schema.shape)) walk(bare(one), [...path, name]);
  };
  walk(bare(configSchema), []);
  return homes;
}

const groupOf = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {});

/** The value at a place; in the example, names of the user's own stand for each other. */
function valueAt(whole: unknown, path: Path, isExample: boolean): unknown {
  return path.reduce<unknown>((value, key) => {
    const group: Readonly<Record<PropertyKey, unknown>> = { ...groupOf(value) };
    const [first] = isExample ? Object.values(group) : [];
    return Object.hasOwn(group, key) ? group[key] : first;
  }, whole);
}
