/**
 * The account at a service: addresses, client and secret of a profile and the environment, and where the secret may go. An
 * address and a secret from the same place belong together. A person who can change only one of the two places must not be
 * able to send the secret of the other one anywhere.
 */

import path from 'node:path';
import { Fault } from '../../domain/fault.ts';
import { shown } from '../../domain/shown-text.ts';
import { MOUNTED_SECRETS, type SecretFile, secretTextIn } from '../../files/private-file.ts';
import { checkedAddress, checkedProxy } from '../../service/client/address.ts';
import type { Keychain } from '../keychain/keychain.ts';
import type { ProfileConfig } from './config-schema.ts';

/** The place that a setting is from. */
type Place = 'environment' | 'file';

/** A checked address, and the place that it is from. */
interface PlacedAddress {
  readonly address: string;
  readonly place: Place;
}

/** What messages call each place. */
const named: Readonly<Record<Place, string>> = { environment: 'the environment', file: 'the configuration file' };

/** The Fault for addresses that no setting allows the secret to go to. `secret`: the place of the secret. */
function foreignOrigins(profile: string, secret: Place, wrong: readonly string[]): Fault {
  const other: Place = secret === 'file' ? 'environment' : 'file';
  const list = wrong.map((origin) => JSON.stringify(origin)).join(', ');
  return wrongAccount(
    `The client secret is in ${named[secret]}, but the address ${wrong.join(', ')} is only in ${named[other]}. No setting says that the secret may go there. Nothing was sent.`,
    `If it may, add "secretOrigins": [${list}] to the profile "${profile}" of the configuration, or set PAYBATCH_SECRET_ORIGINS=${wrong.join(',')}. Else name secret and address in one place.`,
  );
}

/** Returns the origins in a list that is separated by commas or blanks. */
const originsIn = (list: string | undefined): readonly string[] =>
  (list ?? '').split(/[\s,]+/).flatMap((text) => URL.parse(text)?.origin ?? []);

const originOf = (address: string): string => new URL(address).origin;

/** How messages speak of the client secret file. A person who has the secret can pay. */
const CLIENT_SECRET: SecretFile = {
  what: 'client secret file',
  outcome: ' Nothing was sent.',
  advice: ', as the user who pays; if others use this machine, ask for a new secret.',
  details: [
    MOUNTED_SECRETS,
    'Where neither can be set, give the secret as PAYBATCH_CLIENT_SECRET from the secret store.',
  ],
  ifMissing: 'Check the path, or keep a secret there: `paybatch login`.',
};

export type Environment = Readonly<Record<string, string | undefined>>;

/** How to reach a service other than the embedded one. */
export interface Account {
  readonly baseUrl: string;
  readonly tokenUrl: string;
  readonly clientId: string;
  /** Absent if the profile names no place for the secret, because it is used only to read the ledger. */
  readonly clientSecret?: string;
  readonly scope: string;
  /** The proxy through which the service is reached; absent if it is reached directly. */
  readonly proxy?: string;
  /** Absolute path of the file that the secret was read from; absent if the secret came from the keychain or the environment. */
  readonly secretFile?: string | undefined;
  /** The name under which the secret was read from the keychain. */
  readonly secretKeychain?: string;
  /** Origins that a request with the secret, or with a token, may go to. */
  readonly secretOrigins: readonly string[];
}

/** An account with its secret, which can be asked for tokens and so for everything else. */
export interface PayingAccount extends Account {
  readonly clientSecret: string;
}

/** How an account is reached, and where its secret is, before the secret is read. */
export interface Reach extends Omit<Account, 'clientSecret' | 'secretFile' | 'secretKeychain'> {
  /** `undefined` if no setting says where the secret is. */
  readonly secret: SecretPlace | undefined;
}

/** Returns the account, with its secret if a place is named for it. Throws a Fault `configuration` if it is not there. */
export function accountAt(name: string, { secret, ...reached }: Reach, keychain: Keychain): Account {
  if (!secret) return reached;
  if (secret.keychain !== undefined) {
    const kept = keychain.read(secret.keychain);
    if (!kept) throw notInKeychain(name, secret.keychain);
    return { ...reached, clientSecret: kept, secretKeychain: secret.keychain };
  }
  if (secret.credential !== undefined && secret.file === undefined) throw noCredential(name, secret.credential);
  const clientSecret = secret.file === undefined ? secret.text : secretTextIn(secret.file, CLIENT_SECRET).trim();
  if (!clientSecret) throw noSecret(name);
  return { ...reached, clientSecret, secretFile: secret.file };
}

/** Reports whether a profile can only read its ledger: without a secret the service cannot be asked. */
export const readsAlone = ({ reach }: { readonly reach?: Reach | undefined }): boolean =>
  reach !== undefined && reach.secret === undefined;

/** Returns the account as one that has its secret. Throws a Fault `configuration` for an account that can only read. */
export function withSecret(name: string, account: Account): PayingAccount {
  const { clientSecret } = account;
  if (clientSecret === undefined) throw noSecret(name);
  return { ...account, clientSecret };
}

/**
 * Returns how the account of a profile is reached. Throws a Fault `configuration` if a setting is missing, or if none says
 * that the secret may go to an address.
 */
