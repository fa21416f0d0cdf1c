/** The commands that a page tells its readers to type, and whether paybatch would take them. */
import { Command, CommanderError } from '@commander-js/extra-typings';
import type { NamedCommand } from '../../../src/cli/command.ts';
import { allCommands } from '../../../src/cli/commands.ts';
import { globalOptions } from '../../../src/cli/flags/options.ts';

const commands = await allCommands();

const FENCED = /^ *```(?:sh|bat|powershell|console)?\n([\s\S]*?)^ *```$/gm;
const INLINE = /`((?:npx |\.\\)?paybatch(?:\.cmd)? [^`]+)`/g;
const LINE = /^ *\$? *(?:[A-Z_]+=\S+ +)*(?:npx |\.\\)?(paybatch)(?:\.cmd)?( .*)$/;

/** Commands in programs and in the text, each on one line, as they are typed. */
export function commandsIn(page: string): readonly string[] {
  const programs = [...page.matchAll(FENCED)].flatMap(([, program = '']) =>
    program.replaceAll(/\\\n\s*/g, ' ').split('\n'),
  );
  const inline = [...page.replaceAll(FENCED, '').matchAll(INLINE)].map(([, command = '']) =>
    command.replaceAll(/\s+/g, ' '),
  );
  return [...programs, ...inline].flatMap((line) => LINE.exec(line)?.slice(1).join('').trim() ?? []);
}

/** Words as a shell parts them, up to what goes into a file or a comment. */
function wordsOf(command: string): readonly string[] {
  const words = command.match(/(?:"[^"]*"|[^\s"])+/g) ?? [];
  const end = words.findIndex((word) => /^(?:#|>>?|<|\||&&)/.test(word));
  return (end === -1 ? words : words.slice(0, end)).map((word) => word.replaceAll('"', ''));
}

/** Stands in a page for what a reader fills in. */
const filledIn = (word: string): string => (/^(?:N|ROWS?)$/.test(word) ? '1' : word.replace(/^\[(\w+)\]$/, '$1'));

function declared(command: NamedCommand): Command {
  const own = new Command(command.name)
    .exitOverride()
    .allowExcessArguments(false)
    .action(() => undefined);
  own.configureOutput({ writeErr: () => undefined, outputError: () => undefined, writeOut: () => undefined });
  command.declare(own as Command);
  for (const option of globalOptions()) own.addOption(option);
  for (const child of command.children ?? []) own.addCommand(declared(child));
  return own as Command;
}

/** What paybatch would say is wrong with a command; undefined: it would take it. A command named alone is only looked for. */
export function mistakeIn(command: string): string | undefined {
  const [, name = '', ...words] = wordsOf(command.replaceAll('…', '').trim()).map(filledIn);
  if (name.startsWith('-')) return ['--help', '--version'].includes(name) ? undefined : `no option ${name}`;
  const known = commands.find((one) => one.name === name);
  if (!known) return `no command ${name}`;
  const program = declared(known);
  if (namesOnly(known, words)) return undefined;
  try {
    program.parse(words, { from: 'user' });
    return undefined;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode !== 0) return error.message;
    if (error instanceof CommanderError) return undefined;
    throw error;
  }
}

/** Whether the words lead to a command and say nothing more. */
function namesOnly(command: NamedCommand, words: readonly string[]): boolean {
  const [word, ...rest] = words;
  if (word === undefined) return true;
  const child = command.children?.find(({ name }) => name === word);
  return child !== undefined && namesOnly(child, rest);
}
