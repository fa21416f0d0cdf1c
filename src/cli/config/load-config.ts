/**
 * Reads the configuration: flags, the environment, `paybatch.config.json` in the working folder or above it, the user file,
 * defaults. The first of them that sets a value wins. Outside this folder, the environment is read only for how to print
 * and for secrets to hide.
 */

import path from 'node:path';
import envPaths from 'env-paths';
import type { SharedLedger } from '../../database/postgres/address.ts';
import { counted } from '../../domain/counted.ts';
import { Fault } from '../../domain/fault.ts';
import { type Language, languageOf, languageOfLocale, languages } from '../../domain/language.ts';
import { chooseAmong } from '../../domain/likeness.ts';
import { practiceClient } from '../../sandbox/practice-account.ts';
import { type Keychain, keychainNames, openKeychain } from '../keychain/keychain.ts';
import { type Account, accountAt, type Environment, type Reach, reachOf } from './account.ts';
import { requireBelieved } from './belief.ts';
import { FILE_NAME, foundFile, type ReadFile, readConfigFile } from './config-file.ts';
import { configMistakes, jsonMistakes, type Mistaken, placedIn } from './config-mistakes.ts';
import { type Config, configSchema, emptyProfile, type ProfileConfig } from './config-schema.ts';
import { environmentNames } from './environment-names.ts';
import { exportedEnvironment } from './exported-environment.ts';
import { sharedLedgerAt, sharedLedgerOf } from './shared-ledger.ts';

/** The profiles of the embedded practice service, and of a base address that only the environment sets. */
export const SANDBOX_PROFILE = 'sandbox';
export const ENVIRONMENT_PROFILE = 'env';

export interface ConfigFlags {
  readonly profile?: string;
  readonly config?: string;
  readonly lang?: string;
}

/** The settings of a file. */
interface FileSettings {
  readonly config: Config;
  /** The content of the file, without defaults; absent if there is no file. */
  readonly given?: unknown;
}

/** The profile and its settings, before the client secret is read. */
export interface LoadedProfile extends FileSettings {
  /** Absolute path of the configuration file; absent if there is none, so that all settings are defaults. */
  readonly file?: string | undefined;
  readonly profileName: string;
  readonly profile: ProfileConfig;
  /** What ids of payments are built from (`Settings.idNamespace`). */
  readonly idNamespace: string;
  /** The state folder: ledgers, books, logs. */
  readonly home: string;
  /** The folder of the signing keys of ledgers. */
  readonly keysFolder: string;
  /** Language in which people read what is wrong with their sheet. */
  readonly language: Language;
  /** The operator's name for this computer, if its system has no lasting name for it. */
  readonly machineName?: string | undefined;
  /** The environment variables for programs that paybatch starts. */
  readonly programEnv: Readonly<Record<string, string>>;
  /** The environment variables for a program that opens a window. */
  readonly desktopEnv: Readonly<Record<string, string>>;
  /** Returns the environment variables for a unit that pays later. Faults as `exportedEnvironment`. */
  readonly exportedEnv: () => Readonly<Record<string, string>>;
  /** The PostgreSQL that holds the ledger; absent if a file of the state folder holds it, as for every rehearsal. */
  readonly ledger?: SharedLedger | undefined;
  /** Returns the ledger at another address, read in the same way as the address of `ledger`. */
  readonly ledgerAt: (address: string) => SharedLedger;
  /** Name of an environment variable that sets a proxy, which is not used. Never its value, which may hold a password. */
  readonly ignoredProxy?: string | undefined;
  /** The account without its secret; absent for the embedded practice service. */
  readonly reach?: Reach;
  /** The flag or environment variable that sets each overridden setting, by setting. All others are from the file or defaults. */
  readonly overridden: Readonly<Record<string, string>>;
}

export interface LoadedConfig extends LoadedProfile {
  /** The account with its secret; absent for the embedded practice service. */
  readonly account?: Account;
}

export function loadConfig(flags: ConfigFlags, env: Environment, cwd: string, keychain: Keychain): LoadedConfig {
  const loaded = loadProfile(flags, env, cwd);
  const { profileName, reach } = loaded;
  return reach ? { ...loaded, account: accountAt(profileName, reach, keychain) } : loaded;
}

