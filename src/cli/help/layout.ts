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
