import path from 'node:path';
import { Fault } from '../../domain/fault.ts';
import { shown } from '../../domain/shown-text.ts';
import { writePublicPart } from '../../ledger/key-folder.ts';
import { subcommand } from '../command.ts';
import { answered } from '../screens/answered.ts';
import { openRecords } from '../session.ts';

/** Below `paybatch ledger`. Who has the public part can prove the ledger, and sign nothing. */
export const publicKey = subcommand({
  name: 'public-key',
  summary: 'write the public part of the key of the ledger, for whoever reads it and does not pay; sends nothing',
  example: 'paybatch ledger public-key --out /media/auditor --profile live',
  declare(command) {
    return command.option('--out <folder>', 'where the file is written; default: this folder');
  },
  async run(shell, _, options) {
    await using records = await openRecords(shell, { command: 'ledger public-key' });
    const signed = await records.deps.ledger.signedBy();
    if (!signed) {
      throw new Fault('usage', 'Nothing was signed yet. Nothing was written.', 'The first batch chooses the key.');
    }
    const file = writePublicPart(path.resolve(shell.cwd, options.out ?? '.'), signed.ledger, signed.key);
    const line = `The public part of the key is in ${shown(file)}. It is no secret. Whoever reads the ledger puts it, under this name, in ledger-keys of the configuration folder, or in the folder that PAYBATCH_KEYS names.`;
    return answered(shell, { type: 'ledger-public-key', ...signed, file }, [line]);
  },
});
