/**
 * `paybatch drill`: a rehearsal of the worst pay day. Real processes run the sheet against a practice service that loses answers,
 * breaks connections and throttles, and they are killed again and again. At the end the service heals, the batch is resumed again,
 * and the books of the service are compared with the ledger.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { needsPerson } from '../../dispatch/decision.ts';
import { exitCode } from '../../domain/exit-code.ts';
import { Fault } from '../../domain/fault.ts';
import type { BatchId } from '../../domain/ids.ts';
import { present } from '../../domain/present.ts';
import type { RunEnd } from '../../domain/run-end.ts';
import type { InDoubtSettings, Settings } from '../../domain/settings.ts';
import { keysInFolder } from '../../ledger/key-folder.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { knownEnd } from '../../results/run-end.ts';
import { practicePaths } from '../../sandbox/practice-account.ts';
import { type Books, parseScenario, type Sandbox } from '../../sandbox/sandbox.ts';
import { answered, cliCommand } from '../command.ts';
import { emptyProfile } from '../config/config-schema.ts';
import { type LoadedConfig, SANDBOX_PROFILE } from '../config/load-config.ts';
import { settingsOf } from '../config/run-settings.ts';
import { CONCURRENCY, type OptionsOf, SKIP_INVALID, wholeNumber } from '../flags/options.ts';
import { declareReading, sheetPath } from '../flags/sheet-options.ts';
import { openLedgerFor, startPractice } from '../resources.ts';
import type { Shell } from '../shell.ts';
import { readMapping, saveMapping } from '../state/mapping-file.ts';
import { checkpointFile, ledgerFile } from '../state/state-files.ts';
import { type Judgement, judge } from './judge.ts';
import { Rehearsal } from './rehearsal.ts';

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
  declare: (command) =>
    declareReading(command)
      .option(...SKIP_INVALID)
      .option(...CONCURRENCY)
      .option('--kills <n>', 'how often the run is killed', wholeNumber(0), KILLS)
      .option('--seed <text>', 'decides every fault and every kill', '1')
      .option('--scenario <name>', 'how the practice service behaves until the last resume', SCENARIO),
  async run(shell, [sheet], options) {
    const { seed } = options;
    const scenario = parseScenario(`${options.scenario},seed=${seed}`);
    await using service = await startPractice(shell, { openingBalances: BALANCES });
    const folder = mkdtempSync(path.join(tmpdir(), 'paybatch-drill-'));
    try {
      const loaded = shell.config();
      if (options.map !== undefined) saveMapping(homeIn(folder), readMapping(loaded.home, options.map));
      const openDrilled = (): Promise<Ledger> => drillLedger(shell, loaded, folder);
      await trustDrilled(openDrilled());
      const settings = drillSettings(loaded, options.currency);
      const rehearsal = await Rehearsal.of({
        run: ['run', sheetPath(shell, sheet), '--no-copy', '--batch', PROFILE, '--out', folder, ...flagsOf(options)],
        seed,
        cwd: shell.cwd,
        env: childEnvironment(loaded, service, folder, settings),
        clock: shell.clock,
        signal: shell.signal,
        say: (line) => shell.terminal.say(line),
      });
      service.play(scenario);
      await rehearsal.killAgainAndAgain(options.kills);
      service.play(parseScenario('happy'));
      await rehearsal.runToTheEnd();
      return await emitVerdict({ shell, service, rehearsal, opening: openDrilled(), rule: settings.inDoubt });
    } finally {
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

/** The state folder of the runs of a drill, inside the folder of the drill. */
const homeIn = (folder: string): string => path.join(folder, 'home');

/** The folder of the ledger's keys, inside that of the drill: the keys are deleted with it. */
const keysFolderOf = (folder: string): string => path.join(folder, 'keys');

/** The settings of a rehearsal: nothing of the account reaches a drill. */
function drillSettings(loaded: LoadedConfig, currency: string | undefined): Settings {
  const { account: _, ...unaccounted } = loaded;
  const practice = { ...unaccounted, profileName: SANDBOX_PROFILE, profile: emptyProfile() };
  return settingsOf(practice, { currency });
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
  return { PAYBATCH_HOME: homeIn(folder), PAYBATCH_KEYS: keysFolderOf(folder), PAYBATCH_CONFIG: file };
}

/** Opens the ledger as the runs of the drill do, including its checkpoint. */
function drillLedger(shell: Shell, loaded: LoadedConfig, folder: string): Promise<Ledger> {
  const place = { home: homeIn(folder), profileName: PROFILE };
  return openLedgerFor(shell, loaded, {
    path: ledgerFile(place),
    checkpointPath: checkpointFile(place),
    keys: keysInFolder(keysFolderOf(folder)),
  });
}

/**
 * Records that nothing was ever sent from this ledger, and closes it. The service has just started, so this is certain; and the
 * drill rehearses a ledger in use, not one in recovery.
 */
async function trustDrilled(opening: Promise<Ledger>): Promise<void> {
  await using ledger = await opening;
  await ledger.takeLease();
  await ledger.trustNew();
}

interface Drilled {
  readonly shell: Shell;
  readonly service: Sandbox;
  readonly rehearsal: Rehearsal;
  /** The ledger while it is being opened. */
  readonly opening: Promise<Ledger>;
  readonly rule: InDoubtSettings;
}

/** Reports how the ledger compares with the books of the service, and closes the ledger. */
async function emitVerdict({ shell, service, rehearsal, opening, rule }: Drilled): Promise<RunEnd> {
  await using ledger = await opening;
  const batch = (rehearsal.batch ?? '') as BatchId; // a run of the drill reported it
  const header = await ledger.findBatch(batch);
  if (!header) throw new Fault('ledger-unsafe', 'The ledger lost the batch of the drill.', 'Report this: it is a bug.');
  const books = service.books();
  const judgement = await judge(ledger.resultRows(batch), books, async ({ order }) => {
    const stored = order && (await ledger.findOrder(batch, order));
    return stored !== undefined && needsPerson(stored.state, rule);
  });
  const broken = [...judgement.violations, ...(await ledger.verify())];
  const { processes } = rehearsal;
  const kills = Object.fromEntries(rehearsal.kills);
  const posts = books.orders.filter((order) => order.posts > 1).length;
  const { repeats, faults } = books;
  const event = { ...judgement, kills, processes, sentAgain: posts, repeats, faults };
  const said = answered(shell, { type: 'drill', ...event, violations: broken }, linesOf(judgement, event, broken));
  const { counts, amounts, exit } = await knownEnd(header, ledger);
  return { ...said, counts, ...present({ amounts }), exit: broken.length > 0 ? exitCode.alarm : exit };
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
