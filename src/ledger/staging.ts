/** Checked rows on a temporary file that vanishes when it is closed, so that no sheet is ever held in memory. */

import { invariant } from '../domain/invariant.ts';
import type { Issue } from '../domain/issue.ts';
import type { StagedFor, StagedPayment, StagedRow, Staging, UnusualAmounts } from '../domain/staging.ts';
import { numberOf, textOf } from './database.ts';
import { openKnownPeople } from './known-people.ts';
import { numberOfName, numberOfText, repeatedIn } from './repeated-texts.ts';
import { NumberFile, Numbers } from './sorted-numbers.ts';
import { type Connection, openTemporary } from './sqlite.ts';
import { StagedRepetitions } from './staged-repetitions.ts';
import { BLOCK_ROWS, type ComparedRow, StagingBlocks } from './staging-blocks.ts';

/** The sheet as a whole has the row 0. */
const CREATE_NOTED = `CREATE TABLE noted (
  sheet_row INTEGER NOT NULL,
  place INTEGER NOT NULL,
  issue TEXT NOT NULL,
  PRIMARY KEY (sheet_row, place)
) WITHOUT ROWID`;
const INSERT_NOTED = 'INSERT INTO noted (sheet_row, place, issue) VALUES (?, ?, ?)';
const NOTED = `SELECT sheet_row, place, issue FROM noted WHERE (sheet_row, place) > (?, ?)
  ORDER BY sheet_row, place LIMIT ?`;

/** Opens an empty staging; `close` deletes all that is in it. */
export function openStaging(use: StagedFor = 'plan'): Staging {
  const connection = openTemporary();
  connection.exec(CREATE_NOTED);
  const blocks = new StagingBlocks(connection, use);
  const compared = new Comparison(connection, blocks);
  let noted = 0;
  return {
    keepsRows: use === 'plan',
    add(rows) {
      for (const row of rows) {
        blocks.add(row);
        compared.see(row);
      }
    },
    blocks() {
      invariant(use === 'plan', 'rows of a mere check are not read back');
      return blocks.rows();
    },
    payments: () => compared.payments(),
    repeatedReferences: () => compared.repeated().references(),
    identicalRows: () => compared.repeated().identical(),
    repeatedPayees: () => compared.repeated().payees(),
    rowsOfReference: (repetition) => compared.repeated().rowsOfReference(repetition),
    rowsOfPayment: (repetition) => compared.repeated().rowsOfPayment(repetition),
    unusualAmounts: (factor, rowsMin, most) => compared.unusualAmounts(factor, rowsMin, most),
    payeesWithNames: (most) => compared.repeated().payeesWithNames(most),
    namesWithPayees: (most) => compared.repeated().namesWithPayees(most),
    knownPeople() {
      compared.putAll();
      return openKnownPeople(connection);
    },
    note(issues) {
      connection.run('BEGIN', []);
      for (const found of issues) {
        noted += 1;
        connection.run(INSERT_NOTED, [found.row ?? 0, noted, JSON.stringify(found)]);
      }
      connection.run('COMMIT', []);
    },
    issues: () => ({ [Symbol.iterator]: () => notedIssues(connection) }),
    close: () => connection.close(),
  };
}

/** Numbers of texts that are there more than once. */
interface Repeated {
  readonly references: ReadonlySet<number>;
  readonly payees: ReadonlySet<number>;
  readonly names: ReadonlySet<number>;
}

/**
 * What the payable rows have in common. Most sheets repeat next to nothing, so a few bytes a row say which rows have to be
 * put into a table, and that table is small.
 */
class Comparison {
  readonly #blocks: StagingBlocks;
  readonly #table: StagedRepetitions;
  readonly #references: Numbers;
  readonly #payees: Numbers;
  readonly #names: Numbers;
  /** In minor units: an amount has 15 digits at most, which a double holds exactly. */
  readonly #amounts: Numbers;
  /** What is repeated among all rows seen; undefined: it was not asked for since the last of them. */
  #repeated: Repeated | undefined;
  #hasAll = false;

