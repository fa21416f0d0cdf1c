/**
 * `paybatch drill`: a rehearsal of the worst pay day. Real processes run the sheet against a practice service that loses answers,
 * breaks connections and throttles, and they are killed again and again. At the end the service heals, the batch is resumed again,
 * and the books of the service are compared with the ledger.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { needsWord } from '../../dispatch/decision.ts';
import type { Clock } from '../../domain/clock.ts';
import { counted } from '../../domain/counted.ts';
import { exitCode } from '../../domain/exit-code.ts';
import { Fault } from '../../domain/fault.ts';
import { type BatchId, sha256 } from '../../domain/ids.ts';
import type { RunEnd } from '../../domain/run-end.ts';
import type { InDoubtSettings, Settings } from '../../domain/settings.ts';
import { keysInFolder } from '../../ledger/key-folder.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { knownEnd } from '../../results/run-end.ts';
import { drawOf } from '../../sandbox/draw.ts';
import { practicePaths } from '../../sandbox/practice-account.ts';
import { type Books, parseScenario, type Sandbox } from '../../sandbox/sandbox.ts';
import { cliCommand } from '../command.ts';
import { emptyProfile } from '../config/config-schema.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import { SANDBOX_PROFILE } from '../config/profile-name.ts';
import { settingsOf } from '../config/run-settings.ts';
import { field, type OptionsOf, wholeNumber } from '../flags/options.ts';
import { declareReading, sheetPath } from '../flags/sheet-options.ts';
import { openLedgerAs, startPractice } from '../resources.ts';
import { answered } from '../screens/answered.ts';
import type { Shell } from '../shell.ts';
import { checkpointFile, ledgerFile } from '../state/state-files.ts';
import { type Judgement, judge } from './judge.ts';

type ChildEvent = Readonly<Record<string, unknown>>;

const here = fileURLToPath(import.meta.url);
const main = path.join(path.dirname(here), '..', '..', `main${path.extname(here)}`);

class Child {
  readonly #process: ChildProcess;
  readonly #closed: Promise<void>;
  readonly events: ChildEvent[] = [];
  #rest = '';
  #heard: (() => void) | undefined;

  /** Starts a command with `--json`. The process inherits nothing except `env`. */
  constructor(argv: readonly string[], cwd: string, env: Readonly<Record<string, string>>) {
    this.#process = spawn(process.execPath, ['--no-warnings', main, ...argv, '--json'], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    this.#process.stdout?.setEncoding('utf8').on('data', (text: string) => this.#hear(text));
    this.#closed = once(this.#process, 'close').then(() => this.#heard?.());
  }

  /** Resolves once the process has reported `count` events of a type, or has ended. */
  async until(type: string, count: number): Promise<void> {
    const told = (): number => this.events.filter((event) => event['type'] === type).length;
    while (told() < count && this.#process.exitCode === null && this.#process.signalCode === null) {
      await new Promise<void>((resolve) => {
        this.#heard = resolve;
      });
    }
  }

  kill(): void {
    this.#process.kill('SIGKILL');
  }

  /** Resolves to the exit code of the process; `undefined` if it was killed. */
  async ended(): Promise<number | undefined> {
    await this.#closed;
    return this.#process.exitCode ?? undefined;
  }

  #hear(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.events.push(JSON.parse(line) as ChildEvent); // paybatch printed the lines itself
    this.#heard?.();
  }
}

/** The moments at which a process is killed: soon after its start, or some time after an event. */
const moments = [
  { name: 'while it starts', after: undefined, delayMs: 400 },
  { name: 'after the plan was recorded', after: 'batch.planned', delayMs: 60 },
  { name: 'while it sends and follows', after: 'progress', delayMs: 450 },
] as const;

/** Most progress events to wait for before a kill; they are reported every half second. */
const PROGRESS_MAX = 2;
/** Most resumes on the healed service; rows that are still open after them are reported as open. */
const LAST_RESUMES_MAX = 5;
/** Most processes of a drill: some end before they are killed, because a held ledger or an outage ends them early. */
const PROCESSES_MAX = 20_000;
/** Number of kills from one progress message to the next. */
const TOLD_KILLS = 10;

interface DrillPlan {
  /** Arguments of `paybatch run` for this sheet. */
  readonly run: readonly string[];
  readonly kills: number;
  readonly seed: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Starts the faults of the service; `heal` ends them for good. */
  trouble(): Promise<void>;
  heal(): Promise<void>;
  say(line: string): void;
}

interface DrillRecord {
  readonly batch: string;
  /** Number of kills, by moment. */
  readonly kills: ReadonlyMap<string, number>;
  readonly processes: number;
}

