/** The shape of a command: how it is declared, and what it does. A command, or a family of commands, is one file. */
import type { Command, OptionValues } from '@commander-js/extra-typings';
import { Fault } from '../domain/fault.ts';
import type { RunEnd } from '../domain/run-end.ts';
import type { Shell } from './shell.ts';

/** A command of any arguments and options. What it is called, and for what, stands in the table of commands (`commands.ts`). */
export interface CliCommand {
  /** How it is typed, with everything that it cannot do without; every command that needs something has one. */
  readonly example?: string;
  /** Two more at most: what people do with it most often. */
  readonly moreExamples?: readonly string[];
  /** Commands below this one. */
  readonly children?: readonly NamedCommand[];
  /** Adds arguments and options to the command. Gives what runs it, with what was typed by then. */
  declare(command: Command): (shell: Shell) => Promise<RunEnd>;
}

/** A command with what help lists of it. */
export interface NamedCommand extends CliCommand {
  readonly name: string;
  readonly summary: string;
}

interface CommandSpec<Args extends unknown[], Options extends OptionValues> extends Omit<CliCommand, 'declare'> {
  /** Adds arguments and options to the command; what `run` is given has the types that follow from them. */
  declare(command: Command): Command<Args, Options>;
  run(shell: Shell, args: Args, options: Options): Promise<RunEnd>;
}

/** A command of its own arguments and options. */
export const cliCommand = <Args extends unknown[], Options extends OptionValues>(
  spec: CommandSpec<Args, Options>,
): CliCommand => ({
  ...spec,
  declare(command) {
    const declared = spec.declare(command);
    return (shell) => spec.run(shell, declared.processedArgs, declared.opts());
  },
});

/** A command below another one. */
export const subcommand = <Args extends unknown[], Options extends OptionValues>(
  spec: CommandSpec<Args, Options> & Pick<NamedCommand, 'name' | 'summary'>,
): NamedCommand => ({ ...cliCommand(spec), name: spec.name, summary: spec.summary });

/** A command that has others below it and does nothing by itself. `question`: asked of who names none of them. */
export const commandFamily = (
  name: string,
  question: string,
  { children, ...examples }: Pick<CliCommand, 'example' | 'moreExamples'> & Required<Pick<CliCommand, 'children'>>,
): CliCommand =>
  cliCommand({
    ...examples,
    declare: (command) => command,
    run() {
      const known = children.map((child) => `paybatch ${name} ${child.name}`).join(', ');
      throw new Fault('usage', question, `Known: ${known}.`);
    },
    children,
  });
