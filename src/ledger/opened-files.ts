/**
 * Whether a ledger's files are still the ones that were opened. SQLite goes on writing to a file whose name was taken away
 * and sees nothing of it, while the next run begins with whatever has the name then: two runs would send, each with a
 * lease of its own.
 */
import { Fault } from '../domain/fault.ts';

export class OpenedFiles {
  /** What tells the ledger's own file from every other (`fileIdentity`). */
  readonly identity: string;
  readonly #path: string;
  readonly #identityOf: (path: string) => string;
  readonly #identities: ReadonlyMap<string, string>;

  /** Call it while the database at the path is open: its write-ahead log is there only then. */
  constructor(path: string, identityOf: (path: string) => string) {
    this.identity = identityOf(path);
    this.#path = path;
    this.#identityOf = identityOf;
    this.#identities = new Map([path, `${path}-wal`].map((file) => [file, identityOf(file)]));
  }

  /** Throws a Fault `ledger-unsafe` when one of them was removed, moved or replaced since. It only looks. */
  assertInPlace(): void {
    for (const [file, identity] of this.#identities) {
      if (this.#identityNow(file) === identity) continue;
      throw new Fault(
        'ledger-unsafe',
        `${file} was removed, moved or replaced while this run was writing to it, so this run stopped before it sent anything more.`,
        `If it was moved, put it back. Then run the same sheet again: what ${this.#path} does not know is looked up before it is sent.`,
      );
    }
  }

  #identityNow(file: string): string | undefined {
    try {
      return this.#identityOf(file);
    } catch {
      // Whatever keeps this run from seeing it keeps the next one from it as well.
      return undefined;
    }
  }
}
