/** The layout of help: options in groups, and one short line for each command of a list; the full text is in the command's own help. */
import type { HelpConfiguration } from '@commander-js/extra-typings';

/** Headings of the groups of a command's options. */
export const optionGroups = {
  own: 'Options:',
  sheet: 'How the sheet is read:',
  exceptions: 'What was looked at, each with its exact number:',
  funds: 'When the wallet is too low:',
  limits: 'When to stop sending:',
  everywhere: 'With every command:',
} as const;

/** Returns the first part of a summary; the rest is shown only in the command's own help. */
const firstPartOf = (summary: string): string => summary.split(/[;:]/)[0] ?? '';

export const helpLayout: HelpConfiguration = {
  // In less room than commander asks for by itself, a description still reads better than one that the terminal cuts within words.
  minWidthToWrap: 20,
  subcommandTerm: (command) => command.name(),
  subcommandDescription: (command) => firstPartOf(command.summary()),
};

/** Like `helpLayout`, but only these commands are in the list. */
export const shortHelpOf = (names: ReadonlySet<string>): HelpConfiguration => ({
  ...helpLayout,
  visibleCommands: ({ commands }) => commands.filter((command) => names.has(command.name())),
});

/** Width of help in columns, as commander sets it where there is no terminal. */
const COLUMNS = 80;
const INDENT = '  ';
/** A backslash at the end of a line makes a shell read the next line as well. */
const GOES_ON = ' \\';

/** Returns the examples with their heading. A long example continues on the next line, before one of its options, as a shell reads it. */
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
