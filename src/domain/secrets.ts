/** What this process knows and nobody may read: taken out of every text that is shown or kept, wherever it came from. */

/** Stands in the place of a secret. */
export const HIDDEN_SECRET = '[secret]';

/**
 * Shorter ones are left: a word or a number that a provider gave away as a secret stands in names, amounts and accounts too,
 * and evidence must not be changed.
 */
const SECRET_CHARACTERS_MIN = 8;

/** Tokens of one process; the oldest are forgotten, because they have expired. */
const KEPT_MAX = 64;

export class Secrets {
  /** Each secret with every form in which it may stand in a text, the longest first. */
  readonly #known = new Map<string, readonly string[]>();

  /** From now on it is hidden: client secret, bearer token, address with a secret in it. */
  add(secret: string | undefined): void {
    if (secret === undefined || secret.length < SECRET_CHARACTERS_MIN || this.#known.has(secret)) return;
    this.#known.set(secret, formsOf(secret));
    const [oldest] = [...this.#known.keys()].slice(1);
    // The first one is the client's own secret, which is good for as long as the process lives.
    if (this.#known.size > KEPT_MAX && oldest !== undefined) this.#known.delete(oldest);
  }

  /** The text without any of them. */
  hide(text: string): string {
    let safe = text;
    for (const forms of this.#known.values()) {
      for (const form of forms) if (safe.includes(form)) safe = safe.replaceAll(form, HIDDEN_SECRET);
    }
    return safe;
  }

  /** The text without any of them, also where it is JSON whose texts write them with escapes of their own. */
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

/** A text of JSON with an escape in it. */
const ESCAPED_TEXT = /"[^"\\]*\\(?:[^"\\]|\\.)*"/gs;

/** What a text of JSON says; nothing for what is none. */
function textOf(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch (error) {
    if (error instanceof SyntaxError) return '';
    throw error;
  }
}

/** As it is, and as addresses, forms, JSON and those who encode it write it. */
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
