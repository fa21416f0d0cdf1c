import { existsSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../../domain/fault.ts';
import { shown } from '../../domain/shown-text.ts';
import { typedPath } from '../../domain/typed-path.ts';
import { subcommand } from '../command.ts';
import { answered } from '../screens/answered.ts';
import { openRecords } from '../session.ts';
import { ledgerKeys } from '../state/ledger-keys.ts';

/** Below `paybatch ledger`. */
export const ledgerBackup = subcommand({
  name: 'backup',
  summary: 'write a proven copy of the ledger to one file, also while a run is at work; sends nothing',
  example: 'paybatch ledger backup /backups/paybatch-2026-11-30.db',
  declare(command) {
    return command
      .argument('<file>', 'the backup; outside of the state folder')
      .option('--replace', 'put it in the place of an older file of that name');
  },
  async run(shell, [named], options) {
    const target = path.resolve(shell.cwd, named);
    await using records = await openRecords(shell, { command: 'ledger backup' });
    requireOutside(target, records.loaded.home);
    const isThere = existsSync(target);
    const older = options.replace === true ? 'replaced' : 'kept';
    const { bytes, head } = await records.deps.ledger.backUp(target, older);
    const keys = records.loaded.account ? ledgerKeys(records.loaded).place : null;
    const event = { type: 'ledger-backup', path: target, bytes, replaced: isThere, head: head ?? null, keys };
    const lines = [
      `The ledger is in ${shown(target)} (${bytes} bytes): copied at one moment, proven, and for you alone.`,
      head ? `It goes to fact ${head.seq}, ${head.hash}` : 'Nothing was paid by this ledger yet.',
      `It holds names, phones, accounts and amounts. Keep it on another disk than ${shown(records.loaded.home)}.`,
      ...(keys !== null ? [`The signing key is not in it. Keep that apart: ${shown(keys)}.`] : []),
      `Put back with: paybatch ledger restore ${typedPath(target)}   Then every payment since is looked up before anything is sent.`,
    ];
    return answered(shell, event, lines, [{ kind: 'backup', path: target }]);
  },
});

/** What takes the state folder away would take the backup, too. */
function requireOutside(target: string, home: string): void {
  const inside = path.relative(home, target);
  if (inside.startsWith('..') || path.isAbsolute(inside)) return;
  throw new Fault(
    'usage',
    `${target} is in the state folder itself, so both would be lost at once. No backup was written.`,
    'Name a file in another place, on another disk if there is one.',
  );
}
