/** The input of an operation as typed: `--query name=value`, and a body as JSON from a file or from stdin. */

import { createReadStream } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { Fault } from '../../domain/fault.ts';
import type { AnyOperation } from '../../service/contract/operation.ts';
import { inputText } from '../input-text.ts';
import type { Shell } from '../shell.ts';

/** JSON whose numbers must mean the same when they are written again: a digit that is lost on the way could be money. */
interface ExactJson {
  readonly value: unknown;
  /** Numbers of the text that JavaScript would change. */
  readonly inexact: readonly string[];
}

/** Most objects and lists inside each other; the deepest body of the specification has 4. */
const DEPTH_MAX = 64;

/** Reads JSON. Throws a SyntaxError for text that is not JSON, or that is nested too deeply to be read part by part. */
export function parseExactJson(text: string): ExactJson {
  const inexact: string[] = [];
  const keep = (_key: string, value: unknown, context?: { readonly source?: string }): unknown => {
    const source = context?.source;
    if (typeof value === 'number' && source !== undefined && plain(source) !== plain(String(value))) {
      inexact.push(source);
    }
    return value;
  };
  if (depthOf(text) > DEPTH_MAX) throw new SyntaxError('nested too deeply');
  return { value: JSON.parse(text, keep), inexact };
}

/** Returns the greatest number of brackets that are open at the same time, outside of texts. */
function depthOf(json: string): number {
  let [depth, deepest] = [0, 0];
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[[{\]}]/gs)) {
    if (token === '[' || token === '{') depth += 1;
    else if (token === ']' || token === '}') depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

/** Returns a JSON number as its digits, without zeros at either end, and the power of ten of the last digit. */
function plain(number: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}

/** Largest body to read, in bytes: about a thousand order lines. */
const DATA_BYTES_MAX = 1_048_576;

/** The parts of a query's JSON Schema that are needed here. */
interface QuerySchema {
  readonly properties?: Readonly<Record<string, { readonly type?: unknown; readonly const?: unknown }>>;
}

/**
 * Builds the query from `name=value` pairs. Text becomes a number or a boolean where the operation wants one, and a field that has
 * only one possible value need not be typed. Returns `undefined` if the operation takes no query and none was typed. Throws a
 * Fault `usage` for a pair that is malformed or repeated.
 */
export function typedQuery({ query }: AnyOperation, pairs: readonly string[]): Record<string, unknown> | undefined {
  if (!query && pairs.length === 0) return undefined;
  const { properties = {} }: QuerySchema = query ? (z.toJSONSchema(query) as QuerySchema) : {}; // zod built it
  const values: Record<string, unknown> = {};
  for (const pair of pairs) {
    const [, name, text = ''] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
    if (name === undefined) throw wrong(`--query "${pair.slice(0, 40)}" is not name=value.`);
    if (Object.hasOwn(values, name)) throw wrong(`--query gives ${name} twice.`);
    values[name] = typedValue(text, properties[name]?.type);
  }
  for (const [name, { const: only }] of Object.entries(properties)) {
    if (only !== undefined && !Object.hasOwn(values, name)) values[name] = only;
  }
  return values;
}

function typedValue(text: string, type: unknown): unknown {
  const numeric = type === 'integer' || type === 'number';
  if (numeric && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/** Returns the JSON of a file (`body.json`, `@body.json`) or of stdin (`-`). Throws a Fault `usage` if it cannot be read exactly. */
export async function typedBody(shell: Shell, source: string): Promise<unknown> {
  const { value, inexact } = parsed(await textFrom(shell, source), source);
  const [first] = inexact;
  if (first === undefined) return value;
  throw wrong(`The number ${first.slice(0, 60)} in ${nameOf(source)} would lose digits.`);
}

function parsed(text: string, source: string): ExactJson {
  try {
    return parseExactJson(text);
  } catch (error) {
    // The parser's message quotes the text around the mistake, which may be confidential.
    if (error instanceof SyntaxError) throw wrong(`${nameOf(source)} is not JSON${placeIn(error)}.`, error);
    throw error;
  }
}

const nameOf = (source: string): string => (source === '-' ? 'stdin' : source.replace(/^@/, ''));
const placeIn = ({ message }: SyntaxError): string => {
  const place = /\(line (\d+) column (\d+)\)/.exec(message);
  return place ? ` (line ${place[1]}, column ${place[2]})` : '';
};

function textFrom({ cwd, streams, signal }: Shell, source: string): Promise<string> {
  const stream = source === '-' ? streams.stdin : createReadStream(path.resolve(cwd, nameOf(source)));
  const outcome = 'Nothing was sent.';
  return inputText(stream, { name: nameOf(source), bytesMax: DATA_BYTES_MAX, signal, outcome, remedy: DESCRIBE });
}

const DESCRIBE = 'paybatch api OPERATION --describe lists what it takes.';

const wrong = (message: string, cause?: unknown): Fault =>
  new Fault('usage', `${message} Nothing was sent.`, DESCRIBE, { cause });
