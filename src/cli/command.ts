/** The shape of a command: how it is declared, what it does, and how it answers. Each command, or family of commands, is one file. */
import type { Command, OptionValues } from '@commander-js/extra-typings';
import { isoTime } from '../domain/clock.ts';
import { exitCode } from '../domain/exit-code.ts';
import { Fault } from '../domain/fault.ts';
import { noOutcomes } from '../domain/outcome.ts';
import type { RunEnd } from '../domain/run-end.ts';
import { withOptionsGiven } from './flags/given-options.ts';
import type { Terminal } from './screens/terminal.ts';
import type { Shell } from './shell.ts';

/** A command with any arguments and options. Its name and its summary are in the table of commands (`commands.ts`). */
export interface CliCommand {
  /** How the command is typed, with everything that it requires. Every command that requires something has an example. */
  readonly example?: string;
  /** At most two more examples: the most frequent uses. */
  readonly moreExamples?: readonly string[];
  /** Subcommands. */
  readonly children?: readonly NamedCommand[];
  /** Adds arguments and options to the command. Returns the function that runs it with what was typed by then. */
  declare(command: Command): (shell: Shell) => Promise<RunEnd>;
}

/** A command with the name and the summary that help lists. */
export interface NamedCommand extends CliCommand {
  readonly name: string;
  readonly summary: string;
}

interface CommandSpec<Args extends unknown[], Options extends OptionValues> extends Omit<CliCommand, 'declare'> {
  /** Adds arguments and options to the command; `run` receives values of the types that follow from them. */
  declare(command: Command): Command<Args, Options>;
  run(shell: Shell, args: Args, options: Options): Promise<RunEnd>;
}

/** Builds a command with arguments and options of its own. */
export const cliCommand = <Args extends unknown[], Options extends OptionValues>(
  spec: CommandSpec<Args, Options>,
): CliCommand => ({
  ...spec,
  declare(command) {
    const declared = spec.declare(command);
    return (shell) => spec.run(shell, declared.processedArgs, declared.opts());
  },
});

/** Builds a subcommand. */
export const subcommand = <Args extends unknown[], Options extends OptionValues>(
  spec: CommandSpec<Args, Options> & Pick<NamedCommand, 'name' | 'summary'>,
): NamedCommand => ({ ...cliCommand(spec), name: spec.name, summary: spec.summary });

/** Builds a command that only has subcommands. */
export const commandFamily = (
  name: string,
  { children, ...examples }: Pick<CliCommand, 'example' | 'moreExamples'> & Required<Pick<CliCommand, 'children'>>,
): CliCommand =>
  cliCommand({
    ...examples,
    declare: (command) => command,
    run() {
      const known = children.map((child) => child.name).join(', ');
      throw new Fault('usage', `Which ${name} command do you want: ${known}?`, `For example: ${examples.example}`);
    },
    children,
  });

/** Prints an event for programs. */
export const answerEvent = (terminal: Terminal, now: number, event: object): void =>
  terminal.answerJson({ v: 1, at: isoTime(now), ...event });

/** An answer that is JSON for people as well as for programs. */
interface Document {
  readonly document: object;
}

/**
 * Prints an answer that is not about a batch, as lines or a document for people or as one event for programs, and returns the end
 * of its command.
 */
export function answered(
  { terminal, flags, clock }: Shell,
  event: object,
  lines: readonly string[] | Document,
  files: RunEnd['files'] = [],
): RunEnd {
  if (flags.json) answerEvent(terminal, clock.now(), event);
  else if ('document' in lines) terminal.answerJson(lines.document, 2);
  else for (const line of lines) terminal.answer(withOptionsGiven(line, flags));
  return { exit: exitCode.ok, counts: noOutcomes(), files };
}
