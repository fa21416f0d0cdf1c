import { Fault } from '../../domain/fault.ts';
import { subcommand } from '../command.ts';
import { payDue } from '../schedule/pay-due.ts';
import { declareDetach, leftToWorkers } from '../worker/left-to-workers.ts';

/** Below `paybatch schedule`. */
export const scheduleRunDue = subcommand({
  name: 'run-due',
  summary: 'pay what is due by now, each period once; for cron or systemd, every few minutes',
  example: 'paybatch schedule run-due --profile live',
  moreExamples: [
    'paybatch schedule run-due --detach --profile live',
    'paybatch schedule run-due --now 2026-12-31T09:00:00+03:00',
  ],
  declare(command) {
    return declareDetach(command).option(
      '--now <time>',
      'sandbox only: as if it were this time, for example 2026-12-24T09:00:00+03:00',
    );
  },
  async run(shell, _, options) {
    const isLive = shell.config().account !== undefined;
    const now = options.now === undefined ? shell.clock.now() : momentFrom(options.now, isLive);
    const isDetached = options.detach === true;
    return await leftToWorkers(shell, options, [], () => payDue(shell, { now, isDetached }));
  },
});

/** A Fault `usage` on a live account: there a payment is due when it is due. */
function momentFrom(text: string, isLive: boolean): number {
  if (isLive) {
    throw new Fault(
      'usage',
      '--now is for rehearsals. Nothing was sent.',
      'Leave it out, or rehearse: --profile sandbox.',
    );
  }
  const isWhole = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/.test(text);
  const ms = isWhole ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(ms)) return ms;
  throw new Fault(
    'usage',
    `"${text}" is not a time. Nothing was sent.`,
    'Write it with its zone, for example 2026-12-24T09:00:00+03:00.',
  );
}
