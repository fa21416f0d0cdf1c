/** The keys of one ledger: the one that signs now, and those whose signatures count. */
import type { KeyChange } from '../domain/fact.ts';
import { Fault } from '../domain/fault.ts';
import { isSignedBy, type LedgerKeys, type SigningKey } from './signing.ts';

const changeText = (ledger: string, from: string, to: string): string =>
  `paybatch key change 1 ${ledger} ${from} ${to}`;

export class Keyring {
  readonly #ledger: string;
  readonly #keys: LedgerKeys;
  /** The key that the ledger names, once that has been read. */
  #named: string | undefined;
  /** The keys that this process has read or made. */
  #kept: readonly SigningKey[] | undefined;
  /** The names of keys of which only the public part is here, for reading. */
  #readable: readonly string[] | undefined;

  constructor(ledger: string, keys: LedgerKeys) {
    this.#ledger = ledger;
    this.#keys = keys;
  }

  /**
   * The key that signs: the one that the ledger names, or the one that it begins with. Throws a Fault `configuration` if
   * that key is not here, or only its public part is.
   */
  get signer(): SigningKey {
    const name = this.#named;
    if (name === undefined) return this.#take(this.#keys.first(this.#ledger));
    const named = this.#known().find((key) => key.name === name);
    if (!named) throw this.#publicNames().includes(name) ? this.#readsAlone(name) : this.#missing(name);
    return named;
  }

  /**
   * Returns a change to a new key for signing, signed by both the present key and the new one. Throws a Fault `usage` if
   * there can be no other key.
   */
  change(): Pick<KeyChange, 'from' | 'to' | 'signatures'> {
    const from = this.signer;
    const to = this.#take(this.#keys.next(this.#ledger));
    if (to.name === from.name) {
      throw new Fault(
        'usage',
        `The key of the ledger follows from ${this.#keys.place}, so there is no other one. Nothing was changed.`,
        'Name a folder that can be written, outside of the state folder, in PAYBATCH_KEYS.',
      );
    }
    const text = changeText(this.#ledger, from.name, to.name);
    return { from: from.name, to: to.name, signatures: [from.sign(text), to.sign(text)] };
  }

  /** Sets the key that the ledger names from now on. */
  name(key: string): void {
    this.#named = key;
  }

  /** Reports whether both keys of a change have signed it. */
  isRight({ from, to, signatures }: KeyChange): boolean {
    const text = changeText(this.#ledger, from, to);
    return isSignedBy(from, text, signatures[0]) && isSignedBy(to, text, signatures[1]);
  }

  /**
   * Reports whether a key belongs to this ledger: whether it is here, where nobody else has it. Throws a Fault
   * `configuration` if the key is not here and may still belong to the ledger, because no key of the ledger is here at all,
   * or because a key that is here has handed over to it.
   */
  isOurs(name: string, changes: readonly KeyChange[]): boolean {
    const known = this.#names();
    if (known.includes(name)) return true;
    const isHandedOn = changes.some(({ from }) => known.includes(from)) && changes.at(-1)?.to === name;
    const hasNone = this.#keys.of(this.#ledger).length === 0 && this.#publicNames().length === 0;
    if (hasNone || isHandedOn) throw this.#missing(name);
    return false;
  }

  /** Reports whether a present or former key of this ledger has signed the text. */
  hasSigned(name: string, text: string, signature: string, changes: readonly KeyChange[]): boolean {
    const isKnown = this.#names().includes(name) || changes.some(({ from }) => from === name);
    return isKnown && isSignedBy(name, text, signature);
  }

  #known(): readonly SigningKey[] {
    if (this.#kept === undefined) {
      const derived = this.#keys.derived?.(this.#ledger);
      this.#kept = [...(derived ? [derived] : []), ...this.#keys.of(this.#ledger)];
    }
    return this.#kept;
  }

  #publicNames(): readonly string[] {
    this.#readable ??= this.#keys.publicOf?.(this.#ledger) ?? [];
    return this.#readable;
  }

  #names(): readonly string[] {
    return [...this.#known().map(({ name }) => name), ...this.#publicNames()];
  }

  #take(key: SigningKey): SigningKey {
    const others = this.#known().filter(({ name }) => name !== key.name);
    this.#kept = [...others, key];
    return key;
  }

  #readsAlone(name: string): Fault {
    return new Fault(
      'configuration',
      `Only the public part of the key that the ledger is signed with (${name}) is in ${this.#keys.place}, so it can be read here, and nothing can be recorded. Nothing was sent.`,
      'Ask somebody who pays to do it, or put the key itself there.',
    );
  }

  #missing(name: string): Fault {
    return new Fault(
      'configuration',
      `The key that the ledger is signed with (${name}) is not in ${this.#keys.place}. Nothing was sent.`,
      'Copy that folder from a computer that pays, or from a backup, name the one that has it in PAYBATCH_KEYS (a container needs a mounted one), or work as the user who planned its batches. If the key is lost, set the ledger aside, and run the same sheets under the same names: every payment is looked up before it is sent.',
    );
  }
}
