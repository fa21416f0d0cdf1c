/**
 * Reads the configuration: flag, environment, `paybatch.config.json` found upwards, user file, defaults; the first that
 * says something wins. The only reader of the environment.
 */

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import envPaths from 'env-paths';
import { checkedAddress } from '../client/address.ts';
import { counted } from '../domain/counted.ts';
import { Fault } from '../domain/fault.ts';
import { type Language, languageOf, languageOfLocale, languages } from '../domain/language.ts';
import { chooseAmong } from '../domain/likeness.ts';
import { configMistakes } from './config-mistakes.ts';
import { type Config, configSchema, emptyProfile, type ProfileConfig } from './config-schema.ts';
import { jsonMistake } from './json-mistake.ts';

const FILE_NAME = 'paybatch.config.json';
/** Folders looked at upwards from the working folder. */
const UPWARDS_MAX = 30;
/** Profile of the embedded practice service, and of a base address given by the environment alone. */
export const SANDBOX_PROFILE = 'sandbox';
const ENVIRONMENT_PROFILE = 'env';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface ConfigFlags {
  readonly profile?: string;
  readonly config?: string;
  readonly lang?: string;
}

/** How to reach a service other than the embedded one. */
export interface Account {
  readonly baseUrl: string;
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope: string;
  /** The file that the secret was read from, as a whole path; missing: it stood in the environment. */
  readonly secretFile?: string;
}

export interface LoadedConfig {
  readonly config: Config;
  /** The configuration file, as a whole path; missing: there is none, and all is as it is by default. */
  readonly file?: string;
  readonly profileName: string;
  readonly profile: ProfileConfig;
  /** State folder: ledgers, books, logs. */
  readonly home: string;
  /** Signing keys of ledgers. */
  readonly keysFolder: string;
  /** In which people are told what is wrong with their sheet. */
  readonly language: Language;
  /** What the operator calls this computer, where its system has no lasting name for it. */
  readonly machineName?: string;
  /** Missing for the embedded practice service. */
  readonly account?: Account;
}

export function loadConfig(flags: ConfigFlags, env: Environment, cwd: string): LoadedConfig {
  const file = configFile(flags.config ?? env['PAYBATCH_CONFIG'], cwd);
  const config = readConfigFile(file);
  const baseUrl = env['PAYBATCH_BASE_URL'];
  const profileName =
    flags.profile ??
    env['PAYBATCH_PROFILE'] ??
    (baseUrl && (config.defaultProfile ?? SANDBOX_PROFILE) === SANDBOX_PROFILE
      ? ENVIRONMENT_PROFILE
      : (config.defaultProfile ?? SANDBOX_PROFILE));
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,40}$/.test(profileName)) {
    throw wrongConfig(`"${profileName}" cannot name a profile.`, 'Use letters, digits, - and _.');
  }
  const home = path.resolve(cwd, env['PAYBATCH_HOME'] || envPaths('paybatch', { suffix: '' }).data);
  const keysFolder = path.resolve(
    cwd,
    env['PAYBATCH_KEYS'] || path.join(envPaths('paybatch', { suffix: '' }).config, 'ledger-keys'),
  );
  const profile = config.profiles[profileName] ?? emptyProfile();
  const language = chosenLanguage(flags, env, config);
  const machineName = env['PAYBATCH_MACHINE'];
  const given = { ...(file !== undefined && { file }), ...(machineName && { machineName }) };
  const loaded = { config, ...given, profileName, profile, home, keysFolder, language };
  if (profileName === SANDBOX_PROFILE) return loaded;
  if (!config.profiles[profileName] && !baseUrl) {
    const known = [...new Set([SANDBOX_PROFILE, ...Object.keys(config.profiles)])];
    const remedy = `${chooseAmong(profileName, known)} Or add it to ${file ?? FILE_NAME}. Nothing was sent.`;
    const named = env['PAYBATCH_PROFILE'] ? 'PAYBATCH_PROFILE' : `defaultProfile of ${file}`;
    throw wrongConfig(`There is no profile "${profileName}"${flags.profile ? '' : `, which ${named} names`}.`, remedy);
  }
  refuseBlindTrust(env);
  return { ...loaded, account: accountOf(profileName, profile, env, cwd) };
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

