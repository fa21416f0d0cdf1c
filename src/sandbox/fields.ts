/**
 * Reads bodies the way the service does: names in any case (observed), required fields with the right type, and unknown
 * fields ignored. Spec: "Errors" 1.
 */
import { currencyOf } from '../domain/currency.ts';
import { exactFromWire, type Money } from '../domain/money.ts';

/** A JSON object whose fields are not trusted. */
export type Fields = Readonly<Record<string, unknown>>;

/** Complaints by field name. */
export type FieldErrors = Record<string, string[]>;

type Shape =
  | 'text'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'text or an integer'
  | 'web address'
  | 'time in ISO 8601'
  | 'plain decimal as text';

/** What a field must be. */
export interface Rule {
  readonly name: string;
  readonly shape: Shape;
  readonly required?: true;
  readonly nullable?: true;
  /** Longest accepted text, in characters. */
  readonly most?: number;
}

/** Return the rules of fields that may be missing (`optional`), and of fields that must not be missing (`required`). */
export const optional = (shape: Shape, ...names: readonly string[]): readonly Rule[] =>
  names.map((name) => ({ name, shape }));
export const required = (shape: Shape, ...names: readonly string[]): readonly Rule[] =>
  names.map((name) => ({ name, shape, required: true }));

/** Returns the rules of texts that may be missing and have at most `most` characters. */
export const textsUpTo = (most: number, ...names: readonly string[]): readonly Rule[] =>
  names.map((name) => ({ name, shape: 'text', most }));

const isText = (value: unknown): value is string => typeof value === 'string';

const fits: Readonly<Record<Shape, (value: unknown) => boolean>> = {
  text: isText,
  integer: (value) => Number.isSafeInteger(value),
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  'text or an integer': (value) => isText(value) || Number.isSafeInteger(value),
  'web address': (value) => isText(value) && /^https?:$/.test(URL.parse(value)?.protocol ?? ''),
  'time in ISO 8601': (value) =>
    isText(value) && /^\d{4}-\d\d-\d\d(T\d\d:\d\d.*)?$/.test(value) && Number.isFinite(Date.parse(value)),
  'plain decimal as text': (value) => isText(value) && /^\d{1,15}(\.\d{1,4})?$/.test(value),
};

/**
 * Checks fields against rules; `path` comes before each name in the complaints. Complaints about fields of another type go
 * to `mistyped`, which is `errors` unless the caller wants them apart.
 */
export function checkFields(
  fields: Fields,
  rules: readonly Rule[],
  path: string,
  errors: FieldErrors,
  mistyped: FieldErrors = errors,
): void {
  for (const { name, shape, required: needed, nullable, most } of rules) {
    const value = fields[name];
    if (value === undefined || value === '' || (value === null && (needed || nullable))) {
      if (needed) complain(errors, path + name, `The ${name} field is required.`);
    } else if (!fits[shape](value)) {
      complain(mistyped, path + name, `The ${name} field must be a ${shape}.`);
    } else if (most !== undefined && isText(value) && value.length > most) {
      complain(errors, path + name, `The ${name} field takes at most ${most} characters.`);
    }
  }
}

/** The rules and the names with which a body is read. */
export interface Form {
  readonly rules: readonly Rule[];
  readonly names: Names;
}

/** Returns the form of these rules. `inner`: names inside its lists, which have their own rules. */
export const formOf = (rules: readonly Rule[], ...inner: readonly string[]): Form => ({
  rules,
  names: namesOf(rules, ...inner),
});

/**
 * Returns the fields of a body under the names of its form, and what is wrong with them. A body that is not an object has no
 * fields.
 */
export function readForm(received: unknown, form: Form): { readonly fields: Fields; readonly errors: FieldErrors } {
  const fields = bound(received, form.names);
  if (!isFields(fields)) return { fields: {}, errors: { ...notAnObject } };
  const errors: FieldErrors = {};
  checkFields(fields, form.rules, '', errors);
  return { fields, errors };
}

/** Adds a complaint. Only the first one about a field is kept. */
export function complain(errors: FieldErrors, field: string, message: string): void {
  errors[field] ??= [message];
}

/** Reports whether there is any complaint. */
export function hasErrors(errors: FieldErrors): boolean {
  for (const _ in errors) return true;
  return false;
}

/** The complaint about a body that is not a JSON object. */
export const notAnObject: FieldErrors = { $: ['A JSON object is required.'] };

