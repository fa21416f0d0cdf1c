import { Fault } from '../../domain/fault.ts';
import { answered } from '../answered.ts';
import type { CliCommand } from '../command.ts';
import { textOption } from '../options.ts';
import { openRecords } from '../session.ts';
import { makerName } from '../system.ts';
import { shown } from '../terminal.ts';

/** Longest reason that is recorded, in characters. */
const REASON_MAX = 300;

/** Below `paybatch ledger`. */
export const sameAccount: CliCommand = {
  name: 'same-account',
  summary:
    'say that the client id of the profile is a new one of the account that the ledger belongs to; sends nothing',
  example: 'paybatch ledger same-account --reason "the provider rotated our credentials on 1 December"',
  declare(command) {
    command.requiredOption('--reason <text>', 'how you know that it is the same account');
  },
  async run(shell, _, options) {
    const reason = textOption(options, 'reason')?.trim() ?? '';
    if (reason === '' || reason.length > REASON_MAX) {
      throw new Fault(
        'usage',
        `--reason takes 1 to ${REASON_MAX} characters. Nothing was recorded.`,
        'Say how you know that it is the same account.',
      );
    }
    const { account } = shell.config();
    if (!account) {
      throw new Fault(
        'usage',
        'The practice service has one account. Nothing was recorded.',
        'Choose another --profile.',
      );
    }
    await using records = await openRecords(shell, { command: 'ledger same-account' });
    const { ledger } = records.deps;
    await ledger.takeLease();
    const { baseUrl: service, tokenUrl, clientId } = account;
    const { from, to } = await ledger.renewClient({ service, tokenUrl, clientId }, { by: makerName(), reason });
    const line = `The ledger goes on with the client id ${shown(to)}, in place of ${shown(from)}: ${shown(reason)}.`;
    return answered(shell, { type: 'client-id-changed', from, to, reason }, [line]);
  },
};
