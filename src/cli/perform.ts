/**
 * Performs a command: builds its shell, and turns everything that happens into one exit code. The only place that catches the faults of
 * commands.
 */

import { once } from 'node:events';
import { unconfirmedNotice } from '../dispatch/stop-reasons.ts';
import type { RunEvent } from '../domain/event.ts';
import { exitOfSignal, mostSevereExit } from '../domain/exit-code.ts';
import { caughtFault, Fault } from '../domain/fault.ts';
import type { Language } from '../domain/language.ts';
import { endedBy, type RunEnd } from '../domain/run-end.ts';
import { Secrets } from '../domain/secrets.ts';
import { foundFile, ownConfigFile } from './config/config-file.ts';
import {
  homeOf,
  keychainOf,
  type LoadedConfig,
  loadConfig,
  loadProfile,
  withIgnoredProxy,
} from './config/load-config.ts';
import { withGivenOptions, withOptionsGiven } from './flags/given-options.ts';
import { ATTENDED_MS, UNATTENDED_MS } from './keychain/keychain.ts';
import { JsonReporter } from './screens/json-reporter.ts';
import { Terminal } from './screens/terminal.ts';
import { TextReporter } from './screens/text-reporter.ts';
import type { GlobalFlags, KnownEnd, Reporter, Shell, World } from './shell.ts';

/** Returns the terminal and the reporter, which writes text to the screen or events for the program that reads them. */
export function reporterFor(
  world: World,
  flags: GlobalFlags,
  secrets = new Secrets(),
  language: () => Language = () => 'en',
): { terminal: Terminal; reporter: Reporter } {
  const terminal = new Terminal(world.streams, world.env, flags, secrets);
  const now = (): number => world.clock.now();
  if (flags.json) return { terminal, reporter: new JsonReporter(terminal, now) };
  const sleep = (ms: number, signal: AbortSignal): Promise<void> => world.clock.sleep(ms, signal);
  const reporter = new TextReporter(terminal, now, language, sleep);
  return { terminal, reporter: flags.quiet === true ? quietly(reporter) : reporter };
}

/** The events that `--quiet` leaves out, in addition to notices that need nobody. */
const leftOut: ReadonlySet<RunEvent['type']> = new Set<RunEvent['type']>([
  'sheet',
  'columns',
  'sheet.summary',
  'batch',
  'batch.planned',
  'progress',
  'reconcile.progress',
  'payees.progress',
]);

const isLeftOut = (event: RunEvent): boolean =>
  leftOut.has(event.type) || (event.type === 'notice' && event.level === 'info');

const quietly = (reporter: Reporter): Reporter => ({
  emit: (event) => void (isLeftOut(event) || reporter.emit(event)),
  end: (end, seconds) => reporter.end(end, seconds),
});

/** Runs a command, which is known by its name, and returns its exit code. */
export async function perform(
  world: World,
  command: string,
  run: (shell: Shell) => Promise<RunEnd>,
  flags: GlobalFlags,
): Promise<number> {
  const { env, leave, secrets = new Secrets(), ...given } = world;
  const { clock, cwd } = given;
  const startedMs = clock.monotonicMs();
  // Set when the configuration is read, which every command that checks a sheet does first.
  let language: Language = 'en';
  let known: KnownEnd | undefined;
  let account: LoadedConfig | undefined;
  // A command that is left keeps running until its process ends, and must report nothing after the end.
  let isLeft = false;
  const { terminal, reporter } = reporterFor(world, flags, secrets, () => language);
  const keychain = keychainOf(env, terminal.interactive ? ATTENDED_MS : UNATTENDED_MS);
  const shell: Shell = {
    ...given,
    command,
    terminal,
    reporter: {
      emit(event) {
        if (isLeft) return;
        const isNotice = event.type === 'notice';
        reporter.emit(isNotice ? { ...event, message: withOptionsGiven(event.message, flags) } : event);
      },
      end: (end, seconds) => reporter.end(end, seconds),
    },
    flags,
    secrets,
    keychain,
    working(batch) {
      known = batch;
    },
    config(instead = {}) {
      const loaded = loadConfig({ ...flags, ...instead }, env, cwd, keychain);
      ({ language } = loaded);
      account = loaded;
      secrets.add(loaded.account?.clientSecret);
      secrets.add(loaded.ledger?.address.password);
      if (loaded.ledger) secrets.add(env['PGPASSWORD']);
      return loaded;
    },
    profile: () => loadProfile(flags, env, cwd),
    places: () => ({ home: homeOf(env, cwd), file: foundFile(flags, env, cwd), ownFile: ownConfigFile() }),
  };
  // A fault becomes an end only here. Any other error is a bug, and crashes the process.
  const performed = (async () => run(shell))().catch((error: unknown) => endedBy(caughtFault(error)));
  const found = await Promise.race([performed, leftAtOnce(leave, () => known)]);
  const ended = found.fault ? { ...found, fault: withIgnoredProxy(found.fault, account) } : found;
  const end = withGivenOptions(ended, flags);
  isLeft = true;
  // A command must not state anything about a batch as a fact that an earlier ledger may contradict. While another
  // run is finding that out, nobody is asked to resume the batch.
  for (const { unconfirmed, batch, atWork } of end.batches ?? [end])
    if (unconfirmed && batch !== undefined && !atWork) reporter.emit(unconfirmedNotice(unconfirmed, batch));
  reporter.end(end, (clock.monotonicMs() - startedMs) / 1000);
  return end.exit;
}

/** Resolves, when `leave` is aborted, to the end of a command that leaves everything as it is. Never resolves without a signal. */
async function leftAtOnce(leave: AbortSignal | undefined, known: () => KnownEnd | undefined): Promise<RunEnd> {
  if (!leave) return new Promise<never>(() => undefined);
  if (!leave.aborted) await once(leave, 'abort');
  const terminated = leave.reason === 'SIGTERM';
  const exit = exitOfSignal(leave);
  try {
    const end = await known()?.();
    if (end) return { ...end, exit: mostSevereExit([exit, end.exit]) };
  } catch (error) {
    // A ledger that cannot be read must not hold up a person who is leaving.
    if (!(error instanceof Fault)) throw error;
  }
  return endedBy(
    new Fault(
      terminated ? 'terminated' : 'interrupted',
      'Stopped immediately.',
      'What was sent is on record, and `paybatch status` shows it. Then run the command again.',
    ),
  );
}
