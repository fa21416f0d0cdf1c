/** The options that may be typed before every command or after it. */
import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { languageOf, languages } from '../../domain/language.ts';
import { chooseAmong } from '../../domain/likeness.ts';

/** Returns new options on each call, because callers add to them. */
export const globalOptions = (): readonly Option[] => [
  new Option('--profile <name>', 'which service and account; default: defaultProfile of the settings, or the sandbox'),
  new Option('--config <file>', 'configuration file'),
  languageOption(),
  new Option('--json', 'newline-delimited events on stdout and nothing else'),
  new Option('--no-color', 'no colours'),
  new Option('--no-input', 'never ask'),
  new Option('-q, --quiet', 'print only problems, warnings and the end'),
];

/** Returns the option `--lang`. Machine output stays English: a program must not depend on the language of the person who started it. */
const languageOption = (): Option =>
  new Option('--lang <code>', `language of problems and of the pages in a browser: ${languages.join(', ')}`).argParser(
    (text) => {
      if (languageOf(text)) return text;
      throw new InvalidArgumentError(chooseAmong(text, languages));
    },
  );
