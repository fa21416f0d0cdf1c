import { Fault } from '../../domain/fault.ts';
import { reasonOf } from '../../domain/given-reason.ts';
import { comparedBatchName } from '../../domain/ids.ts';
import { shown } from '../../domain/shown-text.ts';
import { subcommand } from '../command.ts';
import { answered } from '../screens/answered.ts';
import { openRecords } from '../session.ts';
import { makerName } from '../state/system.ts';

const EXAMPLE =
  'paybatch ledger close-lost salaries-2026-10 --reason "paid in full, see the statement of the provider"';

export const closeLost = subcommand({
  name: 'close-lost',
  summary: 'say that a batch of a lost ledger needs no look any more; sends nothing',
  example: EXAMPLE,
  declare(command) {
    return command
      .argument('<batch>', 'a batch that was begun here and that the ledger does not have')
      .requiredOption('--reason <text>', 'how you know that nothing of it is open');
  },
  async run(shell, [named], options) {
    const reason = reasonOf(options.reason) ?? '';
    await using records = await openRecords(shell, { command: 'ledger close-lost' });
    const { ledger, clock } = records.deps;
    await ledger.takeLease();
    const lost = await ledger.lostBatches();
    const batch = lost.find(({ id }) => comparedBatchName(id) === comparedBatchName(named));
    if (!batch)
      throw notLost(
        named,
        lost.map(({ id }) => id),
      );
    await ledger.closeLost({ id: batch.id, reason, by: makerName(), at: clock.now() });
    const left = lost.length - 1;
    const lines = [
      `Closed ${shown(batch.id)}: it is not asked for any more.`,
      left === 0 ? 'No other batch of the lost ledger is open.' : `Still open: ${left}.`,
    ];
    return answered(shell, { type: 'lost-batch-closed', batch: batch.id, reason, left }, lines);
  },
});

const notLost = (named: string, lost: readonly string[]): Fault =>
  new Fault(
    'usage',
    `${shown(named)} is no batch of a lost ledger. Nothing was recorded.`,
    lost.length === 0 ? 'This ledger has lost no batch.' : `These are: ${lost.map((id) => shown(id)).join(', ')}.`,
  );
