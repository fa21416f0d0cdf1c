/** The account at a service: addresses, client and secret of a profile and the environment, and where the secret may go. */
import path from 'node:path';
import { checkedAddress } from '../../client/address.ts';
import { Fault } from '../../domain/fault.ts';
import type { ProfileConfig } from './config-schema.ts';
import { readSecretFile } from './secret-file.ts';
import { originsIn, type Place, type PlacedAddress, requireSecretOrigins } from './secret-origins.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** How to reach a service other than the embedded one. */
export interface Account {
  readonly baseUrl: string;
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope: string;
  /** The file that the secret was read from, as a whole path; missing: it stood in the environment. */
  readonly secretFile?: string;
  /** Origins that a request with the secret, or with a token, may go to. */
  readonly secretOrigins: readonly string[];
}

/** How an account is reached, and where its secret is, before anybody reads that. */
export interface Reach extends Omit<Account, 'clientSecret' | 'secretFile'> {
  /** Undefined: nothing says where it is. */
  readonly secret: SecretPlace | undefined;
}

/** The account with its secret. A Fault `configuration` when there is none to be had. */
export function accountAt(name: string, { secret, ...reached }: Reach): Account {
  if (!secret) throw noSecret(name);
  const clientSecret = secret.file === undefined ? secret.text : readSecretFile(secret.file);
  if (!clientSecret) throw noSecret(name);
  return { ...reached, clientSecret, ...(secret.file !== undefined && { secretFile: secret.file }) };
}

/** How the account of a profile is reached. A Fault `configuration` for what is missing, or says nothing of where the secret may go. */
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
  // A token address of the profile belongs to the profile's own base address.
  const token = tokens.find(({ place }) => place === 'environment' || base?.place === 'file');
  const tokenUrl = token?.address ?? `${baseUrl}/connect/token`;
  const clientId = need(env['PAYBATCH_CLIENT_ID'] ?? profile.clientId, 'client id', 'clientId or PAYBATCH_CLIENT_ID');
  const secret = secretPlace(profile, env, cwd);
  const rule = {
    profile: name,
    secret: secret?.place ?? 'file',
    addresses: [...given, ...tokens],
    said: [...profile.secretOrigins, ...originsIn(env['PAYBATCH_SECRET_ORIGINS'])],
  };
  // Where there is no secret, that is what has to be told, and it can go nowhere.
  const secretOrigins = secret ? requireSecretOrigins(rule, [baseUrl, tokenUrl]) : [];
  const scope = env['PAYBATCH_SCOPE'] ?? profile.scope ?? 'service_api';
  return { baseUrl, tokenUrl, clientId, secret, scope, secretOrigins };
}

const addressAt = (text: string | undefined, place: Place, what: string): readonly PlacedAddress[] =>
  text ? [{ address: checkedAddress(text, what), place }] : [];

/** Where the secret is, before anybody reads it: in a file, as a whole path, or as the text of a name in the environment. */
export interface SecretPlace {
  readonly place: Place;
  readonly file?: string;
  readonly text?: string;
}

function secretPlace(profile: ProfileConfig, env: Environment, cwd: string): SecretPlace | undefined {
  const { PAYBATCH_CLIENT_SECRET_FILE: file, PAYBATCH_CLIENT_SECRET: text } = env;
  if (file) return { place: 'environment', file: path.resolve(cwd, file) };
  if (text) return { place: 'environment', text };
  if (profile.clientSecretFile) return { place: 'file', file: path.resolve(cwd, profile.clientSecretFile) };
  return undefined;
}

const noSecret = (name: string): Fault =>
  wrongAccount(
    `The profile "${name}" has no client secret.`,
    'Put it into a file only you can read and name that in clientSecretFile or PAYBATCH_CLIENT_SECRET_FILE.',
  );

const wrongAccount = (message: string, remedy: string): Fault => new Fault('configuration', message, remedy);
