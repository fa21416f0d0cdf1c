/**
 * What a callback's body is about. It is read generously, because all that it decides is which order is looked up next: names
 * of identifiers in any case, undocumented fields, a body unlike the one that the specification shows. Only a body without
 * any identifier is of no use. Spec: "Events"; observed 1.6. The names are those of the contract.
 */
import { jsonIn } from '../domain/json.ts';
import {
  type CallbackMarks,
  type CallbackTopic,
  callbackMarks,
  callbackShapes,
  callbackIdentifiers as identifiers,
  spelledIdentifiers as spelled,
} from '../service/contract/callback-bodies.ts';

/** Deepest nesting of objects and lists; the deepest body of the specification, that of a bill, has 5. */
const DEPTH_MAX = 32;

/** Most characters of an identifier; a UUID has 36. */
const SUBJECT_CHARS_MAX = 128;

export type CallbackReading =
  | {
      readonly kind: 'message';
      readonly topic: CallbackTopic;
      /** Identifier of the request, in lower case. */
      readonly subject: string;
      /** The body as text. */
      readonly body: string;
      /** Whether the body has the known shape of its topic. */
      readonly fits: boolean;
    }
  /** A message that is not meant for us, and is followed by one that is. */
  | { readonly kind: 'preliminary' }
  | { readonly kind: 'unreadable' };

const unreadable: CallbackReading = { kind: 'unreadable' };

type Fields = ReadonlyMap<string, unknown>;

export const callbackTopics = Object.keys(callbackShapes) as readonly CallbackTopic[]; // the table's own keys

/** Reads a body. `named`: the topic in the address that it was sent to; undefined: the body decides. */
export function readCallback(bytes: Uint8Array, named: CallbackTopic | undefined): CallbackReading {
  const body = textOf(bytes);
  const value = body === undefined ? undefined : objectOf(body);
  if (body === undefined || !value) return unreadable;
  const fields = fieldsOf(value);
  if ((named ?? 'deposit') === 'deposit' && isRawPrompt(fields)) return { kind: 'preliminary' };
  const topic = named ?? topicOf(fields);
  if (!topic) return unreadable;
  for (const name of namesOf(callbackMarks[topic])) {
    const subject = identifierIn(fields.get(name));
    if (subject === undefined) continue;
    const fits = callbackShapes[topic].safeParse({ ...value, [spelled[name] ?? name]: subject }).success;
    return { kind: 'message', topic, subject: subject.toLowerCase(), body, fits };
  }
  return unreadable;
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function objectOf(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = jsonIn(text);
  return isObject(value) && isShallow(value, DEPTH_MAX) ? value : undefined;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reports whether a value has at most `levels` levels. It never descends further, however deep the value is. */
const isShallow = (value: unknown, levels: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every((inner) => isShallow(inner, levels - 1)));

/** The value of a name that occurs twice in different cases, with different values, and so says nothing. */
const CONTRADICTION = Symbol('contradiction');

function fieldsOf(value: Readonly<Record<string, unknown>>): Fields {
  const fields = new Map<string, unknown>();
  for (const [name, inner] of Object.entries(value)) {
    const key = name.toLowerCase();
    fields.set(key, fields.has(key) && fields.get(key) !== inner ? CONTRADICTION : inner);
  }
  return fields;
}

/**
 * Reports whether this is the first of the two callbacks of a deposit: what the mobile operator said, without our identifier.
 * Observed 1.6.
 */
function isRawPrompt(fields: Fields): boolean {
  const inner = fields.get('body');
  return isObject(inner) && fieldsOf(inner).has('stkcallback');
}

/**
 * Returns the only topic whose marks the body has. A body without any mark is of a topic whose bodies are not documented,
 * told apart by the kind of identifier: one address may serve all topics, and no message may be lost.
 */
function topicOf(fields: Fields): CallbackTopic | undefined {
  const [topic, ...others] = callbackTopics.filter((one) => callbackMarks[one].marks.some((name) => fields.has(name)));
  if (topic) return others.length === 0 ? topic : undefined;
  return callbackTopics.find((one) => {
    const { by, unshown } = callbackMarks[one];
    return unshown && identifiers[by].some((name) => fields.has(name));
  });
}

/** Returns the names of the identifier, those that fit the topic first. */
const namesOf = ({ by }: CallbackMarks): readonly string[] => [
  ...identifiers[by],
  ...identifiers[by === 'trace' ? 'conversation' : 'trace'],
];

/** Returns an identifier as text. Clients were seen to use numbers; one that JSON may have rounded does not count. Observed 1.1. */
function identifierIn(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined;
  if (typeof value !== 'string' || value.length > SUBJECT_CHARS_MAX) return undefined;
  return /^[^\p{Cc}\p{Cs}]+$/u.test(value) ? value : undefined;
}
