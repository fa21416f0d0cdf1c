/**
 * Reads the configuration: flag, environment, `paybatch.config.json` found upwards, user file, defaults; the first that
 * says something wins. The only reader of the environment.
 */
import path from 'node:path';
import envPaths from 'env-paths';
import { counted } from '../../domain/counted.ts';
import { Fault } from '../../domain/fault.ts';
import { type Language, languageOf, languageOfLocale, languages } from '../../domain/language.ts';
import { chooseAmong } from '../../domain/likeness.ts';
import type { SharedLedger } from '../../ledger/postgres/address.ts';
import { practiceClient } from '../../sandbox/practice-account.ts';
import { type Keychain, keychainNames, openKeychain } from '../keychain/keychain.ts';
import { type Account, accountAt, type Environment, type Reach, reachOf } from './account.ts';
import { requireBelieved } from './belief.ts';
import { type ConfigFile, configFile, FILE_NAME, type ReadFile, readConfigFile } from './config-file.ts';
import { configMistakes, jsonMistakes, type PlacedMistake, placedIn } from './config-mistakes.ts';
import { type Config, configSchema, emptyProfile, type ProfileConfig } from './config-schema.ts';
import { environmentNames } from './environment-names.ts';
import { ENVIRONMENT_PROFILE, requireProfileName, SANDBOX_PROFILE } from './profile-name.ts';
import { sharedLedgerAt, sharedLedgerOf } from './shared-ledger.ts';

export interface ConfigFlags {
  readonly profile?: string;
  readonly config?: string;
  readonly lang?: string;
}

/** What a file says. */
interface FileSettings {
  readonly config: Config;
  /** As it stands there, without defaults; undefined: there is no file. */
  readonly given?: unknown;
}

/** What is known before anybody reads the client secret. */
export interface LoadedProfile extends FileSettings {
  /** The configuration file, as a whole path; missing: there is none, and all is as it is by default. */
  readonly file?: string;
  readonly profileName: string;
  readonly profile: ProfileConfig;
  /** What ids of payments are made from (`Settings.idNamespace`). */
  readonly idNamespace: string;
  /** State folder: ledgers, books, logs. */
  readonly home: string;
  /** Signing keys of ledgers. */
  readonly keysFolder: string;
  /** In which people are told what is wrong with their sheet. */
  readonly language: Language;
  /** What the operator calls this computer, where its system has no lasting name for it. */
  readonly machineName?: string;
  /** What programs that we start have of the environment. */
  readonly programEnv: Readonly<Record<string, string>>;
  /** The same of a program that opens a window. */
  readonly desktopEnv: Readonly<Record<string, string>>;
  /** PostgreSQL that has the ledger; missing: a file of the state folder has it, as that of every rehearsal. */
  readonly ledger?: SharedLedger;
  /** Reads another address as that of the ledger is read. */
  readonly ledgerAt: (address: string) => SharedLedger;
  /** A name of the environment that says a proxy, which is not used; never what it says, which may hold a password. */
  readonly ignoredProxy?: string;
  /** The account without its secret; missing for the embedded practice service. */
  readonly reach?: Reach;
  /** Which flag or name of the environment says a setting, by its name; the others are from the file or by default. */
  readonly overridden: Readonly<Record<string, string>>;
}

export interface LoadedConfig extends LoadedProfile {
  /** Missing for the embedded practice service. */
  readonly account?: Account;
}

export function loadConfig(flags: ConfigFlags, env: Environment, cwd: string, keychain: Keychain): LoadedConfig {
  const loaded = loadProfile(flags, env, cwd);
  const { profileName, reach } = loaded;
  return reach ? { ...loaded, account: accountAt(profileName, reach, keychain) } : loaded;
}

/** The keychain of whoever has this environment; it is asked when a secret is needed. */
export const keychainOf = (env: Environment, limitMs: number): Keychain =>
  openKeychain({ env: namesOf(env, [...PROGRAM_NAMES, ...keychainNames]), limitMs });

