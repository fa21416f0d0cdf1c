import { Fault } from '../../domain/fault.ts';
import { refreshBatch } from '../../paybatch.ts';
import { knownEnd } from '../../results/run-end.ts';
import { chosenBatch } from '../batches.ts';
import type { CliCommand } from '../command.ts';
import { openSession } from '../session.ts';

export const status: CliCommand = {
  name: 'status',
  summary: 'ask the service about what is not final, and show what became of a batch; sends nothing',
  declare(command) {
    command.argument('[batch]', 'batch; default: the latest one');
  },
  async run(shell, [named]) {
    await using session = await openSession(shell, { command: 'status' });
    const { deps } = session;
    const batch = await chosenBatch(deps.ledger, named);
    try {
      return await refreshBatch(batch, deps);
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'ledger-held') throw error;
      deps.tell({ type: 'notice', level: 'info', message: `${error.message} Shown as the ledger has it.` });
      return knownEnd(batch, deps.ledger);
    }
  },
};
