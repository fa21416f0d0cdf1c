/** Secrets that this process knows. They are removed from every text that is shown or kept, wherever it came from. */
import { jsonIn } from './json.ts';

/** Replaces a secret. */
export const HIDDEN_SECRET = '[secret]';

/**
 * Shortest secret that is hidden, in characters. A word or number that a provider issued as a secret also occurs in names,
 * amounts and accounts, and evidence must not be changed.
 */
const SECRET_CHARACTERS_MIN = 8;

/** Most secrets of one process that are kept. The oldest tokens are dropped, because they have expired. */
const KEPT_MAX = 64;

export class Secrets {
  /** Each secret, with every form in which it can occur in a text, the longest first. */
  readonly #known = new Map<string, readonly string[]>();

  /** Hides a secret from now on: a client secret, a bearer token, an address with a secret in it. */
  add(secret: string | undefined): void {
    if (secret === undefined || secret.length < SECRET_CHARACTERS_MIN || this.#known.has(secret)) return;
    this.#known.set(secret, formsOf(secret));
    const [oldest] = [...this.#known.keys()].slice(1);
    // The first secret is the client's own, which is valid for as long as the process lives.
    if (this.#known.size > KEPT_MAX && oldest !== undefined) this.#known.delete(oldest);
  }

  /** Returns the text without any of the secrets. */
  hide(text: string): string {
    let safe = text;
    for (const forms of this.#known.values()) {
      for (const form of forms) if (safe.includes(form)) safe = safe.replaceAll(form, HIDDEN_SECRET);
    }
    return safe;
  }

  /** Returns the text without any of the secrets, also if it is JSON whose strings write them with escapes. */
  hideInJson(text: string): string {
    const plain = this.hide(text);
    return plain.includes('\\') ? plain.replace(ESCAPED_TEXT, (quoted) => this.#inQuotes(quoted)) : plain;
  }

  #inQuotes(quoted: string): string {
    const said = textOf(quoted);
    const safe = this.hide(said);
    return safe === said ? quoted : JSON.stringify(safe);
  }
}

/** A JSON string with an escape in it. */
const ESCAPED_TEXT = /"[^"\\]*\\(?:[^"\\]|\\.)*"/gs;

/** Returns the value of a JSON string; an empty text if it is not valid JSON. */
function textOf(quoted: string): string {
  return String(jsonIn(quoted) ?? '');
}

/** Returns a secret as it is, and as URLs, forms, JSON, Base64 and hexadecimal write it. */
function formsOf(secret: string): readonly string[] {
  const forms = [
    secret,
    encodeURIComponent(secret.toWellFormed()),
    new URLSearchParams([['', secret]]).toString().slice(1),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString('base64').replace(/=+$/, ''),
    Buffer.from(secret).toString('base64url'),
    Buffer.from(secret).toString('hex'),
  ];
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}
