import { Fault } from '../../domain/fault.ts';
import { reasonOf } from '../../domain/given-reason.ts';
import { shown } from '../../domain/shown-text.ts';
import { subcommand } from '../command.ts';
import { answered } from '../screens/answered.ts';
import { openRecords } from '../session.ts';
import { makerName } from '../state/system.ts';

/** Below `paybatch ledger`. */
export const sameAccount = subcommand({
  name: 'same-account',
  summary:
    'say that the client id of the profile is a new one of the account that the ledger belongs to; sends nothing',
  example: 'paybatch ledger same-account --reason "the provider rotated our credentials on 1 December"',
  declare(command) {
    return command.requiredOption('--reason <text>', 'how you know that it is the same account');
  },
  async run(shell, _, options) {
    const reason = reasonOf(options.reason) ?? '';
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
});
