import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { Fault } from '../../domain/fault.ts';
import { languageOf } from '../../domain/language.ts';
import { didYouMean } from '../../domain/likeness.ts';
import { shown } from '../../domain/shown-text.ts';
import type { CliCommand } from '../command.ts';
import { explanationOf, topicNames } from '../help/topics.ts';
import { answered } from '../screens/answered.ts';

/** It explains the commands too, so it needs commander's own record of them. */
export const help: CliCommand = {
  example: 'paybatch help exit-codes',
  moreExamples: ['paybatch help in-doubt', 'paybatch help PB-PHONE-LENGTH'],
  declare(command) {
    const declared = command.argument('[topic...]', 'command, exit-codes, an exit code, an outcome, or a code');
    return async (shell) => {
      const words = declared.processedArgs[0] ?? [];
      const topic = words.join(' ');
      const program = command.parent as CommandUnknownOpts; // it is below the program
      const known = commandCalled(program, words);
      // Commander adds examples and exit codes only to what it writes itself.
      if (known && !shell.flags.json) known.outputHelp();
      if (known) return answered(shell, { type: 'help', topic, text: known.helpInformation() }, []);
      const explained = explanationOf(topic, languageOf(shell.flags.lang ?? ''));
      if (!explained) throw unknown(topic, program);
      return answered(shell, { type: 'help', topic, text: explained.join('\n') }, explained);
    };
  },
};

/** The command of that path of names; the program itself for none. */
const commandCalled = (program: CommandUnknownOpts, words: readonly string[]): CommandUnknownOpts | undefined =>
  words.reduce<CommandUnknownOpts | undefined>(
    (command, word) => command?.commands.find((below) => below.name() === word),
    program,
  );

function unknown(topic: string, program: CommandUnknownOpts): Fault {
  const names = program.commands.map((command) => command.name());
  const meant = didYouMean(topic, [...names, ...topicNames]);
  const known =
    'Ask for a command, an exit code (7), an outcome (in-doubt), or a code as it was told (PB-PHONE-LENGTH).';
  return new Fault('usage', `Nothing is called "${shown(topic)}".`, meant ?? known);
}