  constructor(connection: Connection, blocks: StagingBlocks) {
    this.#blocks = blocks;
    this.#table = new StagedRepetitions(connection);
    const file = new NumberFile(connection);
    this.#references = new Numbers(file);
    this.#payees = new Numbers(file);
    this.#names = new Numbers(file);
    this.#amounts = new Numbers(file);
  }

  see({ payout, reference: referred }: StagedRow): void {
    if (!payout && referred !== undefined) {
      this.#references.add(numberOfText(referred));
      this.#repeated = undefined;
    }
    if (!payout) return;
    const { reference, payee, name, amount } = payout;
    if (reference !== undefined) this.#references.add(numberOfText(reference));
    this.#payees.add(numberOfText(payee));
    this.#names.add(numberOfName(name));
    this.#amounts.add(Number(amount.minor));
    this.#repeated = undefined;
    this.#hasAll = false;
  }

  /** The table, with every row in it that repeats something. */
  repeated(): StagedRepetitions {
    this.#find();
    return this.#table;
  }

  /** Puts all payable rows into the table. */
  putAll(): void {
    if (!this.#hasAll) this.#put(() => true);
    this.#hasAll = true;
  }

  *payments(): Generator<readonly StagedPayment[]> {
    const isRepeated = this.#find().payees.size > 0;
    for (const block of this.#blocks.compared()) {
      const [first, last] = [block[0], block.at(-1)];
      if (!first || !last) continue;
      const occurrences = isRepeated ? this.#table.occurrences(first.row, last.row) : undefined;
      yield block.map((row) => ({ ...row, occurrence: occurrences?.get(row.row) ?? 1 }));
    }
  }

  unusualAmounts(factor: number, rowsMin: number, most: number): UnusualAmounts {
    const rows = this.#amounts.length;
    if (rows === 0 || rows < rowsMin) return { median: 0n, found: [], count: 0 };
    const middle = Math.floor(rows / 2);
    let median = 0n;
    let usual = 0n;
    let [before, count] = [0, 0];
    for (const block of this.#amounts.sorted()) {
      const found = block[middle - before];
      if (found !== undefined) {
        median = BigInt(found);
        usual = median * BigInt(factor);
      }
      before += block.length;
      if (before > middle) for (const minor of block) if (minor > usual) count += 1;
    }
    return { median, found: [...this.#above(usual, Math.min(count, most))], count };
  }

  *#above(usual: bigint, most: number): Generator<UnusualAmounts['found'][number]> {
    let left = most;
    if (left === 0) return;
    for (const block of this.#blocks.compared()) {
      for (const { row, amount } of block) {
        if (amount.minor <= usual) continue;
        yield { row, minor: amount.minor };
        left -= 1;
        if (left === 0) return;
      }
    }
  }

  #find(): Repeated {
    if (this.#repeated) return this.#repeated;
    const found = {
      references: repeatedIn(this.#references),
      payees: repeatedIn(this.#payees),
      names: repeatedIn(this.#names),
    };
    this.#repeated = found;
    if (found.references.size + found.payees.size + found.names.size > 0) {
      this.#put(({ reference, payee, name }) => {
        if (reference !== undefined && found.references.has(numberOfText(reference))) return true;
        return found.payees.has(numberOfText(payee)) || found.names.has(numberOfName(name));
      });
    }
    if (found.references.size > 0) {
      for (const block of this.#blocks.referred()) {
        this.#table.addReferred(block.filter(([, reference]) => found.references.has(numberOfText(reference))));
      }
    }
    return found;
  }

  #put(isWanted: (row: ComparedRow) => boolean): void {
    for (const block of this.#blocks.compared()) this.#table.add(block.filter(isWanted));
  }
}

function* notedIssues(connection: Connection): Generator<Issue> {
  for (let after = [-1, 0]; ; ) {
    const block = connection.all(NOTED, [...after, BLOCK_ROWS]);
    const last = block.at(-1);
    if (!last) return;
    for (const row of block) yield JSON.parse(textOf(row, 'issue')) as Issue; // only our own issues are stored
    after = [numberOf(last, 'sheet_row'), numberOf(last, 'place')];
  }
}
