import { reasonOf } from '../../domain/given-reason.ts';
import { shown } from '../../domain/shown-text.ts';
import { subcommand } from '../command.ts';
import { answered } from '../screens/answered.ts';
import { openRecords } from '../session.ts';
import { makerName } from '../state/system.ts';

/** Below `paybatch ledger`. */
export const newKey = subcommand({
  name: 'new-key',
  summary: 'sign the ledger with a new key from here on; the one before vouches for it; sends nothing',
  example: 'paybatch ledger new-key --reason "Brian has left, and had access to the key"',
  declare(command) {
    return command.requiredOption('--reason <text>', 'why there is a new key');
  },
  async run(shell, _, options) {
    const reason = reasonOf(options.reason) ?? '';
    await using records = await openRecords(shell, { command: 'ledger new-key' });
    const { ledger } = records.deps;
    await ledger.takeLease();
    // A run that is at work would go on with the old one.
    await ledger.takeEveryLease();
    const { from, to } = await ledger.changeKey({ by: makerName(), reason });
    const line = `The ledger is signed with the key ${to} from here on, in place of ${from}: ${shown(reason)}. The old key stays where it is: workbooks from before are proven by it.`;
    return answered(shell, { type: 'signing-key-changed', from, to, reason }, [line]);
  },
});
