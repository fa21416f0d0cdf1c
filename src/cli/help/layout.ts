/** How help is laid out: options in groups, and one short line for each command of a list; the whole of it is in the command's own help. */
import type { HelpConfiguration } from '@commander-js/extra-typings';

/** Headings of the groups in which the options of a command stand. */
export const optionGroups = {
  own: 'Options:',
  sheet: 'How the sheet is read:',
  exceptions: 'What was looked at, each with its exact number:',
  funds: 'When the wallet is too low:',
  limits: 'When to stop sending:',
  everywhere: 'With every command:',
} as const;

/** What follows the first part is for the command's own help. */
const firstPartOf = (summary: string): string => summary.split(/[;:]/)[0] ?? '';

export const helpLayout: HelpConfiguration = {
  subcommandTerm: (command) => command.name(),
  subcommandDescription: (command) => firstPartOf(command.summary()),
};

/** The same, with these commands alone in the list. */
export const shortHelpOf = (names: ReadonlySet<string>): HelpConfiguration => ({
  ...helpLayout,
  visibleCommands: ({ commands }) => commands.filter((command) => names.has(command.name())),
});

/** Examples below the help of a command. */

/** The help of commander is as wide where nobody sees a terminal. */
const COLUMNS = 80;
const INDENT = '  ';
/** What a shell reads on in the next line. */
const GOES_ON = ' \\';

/** The examples with their heading; a long one goes on in a next line before one of its options, as a shell takes it. */
export function examplesText(examples: readonly string[]): string {
  const lines = examples.flatMap(linesOf);
  return ['', examples.length > 1 ? 'Examples:' : 'Example:', ...lines].join('\n');
}

function linesOf(example: string): readonly string[] {
  const lines: string[] = [];
  let line = INDENT;
  for (const part of example.split(/(?= --)/)) {
    if (line.length + part.length + GOES_ON.length <= COLUMNS) {
      line += part;
      continue;
    }
    lines.push(line + GOES_ON);
    line = `${INDENT}${INDENT}${part.trimStart()}`;
  }
  return [...lines, line];
}
