/** The command line: declares the commands, and has the one that was typed performed. */
import {
  Command,
  CommanderError,
  type CommandUnknownOpts,
  InvalidArgumentError,
  Option,
} from '@commander-js/extra-typings';
import { exitCode } from '../domain/exit-code.ts';
import type { Fault } from '../domain/fault.ts';
import { languageOf, languages } from '../domain/language.ts';
import { chooseAmong } from '../domain/likeness.ts';
import { endedBy, type RunEnd } from '../domain/run-end.ts';
import type { NamedCommand } from './command.ts';
import { commandGroups, payDayCommands } from './commands.ts';
import { requireValues } from './flags/options.ts';
import { longDashFault, type Typed, usageFault } from './flags/usage-fault.ts';
import { exitTable } from './help/exit-meanings.ts';
import { examplesText, helpLayout, optionGroups, shortHelpOf } from './help/layout.ts';
import type { GlobalFlags, Shell, World } from './shell.ts';

const FIRST_EXAMPLES = examplesText([
  'paybatch template -o first.xlsx',
  'paybatch run first.xlsx --profile sandbox',
  'paybatch help pay-day',
]);

const AFTER_SHORT_HELP = [
  FIRST_EXAMPLES,
  '',
  'These are the commands that a pay day needs. All of them, and the exit codes:',
  '  paybatch help all',
].join('\n');

const AFTER_HELP = [
  FIRST_EXAMPLES,
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
  const isShort = asksForNothing(world.argv);
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
    .addHelpText('after', isShort ? AFTER_SHORT_HELP : AFTER_HELP)
    .exitOverride()
    .showSuggestionAfterError(false)
    .helpCommand(false)
    .configureHelp(isShort ? shortHelpOf(payDayCommands) : helpLayout)
    .configureOutput({
      writeOut: (text) => world.streams.stdout.write(text),
      writeErr: (text) => world.streams.stderr.write(text),
      // Said below like every other fault.
      outputError: () => undefined,
    });
  requireValues(program);
  const listener: CommandListener = {
    chosen: async (run, flags) => {
      // What a command needs of settings and screens is not loaded to say how it is typed.
      const { perform } = await import('./perform.ts');
      exit = await perform(world, run, { ...program.opts(), ...flags } as GlobalFlags); // commander's own parsing
    },
    mistyped: (wrong) => {
      typed = wrong;
    },
  };
  for (const { title, commands } of commandGroups) {
    for (const { name, summary, load } of commands) {
      const declared = isTyped(name, world.argv)
        ? add(program, { name, summary, ...(await load()) }, listener)
        : program.command(name).summary(summary);
      declared.helpGroup(title);
    }
  }
  const dashed = longDashFault(world.argv);
  if (dashed) {
    await tellUsage(world, dashed);
    return exitCode.usage;
  }
  try {
    await program.parseAsync([...world.argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    exit = error.exitCode === 0 ? exitCode.ok : exitCode.usage;
    const json = world.argv.includes('--json');
    // Without a command there is the help; for a program that is an error like any other.
    if (exit === exitCode.usage && (json || error.code !== 'commander.help')) {
      await tellUsage(world, usageFault(error, typed ?? { command: program }));
    }
  }
  return exit;
}

async function tellUsage(world: World, fault: Fault): Promise<void> {
  const flags = { json: world.argv.includes('--json'), color: !world.argv.includes('--no-color'), input: false };
  const { reporterFor } = await import('./perform.ts');
  reporterFor(world, flags).reporter.end(endedBy(fault), 0);
}

/** Nothing was typed that says what is wanted: a first look is answered with what a pay day needs. */
const asksForNothing = ([first, ...more]: readonly string[]): boolean =>
  more.length === 0 && (first === undefined || first === 'help');

/** It is run, or explained, only where its name was typed; who completes what is typed has to know all of them. */
const isTyped = (name: string, argv: readonly string[]): boolean => argv.includes(name) || argv.includes('completion');

/** Machine output stays English: a program must not depend on who started it. */
const languageOption = () =>
  new Option('--lang <code>', `language of problems and of the pages in a browser: ${languages.join(', ')}`).argParser(
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

function add(parent: Command, command: NamedCommand, listener: CommandListener): CommandUnknownOpts {
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
