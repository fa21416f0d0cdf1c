import type { RunEnd } from '../../domain/run-end.ts';
import { cliCommand } from '../command.ts';
import { tellChecks } from '../doctor/tell-checks.ts';
import { answered } from '../screens/answered.ts';

export const doctor = cliCommand({
  example: 'paybatch doctor',
  moreExamples: ['paybatch doctor --full', 'paybatch doctor --profile branch'],
  declare(command) {
    return command.option('--full', 'replay the whole ledger, as `verify` does', false);
  },
  async run(shell, _, options): Promise<RunEnd> {
    const { profile, sandbox, checks, summary, exit } = await tellChecks(shell, 'doctor', options.full);
    return { ...answered(shell, { type: 'doctor', profile, sandbox, checks }, [summary]), exit };
  },
});
