/** The ledger: that it can be relied on, whose it is, who writes to it, and what it says is not finished. */
import { counted } from '../../domain/counted.ts';
import { exitCode } from '../../domain/exit-code.ts';
import { invariant } from '../../domain/invariant.ts';
import type { SqlRow } from '../../ledger/database.ts';
import { leaseStatusOf, READ_LEASE, readLease } from '../../ledger/lease.ts';
import { openDurable, openReader } from '../../ledger/sqlite.ts';
import { requireIdName } from '../../preflight/id-name.ts';
import { knownEnd } from '../../results/run-end.ts';
import { EMBEDDED } from '../resources.ts';
import { isAlive, thisProcess } from '../state/system.ts';
import { type Check, ok, problem, warning } from './check.ts';
import type { DoctorContext } from './doctor-context.ts';

/** Batches and differences that are named; the rest is counted. */
const NAMED_MAX = 5;

const UNSOUND = 'Keep the ledger as it is, send nothing, and find out with `paybatch verify` what was changed.';

export const ledgerFile: Check = {
  name: 'ledger',
  title: 'Ledger',
  async look(context) {
    await context.ledger();
    const connection = openDurable(context.ledgerPath);
    try {
      const sqlite = String(connection.all('SELECT sqlite_version() AS version')[0]?.['version']);
      const figures = {
        path: context.ledgerPath,
        sqlite,
        journalMode: String(connection.setting('journal_mode')),
        synchronous: Number(connection.setting('synchronous')),
        fullfsync: connection.setting('fullfsync') === 1n,
        schema: Number(connection.setting('user_version')),
      };
      return ok(
        `It opens, and syncs every commit (SQLite ${sqlite}, ${figures.journalMode}, synchronous FULL).`,
        figures,
      );
    } finally {
      connection.close();
    }
  },
};

export const ledgerAccount: Check = {
  name: 'ledger-account',
  title: "Ledger's account",
  async look(context) {
    const ledger = await context.ledger();
    const { account } = context.loaded;
    const tied = await ledger.tiedTo();
    if (!tied) return ok('It belongs to none yet. The first payment ties it to the account of its profile.');
    if (account) await context.heldLedger();
    else if (tied.service !== EMBEDDED) {
      return problem(
        'configuration',
        `It belongs to ${tied.service}, and the profile is the practice service.`,
        'Give the practice profile a state folder of its own (PAYBATCH_HOME).',
      );
    }
    await requireIdName(ledger, context.settings);
    return ok(`It belongs to this one (${tied.service}).`);
  },
};

export const ledgerRecords: Check = {
  name: 'ledger-records',
  title: 'Ledger records',
  async look(context) {
    const ledger = await context.ledger();
    const reader = openReader(context.ledgerPath);
    try {
      const said = String(reader.setting('quick_check(1)'));
      if (said !== 'ok') return problem('ledger-unsafe', `Its file is damaged: ${said}.`, UNSOUND);
    } finally {
      reader.close();
    }
    if (!context.full) return ok('Its file is whole. --full replays every record.', { full: false });
    if (holderOf(context)) {
      return warning(
        'Not replayed: another run is writing to it.',
        'Run `paybatch doctor --full` when it has finished.',
      );
    }
    const differences = await ledger.verify();
    const figures = { full: true, differences: differences.length };
    if (differences.length === 0) return ok('Its file is whole, and all it shows follows from its facts.', figures);
    const named = differences.slice(0, NAMED_MAX).join('; ');
    return problem(
      'ledger-unsafe',
      `${counted(differences.length, 'of its records does', 'of its records do')} not agree: ${named}.`,
      UNSOUND,
      figures,
    );
  },
};

export const lease: Check = {
  name: 'lease',
  title: 'Other runs',
  async look(context) {
    await context.ledger();
    const holder = holderOf(context);
    if (!holder) return ok('No other run uses the ledger.', { held: false });
    return warning(
      `Another run uses the ledger: ${holder.description} (process ${holder.pid} on ${holder.host}).`,
      'Wait until it has finished; `paybatch status` shows how far it is.',
      { held: true, host: holder.host, pid: holder.pid, holder: holder.description },
    );
  },
};

export const unfinishedBatches: Check = {
  name: 'unfinished',
  title: 'Batches',
  async look(context) {
    const ledger = await context.ledger();
    const all = await ledger.batches();
    const open: string[] = [];
    const alarmed: string[] = [];
    for (const batch of all) {
      const { exit } = await knownEnd(batch, ledger);
      if (exit === exitCode.notFinal) open.push(batch.id);
      if (exit === exitCode.alarm) alarmed.push(batch.id);
    }
    const figures = { batches: all.length, unfinished: open.length, alarmed: alarmed.length };
    if (alarmed.length > 0) {
      return warning(
        `The service contradicts ${named(alarmed)}${open.length > 0 ? `; not finished: ${named(open)}` : ''}.`,
        `See \`paybatch status ${alarmed[0]}\` and its results, and ask the provider before more is sent.`,
        figures,
      );
    }
    if (open.length === 0) return ok(all.length === 0 ? 'There is none yet.' : 'All are finished.', figures);
    const message = `Not finished: ${named(open)}.`;
    return warning(message, `Go on: \`paybatch resume ${open[0]}\`. Never pay such a sheet as a new batch.`, figures);
  },
};

const named = (ids: readonly string[]): string =>
  ids.length > NAMED_MAX ? `${ids.slice(0, NAMED_MAX).join(', ')} and ${ids.length - NAMED_MAX} more` : ids.join(', ');

/** Who holds the lease, as far as can be told at once; the ledger must have been opened. */
function holderOf({ ledgerPath, shell, loaded }: DoctorContext) {
  const record = readLease(readOne(ledgerPath, READ_LEASE));
  const us = thisProcess('doctor', loaded.machineName);
  return leaseStatusOf(record, us, isAlive, shell.clock.now()) === 'held' ? record.holder : undefined;
}

/** One row of a ledger, read beside whoever writes to it. */
function readOne(path: string, sql: string): SqlRow {
  const reader = openReader(path);
  try {
    const [row] = reader.all(sql);
    invariant(row, 'a ledger that was opened has an id and a lease');
    return row;
  } finally {
    reader.close();
  }
}
