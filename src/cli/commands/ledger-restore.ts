import path from 'node:path';
import { shown } from '../../domain/shown-text.ts';
import { makeOwnFolder } from '../../files/own-folder.ts';
import { subcommand } from '../command.ts';
import { restoreFrom } from '../resources.ts';
import { answered } from '../screens/answered.ts';
import { stateFolder } from '../state/state-files.ts';

/** Below `paybatch ledger`. */
export const ledgerRestore = subcommand({
  name: 'restore',
  summary: 'put a backup in the place of a ledger that is lost or damaged; sends nothing',
  example: 'paybatch ledger restore /backups/paybatch-2026-11-30.db',
  declare(command) {
    return command.argument('<file>', 'what `paybatch ledger backup` wrote');
  },
  async run(shell, [named]) {
    const from = path.resolve(shell.cwd, named);
    const loaded = shell.config();
    makeOwnFolder(stateFolder(loaded));
    const { head, setAside } = await restoreFrom(from, shell, 'ledger restore', loaded);
    const event = { type: 'ledger-restored', from, setAside: setAside ?? null, head: head ?? null };
    const lines = [
      `The ledger is that of ${shown(from)} again${head ? `, up to fact ${head.seq}` : ''}.`,
      ...(setAside === undefined
        ? []
        : [`What stood there is set aside, with the people in it; remove it once all is settled: ${shown(setAside)}`]),
      'It is in doubt now: it may not know of payments that were sent after the backup. Before anything is sent, every payment is looked up at the service.',
      'Next: paybatch verify   Then, for a batch that was under way: paybatch resume BATCH   For a batch that it does not know: run the same sheet again, unchanged, under the same name.',
    ];
    return answered(shell, event, lines);
  },
});
