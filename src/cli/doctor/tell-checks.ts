/** Makes all checks before the user's eyes: a line or two for each as soon as it is made, and the same for programs. */
import { counted } from '../../domain/counted.ts';
import { type FaultCode, faultTable } from '../../domain/fault.ts';
import { shown } from '../../domain/shown-text.ts';
import type { Shell } from '../shell.ts';
import type { Figures } from './check.ts';
import { checks } from './checks.ts';
import { DoctorContext } from './doctor-context.ts';
import { type Examined, examine, exitOf } from './examine.ts';

const words = { ok: 'OK', warning: 'WARN', problem: 'ERROR' } as const;
/** Columns of the longest word, and of the longest title, with the space after them. */
const WORD_COLUMNS = 7;
const TITLE_COLUMNS = Math.max(...checks.map(({ title }) => title.length)) + 2;

/** What one check found, as events carry it. */
interface ToldCheck {
  readonly check: string;
  readonly title: string;
  readonly result: keyof typeof words;
  readonly code?: FaultCode;
  readonly exit?: number;
  readonly message: string;
  readonly fix?: string;
  readonly figures?: Figures;
}

/** What the checks found, when all of them were made. */
export interface ToldChecks {
  readonly profile: string | null;
  readonly sandbox: boolean | null;
  /** One for each check, as events carry it. */
  readonly checks: readonly ToldCheck[];
  /** The last line for people. */
  readonly summary: string;
  /** 0 without a problem, else the gravest one's. */
  readonly exit: number;
}

/** `command`: what the user typed, for the first event. `full`: the whole ledger is replayed. */
export async function tellChecks(shell: Shell, command: string, full: boolean): Promise<ToldChecks> {
  const { reporter, version, flags, terminal } = shell;
  await using context = new DoctorContext(shell, full);
  const service = context.service;
  if (service) reporter.tell({ type: 'start', command, version, ...service });
  const examined = await examine(checks, context, (one) => {
    if (!flags.json) for (const line of linesOf(one)) terminal.answer(line);
  });
  return {
    profile: service?.profile ?? null,
    sandbox: service?.sandbox ?? null,
    checks: examined.map(eventOf),
    summary: summaryOf(examined, service?.sandbox === true),
    exit: exitOf(examined),
  };
}

/** In the words of the other events: what to do is called `fix`. */
function eventOf({ name, title, finding }: Examined): ToldCheck {
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
