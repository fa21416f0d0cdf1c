import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { type OpenConsole, openConsole } from '../../console/open-console.ts';
import type { ConsoleWorld, KeptSchedule, SendWish } from '../../console/world.ts';
import { holdFile } from '../../database/file-locks.ts';
import { exitCode, mostSevereExit } from '../../domain/exit-code.ts';
import { Fault } from '../../domain/fault.ts';
import { noOutcomes } from '../../domain/outcome.ts';
import type { RunEnd } from '../../domain/run-end.ts';
import { useOwnFolder } from '../../files/own-folder.ts';
import { writePrivateFile } from '../../files/private-file.ts';
import { inTemporaryFolder, removeLeftovers } from '../../files/temporary-folder.ts';
import { leadingPage } from '../../html/html-page.ts';
import type { RunDeps } from '../../run/run-deps.ts';
import { planningSite } from '../approval/frozen-account.ts';
import { keptPassphrase } from '../approval/passphrase.ts';
import { cliCommand } from '../command.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import { settingsOf } from '../config/run-settings.ts';
import { settingsInForce } from '../config/settings-in-force.ts';
import { emitChecks } from '../doctor/doctor.ts';
import { givenOptions } from '../flags/given-options.ts';
import { portNumber } from '../flags/options.ts';
import { knownSchedules, periodStatus } from '../schedule/period-status.ts';
import { outliving } from '../send-batch.ts';
import { openRecords, openSession, type SessionOptions } from '../session.ts';
import { ownShell, type Shell } from '../shell.ts';
import { keptDecisions } from '../state/mapping-file.ts';
import { ScheduleFiles } from '../state/schedule-files.ts';
import { CONSOLE_FOLDER, stateFolder } from '../state/state-files.ts';
import { makerName } from '../state/system.ts';
import { comingOf } from './schedule.ts';

/** File in the folder of a console that is locked while the console is open. The end of its process releases the lock. */
const IN_USE = 'in-use';
/** A console that has just made its folder, in milliseconds, may not have locked it yet. */
const BEGINNING_MS = 60_000;

/** Whether the console that made this folder has died. A folder without the file is left to `purge`. */
function isAbandoned(folder: string): boolean {
  const file = path.join(folder, IN_USE);
  if (!existsSync(file)) return false;
  using held = holdFile(file);
  return held !== undefined;
}

export const consoleCommand = cliCommand({
  example: 'paybatch console',
  moreExamples: ['paybatch console --profile live', 'paybatch console --no-open --port 8900'],
  declare: (command) =>
    command
      .option('--port <n>', 'port on 127.0.0.1; 0: any free one', portNumber, 0)
      .option('--no-open', 'do not open a browser: the address is printed, and works once, within ten minutes'),
  async run(shell, _, options) {
    const loaded = shell.config();
    // Mistakes in the settings are reported before anything is opened.
    settingsOf(loaded, {});
    const home = useOwnFolder(stateFolder(loaded));
    await removeLeftovers(home, CONSOLE_FOLDER, shell.clock.now() - BEGINNING_MS, isAbandoned);
    return inTemporaryFolder(home, CONSOLE_FOLDER, async (ownFolder) => {
      using _ = holdFile(path.join(ownFolder, IN_USE));
      const opened = await openConsole(worldOf(boundTo(loaded, shell), ownFolder), options.port);
      let ends: readonly RunEnd[] = [];
      try {
        await emitOpened(shell, loaded, opened, options.open ? ownFolder : undefined);
        emitEnded(shell, await opened.ended, opened.isPaying());
      } finally {
        ends = await opened.close();
      }
      return gravest(ends) ?? ({ exit: exitCode.ok, counts: noOutcomes(), files: [] } satisfies RunEnd);
    });
  },
});

/**
 * Returns a shell that refuses settings that lead to other money than those with which the console was started. Another command,
 * such as `init`, may change them meanwhile, and what was a rehearsal on a page must not pay on the next one.
 */