/** The settings that count, and how the account is reached. */
export function loadProfile(flags: ConfigFlags, env: Environment, cwd: string): LoadedProfile {
  const home = homeOf(env, cwd);
  const found = foundFile(flags, env, cwd);
  const read = found && readConfigFile(found);
  const settings = settingsIn(read);
  if (read) requireBelieved(read, home);
  const { config } = settings;
  const { name: profileName, by } = chosenProfile(flags, env, config);
  requireProfileName(profileName, Object.keys(config.profiles));
  const own = Object.hasOwn(config.profiles, profileName) ? config.profiles[profileName] : undefined;
  const machineName = env['PAYBATCH_MACHINE'];
  const loaded = {
    ...settings,
    ...(read !== undefined && { file: read.path }),
    ...(machineName && { machineName }),
    profileName,
    profile: own ?? emptyProfile(),
    idNamespace: own?.idNamespace ?? practiceClient.id,
    home,
    keysFolder: keysFolderOf(env, cwd),
    language: chosenLanguage(flags, env, config),
    overridden: overriddenBy(flags, env),
    ...ignoredProxyIn(env),
    programEnv: programEnvOf(env),
    desktopEnv: namesOf(env, [...PROGRAM_NAMES, ...DESKTOP_NAMES]),
    ledgerAt: (address: string) => sharedLedgerAt(address, env, cwd),
  };
  if (profileName === SANDBOX_PROFILE) return loaded;
  if (!own && !env['PAYBATCH_BASE_URL']) {
    const known = [...new Set([SANDBOX_PROFILE, ...Object.keys(config.profiles)])];
    const remedy = `${chooseAmong(profileName, known)} Or add it to ${read?.path ?? FILE_NAME}. Nothing was sent.`;
    const naming = by === 'file' ? `, which defaultProfile of ${read?.path} names` : '';
    const named = by === 'environment' ? ', which PAYBATCH_PROFILE names' : naming;
    throw wrongConfig(`There is no profile "${profileName}"${named}.`, remedy);
  }
  refuseBlindTrust(env);
  const ledger = sharedLedgerOf(loaded.profile.ledger, env, cwd);
  const reach = reachOf(profileName, loaded.profile, env, cwd);
  return { ...loaded, ...(ledger && { ledger }), reach, idNamespace: own?.idNamespace ?? reach.clientId };
}

/** Never in the state folder: `cli/state/state-files.ts` holds it to that. */
const keysFolderOf = (env: Environment, cwd: string): string =>
  path.resolve(cwd, env['PAYBATCH_KEYS'] || path.join(envPaths('paybatch', { suffix: '' }).config, 'ledger-keys'));

/** What a program needs to be found and to find its own files. Nothing of ours: a secret may stand there. */
const PROGRAM_NAMES = [
  'PATH',
  'Path',
  'HOME',
  'USER',
  'LANG',
  'LC_ALL',
  'TZ',
  'TMPDIR',
  'TEMP',
  'SystemRoot',
  'USERPROFILE',
];

/** What a browser needs to find the screen, and the one that is running. */
const DESKTOP_NAMES = [
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'XDG_RUNTIME_DIR',
  'XDG_CURRENT_DESKTOP',
  'XDG_SESSION_TYPE',
  'XDG_DATA_DIRS',
  'XDG_CONFIG_HOME',
  'DESKTOP_SESSION',
  'DBUS_SESSION_BUS_ADDRESS',
  'BROWSER',
  'APPDATA',
  'LOCALAPPDATA',
  'ProgramFiles',
];

const programEnvOf = (env: Environment): Readonly<Record<string, string>> => namesOf(env, PROGRAM_NAMES);

const namesOf = (env: Environment, names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));

/** The state folder. */
export const homeOf = (env: Environment, cwd: string): string =>
  path.resolve(cwd, env['PAYBATCH_HOME'] || envPaths('paybatch', { suffix: '' }).data);

/** The file that the settings are read from, believed or not; undefined: there is none. */
export const foundFile = (flags: ConfigFlags, env: Environment, cwd: string): ConfigFile | undefined =>
  configFile(flags.config, env['PAYBATCH_CONFIG'], cwd);

function chosenProfile(
  flags: ConfigFlags,
  env: Environment,
  { defaultProfile = SANDBOX_PROFILE }: Config,
): { readonly name: string; readonly by: 'flag' | 'environment' | 'file' } {
  if (flags.profile !== undefined) return { name: flags.profile, by: 'flag' };
  const asked = env['PAYBATCH_PROFILE'];
  if (asked !== undefined) return { name: asked, by: 'environment' };
  const isGiven = env['PAYBATCH_BASE_URL'] && defaultProfile === SANDBOX_PROFILE;
  return { name: isGiven ? ENVIRONMENT_PROFILE : defaultProfile, by: 'file' };
}

/** Settings that a flag or the environment can say in place of the file: their names there, the strongest first. */
const elsewhere = environmentNames.flatMap(({ told, flag, name }) =>
  told === undefined ? [] : [{ told, flag, name }],
);

function overriddenBy({ profile, lang }: ConfigFlags, env: Environment): Readonly<Record<string, string>> {
  const flags: Readonly<Record<string, string | undefined>> = { '--profile': profile, '--lang': lang };
  return Object.fromEntries(
    elsewhere.flatMap(({ told, flag, name }) => {
      if (flag !== undefined && flags[flag]) return [[told, flag]];
      return env[name] ? [[told, name]] : [];
    }),
  );
}

