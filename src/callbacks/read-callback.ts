/**
 * What a callback's body is about. It is read generously, because all that it decides is which order is looked up next:
 * names of identifiers in any case, fields that nobody has described, a body that does not look as the specification
 * shows it. Only a body from which no identifier can be told is of no use. Spec: "Events"; observed 1.6. The names are the contract's.
 */
import {
  type CallbackMarks,
  type CallbackTopic,
  callbackMarks,
  callbackShapes,
  callbackIdentifiers as identifiers,
  spelledIdentifiers as spelled,
} from '../service/contract/callback-bodies.ts';

/** Nesting of objects and lists; the deepest body of the specification, of a bill, has 5. */
const DEPTH_MAX = 32;

/** Characters of an identifier; a UUID has 36. */
const SUBJECT_CHARS_MAX = 128;

export type CallbackReading =
  | {
      readonly kind: 'message';
      readonly topic: CallbackTopic;
      /** In lower case. */
      readonly subject: string;
      /** The body as text. */
      readonly body: string;
      /** Whether the body has the shape that is known of its topic. */
      readonly fits: boolean;
    }
  /** Meant for somebody else, and followed by a message that is meant for us. */
  | { readonly kind: 'preliminary' }
  | { readonly kind: 'unreadable' };

const unreadable: CallbackReading = { kind: 'unreadable' };

type Fields = ReadonlyMap<string, unknown>;

export const callbackTopics = Object.keys(callbackShapes) as readonly CallbackTopic[]; // its own keys

/** Reads a body. `named`: the topic by the address it was sent to; undefined: the body has to tell. */
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
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && isShallow(value, DEPTH_MAX) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Never goes deeper than the limit, however deep the value is. */
const isShallow = (value: unknown, levels: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every((inner) => isShallow(inner, levels - 1)));

/** A name that stands there twice in different cases, with different values, says nothing. */
const CONTRADICTION = Symbol('contradiction');

function fieldsOf(value: Readonly<Record<string, unknown>>): Fields {
  const fields = new Map<string, unknown>();
  for (const [name, inner] of Object.entries(value)) {
    const key = name.toLowerCase();
    fields.set(key, fields.has(key) && fields.get(key) !== inner ? CONTRADICTION : inner);
  }
  return fields;
}

/** The first of the two callbacks of a deposit: what the mobile operator said, without our identifier. Observed 1.6. */
function isRawPrompt(fields: Fields): boolean {
  const inner = fields.get('body');
  return isObject(inner) && fieldsOf(inner).has('stkcallback');
}

/**
 * The only topic whose marks the body bears. Without any mark it is one of those whose bodies nobody has shown, told
 * apart by their identifiers: one address may serve everything, and what it says must not be lost.
 */
function topicOf(fields: Fields): CallbackTopic | undefined {
  const [topic, ...others] = callbackTopics.filter((one) => callbackMarks[one].marks.some((name) => fields.has(name)));
  if (topic) return others.length === 0 ? topic : undefined;
  return callbackTopics.find((one) => {
    const { by, unshown } = callbackMarks[one];
    return unshown && identifiers[by].some((name) => fields.has(name));
  });
}

/** Names of the identifier, that of the topic first. */
const namesOf = ({ by }: CallbackMarks): readonly string[] => [
  ...identifiers[by],
  ...identifiers[by === 'trace' ? 'conversation' : 'trace'],
];

/** Clients were seen to use numbers as identifiers; one that JSON may have rounded is none. Observed 1.1. */
function identifierIn(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined;
  if (typeof value !== 'string' || value.length > SUBJECT_CHARS_MAX) return undefined;
  return /^[^\p{Cc}\p{Cs}]+$/u.test(value) ? value : undefined;
}
