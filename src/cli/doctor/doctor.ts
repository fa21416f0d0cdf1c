/** `paybatch doctor`: makes all checks, and prints a line or two after each. Programs get all findings in one event. */
import { agreeing, counted } from '../../domain/counted.ts';
import { faultTable } from '../../domain/fault.ts';
import type { RunEnd } from '../../domain/run-end.ts';
import { shown } from '../../domain/shown-text.ts';
import { answered, cliCommand } from '../command.ts';
import { paidFrom } from '../screens/confirm.ts';
import type { Shell } from '../shell.ts';
import { type Check, type Examined, examine, exitOf, FIX_FIRST } from './check.ts';
import { DoctorContext, unlessFault } from './doctor-context.ts';
import { lease, ledgerAccount, ledgerOpens, ledgerRecords, unfinishedBatches } from './ledger-checks.ts';
import { clock, diskSpace, diskSync, fileSystem, nodeVersion, places, stateFolder } from './machine-checks.ts';
import { balance, callbacks, charges, health, routes, token, unknownForm } from './service-checks.ts';
import { approvals, approverKeys, configuration, remitter, schedules, secretFiles } from './settings-checks.ts';

/** All checks, in the order in which they are made and shown. A check comes after those that it depends on. */
const checks: readonly Check[] = [
  nodeVersion,
  configuration,
  places,
  secretFiles,
  remitter,
  stateFolder,
  fileSystem,
  diskSpace,
  diskSync,
  ledgerOpens,
  ledgerAccount,
  ledgerRecords,
  approvals,
  approverKeys,
  schedules,
  // This check is made before the service is asked, because the practice service takes the lease itself.
  lease,
  unfinishedBatches,
  token,
  health,
  routes,
  charges,
  balance,
  unknownForm,
  callbacks,
  // This check is the last one, because it needs the time that an earlier answer carried.
  clock,
];

const words = { ok: 'OK', warning: 'WARN', problem: 'ERROR' } as const;
/** Widths of the longest word and of the longest title in columns, including the space after them. */
const WORD_COLUMNS = 7;
const TITLE_COLUMNS = Math.max(...checks.map(({ title }) => title.length)) + 2;

/**
 * Makes all checks, and prints each once it is made. `full`: replays the whole ledger. Returns the findings as events carry them,
 * the last line that people see, and the exit code.
 */
export async function emitChecks(shell: Shell, full: boolean) {
  const { command, reporter, version, flags, terminal } = shell;
  await using context = new DoctorContext(shell, full);
  const service = await unlessFault(() => serviceOf(context));
  if (service) reporter.emit({ type: 'start', command, version, ...service });
  const examined = await examine(checks, context, (one) => {
    if (!flags.json && neededBy(one) === undefined) for (const line of linesOf(one)) terminal.answer(line);
  });
  if (!flags.json) for (const line of unmadeLines(examined)) terminal.answer(line);
  return {
    profile: service?.profile ?? null,
    sandbox: service?.sandbox ?? null,
    checks: examined.map(eventOf),
    summary: summaryOf(examined, service?.sandbox === true),
    exit: exitOf(examined),
  };
}

/** The content of the first event of a command. */
function serviceOf(context: DoctorContext) {
  const loaded = context.loaded();
  const { profileName: profile, account } = loaded;
  return { profile, sandbox: account === undefined, service: context.service, ...paidFrom(loaded) };
}

/** Returns a finding as events carry it. What to do is called `fix`, as in other events. */
function eventOf({ name, title, finding }: Examined) {
  const { result, message } = finding;
  const code = finding.result === 'problem' ? finding.code : undefined;
  const exit = code && faultTable[code].exit;
  return { check: name, title, result, code, exit, message, fix: finding.remedy };
}

function linesOf({ title, finding }: Examined): readonly string[] {
  const first = `${words[finding.result].padEnd(WORD_COLUMNS)}${title.padEnd(TITLE_COLUMNS)}${shown(finding.message)}`;
  if (finding.result === 'ok') return [first];
  return [first, `${' '.repeat(WORD_COLUMNS + TITLE_COLUMNS)}${shown(finding.remedy)}`];
}

/** Returns the title of the check that has to succeed first; `undefined` for a check that was made. */
const neededBy = ({ finding }: Examined): string | undefined =>
  finding.result === 'warning' ? finding.needs : undefined;

/** Returns the lines about the checks that were not made: one for each check that has to succeed first. */
function unmadeLines(examined: readonly Examined[]): readonly string[] {
  const needed = examined.flatMap((one) => neededBy(one) ?? []);
  return [...new Set(needed)].map((title) => {
    const count = needed.filter((one) => one === title).length;
    const says = `${counted(count, 'check was', 'checks were')} not made: ${agreeing(count, 'it needs', 'they need')} what failed under "${title}". ${FIX_FIRST}`;
    return `${words.warning.padEnd(WORD_COLUMNS)}${says}`;
  });
}

function summaryOf(examined: readonly Examined[], sandbox: boolean): string {
  const count = (result: keyof typeof words): number =>
    examined.filter(({ finding }) => finding.result === result).length;
  const practice = sandbox ? 'SANDBOX: ' : '';
  return `${practice}${counted(examined.length, 'check')}: ${count('ok')} ok, ${counted(count('warning'), 'warning')}, ${counted(count('problem'), 'problem')}. Nothing was sent.`;
}

export const doctor = cliCommand({
  example: 'paybatch doctor',
  moreExamples: ['paybatch doctor --full', 'paybatch doctor --profile branch'],
  declare: (command) => command.option('--full', 'replay the whole ledger, as `verify` does', false),
  async run(shell, _, options): Promise<RunEnd> {
    const { profile, sandbox, checks, summary, exit } = await emitChecks(shell, options.full);
    return { ...answered(shell, { type: 'doctor', profile, sandbox, checks }, [summary]), exit };
  },
});
