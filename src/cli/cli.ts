/** The command line: declares the commands, runs one, and turns whatever happens into one exit code. The one catch. */
import {
  Command,
  CommanderError,
  type CommandUnknownOpts,
  InvalidArgumentError,
  Option,
} from '@commander-js/extra-typings';
import type { Clock, Random } from '../domain/clock.ts';
import { exitCode } from '../domain/exit-code.ts';
import { Fault } from '../domain/fault.ts';
import { type Language, languageOf, languages } from '../domain/language.ts';
import { chooseAmong } from '../domain/likeness.ts';
import { endedBy, type RunEnd } from '../domain/run-end.ts';
import { Secrets } from '../domain/secrets.ts';
import type { CliCommand } from './command.ts';
import { commandGroups } from './commands.ts';
import type { Environment } from './config/account.ts';
import { ownConfigFile } from './config/config-file.ts';
import { foundFile, homeOf, keychainOf, loadConfig, loadProfile } from './config/load-config.ts';
import { requireValues } from './flags/options.ts';
import { type Typed, usageFault } from './flags/usage-fault.ts';
import { examplesText } from './help/examples.ts';
import { exitTable } from './help/exit-meanings.ts';
import { helpLayout, optionGroups } from './help/layout.ts';
import { ATTENDED_MS, UNATTENDED_MS } from './keychain/keychain.ts';
import { type KnownEnd, leftAtOnce } from './leaving.ts';
import { JsonReporter } from './screens/json-reporter.ts';
import { quietly } from './screens/quiet.ts';
import type { Reporter } from './screens/reporter.ts';
import { type Streams, Terminal } from './screens/terminal.ts';
import { TextReporter } from './screens/text-reporter.ts';
import type { GlobalFlags, Shell } from './shell.ts';

/** Everything of the machine that the command line may touch. */
export interface World {
  readonly argv: readonly string[];
  readonly env: Environment;
  readonly cwd: string;
  readonly streams: Streams;
  readonly clock: Clock;
  readonly random: Random;
  /** Aborted by the first Ctrl-C, SIGTERM or SIGHUP; the reason is SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
  /** Aborted by the second one: the command is left as it is. */
  readonly leave?: AbortSignal;
  readonly version: string;
  /** Is told what nobody may read, for whoever writes after the command has ended. */
  readonly secrets?: Secrets;
}

const AFTER_HELP = [
  examplesText([
    'paybatch template -o first.xlsx',
    'paybatch run first.xlsx --profile sandbox',
    'paybatch help pay-day',
  ]),
  '',
  'Exit codes; paybatch help 7 says what to do:',
  ...exitTable,
  '',
  'A live batch has a name, and is paid once under it. A rehearsal without one is',
  'known by the rows of its sheet, in any order.',
].join('\n');

const QUIET = 'say only what needs somebody: problems, warnings and the end';

