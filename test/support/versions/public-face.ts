/**
 * What programs and people rely on of this version, as data: what the page on versions promises. It is kept for each version that
 * was published (`programs/keep-version.ts`), and later versions of the same first number are held against it (`broken-promises.ts`).
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Argument, Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import type { CliCommand } from '../../../src/cli/command.ts';
import { allCommands } from '../../../src/cli/commands.ts';
import { settingsJsonSchema } from '../../../src/cli/config/config-schema.ts';
import { environmentNames } from '../../../src/cli/config/environment-names.ts';
import { eventJsonSchema, rowJsonSchema } from '../../../src/cli/events/event-schema.ts';
import { globalOptions } from '../../../src/cli/flags/options.ts';
import { exitMeanings } from '../../../src/cli/help/exit-meanings.ts';
import { exitCode } from '../../../src/domain/exit-code.ts';
import { faultTable } from '../../../src/domain/fault.ts';
import { issueLevels } from '../../../src/domain/issue-levels.ts';
import * as library from '../../../src/index.ts';
import { columnDescriptions } from '../../../src/kinds/index.ts';
import { resultsColumns } from '../../../src/results/columns.ts';

/** A JSON Schema as far as ours go, or a part of one. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly propertyNames?: Schema;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** How a command is typed. Arguments as help writes them, `<sheet>` or `[batch]`; options by their long name, with their value. */
export interface TypedCommand {
  readonly arguments: readonly string[];
  readonly options: Readonly<Record<string, string>>;
  /** Options that it cannot do without. */
  readonly needed: readonly string[];
}

export interface PublicFace {
  readonly events: Schema;
  readonly rows: Schema;
  readonly settings: Schema;
  /** By the words that lead to it; that of the program itself is empty. */
  readonly commands: Readonly<Record<string, TypedCommand>>;
  readonly exitCodes: readonly number[];
  /** The exit code of each ending, and of each code of a fault. */
  readonly endings: Readonly<Record<string, number>>;
  readonly environment: readonly string[];
  /** Headings of a sheet, by the column that each means. */
  readonly headings: Readonly<Record<string, readonly string[]>>;
  /** Headings of the results. */
  readonly results: readonly string[];
  /** Codes of the problems of a sheet. */
  readonly problems: readonly string[];
  /** Names that the library exports. */
  readonly library: readonly string[];
}

const KEPT = path.join(import.meta.dirname, '..', '..', 'fixtures', 'versions');

/** Where a version is kept, whether it is or not. */
export const keptFile = (version: string): string => path.join(KEPT, `${version}.json`);

/** Versions that are kept, by name. */
export const keptVersions = (): readonly string[] =>
  existsSync(KEPT) ? readdirSync(KEPT).map((file) => file.slice(0, -'.json'.length)) : [];

export const keptFace = (version: string): PublicFace => JSON.parse(readFileSync(keptFile(version), 'utf8'));

/** That of the sources. */
export async function publicFace(): Promise<PublicFace> {
  const commands = await Promise.all((await allCommands()).map((one) => typed(one.name, one)));
  const everywhere = optionsOf(globalOptions());
  return {
    events: plain(eventJsonSchema()),
    rows: plain(rowJsonSchema()),
    settings: plain(settingsJsonSchema()),
    commands: { '': { arguments: [], options: everywhere, needed: [] }, ...Object.assign({}, ...commands) },
    exitCodes: exitMeanings.flatMap(({ codes }) => codes),
    endings: { ...exitCode, ...Object.fromEntries(Object.entries(faultTable).map(([code, { exit }]) => [code, exit])) },
    environment: environmentNames.map(({ name }) => name),
    headings: Object.fromEntries(columnDescriptions().map(({ id, heading, aliases }) => [id, [heading, ...aliases]])),
    results: resultsColumns.map(({ heading }) => heading),
    problems: Object.keys(issueLevels),
    library: Object.keys(library),
  };
}

/** As it is read from a file. */
const plain = (schema: Readonly<Record<string, unknown>>): Schema => JSON.parse(JSON.stringify(schema));

const optionsOf = (options: CommandUnknownOpts['options']): Readonly<Record<string, string>> =>
  Object.fromEntries(options.map(({ long, flags }) => [long ?? flags, flags.split(' ').slice(1).join(' ')]));

const written = (argument: Argument): string => {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
};

function typed(words: string, command: CliCommand): Readonly<Record<string, TypedCommand>> {
  const declared = new Command(words);
  command.declare(declared);
  const { registeredArguments, options }: CommandUnknownOpts = declared;
  const own = {
    arguments: registeredArguments.map(written),
    options: optionsOf(options),
    needed: options.filter(({ mandatory }) => mandatory).map(({ long, flags }) => long ?? flags),
  };
  const below = (command.children ?? []).map((child) => typed(`${words} ${child.name}`, child));
  return { [words]: own, ...Object.assign({}, ...below) };
}
