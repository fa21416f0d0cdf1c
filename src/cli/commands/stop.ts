import { personNotice } from '../../dispatch/stop-reasons.ts';
import { type BatchHeader, STOP_REASON_MAX } from '../../domain/batch.ts';
import { exitCode } from '../../domain/exit-code.ts';
import { Fault } from '../../domain/fault.ts';
import { shown } from '../../domain/shown-text.ts';
import { atWorkText } from '../../ledger/ledger.ts';
import { knownEnd } from '../../results/run-end.ts';
import { cliCommand } from '../command.ts';
import { openRecords, type Records, tellStart } from '../session.ts';
import { chosenBatch } from '../state/batches.ts';
import { makerName } from '../state/system.ts';

export const stop = cliCommand({
  example: 'paybatch stop salaries-2026-11 --reason "wrong sheet"',
  moreExamples: [
    'paybatch stop salaries-2026-11 --reason "Mary left on Friday"',
    'paybatch stop supplier-2026-48 --reason "the bank asked us to wait" --json',
  ],
  declare(command) {
    return command
      .argument('<batch>', 'batch that nobody is to send any more')
      .option('--reason <text>', 'why; recorded with who says so, and shown wherever the batch is');
  },
  async run(shell, [named], { reason: typed }) {
    const reason = reasonIn(typed);
    await using records = await openRecords(shell, { command: `stop ${named}` });
    const { deps } = records;
    tellStart(records, 'stop', shell.version);
    const batch = await chosenBatch(deps.ledger, named);
    const before = await deps.ledger.stopOf(batch.id);
    const stopped = before ?? (await deps.ledger.stopBatch(batch.id, { by: makerName(), reason }));
    if (stopped) deps.tell(personNotice(stopped));
    if (stopped) await tellWho(batch, deps);
    const end = await knownEnd(batch, deps.ledger);
    if (!stopped) deps.tell({ type: 'notice', level: 'warning', message: OVER });
    if (!stopped || end.exit !== exitCode.notFinal) return end;
    return { ...end, next: { says: 'To take it back and go on:', command: `paybatch resume ${batch.id}` } };
  },
});

const OVER = 'Nothing of the batch is left to stop: every payment of it has its final word. Nothing was recorded.';

/** Who still works on the batch: what is on its way lands there. */
async function tellWho({ id }: BatchHeader, { ledger, tell }: Records['deps']): Promise<void> {
  const working = (await ledger.othersAtWork()).filter(({ batch }) => batch === id);
  const who = working.map(atWorkText).join('; ');
  const message =
    working.length === 0
      ? 'Nobody is at work on it, as far as can be told.'
      : `At work on it: ${who}. It claims nothing more; what is on its way lands, and is followed.`;
  tell({ type: 'notice', level: 'info', message });
}

function reasonIn(typed: string | undefined): string {
  const reason = shown((typed ?? '').trim());
  if (reason !== '' && reason.length <= STOP_REASON_MAX) return reason;
  throw new Fault(
    'usage',
    reason === ''
      ? 'Why is the batch to stop? Nothing was recorded, and whoever sends it goes on.'
      : `--reason takes 1 to ${STOP_REASON_MAX} characters. Nothing was recorded, and whoever sends the batch goes on.`,
    'Say it shortly, but say it: --reason "wrong sheet".',
  );
}