const boundTo = ({ account, profileName }: LoadedConfig, shell: Shell): Shell => ({
  ...shell,
  config(instead) {
    const now = shell.config(instead);
    if (now.profileName === profileName && (now.account === undefined) === (account === undefined)) return now;
    throw new Fault(
      'configuration',
      `The settings have changed since this console was started: it was started for ${moneyOf(account, profileName)}, and they lead to ${moneyOf(now.account, now.profileName)} now. Nothing was done, and nothing was sent.`,
      'End this console, and start it again. Its pages then show whose money it is.',
    );
  },
});

const moneyOf = (account: LoadedConfig['account'], profileName: string): string =>
  `${account ? 'REAL MONEY' : 'a rehearsal'} (profile ${profileName})`;

/** Returns everything that the console can do, through the same functions as the commands that its pages show. */
function worldOf(shell: Shell, ownFolder: string): ConsoleWorld {
  const { command, version, clock, signal, flags } = shell;
  return {
    version,
    clock,
    signal,
    folder: realpathSync(shell.cwd),
    ownFolder,
    options: givenOptions(flags)
      .map((option) => ` ${option}`)
      .join(''),
    settings: () => settingsOf(shell.config(), {}),
    decisions: keptDecisions(() => shell.config().home),
    schedules: () => schedulesOf(shell),
    maker: makerName(),
    planning: (service) => planningSite(service, shell.config()),
    passphraseOf: (keyFile) => keptPassphrase(shell, keyFile),
    async lastPeople(batch, ledger, folder) {
      // The code that writes workbooks is loaded only when a workbook is wanted.
      const { writeLastPeople } = await import('../../run/template.ts');
      return writeLastPeople(batch, ledger, folder);
    },
    shownSettings: () => settingsInForce(shell.config()),
    examine: (ended) => emitChecks(silentShell(shell, ended), false),
    records: (emit) => openRecords(ownShell(shell, command, signal, emit), { again: true }),
    send: (wish, work) => sendFor(shell, wish, work),
    async session(emit, ended, sends) {
      const session = await openSession(ownShell(shell, command, ended, emit), { again: true, sends });
      return { ...session, deps: withoutTerminal(session.deps) };
    },
  };
}

/** Returns a shell that reports nothing at the terminal where the console was started. */
const silentShell = (shell: Shell, signal: AbortSignal): Shell => ({
  ...ownShell(shell, 'doctor', signal, () => undefined),
  flags: { ...shell.flags, json: true },
});

/**
 * Opens a session, does the work on a batch in it and closes it, as a command would. It sends no notifications, because a
 * person watches the page, as at a terminal.
 */
async function sendFor(
  shell: Shell,
  { command: named, sends, emit, signal, inTurn, outFolder, acceptUnverifiable, currency, purpose }: SendWish,
  work: (deps: RunDeps) => Promise<RunEnd>,
): Promise<RunEnd> {
  const own: Shell = { ...ownShell(shell, named, signal, emit), working: (batch) => shell.working(batch) };
  const options: SessionOptions = {
    again: true,
    sends,
    acceptUnverifiable,
    currency,
    purpose,
  };
  await using session = await inTurn(() => openSession(own, options));
  // Resuming after an outage would send, so work that must not send does not outlive one.
  if (!sends) return await work(withoutTerminal(session.deps));
  return await outliving({ shell: own, session, options, outFolder }, withoutTerminal(session.deps), work);
}

/** Returns the dependencies without questions at the terminal: the person at the terminal is not the one at the page. */
const withoutTerminal = ({ nameBatch: _, askChangedPayees: __, ...deps }: RunDeps): RunDeps => ({
  ...deps,
  confirm: unconfirmed,
});

async function unconfirmed(): Promise<never> {
  throw new Fault(
    'declined',
    'A page of the console cannot confirm a payment. Nothing was sent.',
    'Type the command that it shows.',
  );
}