/** Names of the environment under which other programs find the proxy of an https address. */
const PROXY_NAMES = ['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy'];

/** Whoever can set a name of the environment must not be able to lead payments elsewhere, so none of these is obeyed. */
function ignoredProxyIn(env: Environment): Pick<LoadedProfile, 'ignoredProxy'> {
  const name = PROXY_NAMES.find((one) => env[one]);
  return name === undefined ? {} : { ignoredProxy: name };
}

/** The client verifies every certificate all the same; whoever set this believes otherwise, and other programs would not. */
function refuseBlindTrust(env: Environment): void {
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] !== '0') return;
  throw wrongConfig(
    'NODE_TLS_REJECT_UNAUTHORIZED=0 would let anybody on the way answer in the name of the service. Nothing was sent.',
    'Remove it from the environment; if the service has a certificate of your own authority, name that authority in NODE_EXTRA_CA_CERTS.',
  );
}

/** A language that was asked for must be one that there is; the system's own is only a hint. */
function chosenLanguage({ lang }: ConfigFlags, env: Environment, { language }: Config): Language {
  const asked = lang || env['PAYBATCH_LANG'];
  if (!asked) return language ?? languageOfLocale(env['LANG'] ?? '') ?? 'en';
  const known = languageOf(asked);
  if (known) return known;
  throw wrongConfig(`"${asked.slice(0, 20)}" is not a language of paybatch.`, chooseAmong(asked, languages));
}

/** What a file says, whole and valid, whoever wrote it. A Fault `configuration` that names every mistake with its place. */
export function settingsIn(file: ReadFile | undefined): FileSettings {
  if (file === undefined) return { config: configSchema.parse({}) };
  const { settings, ...wrong } = readSettings(file.text);
  if (settings && wrong.mistakes.length === 0) return settings;
  throw mistaken(file.path, wrong);
}

/** What is wrong with a text. */
interface Mistaken {
  readonly mistakes: readonly PlacedMistake[];
  /** False: it is not JSON, and what comes after the last mistake was not read. */
  readonly isReadable: boolean;
}

/** What a text says, as far as it is valid, and all that is wrong with it. */
export function readSettings(text: string): Mistaken & { readonly settings?: FileSettings } {
  const json = text.replace(/^\ufeff/, '');
  const { isReadable, mistakes } = jsonMistakes(json);
  if (!isReadable) return { isReadable, mistakes };
  const given: unknown = JSON.parse(json);
  const parsed = configSchema.safeParse(given);
  if (parsed.success) return { isReadable, mistakes, settings: { config: parsed.data, given } };
  const all = [...mistakes, ...placedIn(json, configMistakes(parsed.error.issues, given))];
  return { isReadable, mistakes: all.toSorted((a, b) => a.line - b.line || a.column - b.column) };
}

/** The Fault of a file with mistakes, each at its line and column. */
export const mistaken = (file: string, { mistakes, isReadable }: Mistaken): Fault =>
  new Fault(
    'configuration',
    isReadable
      ? `The configuration ${file} has ${counted(mistakes.length, 'mistake')}.`
      : `The configuration ${file} is not JSON, and cannot be read to its end.`,
    'Correct the file and run the command again. Nothing was sent.',
    { details: mistakes.map(({ line, column, says }) => `Line ${line}, column ${column}: ${says}`) },
  );

const wrongConfig = (message: string, remedy: string): Fault => new Fault('configuration', message, remedy);

type Known = Pick<LoadedConfig, 'account' | 'ignoredProxy' | 'profileName'>;

/** That there is such a proxy, and how it is used; undefined where nobody would miss it. */
export function ignoredProxyText({
  account,
  ignoredProxy,
  profileName,
}: Known): { readonly says: string; readonly fix: string } | undefined {
  if (!account || account.proxy !== undefined || ignoredProxy === undefined) return undefined;
  return {
    says: `${ignoredProxy} is set in the environment, and paybatch does not use proxies of the environment.`,
    fix: `If this network lets nobody out without that proxy, set profiles.${profileName}.proxy of the configuration to its address (http://host:port).`,
  };
}

/** A service that was not reached, with the word on the proxy that may be the reason; any other fault as it is. */
export function withIgnoredProxy(fault: Fault, known: Known | undefined): Fault {
  const told = fault.code === 'unreachable' && known ? ignoredProxyText(known) : undefined;
  if (!told) return fault;
  return new Fault(fault.code, fault.message, `${fault.remedy} ${told.says} ${told.fix}`, {
    cause: fault,
    details: fault.details,
  });
}