/** Exit codes of a run that met the faults before it sent anything, and is run again. */
const transient: ReadonlySet<number> = new Set([4, 9, 75]);

/** Reports whether nothing of a batch is left to do after this exit code. */
const finished = (exit: number | undefined): boolean => exit === 0 || exit === 6;

/** Runs, kills and resumes until the kills are used up or the batch is finished. */
export async function rehearse(plan: DrillPlan): Promise<DrillRecord> {
  const rehearsal = new Rehearsal(plan, await controlTotals(plan));
  await plan.trouble();
  while (rehearsal.killed < plan.kills && rehearsal.processes < PROCESSES_MAX && !plan.signal.aborted) {
    if (finished(await rehearsal.oneKilled())) break;
  }
  await plan.heal();
  for (let last = 0; last < LAST_RESUMES_MAX && !finished(rehearsal.exit); last += 1) await rehearsal.oneSpared();
  return rehearsal.record();
}

/** The processes of a drill so far: the first one runs the sheet, and later ones resume its batch. */
class Rehearsal {
  readonly #plan: DrillPlan;
  readonly #totals: readonly string[];
  readonly #kills = new Map<string, number>();
  #batch: string | undefined;
  killed = 0;
  processes = 0;
  /** Exit code of the last process; `undefined` if it was killed. */
  exit: number | undefined;

  constructor(plan: DrillPlan, totals: readonly string[]) {
    this.#plan = plan;
    this.#totals = totals;
  }

