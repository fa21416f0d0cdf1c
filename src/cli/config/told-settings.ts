/** Settings as they are shown to people, one on each line: name, value without secrets, and origin. */

import { shownAddress } from '../../database/postgres/address.ts';
import { shown } from '../../domain/shown-text.ts';
import type { LoadedConfig } from './load-config.ts';

interface ToldSetting {
  /** The name in the configuration, for example `limits.perRow.KES`. */
  readonly name: string;
  readonly value: string;
  /** A flag, an environment variable, the path of a file, the keychain, or `default`. */
  readonly origin: string;
}

const MASKED = '(not shown)';

/** Returns every setting in a file, in the order of the file. */
export const settingsOfFile = (given: unknown, file: string): readonly ToldSetting[] =>
  leavesOf(given).map(([name, value]) => ({ name, value: valueText(value), origin: file }));

/** Returns every setting in force, with those of the chosen profile only. */
export function settingsInForce(loaded: LoadedConfig): readonly ToldSetting[] {
  const {
    config,
    profile,
    profileName,
    account,
    ledger,
    home,
    keysFolder,
    language,
    machineName,
    overridden,
    file = 'default',
  } = loaded;
  const inFile = new Set(leavesOf(loaded.given).map(([name]) => name));
  const originOf = (name: string, inConfig = name): string => {
    const said = overridden[name];
    return said ?? (inFile.has(inConfig) ? file : 'default');
  };
  const told = (name: string, value: unknown, inConfig?: string): ToldSetting[] =>
    value === undefined ? [] : [{ name, value: valueText(value), origin: originOf(name, inConfig) }];
  const ofProfile = `profiles.${profileName}`;
  const { profiles: _, defaultProfile: __, language: ___, ...general } = config;
  const { baseUrl, tokenUrl, clientId, clientSecretFile, scope, secretOrigins, ledger: _ledger, ...rest } = profile;
  const secretSetting = `${ofProfile}.${
    (['clientSecretKeychain', 'clientSecretCredential'] as const).find((name) => rest[name]) ?? 'clientSecretFile'
  }`;
  const inKeychain = (one: ToldSetting): ToldSetting =>
    account?.secretKeychain === undefined
      ? one
      : { ...one, origin: `keychain, under "${shown(account.secretKeychain)}"` };
  return [
    ...told('profile', profileName, 'defaultProfile'),
    ...told('home', home),
    ...told('keys', keysFolder),
    ...told('machine', machineName),
    ...told('language', language),
    ...told('baseUrl', account?.baseUrl ?? baseUrl, `${ofProfile}.baseUrl`),
    ...told('tokenUrl', account?.tokenUrl ?? tokenUrl, `${ofProfile}.tokenUrl`),
    ...told('clientId', account?.clientId ?? clientId, `${ofProfile}.clientId`),
    ...(account?.clientSecret === undefined ? [] : told('clientSecret', MASKED, secretSetting).map(inKeychain)),
    ...told('clientSecretFile', account ? account.secretFile : clientSecretFile, secretSetting),
    ...told('scope', account?.scope ?? scope, `${ofProfile}.scope`),
    ...told('secretOrigins', account?.secretOrigins ?? secretOrigins, `${ofProfile}.secretOrigins.0`),
    ...told('ledger', ledger && shownAddress(ledger.address), `${ofProfile}.ledger`),
    ...leavesOf(rest, [ofProfile]).flatMap(([name, value]) => told(name, value)),
    ...leavesOf(general).flatMap(([name, value]) => told(name, value)),
  ];
}

/** Returns the values in a group and in the groups within it, each with its full name. */
function leavesOf(value: unknown, path: readonly string[] = []): readonly (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null) return path.length === 0 ? [] : [[path.join('.'), value]];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
}

/** Returns a value as text. User and password of an address are masked, although an address with a password is refused. */
const valueText = (value: unknown): string =>
  shown(Array.isArray(value) ? value.join(', ') : String(value)).replace(/\/\/[^/\s]*@/g, '//…@');