/** Returns the keychain of the user with this environment. The keychain is asked only when a secret is needed. */
export const keychainOf = (env: Environment, limitMs: number): Keychain =>
  openKeychain({ env: namesOf(env, [...PROGRAM_NAMES, ...keychainNames]), limitMs });

/** Returns the settings in force, and how the account is reached, without reading the client secret. */
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
  const loaded = {
    ...settings,
    file: read?.path,
    machineName: env['PAYBATCH_MACHINE'] || undefined,
    profileName,
    profile: own ?? emptyProfile(),
    idNamespace: own?.idNamespace ?? practiceClient.id,
    home,
    keysFolder: keysFolderOf(env, cwd),
    language: chosenLanguage(flags, env, config),
    overridden: overriddenBy(flags, env),
    ignoredProxy: PROXY_NAMES.find((one) => env[one]),
    programEnv: namesOf(env, PROGRAM_NAMES),
    desktopEnv: namesOf(env, [...PROGRAM_NAMES, ...DESKTOP_NAMES]),
    ledgerAt: (address: string) => sharedLedgerAt(address, env, cwd),
  };
  if (profileName === SANDBOX_PROFILE) return { ...loaded, exportedEnv: () => exportedEnvironment(env, loaded) };
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
  const reached = { ...loaded, ledger, reach, idNamespace: own?.idNamespace ?? reach.clientId };
  return { ...reached, exportedEnv: () => exportedEnvironment(env, reached) };
}

/** Other folders in the state folder. */
const ownFolders = ['logs', 'checkpoints', 'mappings', 'trusted'] as const;

/** Names of devices on Windows, which are taken in every folder. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/**
 * Throws a Fault `configuration` unless the name can be that of a folder of the state folder, next to those of the other profiles,
 * also on disks that do not distinguish A from a.
 */
export function requireProfileName(name: string, others: readonly string[]): void {
  const shown = name.slice(0, 60);
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,40}$/.test(name)) {
    throw wrongConfig(`"${shown}" cannot name a profile. Nothing was sent.`, 'Use letters, digits, - and _.');
  }
  const folded = name.toLowerCase();
  if (DEVICE.test(folded) || ownFolders.some((own) => own === folded)) {
    throw wrongConfig(
      `"${shown}" cannot name a profile: its folder would be another thing. Nothing was sent.`,
      'Use another name.',
    );
  }
  const alike = [SANDBOX_PROFILE, ...others].find((other) => other !== name && other.toLowerCase() === folded);
  if (alike !== undefined) {
    throw wrongConfig(
      `The profiles "${shown}" and "${alike}" differ only in case, and many disks would give them one ledger. Nothing was sent.`,
      `Use "${alike}", or another name.`,
    );
  }
}

/** Returns the folder of the signing keys. It must not be in the state folder, which `cli/state/state-files.ts` enforces. */
const keysFolderOf = (env: Environment, cwd: string): string =>
  path.resolve(cwd, env['PAYBATCH_KEYS'] || path.join(envPaths('paybatch', { suffix: '' }).config, 'ledger-keys'));

/**
 * Variables that a program needs to be found and to find its own files. None of them is paybatch's, because those may hold
 * a secret.
 */
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

/** Variables that a browser needs to find the screen, and an instance of itself that is already running. */
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

const namesOf = (env: Environment, names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));

/** Returns the state folder. */
export const homeOf = (env: Environment, cwd: string): string =>
  path.resolve(cwd, env['PAYBATCH_HOME'] || envPaths('paybatch', { suffix: '' }).data);

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

/**
 * Settings that a flag or an environment variable can set instead of the file. A flag goes before the variable of its
 * entry; of two entries for one setting, the later goes before the earlier.
 */
const elsewhere = environmentNames.flatMap(({ inForceAs, flag, name }) =>
  inForceAs === undefined ? [] : [{ inForceAs, flag, name }],
);

