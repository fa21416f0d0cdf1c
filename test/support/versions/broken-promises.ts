/** Which promises of a kept version the present one breaks, in sentences. What is added breaks none. */
import type { PublicFace, Schema, TypedCommand } from './public-face.ts';

/**
 * Whose values a schema describes. `told`: programs read them, so nothing may come that was not there before, but for new fields and
 * new words. `given`: people write them, so all that was taken has to be taken.
 */
type Side = 'told' | 'given';

/** A sentence for each promise of `kept` that `today` does not keep. */
export function brokenPromises(kept: PublicFace, today: PublicFace): readonly string[] {
  return [
    ...brokenEvents(kept.events, today.events),
    ...brokenSchema(kept.rows, today.rows, 'told').map((what) => `Rows of --jsonl: ${what}`),
    ...brokenSchema(kept.settings, today.settings, 'given').map((what) => `Settings: ${what}`),
    ...brokenCommands(kept.commands, today.commands),
    ...gone(kept.exitCodes.map(String), today.exitCodes.map(String), 'Exit codes', 'code'),
    ...brokenEndings(kept.endings, today.endings),
    ...gone(kept.environment, today.environment, 'Settings', 'name of the environment'),
    ...Object.entries(kept.headings).flatMap(([column, headings]) =>
      gone(headings, today.headings[column] ?? [], 'Sheets', `heading for the column ${column},`),
    ),
    ...gone(kept.results, today.results, 'Results', 'column'),
    ...gone(kept.problems, today.problems, 'Problems of a sheet', 'code'),
    ...gone(kept.library, today.library, 'The library', 'name'),
  ];
}

const gone = (kept: readonly string[], today: readonly string[], where: string, what: string): readonly string[] =>
  kept.filter((one) => !today.includes(one)).map((one) => `${where}: the ${what} ${one} is gone.`);

function brokenEvents(kept: Schema, today: Schema): readonly string[] {
  const events = eventsByType(today);
  return [...eventsByType(kept)].flatMap(([type, before]) => {
    const now = events.get(type);
    if (!now) return [`Events of --json: the event ${type} is gone.`];
    return brokenSchema(before, now, 'told').map((what) => `Events of --json: in ${type}, ${what}`);
  });
}

const eventsByType = ({ anyOf = [] }: Schema): ReadonlyMap<string, Schema> =>
  new Map(anyOf.map((event) => [String(event.properties?.['type']?.const), event]));

function brokenCommands(kept: PublicFace['commands'], today: PublicFace['commands']): readonly string[] {
  return Object.entries(kept).flatMap(([words, before]) => {
    const name = `paybatch ${words}`.trim();
    const now = today[words];
    if (!now) return [`The command line: ${name} is gone.`];
    return brokenCommand(before, now).map((what) => `The command line: ${name} ${what}`);
  });
}

function brokenCommand(kept: TypedCommand, today: TypedCommand): readonly string[] {
  const options = Object.entries(kept.options).flatMap(([option, value]) => {
    const now = today.options[option];
    if (now === undefined) return [`takes no ${option} any more.`];
    return now === value
      ? []
      : [`took ${option} ${value || 'without a value'}, and takes it ${now || 'without one'} now.`];
  });
  const needed = today.needed.filter((option) => !kept.needed.includes(option));
  const isTaken = kept.arguments.every((before, at) => [before, optional(before)].includes(today.arguments[at] ?? ''));
  const isEnough = today.arguments.slice(kept.arguments.length).every((added) => added === optional(added));
  const before = kept.arguments.join(' ') || 'no arguments';
  return [
    ...options,
    ...needed.map((option) => `cannot do without ${option} now.`),
    ...(isTaken && isEnough ? [] : [`took ${before}, and takes ${today.arguments.join(' ') || 'none'} now.`]),
  ];
}

const optional = (argument: string): string => `[${argument.slice(1, -1)}]`;

const brokenEndings = (kept: PublicFace['endings'], today: PublicFace['endings']): readonly string[] =>
  Object.entries(kept).flatMap(([ending, exit]) => {
    const now = today[ending];
    if (now === undefined) return [`Exit codes: the ending ${ending} is gone.`];
    return now === exit ? [] : [`Exit codes: ${ending} ended with ${exit}, and ends with ${now} now.`];
  });

/** What of a kept schema does not hold any more. `at`: the name of the value, in the middle of a sentence. */
function brokenSchema(kept: Schema, today: Schema, side: Side, at = ''): readonly string[] {
  const [inner, outer] = side === 'told' ? [today, kept] : [kept, today];
  const name = at === '' ? 'it' : at;
  if (!alternativesFit(inner, outer)) return [`${name} was ${typeText(kept)}, and is ${typeText(today)} now.`];
  return [
    ...words(kept)
      .filter((word) => words(today).length > 0 && !words(today).includes(word))
      .map((word) => `the word ${JSON.stringify(word)} of ${name} is gone.`),
    ...(limitsFit(inner, outer)
      ? []
      : [`${name} has other limits: ${limitsText(kept)} before, ${limitsText(today)} now.`]),
    ...brokenFields(kept, today, side, at),
    ...brokenParts(kept, today, side, at),
    ...brokenAlternatives(kept, today, side, at),
  ];
}

