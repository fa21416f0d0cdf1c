/** Values of options, checked where they are parsed. */
import { type CommandUnknownOpts, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { languageOf, languages } from '../../domain/language.ts';
import { chooseAmong } from '../../domain/likeness.ts';

/** `--dry-run`, `-h`: another option in place of a value that was left out. */
const OPTION = /^--[a-z]|^-[a-z]$/i;

/**
 * Keeps the options of a command from taking the next option as their value: with `--out --dry-run` a run would pay, and write
 * into a folder of that name. An empty value is refused too, because scripts pass one for a variable that is not set.
 */
export function requireValues({ options }: CommandUnknownOpts): void {
  for (const option of options.filter(({ required }) => required)) {
    const parse = option.parseArg;
    option.argParser((text: string, earlier: unknown) => {
      if (text.trim() === '') throw new InvalidArgumentError(`Give ${option.long} its value, or leave it out.`);
      if (OPTION.test(text))
        throw new InvalidArgumentError(`It is an option itself: give ${option.long} its value first.`);
      return parse ? parse(text, earlier) : text;
    });
  }
}

/** Parses a whole number from `least` to `most`, for commander. Anything else is a usage error that names the option. */
export const wholeNumber =
  (least: number, most?: number) =>
  (text: string): number => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= (most ?? number)) return number;
    throw new InvalidArgumentError(`It takes a whole number from ${least}${most === undefined ? '' : ` to ${most}`}.`);
  };

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: HOUR_MS, d: DAY_MS };

/**
 * Parses a length of time as people type it (`90s`, `30m`, `36h`, `3d`) into milliseconds, for commander. Anything else, or more
 * than `mostMs`, is a usage error that names the option.
 */
export const duration =
  (mostMs: number) =>
  (text: string): number => {
    const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
    const ms = Number(count) * (units[unit] ?? Number.NaN);
    if (ms > 0 && ms <= mostMs) return ms;
    const most = mostMs > DAY_MS ? `${mostMs / DAY_MS}d` : `${mostMs / HOUR_MS}h`;
    throw new InvalidArgumentError(
      `It takes seconds, minutes, hours or days, for example 90s, 30m, 2h or 1d; at most ${most}.`,
    );
  };

/** Parses a text that payments carry, of at most `longest` characters, for commander. */
export const textUpTo =
  (longest: number) =>
  (text: string): string => {
    if (text.length <= longest) return text;
    throw new InvalidArgumentError(`It takes at most ${longest} characters, and this has ${text.length}.`);
  };

/** `--out`. Options that several commands have in the same words are declared by `command.option(...OUT)`. */
export const OUT = ['--out <folder>', 'folder for the results; default: next to the sheet'] as const;

/** `--concurrency`. */
export const CONCURRENCY = ['--concurrency <n>', 'orders in flight at once', wholeNumber(1)] as const;

/** `--skip-invalid`. */
export const SKIP_INVALID = [
  '--skip-invalid <n>',
  'set aside exactly this many rows with errors',
  wholeNumber(1),
] as const;

/** `--scenario` of a command that works with a batch. */
export const SCENARIO = ['--scenario <name>', 'sandbox only: how the practice service behaves'] as const;

/** `--scenario` of a command that works with a sheet, which people type before they know any scenario. */
export const SCENARIO_OF_SHEET = [SCENARIO[0], `${SCENARIO[1]}, for example flaky`] as const;

/** Parses a port of this machine; 0 leaves the choice to the system. */
export const portNumber = wholeNumber(0, 65_535);

/** Collects rows of the sheet, for an option that may be typed several times. */
export const rowNumbers = (text: string, earlier: readonly number[] = []): readonly number[] => [
  ...earlier,
  wholeNumber(1)(text),
];

/** Collects texts, for an option that may be typed several times. */
export const severalTexts = (text: string, earlier: readonly string[] = []): readonly string[] => [...earlier, text];

/** Returns the first of these options that was typed, as it is typed: `--expect-total`; `undefined` if none was. */
export function typedOption(options: Readonly<Record<string, unknown>>, names: readonly string[]): string | undefined {
  const name = names.find((one) => options[one] !== undefined && options[one] !== false);
  return name && `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** The values of the options that a function declares. */
export type OptionsOf<Declared extends { opts(): unknown }> = ReturnType<Declared['opts']>;

/** No options yet. */
export type None = Record<never, unknown>;

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
