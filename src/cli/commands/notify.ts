import { Fault } from '../../domain/fault.ts';
import { noOutcomes } from '../../domain/outcome.ts';
import { answered, commandFamily, subcommand } from '../command.ts';
import { openNotifier } from '../notify/notifier.ts';

const notifyTest = subcommand({
  name: 'test',
  summary: 'send a test notification to the recipients that the profile names; sends no money',
  declare: (command) => command,
  async run(shell) {
    const loaded = shell.config();
    await using notifier = openNotifier(shell, loaded, (event) => shell.reporter.emit(event));
    const deliveries = await notifier.send({
      point: 'test',
      command: shell.command,
      batch: 'test',
      exit: 0,
      counts: noOutcomes(),
    });
    if (deliveries.length === 0) {
      const remedy = 'Set notify of the profile: a command, a webhook or a mail server. See: paybatch help operations';
      throw new Fault('configuration', `The profile ${loaded.profileName} names nobody to notify.`, remedy);
    }
    const failures = deliveries.flatMap(({ way, failed }) => (failed === undefined ? [] : [`By ${way}: ${failed}.`]));
    if (failures.length > 0) {
      throw new Fault(
        'configuration',
        'At least one notification was not delivered.',
        'Correct notify of the profile, and try it again.',
        {
          details: failures,
        },
      );
    }
    const ways = deliveries.map(({ way }) => way);
    return answered(
      shell,
      { type: 'notify-test', ways },
      ways.map((way) => `Notified by ${way}.`),
    );
  },
});

export const notify = commandFamily('notify', {
  example: 'paybatch notify test',
  moreExamples: ['paybatch notify test --profile live', 'paybatch notify test --json'],
  children: [notifyTest],
});
