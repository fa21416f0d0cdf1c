import { isoTime } from '../../domain/clock.ts';
import { Fault } from '../../domain/fault.ts';
import { reasonOf } from '../../domain/given-reason.ts';
import { shown } from '../../domain/shown-text.ts';
import { subcommand } from '../command.ts';
import { answered } from '../screens/answered.ts';
import { keepWord, profilesThatPay } from '../state/other-ledgers.ts';
import { makerName } from '../state/system.ts';

/** Below `paybatch ledger`. */
export const separate = subcommand({
  name: 'separate',
  summary: 'say that this profile begins a ledger of its own though another one pays with its client id; sends nothing',
  example: 'paybatch ledger separate --reason "the branch keeps its own books" --profile branch',
  declare(command) {
    return command.requiredOption('--reason <text>', 'why nobody is paid from both');
  },
  async run(shell, _, options) {
    const reason = reasonOf(options.reason) ?? '';
    const loaded = shell.config();
    const others = profilesThatPay(loaded);
    if (!loaded.account || others.length === 0) {
      throw new Fault(
        'usage',
        'No other ledger here pays with the client id of this profile. Nothing was recorded.',
        'Go on as usual.',
      );
    }
    const { clientId } = loaded.account;
    const [by, at] = [makerName(), isoTime(shell.clock.now())];
    keepWord(loaded, { clientId, reason, by, at });
    const line = `The profile ${loaded.profileName} may begin a ledger beside that of ${others.join(', ')}: ${shown(reason)}.`;
    return answered(shell, { type: 'ledger-separate', profile: loaded.profileName, others, clientId, reason }, [line]);
  },
});
