import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { Fault } from '../../domain/fault.ts';
import { type Language, languageOf } from '../../domain/language.ts';
import { didYouMean } from '../../domain/likeness.ts';
import { shown } from '../../domain/shown-text.ts';
import type { CliCommand } from '../command.ts';
import { pageAbout, pageTopics } from '../help/pages.ts';
import { explanationOf, topicNames } from '../help/topics.ts';
import { answered } from '../screens/answered.ts';

/** The topic that is the program itself with all of its commands. */
const ALL = 'all';

/** It explains the commands too, so it needs commander's own record of them. */
export const help: CliCommand = {
  example: 'paybatch help exit-codes',
  moreExamples: ['paybatch help all', 'paybatch help pay-day'],
  declare(command) {
    const declared = command.argument(
      '[topic...]',
      'all, command, page (docs lists them), exit code, outcome, or code of a problem',
    );
    return async (shell) => {
      const words = declared.processedArgs[0] ?? [];
      const topic = words.join(' ');
      const program = command.parent as CommandUnknownOpts; // it is below the program
      const known = topic === ALL ? program : commandCalled(program, words);
      // Commander adds examples and exit codes only to what it writes itself.
      if (known && !shell.flags.json) known.outputHelp();
      if (known) return answered(shell, { type: 'help', topic, text: known.helpInformation() }, []);
      const explained = explanationsOf(topic, languageOf(shell.flags.lang ?? ''));
      if (explained.length === 0) throw unknown(topic, program);
      return answered(shell, { type: 'help', topic, text: explained.join('\n') }, explained);
    };
  },
};

/** What a code, an outcome or a page says of a topic; both, where both know it. Nothing where none does. */
function explanationsOf(topic: string, language: Language | undefined): readonly string[] {
  const [explained, page] = [explanationOf(topic, language), pageAbout(topic)];
  return explained && page ? [...explained, '', ...page] : (explained ?? page ?? []);
}

/** The command of that path of names; the program itself for none. */
const commandCalled = (program: CommandUnknownOpts, words: readonly string[]): CommandUnknownOpts | undefined =>
  words.reduce<CommandUnknownOpts | undefined>(
    (command, word) => command?.commands.find((below) => below.name() === word),
    program,
  );

function unknown(topic: string, program: CommandUnknownOpts): Fault {
  const names = program.commands.map((command) => command.name());
  const meant = didYouMean(topic, [...names, ...topicNames, ...pageTopics()]);
  const known =
    'Ask for a command, a page (pay-day), an exit code (7), an outcome (in-doubt), or a code as it was told (PB-PHONE-LENGTH).';
  return new Fault('usage', `Nothing is called "${shown(topic)}".`, meant ?? known);
}
