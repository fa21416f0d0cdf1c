/**
 * Whether a ledger's files are still the ones that were opened. SQLite goes on writing to a file whose name was taken away
 * and sees nothing of it, while the next run begins with whatever has the name then: two runs would send, each with a
 * lease of its own.
 */
import { dirname } from 'node:path';
import { Fault } from '../domain/fault.ts';
import type { LedgerFiles } from './mark.ts';

export class OpenedFiles {
  readonly #path: string;
  readonly #numberOf: LedgerFiles['numberOf'];
  readonly #numbers: ReadonlyMap<string, string>;

  /** Call it while the database at the path is open: its write-ahead log is there only then. */
  constructor(path: string, { numberOf }: Pick<LedgerFiles, 'numberOf'>) {
    this.#path = path;
    this.#numberOf = numberOf;
    this.#numbers = new Map([path, `${path}-wal`].map((file) => [file, numberOf(file)]));
  }

  /** Throws a Fault `ledger-unsafe` when one of them was removed, moved or replaced since. It only looks. */
  assertInPlace(): void {
    for (const [file, number] of this.#numbers) {
      if (this.#numberNow(file) === number) continue;
      throw new Fault(
        'ledger-unsafe',
        `${file} was removed, moved or replaced while this run was writing to it, so this run stopped before it sent anything more.`,
        `If it was moved, put it back to ${dirname(this.#path)} and go on with \`paybatch resume\`. If it is gone, run the same sheet again: every payment is looked up before it is sent.`,
      );
    }
  }

  #numberNow(file: string): string | undefined {
    try {
      return this.#numberOf(file);
    } catch {
      // Whatever keeps this run from seeing it keeps the next one from it as well.
      return undefined;
    }
  }
}