  async oneKilled(): Promise<number | undefined> {
    const child = this.#start();
    const moment = await killAtSomeMoment(child, this.processes, this.#batch !== undefined, this.#plan);
    const exit = await this.#end(child);
    if (exit !== undefined) return exit;
    this.killed += 1;
    this.#kills.set(moment, (this.#kills.get(moment) ?? 0) + 1);
    if (this.killed % TOLD_KILLS === 0) this.#plan.say(`killed ${this.killed} of ${counted(this.#plan.kills, 'time')}`);
    return undefined;
  }

  async oneSpared(): Promise<void> {
    await this.#end(this.#start());
  }

  record(): DrillRecord {
    return { batch: this.#batch ?? '', kills: this.#kills, processes: this.processes };
  }

  #start(): Child {
    const { run, cwd, env } = this.#plan;
    this.processes += 1;
    return new Child(this.#batch === undefined ? [...run, ...this.#totals] : ['resume', this.#batch], cwd, env);
  }

  async #end(child: Child): Promise<number | undefined> {
    this.exit = await child.ended();
    this.#batch ??= batchOf(child);
    if (this.exit !== undefined && this.#batch === undefined && !transient.has(this.exit)) throw refusedBy(child);
    return this.exit;
  }
}

/** Returns the control totals that a live run needs, from a run that sends nothing. */
async function controlTotals({ run, cwd, env }: DrillPlan): Promise<readonly string[]> {
  const dry = new Child([...run, '--dry-run'], cwd, env);
  await dry.ended();
  const told = dry.events.find(({ type }) => type === 'statement') as
    | { readonly statement: { readonly count: number; readonly total: { readonly amount: string } } }
    | undefined;
  if (!told) throw refusedBy(dry);
  return ['--expect-count', String(told.statement.count), '--expect-total', told.statement.total.amount];
}

/** Kills a process at a moment that the seed chooses, and returns the moment's name. */
async function killAtSomeMoment(child: Child, number: number, resumed: boolean, plan: DrillPlan): Promise<string> {
  const digest = sha256(`${plan.seed}|kill|${number}`);
  const choice = Math.floor(drawOf(digest, 0) * 8);
  const moment = choice === 0 ? moments[0] : choice <= 2 && !resumed ? moments[1] : moments[2];
  if (moment.after !== undefined) {
    const count = moment.after === 'progress' ? 1 + Math.floor(drawOf(digest, 1) * PROGRESS_MAX) : 1;
    await child.until(moment.after, count);
  }
  await plan.clock.sleep(drawOf(digest, 2) * moment.delayMs);
  child.kill();
  return moment.name;
}

function batchOf({ events }: Child): string | undefined {
  const told = events.find(({ batch }) => typeof batch === 'string' && batch !== '');
  return told && String(told['batch']);
}

/** The fault that says why a process did not begin to pay. */
function refusedBy({ events }: Child): Fault {
  const fault = events.find(({ type }) => type === 'fault');
  return new Fault(
    'sheet-refused',
    `The drill could not begin: ${String(fault?.['message'] ?? 'the sheet has problems')}`,
    'Run "paybatch validate" on the sheet, and drill it when it is clean.',
  );
}

const KILLS = 20;
/** Faults on every tenth request, and answers slow enough that a kill interrupts work. */
const SCENARIO = 'flaky,slow=15,settle-min=100,settle-max=900';
/** Opening balances: more than any sheet of people pays, and exact as a JSON number with two decimals. */
const BALANCES = { KES: '900000000000', UGX: '900000000000', TZS: '900000000000' };

/** Options of `run` that the drill passes on, by their key: how a sheet is read does not depend on the account that pays it. */
const handedOn: Readonly<Record<string, string>> = {
  worksheet: '--worksheet',
  delimiter: '--delimiter',
  encoding: '--encoding',
  map: '--map',
  currency: '--currency',
  decimals: '--decimals',
  purpose: '--purpose',
  allowIdentical: '--allow-identical',
  includeHidden: '--include-hidden',
  skipInvalid: '--skip-invalid',
  concurrency: '--concurrency',
};

/** The profile that the runs of a drill use. */
const PROFILE = 'drill';

export const drill = cliCommand({
  example: 'paybatch drill november.xlsx',
  moreExamples: ['paybatch drill november.xlsx --json', 'paybatch drill november.xlsx --kills 20 --seed 7'],
  declare(command) {
    return declareReading(command)
      .option('--skip-invalid <n>', 'set aside exactly this many rows with errors', wholeNumber(1))
      .option('--concurrency <n>', 'orders in flight at once', wholeNumber(1))
      .option('--kills <n>', 'how often the run is killed', wholeNumber(0), KILLS)
      .option('--seed <text>', 'decides every fault and every kill', '1')
      .option('--scenario <name>', 'how the practice service behaves until the last resume', SCENARIO);
  },
  async run(shell, [sheet], options) {
    const folder = mkdtempSync(path.join(tmpdir(), 'paybatch-drill-'));
    const seed = options.seed;
    const scenario = parseScenario(`${options.scenario},seed=${seed}`);
    const { clock } = shell;
    const service = await startPractice(shell, { openingBalances: BALANCES });
    try {
      const loaded = shell.config();
      const openDrilled = (): Promise<Ledger> => drillLedger(shell, loaded, folder);
      await vouchFor(await openDrilled());
      const settings = drillSettings(loaded, options.currency);
      const record = await rehearse({
        run: ['run', sheetPath(shell, sheet), '--no-copy', '--batch', PROFILE, '--out', folder, ...flagsOf(options)],
        kills: options.kills,
        seed,
        cwd: shell.cwd,
        env: childEnvironment(loaded, service, folder, settings),
        clock,
        signal: shell.signal,
        trouble: async () => service.play(scenario),
        heal: async () => service.play(parseScenario('happy')),
        say: (line) => shell.terminal.say(line),
      });
      return await tellVerdict({ shell, service, record, ledger: await openDrilled(), rule: settings.inDoubt });
    } finally {
      await service.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
});

interface DrillOptions extends OptionsOf<ReturnType<typeof declareReading>> {
  readonly skipInvalid?: number | undefined;
  readonly concurrency?: number | undefined;
}

function flagsOf({ acceptFixes, ...handed }: DrillOptions): readonly string[] {
  const typed: Readonly<Record<string, unknown>> = handed;
  const flags = Object.entries(handedOn).flatMap(([key, flag]) => {
    const value = typed[key];
    return typeof value === 'string' || typeof value === 'number' ? [flag, String(value)] : [];
  });
  return acceptFixes ? [...flags, '--accept-fixes'] : flags;
}

/** The folder of the ledger's keys, inside that of the drill: the keys are deleted with it. */
const keysFolderOf = (folder: string): string => path.join(folder, 'keys');

/** The settings of a rehearsal: nothing of the account reaches a drill. */
function drillSettings(loaded: LoadedConfig, currency: string | undefined): Settings {
  const { account: _, ...unaccounted } = loaded;
  const practice = { ...unaccounted, profileName: SANDBOX_PROFILE, profile: emptyProfile() };
  return settingsOf(practice, field('currency', currency));
}

/**
 * Writes the configuration of a drill, and returns the environment of its processes. State and configuration are in the drill's
 * own folder, and nothing of the account reaches the processes.
 */
function childEnvironment(
  { config }: LoadedConfig,
  service: Sandbox,
  folder: string,
  { routes, sending, polling, inDoubt, remitter, callbackUrl }: Settings,
): Readonly<Record<string, string>> {
  const secretFile = path.join(folder, 'secret');
  writeFileSync(secretFile, service.clientSecret, { mode: 0o600 });
  const { clientId, url } = service;
  const drilled = {
    routes,
    sending,
    polling,
    inDoubt,
    baseUrl: url,
    tokenUrl: `${url}/connect/token`,
    clientId,
    clientSecretFile: secretFile,
    callbacks: { url: callbackUrl },
    paths: practicePaths,
  };
  const file = path.join(folder, 'paybatch.config.json');
  writeFileSync(
    file,
    JSON.stringify({
      ...config,
      remitter: { ...remitter, ...config.remitter },
      defaultProfile: PROFILE,
      profiles: { [PROFILE]: drilled },
      limits: {},
    }),
    { mode: 0o600 },
  );
  return { PAYBATCH_HOME: path.join(folder, 'home'), PAYBATCH_KEYS: keysFolderOf(folder), PAYBATCH_CONFIG: file };
}

/** Opens the ledger as the runs of the drill do, including its checkpoint. */
function drillLedger(shell: Shell, loaded: LoadedConfig, folder: string): Promise<Ledger> {
  const home = path.join(folder, 'home');
  const place = { home, profileName: PROFILE };
  return openLedgerAs(shell, 'drill', loaded, {
    path: ledgerFile(place),
    checkpointPath: checkpointFile(place),
    keys: keysInFolder(keysFolderOf(folder)),
  });
}

/**
 * Records that nothing was ever sent from this ledger, and closes it. The service has just started, so this is certain; and the
 * drill rehearses a ledger in use, not one in recovery.
 */
async function vouchFor(ledger: Ledger): Promise<void> {
  try {
    await ledger.takeLease();
    await ledger.trustNew();
  } finally {
    await ledger.close();
  }
}

interface Drilled {
  readonly shell: Shell;
  readonly service: Sandbox;
  readonly record: DrillRecord;
  readonly ledger: Ledger;
  readonly rule: InDoubtSettings;
}

/** Reports how the ledger compares with the books of the service, and closes the ledger. */
async function tellVerdict({ shell, service, record, ledger, rule }: Drilled): Promise<RunEnd> {
  try {
    const batch = record.batch as BatchId; // a run of the drill reported it
    const header = await ledger.findBatch(batch);
    if (!header)
      throw new Fault('ledger-unsafe', 'The ledger lost the batch of the drill.', 'Report this: it is a bug.');
    const books = service.books();
    const judgement = await judge(ledger.resultRows(batch), books, async ({ order }) => {
      const stored = order && (await ledger.findOrder(batch, order));
      return stored !== undefined && needsWord(stored.state, rule);
    });
    const broken = [...judgement.violations, ...(await ledger.verify())];
    const kills = Object.fromEntries(record.kills);
    const posts = books.orders.filter((order) => order.posts > 1).length;
    const { repeats, faults } = books;
    const event = { ...judgement, kills, processes: record.processes, sentAgain: posts, repeats, faults };
    const said = answered(shell, { type: 'drill', ...event, violations: broken }, linesOf(judgement, event, broken));
    const { counts, amounts, exit } = await knownEnd(header, ledger);
    return { ...said, counts, ...(amounts && { amounts }), exit: broken.length > 0 ? exitCode.alarm : exit };
  } finally {
    await ledger.close();
  }
}

interface Figures {
  readonly kills: Readonly<Record<string, number>>;
  readonly processes: number;
  readonly sentAgain: number;
  readonly repeats: Books['repeats'];
  readonly faults: Readonly<Record<string, number>>;
}

function linesOf(judgement: Judgement, figures: Figures, broken: readonly string[]): readonly string[] {
  const { payouts, once, twice, lost, falsePaid, falseUnpaid, openAtEnd, needWord } = judgement;
  const row = (what: string, count: number): string => `  ${what.padEnd(44)}${String(count).padStart(8)}`;
  const table = (counts: Readonly<Record<string, number>>): readonly string[] =>
    Object.entries(counts).map(([what, count]) => row(what, count));
  return [
    `Processes: ${figures.processes}. Killed:`,
    ...table(figures.kills),
    'Faults that struck:',
    ...table(figures.faults),
    row('orders that were sent more than once', figures.sentAgain),
    'Repeated orders that the service did not act on:',
    ...table(figures.repeats),
    'The books of the service against the ledger:',
    row('payouts', payouts),
    row('held by the books exactly once', once),
    row('paid twice', twice),
    row('lost', lost),
    row('reported as paid, but not paid', falsePaid),
    row('paid, but reported as not paid', falseUnpaid),
    row('still open after the last resume', openAtEnd),
    row('of these, waiting for a person to decide', needWord),
    ...broken.map((violation) => `VIOLATION: ${violation}`),
    broken.length === 0 ? 'Every payout is in the books as the ledger says.' : 'The ledger and the books disagree.',
  ];
}
