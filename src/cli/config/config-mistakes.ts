/** What is wrong with a configuration, one sentence for each setting: where it is, what it must be, and an example. */
import { type Node, parseTree } from 'jsonc-parser';
import { z } from 'zod';
import { didYouMean } from '../../domain/likeness.ts';
import { shortQuiet, type Waits } from '../../domain/quiet-time.ts';
import { configSchema, SHORT_QUIET } from './config-schema.ts';
import { exampleConfig } from './example-config.ts';
import { type PlacedMistake, placeAt } from './json-mistake.ts';

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
