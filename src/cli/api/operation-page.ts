/** Operations as people and programs read about them: the list, and the page of one operation, built from its own schemas. */
import { z } from 'zod';
import type { AnyOperation } from '../../service/contract/operation.ts';

const UNKNOWN_PATH = 'not known: set paths in the profile';

/** Returns an entry of the list, for programs. */
export const listEntry = ({ name, method, path, shape, repeatable, summary, spec }: AnyOperation): object => ({
  name,
  method,
  path: path ?? null,
  shape,
  repeatable,
  summary,
  spec,
});

/** Returns the list as lines: name, method, path, how well its shape is known, and what it is for. */
export function listLines(all: readonly AnyOperation[]): readonly string[] {
  const width = (texts: readonly string[]): number => Math.max(...texts.map(({ length }) => length)) + 2;
  const names = width(all.map(({ name }) => name));
  const paths = width(all.map(({ path = `(${UNKNOWN_PATH})` }) => path));
  return all.map(
    ({ name, method, path = `(${UNKNOWN_PATH})`, shape, summary }) =>
      `${name.padEnd(names)}${method.padEnd(6)}${path.padEnd(paths)}${shape.padEnd(10)}${summary}`,
  );
}

/** Returns the page of an operation for programs: its entry, and its shapes as JSON Schema. */
export const pageEntry = (operation: AnyOperation): object => ({
  ...listEntry(operation),
  alsoAt: operation.alsoAt ?? [],
  query: operation.query ? schemaOf(operation.query) : null,
  body: operation.body ? schemaOf(operation.body) : null,
  reply: schemaOf(operation.reply),
});

/** The schema of a shape on the wire, before anything is converted: an amount that comes as text is a text. */
const schemaOf = (shape: z.ZodType): object => z.toJSONSchema(shape, { io: 'input' });

const shapeWords = {
  spec: 'described by the specification',
  published: 'named by the specification, described by the pages of the provider',
  observed: 'named by the specification, described as it has been seen',
  unknown: 'named by the specification, never seen: taken and answered as it comes',
} as const;

/** Returns the page of an operation as lines, for people. */
export function pageLines(operation: AnyOperation): readonly string[] {
  const { name, method, path, alsoAt, host, summary, spec, shape, repeatable, query, body, reply } = operation;
  const where = host === 'token' ? 'tokenUrl of the profile' : (path ?? UNKNOWN_PATH);
  return [
    `${name}   ${method} ${where}`,
    summary,
    `Spec: "${spec}"; ${shapeWords[shape]}.`,
    ...(alsoAt ? [`Also published at ${alsoAt.join(', ')}: where it is there, set paths.${name} in the profile.`] : []),
    repeatable
      ? 'Asking again does no harm.'
      : 'It may act: recorded before it leaves, confirmed on a live account, never sent twice by itself.',
    ...(query ? ['', 'Query (--query name=value)', ...fieldLines(query)] : []),
    ...(body ? ['', 'Body (--data FILE, or - for stdin)', ...fieldLines(body)] : []),
    '',
    'Answer, when it is accepted (other fields may come with it)',
    ...fieldLines(reply),
  ];
}

/** The parts of JSON Schema that the shapes of operations use. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly pattern?: string;
  readonly exclusiveMinimum?: number;
}

interface Field {
  readonly name: string;
  readonly required: boolean;
  readonly type: string;
}

function fieldLines(shape: z.ZodType): readonly string[] {
  const schema = schemaOf(shape) as Schema; // zod built it
  const fields = fieldsOf(schema, '');
  if (fields.length === 0) return [`  ${schema.type === 'object' ? 'any fields' : typeOf(schema)}`];
  const width = Math.max(...fields.map(({ name }) => name.length));
  return fields.map(
    ({ name, required, type }) => `  ${name.padEnd(width)}  ${required ? 'required' : 'optional'}  ${type}`,
  );
}

/** Returns the alternative that has fields, rather than one that is only "or null". */
const withFields = (schema: Schema): Schema =>
  schema.anyOf?.find(({ properties, items }) => properties ?? items) ?? schema;

function fieldsOf({ properties = {}, required = [] }: Schema, prefix: string): readonly Field[] {
  return Object.entries(properties).flatMap(([key, field]) => {
    const inner = withFields(field);
    const name = `${prefix}${key}${inner.items ? '[]' : ''}`;
    const one = { name, required: required.includes(key), type: typeOf(field) };
    return [one, ...fieldsOf(inner.items ?? inner, `${name}.`)];
  });
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  array: 'list',
  object: 'object',
  null: 'null',
};

function typeOf(schema: Schema): string {
  if (schema.const !== undefined) return `always ${JSON.stringify(schema.const)}`;
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' or ');
  const types = schema.type === undefined ? ['anything'] : [schema.type].flat();
  const limits = [
    schema.minItems === undefined ? [] : `${schema.minItems} or more`,
    schema.exclusiveMinimum === undefined ? [] : `more than ${schema.exclusiveMinimum}`,
    schema.pattern === undefined ? [] : `like ${schema.pattern}`,
  ].flat();
  return [types.map((type) => typeNames[type] ?? type).join(' or '), ...limits].join(', ');
}
