import { Fault } from '../../domain/fault.ts';
import type { RunEnd } from '../../domain/run-end.ts';
import { refreshBatch } from '../../paybatch.ts';
import { knownEnd } from '../../results/run-end.ts';
import { chosenBatch } from '../batches.ts';
import type { CliCommand } from '../command.ts';
import { openRecords, openSession, tellStart } from '../session.ts';
import type { Shell } from '../shell.ts';

export const status: CliCommand = {
  name: 'status',
  summary: 'ask the service about what is not final, and show what became of a batch; sends nothing',
  declare(command) {
    command.argument('[batch]', 'batch; default: the latest one');
  },
  async run(shell, [named]) {
    try {
      await using session = await openSession(shell, { command: 'status' });
      return await refreshBatch(await chosenBatch(session.deps.ledger, named), session.deps);
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'ledger-held') throw error;
      return await asRecorded(shell, named, error);
    }
  },
};

/** What the ledger knows while another run is at work on it. */
async function asRecorded(shell: Shell, named: string | undefined, { message }: Fault): Promise<RunEnd> {
  await using records = await openRecords(shell, { command: 'status' });
  const { deps } = records;
  tellStart(deps, 'status', shell.version);
  const batch = await chosenBatch(deps.ledger, named);
  deps.tell({ type: 'notice', level: 'info', message: `${message} Shown as the ledger has it.` });
  return await knownEnd(batch, deps.ledger);
}