/** Each alternative is held against those of its type, and against the one that it differs from least. */
function brokenAlternatives(kept: Schema, today: Schema, side: Side, at: string): readonly string[] {
  if (!(kept.anyOf || today.anyOf)) return [];
  return alternatives(kept).flatMap((before) => {
    const same = alternatives(today).filter((now) => typeText(now) === typeText(before));
    const broken = same.map((now) => brokenSchema(before, now, side, at));
    return broken.toSorted((one, other) => one.length - other.length)[0] ?? [];
  });
}

const alternatives = (schema: Schema): readonly Schema[] => schema.anyOf ?? [schema];

const within = (at: string, name: string): string => (at === '' ? name : `${at}.${name}`);

function brokenFields(kept: Schema, today: Schema, side: Side, at: string): readonly string[] {
  const fields = Object.entries(kept.properties ?? {}).flatMap(([name, before]) => {
    const now = today.properties?.[name];
    if (!now) return [`the field ${within(at, name)} is gone.`];
    return brokenSchema(before, now, side, within(at, name));
  });
  const [always, nowAlways] = [kept.required ?? [], today.required ?? []];
  const changed =
    side === 'told'
      ? always
          .filter((name) => today.properties?.[name] && !nowAlways.includes(name))
          .map((name) => `the field ${within(at, name)} was always there, and may be missing now.`)
      : nowAlways
          .filter((name) => !always.includes(name))
          .map((name) => `the field ${within(at, name)} could be left out, and has to be given now.`);
  return [...fields, ...changed];
}

/** Entries of lists and of records, and names in records. */
function brokenParts(kept: Schema, today: Schema, side: Side, at: string): readonly string[] {
  const parts = [
    [kept.items, today.items, `${at}[]`],
    [recordOf(kept), recordOf(today), within(at, 'NAME')],
    [kept.propertyNames, today.propertyNames, `a name in ${at}`],
  ] as const;
  return parts.flatMap(([before, now, of]) => (before && now ? brokenSchema(before, now, side, of) : []));
}

const recordOf = ({ additionalProperties: of }: Schema): Schema | undefined =>
  typeof of === 'object' ? of : undefined;

/** Words that a value may be; empty where it may be any. */
const words = ({ const: only, enum: several = [] }: Schema): readonly unknown[] =>
  only === undefined ? several : [only];

const isAny = ({ type, anyOf, const: only, enum: several }: Schema): boolean =>
  type === undefined && anyOf === undefined && only === undefined && several === undefined;

/** Types that a value may be. A whole number is a number as well. */
const typesOf = (schema: Schema): readonly string[] => [
  ...new Set(schema.anyOf ? schema.anyOf.flatMap(typesOf) : [schema.type ?? []].flat()),
];

function alternativesFit(inner: Schema, outer: Schema): boolean {
  if (isAny(outer)) return true;
  if (isAny(inner)) return false;
  const taken = typesOf(outer);
  const areTyped = typesOf(inner).every(
    (type) => taken.includes(type) || (type === 'integer' && taken.includes('number')),
  );
  return areTyped && (words(outer).length === 0 || words(inner).length > 0);
}

const LEAST = ['minimum', 'minLength', 'minItems'] as const;
const MOST = ['maximum', 'maxLength', 'maxItems'] as const;
const FORMS = ['pattern', 'format'] as const;

const limitsFit = (inner: Schema, outer: Schema): boolean =>
  LEAST.every((name) => (inner[name] ?? Number.NEGATIVE_INFINITY) >= (outer[name] ?? Number.NEGATIVE_INFINITY)) &&
  MOST.every((name) => (inner[name] ?? Number.POSITIVE_INFINITY) <= (outer[name] ?? Number.POSITIVE_INFINITY)) &&
  FORMS.every((name) => outer[name] === undefined || outer[name] === inner[name]);

const limitsText = (schema: Schema): string =>
  [...LEAST, ...MOST, ...FORMS]
    .flatMap((name) => (schema[name] === undefined ? [] : [`${name} ${schema[name]}`]))
    .join(', ') || 'none';

const typeText = (schema: Schema): string => {
  if (isAny(schema)) return 'any value';
  const types = typesOf(schema).join(' or ');
  return words(schema).length > 0 ? `one of ${JSON.stringify(words(schema))}` : types;
};
