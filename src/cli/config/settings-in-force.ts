/** Settings as they are shown to people, one on each line: name, value without secrets, and origin. */

import { shownAddress } from '../../database/postgres/address.ts';
import { shown } from '../../domain/shown-text.ts';
import type { LoadedConfig } from './load-config.ts';

interface SettingInForce {
  /** The name in the configuration, for example `limits.perRow.KES`. */
  readonly name: string;
  readonly value: string;
  /** A flag, an environment variable, the path of a file, the keychain, or `default`. */
  readonly origin: string;
}

const MASKED = '(not shown)';

/** Returns every setting in a file, in the order of the file. */
export const settingsOfFile = (given: unknown, file: string): readonly SettingInForce[] =>
  leavesOf(given).map(([name, value]) => ({ name, value: valueText(value), origin: file }));

/** Returns every setting in force, with those of the chosen profile only. */
export function settingsInForce(loaded: LoadedConfig): readonly SettingInForce[] {
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
  const settings = (name: string, value: unknown, inConfig?: string): SettingInForce[] =>
    value === undefined ? [] : [{ name, value: valueText(value), origin: originOf(name, inConfig) }];
  const ofProfile = `profiles.${profileName}`;
  const { profiles: _, defaultProfile: __, language: ___, ...general } = config;
  const { baseUrl, tokenUrl, clientId, clientSecretFile, scope, secretOrigins, ledger: _ledger, ...rest } = profile;
  const secretSetting = `${ofProfile}.${
    (['clientSecretKeychain', 'clientSecretCredential'] as const).find((name) => rest[name]) ?? 'clientSecretFile'
  }`;
  const inKeychain = (one: SettingInForce): SettingInForce =>
    account?.secretKeychain === undefined
      ? one
      : { ...one, origin: `keychain, under "${shown(account.secretKeychain)}"` };
  return [
    ...settings('profile', profileName, 'defaultProfile'),
    ...settings('home', home),
    ...settings('keys', keysFolder),
    ...settings('machine', machineName),
    ...settings('language', language),
    ...settings('baseUrl', account?.baseUrl ?? baseUrl, `${ofProfile}.baseUrl`),
    ...settings('tokenUrl', account?.tokenUrl ?? tokenUrl, `${ofProfile}.tokenUrl`),
    ...settings('clientId', account?.clientId ?? clientId, `${ofProfile}.clientId`),
    ...(account?.clientSecret === undefined ? [] : settings('clientSecret', MASKED, secretSetting).map(inKeychain)),
    ...settings('clientSecretFile', account ? account.secretFile : clientSecretFile, secretSetting),
    ...settings('scope', account?.scope ?? scope, `${ofProfile}.scope`),
    ...settings('secretOrigins', account?.secretOrigins ?? secretOrigins, `${ofProfile}.secretOrigins.0`),
    ...settings('ledger', ledger && shownAddress(ledger.address), `${ofProfile}.ledger`),
    ...leavesOf(rest, [ofProfile]).flatMap(([name, value]) => settings(name, value)),
    ...leavesOf(general).flatMap(([name, value]) => settings(name, value)),
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
