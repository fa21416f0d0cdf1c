/** Who decides what the headings of a sheet leave open: a person on a terminal, whose answer is remembered for these headings. */
import { nameForHeadings } from '../../batch/heading-mapping.ts';
import type { HeadingDecisions } from '../../batch/heading-question.ts';
import { Fault } from '../../domain/fault.ts';
import { once } from '../closing.ts';
import type { Shell } from '../shell.ts';
import { findMapping, saveMapping } from '../state/mapping-file.ts';
import { askToChoose } from './ask.ts';
import { askForHeading } from './ask-columns.ts';

/** What was decided before; nobody is asked. `home`: the state folder, which is asked for when it is needed. */
export const keptDecisions = (home: () => string): HeadingDecisions => ({
  keptFor: (headings) => findMapping(home(), nameForHeadings(headings)),
  async keep(mapping) {
    await saveMapping(home(), mapping);
  },
});

/** The same, and on a terminal a person is asked. */
export function decisionsOf(shell: Shell): HeadingDecisions {
  const kept = keptDecisions(once(() => shell.config().home));
  return shell.terminal.interactive ? { ...kept, choose: (question) => askForHeading(question, shell) } : kept;
}

/** The worksheet that a person chose of several. Fault `declined`. */
export async function askForWorksheet(shell: Shell, names: readonly string[]): Promise<string | undefined> {
  const chosen = await askToChoose(
    shell,
    'Several worksheets hold data. Which one is meant?',
    names.map((label, value) => ({ value, label })),
  );
  if (chosen === undefined) {
    throw new Fault('declined', 'No worksheet was chosen. Nothing was sent.', 'Start again when you like.');
  }
  return names[chosen];
}