function overriddenBy({ profile, lang }: ConfigFlags, env: Environment): Readonly<Record<string, string>> {
  const flags: Readonly<Record<string, string | undefined>> = { '--profile': profile, '--lang': lang };
  return Object.fromEntries(
    elsewhere.flatMap(({ inForceAs, flag, name }) => {
      if (flag !== undefined && flags[flag]) return [[inForceAs, flag]];
      return env[name] ? [[inForceAs, name]] : [];
    }),
  );
}

/**
 * Environment variables in which other programs look for the proxy of an https address. None is obeyed: anyone who can set an
 * environment variable could redirect payments.
 */
const PROXY_NAMES = ['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy'];

/**
 * Throws a Fault `configuration` for NODE_TLS_REJECT_UNAUTHORIZED=0. The client verifies every certificate anyway, but the
 * person who set the variable believes that it does not, and other programs would not verify any.
 */
function refuseBlindTrust(env: Environment): void {
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] !== '0') return;
  throw wrongConfig(
    'NODE_TLS_REJECT_UNAUTHORIZED=0 would let anybody on the network answer in place of the service. Nothing was sent.',
    'Remove it from the environment; if the service has a certificate of your own authority, name that authority in NODE_EXTRA_CA_CERTS.',
  );
}

/**
 * Returns the language. Throws a Fault `configuration` if one was asked for that does not exist; that of the system is a
 * hint.
 */
function chosenLanguage({ lang }: ConfigFlags, env: Environment, { language }: Config): Language {
  const asked = lang || env['PAYBATCH_LANG'];
  if (!asked) return language ?? languageOfLocale(env['LANG'] ?? '') ?? 'en';
  const known = languageOf(asked);
  if (known) return known;
  throw wrongConfig(`"${asked.slice(0, 20)}" is not a language of paybatch.`, chooseAmong(asked, languages));
}

/**
 * Returns the settings of a valid file, trusted or not, or the defaults if there is no file. Throws a Fault `configuration`
 * that names every mistake with its place.
 */
export function settingsIn(file: Pick<ReadFile, 'path' | 'text'> | undefined): FileSettings {
  if (file === undefined) return { config: configSchema.parse({}) };
  const { settings, ...wrong } = readSettings(file.text);
  if (settings && wrong.mistakes.length === 0) return settings;
  throw mistaken(file.path, wrong);
}

/** Returns everything that is wrong with a text, and its settings if they fit the schema. */
export function readSettings(text: string): Mistaken & { readonly settings?: FileSettings } {
  const { isReadable, mistakes } = jsonMistakes(text);
  if (!isReadable) return { isReadable, mistakes };
  const given: unknown = JSON.parse(text);
  const parsed = configSchema.safeParse(given);
  if (parsed.success) return { isReadable, mistakes, settings: { config: parsed.data, given } };
  const all = [...mistakes, ...placedIn(text, configMistakes(parsed.error.issues, given))];
  return { isReadable, mistakes: all.toSorted((a, b) => a.line - b.line || a.column - b.column) };
}

/** Returns the Fault for a file with mistakes, each at its line and column. */
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

/**
 * Returns the note that the environment sets a proxy that is not used, and how to use it. Returns `undefined` if there is
 * none, or if none is needed.
 */
export function ignoredProxyText({
  account,
  ignoredProxy,
  profileName,
}: Known): { readonly says: string; readonly fix: string } | undefined {
  if (!account || account.proxy !== undefined || ignoredProxy === undefined) return undefined;
  return {
    says: `${ignoredProxy} is set in the environment, and paybatch does not use proxies of the environment.`,
    fix: `If this network requires that proxy, set profiles.${profileName}.proxy of the configuration to its address (http://host:port).`,
  };
}

/** Returns a Fault `unreachable` with the note on the unused proxy, which may be the reason; any other Fault as it is. */
export function withIgnoredProxy(fault: Fault, known: Known | undefined): Fault {
  const inForceAs = fault.code === 'unreachable' && known ? ignoredProxyText(known) : undefined;
  if (!inForceAs) return fault;
  return new Fault(fault.code, fault.message, `${fault.remedy} ${inForceAs.says} ${inForceAs.fix}`, {
    cause: fault,
    details: fault.details,
  });
}
