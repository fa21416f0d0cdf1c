/** The shape of a command: how it is declared, and what it does. One command, one file. */
import type { Command } from 'commander';
import type { RunEnd } from '../domain/run-end.ts';
import type { Shell } from './shell.ts';

export interface CliCommand {
  readonly name: string;
  readonly summary: string;
  /** How it is typed, with everything that it cannot do without; every command that needs something has one. */
  readonly example?: string;
  /** Adds arguments and options to the command. */
  declare(command: Command): void;
  run(shell: Shell, args: readonly (string | undefined)[], options: Readonly<Record<string, unknown>>): Promise<RunEnd>;
  /** Commands below this one. */
  readonly children?: readonly CliCommand[];
}
