/**
 * Whether a ledger's files are still the ones that were opened. SQLite goes on writing to a file whose name was taken away
 * and sees nothing of it, while the next run begins with whatever has the name then: two runs would send, each with a
 * lease of its own.
 */
import { dirname } from 'node:path';
import { Fault } from '../domain/fault.ts';
import { fileNumber, fileNumberIfAny } from '../files/file-identity.ts';

export class OpenedFiles {
  readonly #path: string;
  readonly #numbers = new Map<string, string>();

  /** Call it before the database at the path, which must be there, is opened: another one may have the name a moment later. */
  constructor(path: string) {
    this.#path = path;
    this.#note(path);
  }

  /** Call it when the database is open: its write-ahead log is there only then. */
  noteLog(): void {
    this.#note(`${this.#path}-wal`);
  }

  /** Throws a Fault `ledger-unsafe` when one of them was removed, moved or replaced since. It only looks. */
  assertInPlace(): void {
    const file = this.#missing();
    if (file === undefined) return;
    throw new Fault(
      'ledger-unsafe',
      `${file} was removed, moved or replaced while this run was writing to it, so this run stopped before it sent anything more.`,
      `If it was moved, put it back to ${dirname(this.#path)} and go on with \`paybatch resume\`. If it is gone, run the same sheet again, under the same name: every payment is looked up before it is sent.`,
    );
  }

  get areInPlace(): boolean {
    return this.#missing() === undefined;
  }

  #note(file: string): void {
    this.#numbers.set(file, fileNumber(file));
  }

  #missing(): string | undefined {
    for (const [file, number] of this.#numbers) {
      // Whatever keeps this run from seeing it keeps the next one from it as well.
      if (fileNumberIfAny(file) !== number) return file;
    }
    return undefined;
  }
}
