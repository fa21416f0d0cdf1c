/** The keys of one ledger: the one that signs from here on, and those whose word counts. */
import type { KeyChange } from '../domain/fact.ts';
import { Fault } from '../domain/fault.ts';
import { isSignedBy, type LedgerKeys, type SigningKey } from './signing.ts';

const changeText = (ledger: string, from: string, to: string): string =>
  `paybatch key change 1 ${ledger} ${from} ${to}`;

export class Keyring {
  readonly #ledger: string;
  readonly #keys: LedgerKeys;
  /** The key that the ledger names, once it has been read. */
  #named: string | undefined;
  /** As they were read, and made, by this process. */
  #kept: readonly SigningKey[] | undefined;
  /** Those that can only be read with. */
  #readable: readonly string[] | undefined;

  constructor(ledger: string, keys: LedgerKeys) {
    this.#ledger = ledger;
    this.#keys = keys;
  }

  /** The key that signs: the one that the ledger names, or the one that it begins with. Fault `configuration` where it only reads. */
  get signer(): SigningKey {
    const name = this.#named;
    if (name === undefined) return this.#take(this.#keys.first(this.#ledger));
    const named = this.#known().find((key) => key.name === name);
    if (!named) throw this.#publicNames().includes(name) ? this.#readsAlone(name) : this.#missing(name);
    return named;
  }

  /** A key that is to take the place of the one that signs, and the word of both on it. Fault `usage` when there can be none. */
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

  /** From here on the ledger names this key. */
  name(key: string): void {
    this.#named = key;
  }

  /** Whether both keys of a change have signed it. */
  isRight({ from, to, signatures }: KeyChange): boolean {
    const text = changeText(this.#ledger, from, to);
    return isSignedBy(from, text, signatures[0]) && isSignedBy(to, text, signatures[1]);
  }

  /**
   * Whether the key is this ledger's: it is here, and nobody else has it. Throws a Fault `configuration` when it is not here and
   * may be all the same: there is no key of the ledger at all, or one that is here has handed on to it.
   */
  isOurs(name: string, changes: readonly KeyChange[]): boolean {
    const known = this.#names();
    if (known.includes(name)) return true;
    const isHandedOn = changes.some(({ from }) => known.includes(from)) && changes.at(-1)?.to === name;
    const hasNone = this.#keys.of(this.#ledger).length === 0 && this.#publicNames().length === 0;
    if (hasNone || isHandedOn) throw this.#missing(name);
    return false;
  }

  /** Whether a key of this ledger, now or before, has signed the text. */
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
      'Put that folder back from a back-up, name the one that has it in PAYBATCH_KEYS (a container needs a mounted one), or work as the user who planned its batches. If the key is lost, set the ledger aside, and run the same sheets under the same names: every payment is looked up before it is sent.',
    );
  }
}
