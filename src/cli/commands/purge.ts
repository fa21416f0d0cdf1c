import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { Inbox } from '../../callbacks/inbox.ts';
import { inboxFile } from '../../callbacks/open-callbacks.ts';
import type { BatchHeader } from '../../domain/batch.ts';
import { isoTime, localDate } from '../../domain/clock.ts';
import { agreeing, counted } from '../../domain/counted.ts';
import type { BatchId } from '../../domain/ids.ts';
import { moneyText } from '../../domain/money.ts';
import { type Forgets, purgedText } from '../../domain/purged.ts';
import { shown } from '../../domain/shown-text.ts';
import { removeLeftovers } from '../../files/temporary-folder.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { isResultsOf } from '../../results/file-name.ts';
import { forgetsOf, type OldBatch, oldBatches, requireLongEnough } from '../../run/purge.ts';
import { forgetPeople } from '../../sandbox/books/forget-people.ts';
import { forgetCalls } from '../api/call-record.ts';
import { answered, cliCommand } from '../command.ts';
import { duration } from '../flags/options.ts';
import { openRecords } from '../session.ts';
import { chosenBatch } from '../state/batches.ts';
import { forgetLogs } from '../state/log.ts';
import { ScheduleFiles } from '../state/schedule-files.ts';
import { CONSOLE_FOLDER, stateFolder } from '../state/state-files.ts';
import { makerName } from '../state/system.ts';

/** Thirty years, in milliseconds: longer than anyone must keep the records of a payment. */
const OLDEST_MS = 30 * 366 * 86_400_000;

/** Age, in milliseconds, from which a folder of `verify` was left behind by a dead process: it is needed for minutes only. */
const LEFT_BEHIND_MS = 3_600_000;
/** Age, in milliseconds, from which a folder of the console was left behind: a console in use may stay open for days. */
const CONSOLE_LEFT_MS = 7 * 86_400_000;

const NOT_OURS =
  'Not deleted, because these files are yours: sheets, results, checked copies, plans and approvals, and what was mailed or backed up.';

const LEFT_BY_SERVER =
  "Not deleted, because the server of the ledger keeps it: its log of changes (WAL) until that is used again, archives of the log, standbys that lag, and the server's backups.";

export const purge = cliCommand({
  example: 'paybatch purge --older-than 400d --dry-run',
  moreExamples: ['paybatch purge --older-than 400d', 'paybatch purge --older-than 400d --batch salaries-2025-01'],
  declare: (command) =>
    command
      .requiredOption(
        '--older-than <duration>',
        'only batches without any activity for this long, for example 400d',
        duration(OLDEST_MS),
      )
      .option('--batch <name>', 'only this batch')
      .option('--dry-run', 'say what would be deleted, and delete nothing'),
  async run(shell, _, { olderThan, batch: named, dryRun }) {
    await using records = await openRecords(shell);
    const { ledger, settings, clock } = records.deps;
    requireLongEnough(olderThan, settings);
    const before = clock.now() - olderThan;
    const only = named === undefined ? undefined : (await chosenBatch(ledger, named)).id;
    if (dryRun !== true) await ledger.takeLease();
    const old = await oldBatches(ledger, before, only);
    const gone = old.filter(({ keptBecause }) => keptBecause === undefined).map(({ batch }) => batch);
    if (dryRun !== true) {
      for (const batch of gone) await ledger.purge(batch, makerName());
      // Compaction runs even if nothing was purged, because an earlier purge may have been interrupted at this point.
      await ledger.compact();
      const { home } = records.loaded;
      await forgetBeside(stateFolder(records.loaded), forgetsOf(ledger, before, only));
      await removeLeftovers(stateFolder(records.loaded), 'verify', clock.now() - LEFT_BEHIND_MS);
      await removeLeftovers(stateFolder(records.loaded), CONSOLE_FOLDER, clock.now() - CONSOLE_LEFT_MS);
      if (only === undefined) {
        new ScheduleFiles(stateFolder(records.loaded)).forget(before);
        forgetLogs(home, before);
      }
    }
    const lines = [
      ...gone.map((batch) => `${dryRun ? 'Would be purged' : 'Purged'}: ${textOf(batch, settings.timezone)}`),
      ...old.flatMap(({ batch, keptBecause }) =>
        keptBecause === undefined ? [] : [`Kept: ${shown(batch.id)}, because ${keptBecause}.`],
      ),
      ...(old.length === 0 ? [await whyNothing(ledger, { before, only, timezone: settings.timezone })] : []),
      ...gone.flatMap(resultsLines),
      ...(gone.length > 0 ? [NOT_OURS] : []),
      ...(gone.length > 0 && records.loaded.ledger ? [LEFT_BY_SERVER] : []),
    ];
    return answered(shell, eventOf(old, before, dryRun === true), lines);
  },
});

/**
 * Deletes what the state folder keeps of people outside the ledger: callbacks, calls of `paybatch api`, and the books of
 * the practice service.
 */
async function forgetBeside(folder: string, forgets: Forgets): Promise<void> {
  if (existsSync(inboxFile(folder))) {
    await using inbox = new Inbox(inboxFile(folder));
    await inbox.forget(forgets);
  }
  await forgetCalls(folder, forgets);
  await forgetPeople(folder, forgets);
}

const textOf = ({ id, plannedAt, rows, total }: BatchHeader, timezone: string): string =>
  `${shown(id)}, planned ${localDate(plannedAt, timezone)}, ${counted(rows, 'row')}, ${moneyText(total)}`;

interface Asked {
  readonly before: number;
  readonly only: BatchId | undefined;
  readonly timezone: string;
}

/** Returns why no batch is old enough to be purged. One that is old enough says itself why it is kept. */
async function whyNothing(
  ledger: Pick<Ledger, 'batches' | 'lastFactAt' | 'purges'>,
  { before, only, timezone }: Asked,
): Promise<string> {
  const purges = await ledger.purges();
  if (only !== undefined) {
    const purge = purges.get(only);
    if (purge) return `${shown(only)}: its ${purgedText(purge, timezone)}.`;
    return `${shown(only)} is not old enough: something was recorded about it on ${localDate(await ledger.lastFactAt(only), timezone)}.`;
  }
  const left = (await ledger.batches()).filter(({ id }) => !purges.has(id)).length;
  if (left > 0) {
    const each = agreeing(left, 'something was recorded about it', 'something was recorded about each');
    return `${counted(left, 'batch is', 'batches are')} not old enough: ${each} on ${localDate(before, timezone)} or later.`;
  }
  return purges.size > 0 ? 'Every batch was purged before.' : 'The ledger has no batches.';
}

/** Returns a line for every results file of a batch next to its sheet, in any format. */
function resultsLines(batch: BatchHeader): readonly string[] {
  const { folder } = batch.sheet;
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((name) => isResultsOf(batch, name));
  return files.sort().map((name) => `It still names people: ${shown(path.resolve(folder, name))}`);
}

const eventOf = (old: readonly OldBatch[], before: number, dryRun: boolean): object => ({
  type: 'purged',
  dryRun,
  before: isoTime(before),
  batches: old
    .filter(({ keptBecause }) => keptBecause === undefined)
    .map(({ batch, lastFactAt }) => ({ batch: batch.id, rows: batch.rows, lastFactAt: isoTime(lastFactAt) })),
  kept: old.flatMap(({ batch, keptBecause }) => (keptBecause === undefined ? [] : [{ batch: batch.id, keptBecause }])),
});