/** Reports whether a value is a JSON object, and neither null nor a list. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the object in a field, or `undefined`. */
export const fieldsOf = (fields: Fields, name: string): Fields | undefined => {
  const value = fields[name];
  return isFields(value) ? value : undefined;
};

/** Returns the text of a field, or the empty text if it holds none. */
export function textOf(fields: Fields, name: string): string {
  const value = fields[name];
  return isText(value) ? value : '';
}

/** Returns the text of a field, or null if it holds none, which is how records show an omitted field. */
export const textOrNull = (fields: Fields, name: string): string | null => textOf(fields, name) || null;

/** Returns fields that are null, which is how records show what was never known. */
export const nulls = (...names: readonly string[]): Readonly<Record<string, null>> =>
  Object.fromEntries(names.map((name) => [name, null]));

/** Returns the text of a field that may also have been sent as an integer. */
export const wordOf = (fields: Fields, name: string): string => {
  const value = fields[name];
  return typeof value === 'number' ? String(value) : textOf(fields, name);
};

/** Returns the text under a name in any case. For bodies that are not bound yet. */
export function textInAnyCase(value: unknown, name: string): string {
  if (!isFields(value)) return '';
  const key = Object.hasOwn(value, name)
    ? name
    : Object.keys(value).find((other) => other.toLowerCase() === name.toLowerCase());
  return key === undefined ? '' : textOf(value, key);
}

/** The names in a body, as its rules write them. */
export interface Names {
  readonly known: ReadonlySet<string>;
  readonly byLowerCase: ReadonlyMap<string, string>;
}

/** Returns the names of these rules, and others, for `bound`. */
export function namesOf(rules: readonly Rule[], ...others: readonly string[]): Names {
  const known = new Set([...rules.map(({ name }) => name), ...others]);
  return { known, byLowerCase: new Map(Array.from(known, (name) => [name.toLowerCase(), name])) };
}

/** How deep objects and lists are nested in the deepest body, a payment order. Nothing below that is read. */
const DEPTH_MAX = 6;

/**
 * Returns the body with every known name in the case of its rule. A body in which all names are so already is returned as it
 * is.
 */
export const bound = (body: unknown, names: Names): unknown =>
  isBound(body, names, 0) ? body : renamed(body, names, 0);

/** Reports whether every known name is in the case of its rule. That is so in most bodies, which are then not copied. */
function isBound(value: unknown, names: Names, depth: number): boolean {
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return true;
  if (Array.isArray(value)) return value.every((item) => isBound(item, names, depth + 1));
  const fields = value as Fields; // neither null nor a list
  for (const key in fields) {
    if (!names.known.has(key) && names.byLowerCase.has(key.toLowerCase())) return false;
    const inner = fields[key];
    if (typeof inner === 'object' && inner !== null && !isBound(inner, names, depth + 1)) return false;
  }
  return true;
}

/** Returns a value with every known name in the case of its rule. A field that was sent in that case wins over others. */
function renamed(value: unknown, names: Names, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return value;
  if (Array.isArray(value)) return value.map((item) => renamed(item, names, depth + 1));
  const entries = Object.entries(value).map(([key, inner]) => {
    const name = names.known.has(key) ? key : (names.byLowerCase.get(key.toLowerCase()) ?? key);
    return { name, exact: name === key, inner: renamed(inner, names, depth + 1) };
  });
  const ordered = [...entries.filter(({ exact }) => !exact), ...entries.filter(({ exact }) => exact)];
  return Object.fromEntries(ordered.map(({ name, inner }) => [name, inner]));
}

/**
 * Reads a number or plain decimal as an amount above zero. Adds a complaint about the field at `path` if it is not an amount
 * of the currency, or is above `most`. Returns `undefined` without a complaint for an unknown currency, or a value of
 * another type. `code`: ISO 4217 alphabetic code. `most`: in minor units, so that no sum of the books outgrows what a JSON
 * number holds.
 */
export function positiveAmount(
  wire: unknown,
  { code, most }: { readonly code: string; readonly most?: bigint },
  path: string,
  errors: FieldErrors,
): Money | undefined {
  const currency = currencyOf(code);
  if (!currency || (typeof wire !== 'number' && typeof wire !== 'string')) return undefined;
  const amount = exactFromWire(wire, currency.code);
  const name = path.split('.').at(-1);
  if (!amount || amount.minor <= 0n)
    complain(errors, path, `The ${name} ${wire} is not an amount of ${currency.code}.`);
  else if (most !== undefined && amount.minor > most) complain(errors, path, `The ${name} ${wire} is above the limit.`);
  else return amount;
  return undefined;
}
