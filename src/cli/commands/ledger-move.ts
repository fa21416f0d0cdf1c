import { existsSync } from 'node:fs';
import { Fault } from '../../domain/fault.ts';
import { shown } from '../../domain/shown-text.ts';
import { useOwnFolder } from '../../files/own-folder.ts';
import type { MoveStep } from '../../ledger/move-ledger.ts';
import { shownAddress } from '../../ledger/postgres/address.ts';
import { subcommand } from '../command.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import { moveTo } from '../resources.ts';
import { answered } from '../screens/answered.ts';
import { ledgerFile, stateFolder } from '../state/state-files.ts';
import { makerName } from '../state/system.ts';

/** Below `paybatch ledger`. */
export const ledgerMove = subcommand({
  name: 'move',
  summary: 'move the ledger from its file to PostgreSQL, and lock the file; sends nothing',
  example: 'paybatch ledger move --to postgres://paybatch@db.example.com/paybatch --profile live',
  declare(command) {
    return command.requiredOption('--to <address>', 'PostgreSQL that has no ledger there yet; never with a password');
  },
  async run(shell, _, { to: typed }) {
    const loaded = shell.config();
    const file = ledgerFile(loaded);
    const target = loaded.ledgerAt(typed);
    requireMovable(loaded, file);
    if (/^\w+:\/\/[^@/]*:[^@]*@/.test(typed)) throw passwordTyped();
    const to = shownAddress(target.address);
    if (loaded.ledger && shownAddress(loaded.ledger.address) !== to) throw namedElsewhere(loaded.ledger.address);
    shell.secrets.add(target.password());
    useOwnFolder(stateFolder(loaded));
    const told = (step: MoveStep): void => {
      const message = stepTexts[step];
      if (message !== undefined) shell.reporter.tell({ type: 'notice', level: 'info', message });
    };
    const { head, before } = await moveTo(target, shell, 'ledger move', loaded, { by: makerName(), told });
    const lines = [
      before ? `The ledger had been moved to ${shown(to)} before.` : `The ledger is ${shown(to)} from now on.`,
      `Both places end with fact ${head.seq}, ${head.hash}, and the new one was proven as a whole.`,
      `The file ${shown(file)} is locked: it can be read, and nothing is recorded in it. It still holds names, phones and accounts, and purge no longer reaches them: remove it and its backups in time.`,
      loaded.ledger
        ? 'The profile names the new place already.'
        : `Now name the new place in the profile, "ledger": "${to}", or in PAYBATCH_LEDGER, on every computer that pays.`,
      'Next: paybatch verify   Then, for a batch that was under way: paybatch resume BATCH',
    ];
    return answered(shell, { type: 'ledger-moved', from: file, to, before, head }, lines);
  },
});

/** What takes its time, and what cannot be taken back. */
const stepTexts: Readonly<Partial<Record<MoveStep, string>>> = {
  copied: 'Copied. The copy is proven now.',
  proven: 'The copy is whole, and ends as the file does.',
  locked: 'The file is locked.',
};

function requireMovable({ account, profileName }: LoadedConfig, file: string): void {
  if (!account) {
    throw new Fault(
      'usage',
      'A rehearsal keeps its ledger in a file beside its books. Nothing was moved.',
      'Name the account with --profile.',
    );
  }
  if (existsSync(file)) return;
  throw new Fault(
    'usage',
    `The profile ${profileName} has no ledger in a file (${file}), so there is nothing to move.`,
    'Name another profile with --profile, or the state folder that has it in PAYBATCH_HOME.',
  );
}

/** Other users of this computer see what is typed, and shells keep it. */
const passwordTyped = (): Fault =>
  new Fault(
    'usage',
    'The address in --to has a password. Nothing was moved.',
    'Put it into a file for you alone (~/.pgpass or PGPASSFILE), or into PGPASSWORD.',
  );

const namedElsewhere = (address: Parameters<typeof shownAddress>[0]): Fault =>
  new Fault(
    'usage',
    `The profile keeps its ledger at ${shownAddress(address)}, and --to names another place. Nothing was moved.`,
    'Name the same place in both, or take "ledger" from the profile and PAYBATCH_LEDGER from the environment.',
  );