function schedulesOf(shell: Shell): readonly KeptSchedule[] {
  const loaded = shell.config();
  const files = new ScheduleFiles(stateFolder(loaded));
  const now = shell.clock.now();
  const { usable, unusable } = knownSchedules(files, loaded, now);
  const kept = usable.map((place): KeptSchedule => {
    const { schedule, timetable, records } = place;
    const { name, sheet, pausedSince } = schedule;
    const latest = records.find((record) => !periodStatus(record, place).isFromLater);
    const coming = (): string => comingOf(schedule, timetable, { from: now, count: 1 })[0]?.line ?? 'no date';
    return { name, sheet, next: pausedSince === undefined ? coming() : 'paused', latest };
  });
  const bad = unusable.map(({ name, fault }): KeptSchedule => ({ name, next: `${fault.message} ${fault.remedy}` }));
  return [...kept, ...bad].sort((one, other) => (one.name < other.name ? -1 : 1));
}

/**
 * Prints the address, and opens it in the browser if `openFrom` is given. With --json it only prints, because programs that
 * read events open the page themselves.
 */
async function emitOpened(
  { flags, terminal, secrets }: Shell,
  { account, profileName, desktopEnv }: LoadedConfig,
  { url }: OpenConsole,
  openFrom: string | undefined,
): Promise<void> {
  if (flags.json) {
    terminal.answerJson({ v: 1, type: 'console', url, profile: profileName, sandbox: account === undefined });
  } else {
    const isOpened = openFrom !== undefined && (await openInBrowser(openingFile(openFrom, url), desktopEnv));
    const whose = account ? terminal.paint('bad', 'REAL MONEY: ') : terminal.paint('practice', 'SANDBOX: ');
    terminal.say(`${whose}The console of the profile ${profileName} is open; Ctrl-C ends it.`);
    terminal.say(
      isOpened
        ? 'If no page opens in your browser, open this address there. It works once, within ten minutes:'
        : 'Open this address in your browser. It works once, within ten minutes:',
    );
    terminal.answer(url);
  }
  // The address need not be readable after this line, so it is hidden everywhere.
  secrets.add(new URL(url).pathname.split('/').at(-1));
}

/** Writes a page that only its user can read and that leads to the address. Returns its path. */
function openingFile(folder: string, url: string): string {
  const file = path.join(folder, 'open.html');
  writePrivateFile(file, leadingPage(url));
  return file;
}

/** The program that opens a file, by platform; every other platform uses `xdg-open`, as its desktops agreed. */
const openers: Readonly<Record<string, string>> = { darwin: 'open', win32: 'explorer.exe' };

/**
 * Opens a file in the system's browser. The address of a page is never passed to it: other users of the machine can read the
 * arguments of programs. Resolves to true if the program was started; what becomes of it afterwards is not known.
 */
function openInBrowser(file: string, env: Readonly<Record<string, string>>): Promise<boolean> {
  const program = openers[process.platform] ?? 'xdg-open';
  return new Promise((resolve) => {
    // The browser outlives this process, and no shell reads the name of the file.
    const child = spawn(program, [file], { stdio: 'ignore', detached: true, env });
    child.once('error', () => resolve(false));
    child.once('spawn', () => resolve(true));
    child.unref();
  });
}

const endings: Readonly<Record<Awaited<OpenConsole['ended']>, string>> = {
  stopped: 'The console has ended.',
  button: 'The console was ended on a page.',
  unused: 'The console has ended: nobody used it for an hour.',
};

function emitEnded({ flags, terminal }: Shell, why: Awaited<OpenConsole['ended']>, isPaying: boolean): void {
  if (flags.json) return;
  terminal.say(
    isPaying
      ? `${endings[why]} A payment is in progress: requests in flight are finished, and their results are saved.`
      : endings[why],
  );
}

/** Returns the most severe end among the payments that the end of the console interrupted. */
function gravest(ends: readonly RunEnd[]): RunEnd | undefined {
  const exit = mostSevereExit(ends.map((end) => end.exit));
  return ends.find((end) => end.exit === exit);
}