/** Runs one command and gives its exit code. */
export async function runCli(world: World): Promise<number> {
  let exit: number = exitCode.ok;
  let typed: Typed | undefined;
  const program = new Command('paybatch')
    .description('Pays a whole sheet of people once.')
    .version(world.version, '-V, --version')
    .option('--profile <name>', 'which service and account; default: the sandbox')
    .option('--config <file>', 'configuration file')
    .addOption(languageOption())
    .option('--json', 'newline-delimited events on stdout and nothing else', false)
    .option('--no-color', 'no colours')
    .option('--no-input', 'never ask')
    .option('-q, --quiet', QUIET)
    .addHelpText('after', AFTER_HELP)
    .exitOverride()
    .showSuggestionAfterError(false)
    .helpCommand(false)
    .configureHelp(helpLayout)
    .configureOutput({
      writeOut: (text) => world.streams.stdout.write(text),
      writeErr: (text) => world.streams.stderr.write(text),
      // Said below like every other fault.
      outputError: () => undefined,
    });
  requireValues(program);
  const listener: CommandListener = {
    chosen: async (run, flags) => {
      exit = await perform(world, run, { ...program.opts(), ...flags } as GlobalFlags); // commander's own parsing
    },
    mistyped: (wrong) => {
      typed = wrong;
    },
  };
  for (const { title, commands } of commandGroups) {
    for (const command of commands) add(program, command, listener).helpGroup(title);
  }
  try {
    await program.parseAsync([...world.argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    exit = error.exitCode === 0 ? exitCode.ok : exitCode.usage;
    const json = world.argv.includes('--json');
    // Without a command there is the help; for a program that is an error like any other.
    if (exit === exitCode.usage && (json || error.code !== 'commander.help')) {
      const flags = { json, color: !world.argv.includes('--no-color'), input: false };
      reporterFor(world, flags).reporter.end(endedBy(usageFault(error, typed ?? { command: program })), 0);
    }
  }
  return exit;
}

/** Machine output stays English: a program must not depend on who started it. */
const languageOption = () =>
  new Option('--lang <code>', `language in which problems of the sheet are told: ${languages.join(', ')}`).argParser(
    (text) => {
      if (languageOf(text)) return text;
      throw new InvalidArgumentError(chooseAmong(text, languages));
    },
  );

/** What happens to a command: it was typed as it should be, or not. */
interface CommandListener {
  chosen(run: (shell: Shell) => Promise<RunEnd>, flags: object): Promise<void>;
  mistyped(typed: Typed): void;
}

function add(parent: Command, command: CliCommand, listener: CommandListener): CommandUnknownOpts {
  const declared = parent
    .command(command.name)
    .summary(command.summary)
    .description(command.summary)
    .allowExcessArguments(false)
    .exitOverride((error) => {
      listener.mistyped({ command: declared, ...(command.example !== undefined && { example: command.example }) });
      throw error;
    });
  const examples = [...(command.example === undefined ? [] : [command.example]), ...(command.moreExamples ?? [])];
  if (examples.length > 0) declared.addHelpText('after', examplesText(examples));
  const run = command.declare(declared);
  // The flags that every command knows may stand after its name too.
  declared
    .optionsGroup(optionGroups.everywhere)
    .option('--json', 'newline-delimited events on stdout and nothing else');
  declared.option('--profile <name>', 'which service and account');
  declared.option('--config <file>', 'configuration file').addOption(languageOption());
  declared.option('--no-color', 'no colours').option('--no-input', 'never ask').option('-q, --quiet', QUIET);
  requireValues(declared);
  declared.action(async () => {
    await listener.chosen(run, declared.optsWithGlobals());
  });
  for (const child of command.children ?? []) add(declared, child, listener);
  return declared;
}

function reporterFor(
  world: World,
  flags: GlobalFlags,
  secrets = new Secrets(),
  language: () => Language = () => 'en',
): { terminal: Terminal; reporter: Reporter } {
  const terminal = new Terminal(world.streams, world.env, flags, secrets);
  const now = (): number => world.clock.now();
  const sleep = (ms: number, signal: AbortSignal): Promise<void> => world.clock.sleep(ms, signal);
  return {
    terminal,
    reporter: flags.json
      ? new JsonReporter(terminal, now)
      : textReporterFor(flags, new TextReporter(terminal, now, language, sleep)),
  };
}

const textReporterFor = ({ quiet }: GlobalFlags, reporter: Reporter): Reporter =>
  quiet === true ? quietly(reporter) : reporter;

async function perform(world: World, run: (shell: Shell) => Promise<RunEnd>, flags: GlobalFlags): Promise<number> {
  const { clock } = world;
  const startedMs = clock.monotonicMs();
  const { secrets = new Secrets() } = world;
  // Known with the configuration, which every command that checks a sheet reads first.
  let language: Language = 'en';
  let known: KnownEnd | undefined;
  // A command that is left goes on until its process ends, and must not have the last word.
  let isLeft = false;
  const { terminal, reporter } = reporterFor(world, flags, secrets, () => language);
  const keychain = keychainOf(world.env, terminal.interactive ? ATTENDED_MS : UNATTENDED_MS);
  const shell: Shell = {
    version: world.version,
    streams: world.streams,
    terminal,
    reporter: {
      tell: (event) => void (isLeft || reporter.tell(event)),
      end: (end, seconds) => reporter.end(end, seconds),
    },
    flags,
    argv: world.argv,
    cwd: world.cwd,
    clock,
    random: world.random,
    signal: world.signal,
    secrets,
    keychain,
    working(batch) {
      known = batch;
    },
    config(instead = {}) {
      const loaded = loadConfig({ ...flags, ...instead }, world.env, world.cwd, keychain);
      ({ language } = loaded);
      secrets.add(loaded.account?.clientSecret);
      return loaded;
    },
    profile: () => loadProfile(flags, world.env, world.cwd),
    places: () => ({
      home: homeOf(world.env, world.cwd),
      file: foundFile(flags, world.env, world.cwd),
      ownFile: ownConfigFile(),
    }),
  };
  const end = await Promise.race([endOf(() => run(shell)), leftAtOnce(world.leave, () => known)]);
  isLeft = true;
  reporter.end(end, (clock.monotonicMs() - startedMs) / 1000);
  return end.exit;
}

/** The one place where a fault becomes an end. Anything else is a bug and goes on to crash the process. */
async function endOf(work: () => Promise<RunEnd>): Promise<RunEnd> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Fault) return endedBy(error);
    throw error;
  }
}
