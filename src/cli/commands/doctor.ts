import { counted } from '../../domain/counted.ts';
import { faultTable } from '../../domain/fault.ts';
import type { RunEnd } from '../../domain/run-end.ts';
import { shown } from '../../domain/shown-text.ts';
import { cliCommand } from '../command.ts';
import { checks } from '../doctor/checks.ts';
import { DoctorContext } from '../doctor/doctor-context.ts';
import { type Examined, examine, exitOf } from '../doctor/examine.ts';
import { answered } from '../screens/answered.ts';

const words = { ok: 'OK', warning: 'WARN', problem: 'ERROR' } as const;
/** Columns of the longest word, and of the longest title, with the space after them. */
const WORD_COLUMNS = 7;
const TITLE_COLUMNS = Math.max(...checks.map(({ title }) => title.length)) + 2;

export const doctor = cliCommand({
  name: 'doctor',
  summary:
    'check everything that a pay day needs: this machine, its ledger, the account and the service; sends nothing',
  declare(command) {
    return command.option('--full', 'replay the whole ledger, as `verify` does', false);
  },
  async run(shell, _, options): Promise<RunEnd> {
    const { reporter, version, flags, terminal } = shell;
    await using context = new DoctorContext(shell, options.full);
    const service = context.service;
    if (service) reporter.tell({ type: 'start', command: 'doctor', version, ...service });
    const examined = await examine(checks, context, (one) => {
      if (!flags.json) for (const line of linesOf(one)) terminal.answer(line);
    });
    const event = {
      type: 'doctor',
      profile: service?.profile ?? null,
      sandbox: service?.sandbox ?? null,
      checks: examined.map(eventOf),
    };
    return { ...answered(shell, event, [summaryOf(examined, service?.sandbox === true)]), exit: exitOf(examined) };
  },
});

/** In the words of the other events: what to do is called `fix`. */
function eventOf({ name, title, finding }: Examined): object {
  const { result, message, figures } = finding;
  return {
    check: name,
    title,
    result,
    ...(finding.result === 'problem' && { code: finding.code, exit: faultTable[finding.code].exit }),
    message,
    ...(finding.result !== 'ok' && { fix: finding.remedy }),
    ...(figures && { figures }),
  };
}

function linesOf({ title, finding }: Examined): readonly string[] {
  const first = `${words[finding.result].padEnd(WORD_COLUMNS)}${title.padEnd(TITLE_COLUMNS)}${shown(finding.message)}`;
  if (finding.result === 'ok') return [first];
  return [first, `${' '.repeat(WORD_COLUMNS + TITLE_COLUMNS)}${shown(finding.remedy)}`];
}

function summaryOf(examined: readonly Examined[], sandbox: boolean): string {
  const count = (result: keyof typeof words): number =>
    examined.filter(({ finding }) => finding.result === result).length;
  const practice = sandbox ? 'SANDBOX: ' : '';
  return `${practice}${counted(examined.length, 'check')}: ${count('ok')} ok, ${counted(count('warning'), 'warning')}, ${counted(count('problem'), 'problem')}. Nothing was sent.`;
}
