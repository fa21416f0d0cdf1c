/** The faults of a command as it was typed, in paybatch's words, with what to type instead. */
import type { CommanderError, CommandUnknownOpts } from '@commander-js/extra-typings';
import { counted } from '../../domain/counted.ts';
import { Fault } from '../../domain/fault.ts';
import { chooseAmong, didYouMean } from '../../domain/likeness.ts';
import { typedPath } from '../../domain/typed-path.ts';

/** Names that other programs have for what a command does. */
const otherWords: Readonly<Record<string, string>> = {
  pay: 'run',
  send: 'run',
  start: 'run',
  check: 'validate',
  continue: 'resume',
  list: 'history',
  batches: 'history',
  log: 'history',
  cancel: 'reject',
  fees: 'charges',
  columns: 'map',
  new: 'template',
  names: 'verify-payees',
};

/** The command that was typed, as commander knows it, and its example. */
export interface Typed {
  readonly command: CommandUnknownOpts;
  /** An example of the command; absent if it has none. */
  readonly example?: string | undefined;
}

/**
 * Turns an error of commander into a Fault. It uses the error's code and the words in quotes, and the message itself only for a
 * value that was refused and for an unknown code.
 */
export function usageFault({ code, message }: CommanderError, typed: Typed): Fault {
  const [, quoted = '', second = ''] = /'([^']*)'(?:[^']*'([^']*)')?/.exec(message) ?? [];
  const name = nameOf(typed.command);
  const help = `See ${name} --help.`;
  // With the typed sheet in it, the example can be copied as it is.
  const [sheet] = typed.command.args.filter((word) => /\.(?:xlsx|csv)$/i.test(word));
  const shown = sheet === undefined ? typed.example : typed.example?.replace(/\S+\.xlsx/, () => typedPath(sheet));
  const example = shown === undefined ? help : `For example: ${shown}`;
  const flag = longOf(quoted);
  switch (code) {
    case 'commander.help':
      return new Fault('usage', 'There is no command.', help);
    case 'commander.unknownCommand':
      return unknownCommand(quoted, typed);
    case 'commander.missingArgument':
      return new Fault('usage', `Which ${quoted}?`, example);
    case 'commander.missingMandatoryOptionValue':
      return new Fault('usage', `${name} needs ${quoted}.`, example);
    case 'commander.optionMissingArgument':
      return new Fault('usage', `${flag} needs a value: ${quoted}.`, help);
    case 'commander.unknownOption':
      return unknownOption(quoted, typed);
    case 'commander.invalidArgument':
      return message.includes('command-argument')
        ? wrongArgument(quoted, second, message, { ...typed, example })
        : wrongValue(second, flag, message, typed);
    case 'commander.conflictingOption':
      return new Fault('usage', `${flag} is not for use with ${longOf(second)}.`, 'Leave out one of the two.');
    case 'commander.excessArguments':
      return excess(typed);
    default:
      return new Fault('usage', message.replace(/^error: /, '').replaceAll('\n', ' '), help);
  }
}

/** Returns the long form of an option as commander writes it: `-o, --output <file>`. */
const longOf = (option: string): string => option.split(/[ ,]+/).find((word) => word.startsWith('--')) ?? option;

/** What commander says of a refused value, without what it says of all of them. */
const reasonOf = (message: string): string => message.replace(/^.*? is invalid\. /s, '');

/** Returns the fault of a word that is not one of those that an argument takes, or that the argument cannot be. */
function wrongArgument(
  word: string,
  name: string,
  message: string,
  { command, example }: Typed & { readonly example: string },
): Fault {
  const choices = command.registeredArguments.find((one) => one.name() === name)?.argChoices;
  if (!choices) return new Fault('usage', `"${word}" cannot be the ${name}.`, reasonOf(message));
  const says = `"${word}" is not one of ${choices.join(', ')}.`;
  return new Fault('usage', says, didYouMean(word, choices) ?? example);
}

function wrongValue(word: string, flag: string, message: string, { command }: Typed): Fault {
  const choices = command.options.find(({ long }) => long === flag)?.argChoices;
  const remedy = choices ? chooseAmong(word, choices) : reasonOf(message);
  return new Fault('usage', `"${word}" cannot be the value of ${flag}.`, remedy);
}

/** A dash that a word processor or a phone made of two hyphens. Only the name is matched, because a value after it may be a secret. */
const LONG_DASH = /^[\u2010-\u2015\u2212]-?([a-z][a-z-]*)(?==|$)/;

/**
 * Returns the fault of a command in which an option begins with a long dash, and would be taken for a name or a file; `undefined`
 * if there is none.
 */
export function longDashFault(argv: readonly string[]): Fault | undefined {
  const end = argv.indexOf('--');
  const words = end === -1 ? argv : argv.slice(0, end);
  const [typed, name] = words.map((word) => LONG_DASH.exec(word)).find((found) => found !== null) ?? [];
  if (typed === undefined || name === undefined) return undefined;
  const option = `${name.length === 1 ? '-' : '--'}${name}`;
  return new Fault(
    'usage',
    `${typed} begins with a long dash, as word processors and phones make of two hyphens.`,
    `Type ${option} with plain hyphens. Nothing was sent.`,
  );
}

/** Returns the full name of a command, for example `paybatch sandbox reset`. */
const nameOf = (command: CommandUnknownOpts): string =>
  command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();

const flagsOf = ({ command }: Typed): readonly string[] => command.options.flatMap(({ long }) => long ?? []);

/** Returns the fault of an unknown option. The option's value is never repeated, because it may be a secret. */
function unknownOption(word: string, typed: Typed): Fault {
  const [option = ''] = word.split('=');
  const name = nameOf(typed.command);
  const meant = didYouMean(option, flagsOf(typed)) ?? `See ${name} --help.`;
  return new Fault(
    'usage',
    `There is no option ${option} of ${name}.`,
    option === word ? meant : `${meant} A value behind = was left out here.`,
  );
}

function unknownCommand(word: string, { command }: Typed): Fault {
  const says = `There is no command "${word}".`;
  // The most common slip: a sheet without a command.
  if (/\.(?:xlsx?|csv|ods)$/i.test(word)) {
    return new Fault('usage', says, `To check the sheet: paybatch validate ${word}   To pay it: paybatch run ${word}`);
  }
  const names = command.commands.map((known) => known.name());
  const other = Object.hasOwn(otherWords, word.toLowerCase()) ? otherWords[word.toLowerCase()] : undefined;
  const meant = other === undefined ? didYouMean(word, names) : `Did you mean ${other}?`;
  return new Fault('usage', says, meant ?? `There are: ${names.join(', ')}.`);
}

/** Returns the fault of a command with too many words: most often a name with a space, or a mistyped subcommand. */
function excess({ command }: Typed): Fault {
  const name = nameOf(command);
  const most = command.registeredArguments.length;
  const [first = ''] = command.args;
  const below = command.commands.map((known) => known.name());
  if (most === 0 && below.length > 0) {
    const known = `${name} has: ${below.join(', ')}.`;
    return new Fault('usage', `There is no command "${name} ${first}".`, didYouMean(first, below) ?? known);
  }
  const takes = most === 0 ? 'takes no name or file' : `takes ${counted(most, 'name or file', 'names or files')}`;
  return new Fault(
    'usage',
    `${name} ${takes}, and ${counted(command.args.length, 'was', 'were')} given.`,
    most === 0 ? `See ${name} --help.` : 'Put a name with spaces in double quotes.',
  );
}
