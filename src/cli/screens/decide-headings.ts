/** Decides what the headings of a sheet leave open: a person on a terminal answers, and the answer is remembered for these headings. */
import { nameForHeadings } from '../../batch/heading-mapping.ts';
import type { HeadingDecisions } from '../../batch/heading-question.ts';
import { Fault } from '../../domain/fault.ts';
import { once } from '../closing.ts';
import type { Shell } from '../shell.ts';
import { findMapping, saveMapping } from '../state/mapping-file.ts';
import { askToChoose } from './ask.ts';
import { askForHeading } from './ask-columns.ts';

/** Decisions from earlier sheets, without asking a person. `home`: returns the state folder, and is called when it is needed. */
export const keptDecisions = (home: () => string): HeadingDecisions => ({
  keptFor: (headings) => findMapping(home(), nameForHeadings(headings)),
  async keep(mapping) {
    await saveMapping(home(), mapping);
  },
});

/** Like `keptDecisions`, but on a terminal a person is asked as well. */
export function decisionsOf(shell: Shell): HeadingDecisions {
  const kept = keptDecisions(once(() => shell.config().home));
  return shell.terminal.interactive ? { ...kept, choose: (question) => askForHeading(question, shell) } : kept;
}

/** Returns the worksheet that a person chose among several. Throws a Fault `declined`. */
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
