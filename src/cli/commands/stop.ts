import { stopByPerson } from '../../dispatch/stop-batch.ts';
import { exitCode } from '../../domain/exit-code.ts';
import { Fault } from '../../domain/fault.ts';
import { givenText } from '../../domain/given-text.ts';
import { knownEnd } from '../../results/run-end.ts';
import { cliCommand } from '../command.ts';
import { emitStart, openRecords } from '../session.ts';
import { chosenBatch } from '../state/batches.ts';
import { makerName } from '../state/system.ts';

export const stop = cliCommand({
  example: 'paybatch stop salaries-2026-11 --reason "wrong sheet"',
  moreExamples: [
    'paybatch stop salaries-2026-11 --reason "Mary left on Friday"',
    'paybatch stop supplier-2026-48 --reason "the bank asked us to wait" --json',
  ],
  declare: (command) =>
    command
      .argument('<batch>', 'batch to stop sending')
      .option('--reason <text>', 'why; recorded with who says so, and shown wherever the batch is'),
  async run(shell, [named], { reason: typed }) {
    if (typed === undefined) throw unexplained();
    const reason = givenText('--reason', typed);
    await using records = await openRecords({ ...shell, command: `stop ${named}` });
    const { deps } = records;
    emitStart(shell, records);
    const batch = await chosenBatch(deps.ledger, named);
    const stopped = await stopByPerson(batch.id, { by: makerName(), reason }, deps);
    const end = await knownEnd(batch, deps.ledger);
    if (!stopped || end.exit !== exitCode.notFinal) return end;
    return { ...end, next: { says: 'To cancel the stop and continue:', command: `paybatch resume ${batch.id}` } };
  },
});

const unexplained = (): Fault =>
  new Fault(
    'usage',
    'Why should the batch stop? Nothing was recorded, and nothing was stopped.',
    'A few words are enough: --reason "wrong sheet".',
  );
