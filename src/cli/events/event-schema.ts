/**
 * Every line that a command prints with `--json`, as one versioned schema. Within a version nothing is taken away and nothing
 * changes its meaning; fields and types of events are added. So what reads them must not be disturbed by more.
 */
import { z } from 'zod';
import { answerEvents } from './answer-events.ts';
import { runEvents } from './run-events.ts';

/** The version that stands in `v` of each event. */
const VERSION = 1;
/** What the schemas are written in. */
const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

const shapes: Readonly<Record<string, Readonly<Record<string, z.ZodType>>>> = { ...runEvents, ...answerEvents };

/** Some lines are told before a clock is asked, so `at` may be missing. */
const schemaOf = (type: string, shape: Readonly<Record<string, z.ZodType>>): z.ZodType =>
  z.strictObject({ v: z.literal(VERSION), at: z.iso.datetime().optional(), type: z.literal(type), ...shape });

const schemas: ReadonlyMap<string, z.ZodType> = new Map(
  Object.entries(shapes).map(([type, shape]) => [type, schemaOf(type, shape)]),
);

/** What is wrong with an event, in words; undefined where it is as its schema says, with no field that stands in none. */
export function eventMistake(event: Readonly<Record<string, unknown>>): string | undefined {
  const type = String(event['type']);
  const schema = schemas.get(type);
  if (!schema) return `there is no schema of the event ${type}`;
  const result = schema.safeParse(event);
  return result.success ? undefined : `${type}: ${z.prettifyError(result.error)}`;
}

/** All of them as JSON Schema (2020-12), for programs that check what they read. Fields may come: none forbids others. */
export function eventJsonSchema(): Readonly<Record<string, unknown>> {
  const anyOf = [...schemas.values()].map((schema) => jsonSchemaOf(schema));
  return {
    $schema: DIALECT,
    title: `A line of paybatch --json, version ${VERSION}`,
    type: 'object',
    anyOf,
  };
}

/** A line of `--jsonl`, and of `report --format jsonl`, in the same way. */
export const rowJsonSchema = (): Readonly<Record<string, unknown>> => ({
  $schema: DIALECT,
  title: `A row and its outcome, version ${VERSION}`,
  ...jsonSchemaOf(schemaOf('row.outcome', runEvents['row.outcome'])),
});

/** A schema that later versions keep to when they only add. */
export function jsonSchemaOf(schema: z.ZodType): Readonly<Record<string, unknown>> {
  const { $schema: _said, ...made } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  return made;
}