export function reachOf(name: string, profile: ProfileConfig, env: Environment, cwd: string): Reach {
  const need = (value: string | undefined, what: string, how: string): string => {
    if (value) return value;
    throw wrongAccount(`The profile "${name}" has no ${what}.`, `Give it as ${how}.`);
  };
  const given = [
    ...addressAt(env['PAYBATCH_BASE_URL'], 'environment', 'PAYBATCH_BASE_URL'),
    ...addressAt(profile.baseUrl, 'file', `baseUrl of the profile "${name}"`),
  ];
  const tokens = [
    ...addressAt(env['PAYBATCH_TOKEN_URL'], 'environment', 'PAYBATCH_TOKEN_URL'),
    ...addressAt(profile.tokenUrl, 'file', `tokenUrl of the profile "${name}"`),
  ];
  const [base] = given;
  const baseUrl = need(base?.address, 'address', 'baseUrl or PAYBATCH_BASE_URL');
  // A token address of the profile belongs to the profile's own base address, and is not used with one from the environment.
  const token = tokens.find(({ place }) => place === 'environment' || base?.place === 'file');
  const tokenUrl = token?.address ?? `${baseUrl}/connect/token`;
  const clientId = need(env['PAYBATCH_CLIENT_ID'] ?? profile.clientId, 'client id', 'clientId or PAYBATCH_CLIENT_ID');
  const secret = secretPlace(name, profile, { env, cwd, keychainAccount: keychainAccountOf({ clientId, tokenUrl }) });
  // Addresses of the place that the secret is from, those included that another one overrides.
  const sameSource = [...given, ...tokens]
    .filter(({ place }) => place === secret?.place)
    .map(({ address }) => originOf(address));
  const said = [...profile.secretOrigins, ...originsIn(env['PAYBATCH_SECRET_ORIGINS'])];
  // Without a secret, the missing secret is the mistake to report, and there is nothing that could go anywhere.
  const secretOrigins = secret ? [...new Set([...sameSource, ...said])] : [];
  const wrong = [baseUrl, tokenUrl].map(originOf).filter((origin) => !secretOrigins.includes(origin));
  if (secret && wrong.length > 0) throw foreignOrigins(name, secret.place, [...new Set(wrong)]);
  const scope = env['PAYBATCH_SCOPE'] ?? profile.scope ?? 'service_api';
  const reached = { baseUrl, tokenUrl, clientId, secret, scope, secretOrigins };
  if (profile.proxy === undefined) return reached;
  return { ...reached, proxy: checkedProxy(profile.proxy, `proxy of the profile "${name}"`, [baseUrl, tokenUrl]) };
}

const addressAt = (text: string | undefined, place: Place, what: string): readonly PlacedAddress[] =>
  text ? [{ address: checkedAddress(text, what), place }] : [];

/** Where the secret is, before it is read: in a file (absolute path), in the environment (as text), or in the keychain. */
interface SecretPlace {
  readonly place: Place;
  readonly file?: string;
  readonly text?: string;
  /** The name of the systemd credential that the file holds. Without `file`, this process was given no credentials. */
  readonly credential?: string;
  /** The name of the secret in the keychain. */
  readonly keychain?: string;
}

/**
 * Returns the name of a secret in the keychain. The service that receives the secret is part of the name, so a
 * configuration that names another service finds nothing.
 */
export const keychainAccountOf = ({ clientId, tokenUrl }: Pick<Account, 'clientId' | 'tokenUrl'>): string =>
  `${clientId} at ${new URL(tokenUrl).origin}`;

/** What decides where the secret is, in addition to the profile. */
interface SecretWorld {
  readonly env: Environment;
  readonly cwd: string;
  readonly keychainAccount: string;
}

function secretPlace(
  name: string,
  profile: ProfileConfig,
  { env, cwd, keychainAccount }: SecretWorld,
): SecretPlace | undefined {
  const { PAYBATCH_CLIENT_SECRET_FILE: file, PAYBATCH_CLIENT_SECRET: text, CREDENTIALS_DIRECTORY: credentials } = env;
  if (file) return { place: 'environment', file: path.resolve(cwd, file) };
  if (text) return { place: 'environment', text };
  const { clientSecretFile, clientSecretCredential: credential, clientSecretKeychain } = profile;
  const places = [clientSecretFile, credential, clientSecretKeychain].filter(Boolean);
  if (places.length > 1) throw twoPlaces(name);
  if (clientSecretKeychain) return { place: 'file', keychain: keychainAccount };
  if (clientSecretFile) return { place: 'file', file: path.resolve(cwd, clientSecretFile) };
  if (!credential) return undefined;
  return { place: 'file', credential, ...(credentials && { file: path.resolve(cwd, credentials, credential) }) };
}

const noSecret = (name: string): Fault =>
  wrongAccount(
    `The profile "${name}" has no client secret.`,
    'Put it into a file only you can read and name that in clientSecretFile or PAYBATCH_CLIENT_SECRET_FILE.',
  );

/**
 * The Fault for a missing systemd credential. No other place is tried: a person who chose this one wants the secret nowhere
 * else.
 */
const noCredential = (name: string, credential: string): Fault =>
  wrongAccount(
    `The client secret of the profile "${name}" is the systemd credential "${credential}", and this process was given none. Nothing was sent.`,
    `Start it by a unit with LoadCredential=${credential}:FILE or LoadCredentialEncrypted=${credential}:FILE.`,
  );

/** The Fault for a secret that is not in the keychain. A file that exists as well is not read instead. */
const notInKeychain = (name: string, account: string): Fault =>
  wrongAccount(
    `The keychain of this system has no client secret "${shown(account)}", which the profile "${name}" needs. No other place was looked at. Nothing was sent.`,
    `Keep it there, as the user who pays: paybatch login --profile ${name}`,
  );

const twoPlaces = (name: string): Fault =>
  wrongAccount(
    `The profile "${name}" names more than one place for its client secret. Nothing was sent.`,
    'Keep one of clientSecretFile, clientSecretCredential and clientSecretKeychain.',
  );

const wrongAccount = (message: string, remedy: string): Fault => new Fault('configuration', message, remedy);
