/** The command line: declares the commands, and performs the one that was typed. */

import { Command, CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { exitCode } from '../domain/exit-code.ts';
import type { Fault } from '../domain/fault.ts';
import { endedBy, type RunEnd } from '../domain/run-end.ts';
import type { NamedCommand } from './command.ts';
import { commandGroups, payDayCommands } from './commands.ts';
import { globalOptions, requireValues } from './flags/options.ts';
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

/** Runs one command and returns its exit code. */
export async function runCli(world: World): Promise<number> {
  let exit: number = exitCode.ok;
  let typed: Typed | undefined;
  const isShort = asksForNothing(world.argv);
  const program = new Command('paybatch')
    .description('Pays a whole sheet of people once.')
    .version(world.version, '-V, --version')
    .addHelpText('after', isShort ? AFTER_SHORT_HELP : AFTER_HELP)
    .exitOverride()
    .showSuggestionAfterError(false)
    .helpCommand(false)
    .configureHelp(isShort ? shortHelpOf(payDayCommands) : helpLayout)
    .configureOutput({
      writeOut: (text) => world.streams.stdout.write(text),
      writeErr: (text) => world.streams.stderr.write(text),
      // Reported below, like every other fault.
      outputError: () => undefined,
    });
  for (const option of globalOptions()) program.addOption(option);
  requireValues(program);
  const listener: CommandListener = {
    chosen: async (name, run, flags) => {
      // Loaded on demand: showing how a command is typed needs no settings and no screens.
      const { perform } = await import('./perform.ts');
      exit = await perform(world, name, run, { json: false, ...program.opts(), ...flags } as GlobalFlags); // as commander parsed them
    },
    mistyped: (wrong) => {
      typed = wrong;
    },
  };
  for (const [title, commands] of Object.entries(commandGroups)) {
    for (const [name, { summary, load }] of Object.entries(commands)) {
      const declared = isTyped(name, world.argv)
        ? add(program, { name, summary, ...(await load()) }, listener)
        : program.command(name).summary(summary);
      declared.helpGroup(title);
    }
  }
  const dashed = longDashFault(world.argv);
  if (dashed) {
    await printUsage(world, dashed);
    return exitCode.usage;
  }
  try {
    await program.parseAsync([...world.argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    exit = error.exitCode === 0 ? exitCode.ok : exitCode.usage;
    const json = world.argv.includes('--json');
    // Without a command, the help is shown; for a program that is an error like any other.
    if (exit === exitCode.usage && (json || error.code !== 'commander.help')) {
      await printUsage(world, usageFault(error, typed ?? { command: program }));
    }
  }
  return exit;
}

async function printUsage(world: World, fault: Fault): Promise<void> {
  const flags = { json: world.argv.includes('--json'), color: !world.argv.includes('--no-color'), input: false };
  const { reporterFor } = await import('./perform.ts');
  reporterFor(world, flags).reporter.end(endedBy(fault), 0);
}

/** Reports whether only the program's name or `help` was typed: such a first look shows the commands that a pay day needs. */
const asksForNothing = ([first, ...more]: readonly string[]): boolean =>
  more.length === 0 && (first === undefined || first === 'help');

/**
 * Reports whether a command has to be loaded: it is run, or explained, only if its name was typed, and shell completion has to
 * know all commands.
 */
const isTyped = (name: string, argv: readonly string[]): boolean => argv.includes(name) || argv.includes('completion');

/** Called when a command was typed as it should be (`chosen`, with its full name), and when it was not (`mistyped`). */
interface CommandListener {
  chosen(name: string, run: (shell: Shell) => Promise<RunEnd>, flags: object): Promise<void>;
  mistyped(typed: Typed): void;
}

function add(
  parent: Command,
  command: NamedCommand,
  listener: CommandListener,
  name = command.name,
): CommandUnknownOpts {
  const declared = parent
    .command(command.name)
    .summary(command.summary)
    .description(command.summary)
    .allowExcessArguments(false)
    .exitOverride((error) => {
      listener.mistyped({ command: declared, example: command.example });
      throw error;
    });
  const examples = [...(command.example === undefined ? [] : [command.example]), ...(command.moreExamples ?? [])];
  if (examples.length > 0) declared.addHelpText('after', examplesText(examples));
  const run = command.declare(declared);
  // The global flags may be typed after the command's name, too.
  declared.optionsGroup(optionGroups.everywhere);
  for (const option of globalOptions()) declared.addOption(option);
  requireValues(declared);
  declared.action(async () => {
    await listener.chosen(name, run, declared.optsWithGlobals());
  });
  for (const child of command.children ?? []) add(declared, child, listener, `${name} ${child.name}`);
  return declared;
}