const configFile = (named: string | undefined, cwd: string): string | undefined =>
  named ? path.resolve(cwd, named) : (findUpwards(cwd) ?? userFile());

function readConfigFile(file: string | undefined): Config {
  if (file === undefined) return configSchema.parse({});
  const given = parseJson(readText(file, 'configuration file'), file);
  const parsed = configSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  const details = configMistakes(parsed.error.issues, given);
  throw new Fault(
    'configuration',
    `The configuration ${file} has ${counted(details.length, 'mistake')}.`,
    'Correct the file and run the command again. Nothing was sent.',
    { details },
  );
}

function findUpwards(cwd: string): string | undefined {
  let folder = cwd;
  for (let level = 0; level < UPWARDS_MAX; level++) {
    const file = path.join(folder, FILE_NAME);
    if (existsSync(file)) return file;
    const parent = path.dirname(folder);
    if (parent === folder) return undefined;
    folder = parent;
  }
  return undefined;
}

function userFile(): string | undefined {
  const file = path.join(envPaths('paybatch', { suffix: '' }).config, 'config.json');
  return existsSync(file) ? file : undefined;
}

function accountOf(name: string, profile: ProfileConfig, env: Environment, cwd: string): Account {
  const need = (value: string | undefined, what: string, how: string): string => {
    if (value) return value;
    throw wrongConfig(`The profile "${name}" has no ${what}.`, `Give it as ${how}.`);
  };
  const baseUrl = checkedAddress(
    need(env['PAYBATCH_BASE_URL'] ?? profile.baseUrl, 'address', 'baseUrl or PAYBATCH_BASE_URL'),
  );
  // A token address of the profile belongs to the profile's own base address.
  const ownToken = env['PAYBATCH_BASE_URL'] === undefined ? profile.tokenUrl : undefined;
  return {
    baseUrl,
    tokenUrl: checkedAddress(env['PAYBATCH_TOKEN_URL'] ?? ownToken ?? `${baseUrl}/connect/token`),
    clientId: need(env['PAYBATCH_CLIENT_ID'] ?? profile.clientId, 'client id', 'clientId or PAYBATCH_CLIENT_ID'),
    ...secretOf(name, profile, env, cwd),
    scope: env['PAYBATCH_SCOPE'] ?? profile.scope ?? 'service_api',
  };
}

function secretOf(
  name: string,
  profile: ProfileConfig,
  env: Environment,
  cwd: string,
): Pick<Account, 'clientSecret' | 'secretFile'> {
  const named =
    env['PAYBATCH_CLIENT_SECRET_FILE'] ?? (env['PAYBATCH_CLIENT_SECRET'] ? undefined : profile.clientSecretFile);
  const secretFile = named ? path.resolve(cwd, named) : undefined;
  const clientSecret =
    secretFile === undefined ? env['PAYBATCH_CLIENT_SECRET'] : readText(secretFile, 'client secret file').trim();
  if (clientSecret) return { clientSecret, ...(secretFile !== undefined && { secretFile }) };
  throw wrongConfig(
    `The profile "${name}" has no client secret.`,
    'Put it into a file only you can read and name that in clientSecretFile or PAYBATCH_CLIENT_SECRET_FILE.',
  );
}

function readText(file: string, what: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new Fault(
      'configuration',
      `The ${what} ${file} cannot be read (${code}).`,
      'Check the path and its rights. Nothing was sent.',
      { cause: error },
    );
  }
}

function parseJson(text: string, file: string): unknown {
  const json = text.replace(/^\ufeff/, '');
  const mistake = jsonMistake(json);
  if (!mistake) return JSON.parse(json);
  const { line, column, says } = mistake;
  throw new Fault(
    'configuration',
    `The configuration ${file} is not JSON. Line ${line}, column ${column}: ${says}`,
    'Correct the file and run the command again. Nothing was sent.',
  );
}

const wrongConfig = (message: string, remedy: string): Fault => new Fault('configuration', message, remedy);
