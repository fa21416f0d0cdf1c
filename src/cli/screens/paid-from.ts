/** The account that pays, and the configuration that says so: in the header of every command, and wherever a person confirms. */

import { shown } from '../../domain/shown-text.ts';
import type { LoadedConfig } from '../config/load-config.ts';

/** Returns what the `start` event of a command says about the account; of the practice service it names only the configuration. */
export function paidFrom({ account, file }: LoadedConfig): {
  readonly clientId?: string;
  readonly tokenService?: string;
  readonly configuration?: string;
} {
  const configuration = file === undefined ? {} : { configuration: file };
  return account
    ? { clientId: account.clientId, tokenService: new URL(account.tokenUrl).origin, ...configuration }
    : configuration;
}

/** Returns the paying account as a sentence, for a person who is about to confirm; empty for the practice service. */
export function paidFromText({ account, file, profileName }: LoadedConfig): string {
  if (!account) return '';
  const [service, token] = [new URL(account.baseUrl).host, new URL(account.tokenUrl).host];
  const hosts = service === token ? `${service}` : `${service} (token from ${token})`;
  return shown(
    `The money comes from the account ${account.clientId} at ${hosts} (profile ${profileName}, set in ${file ?? 'the environment'}).`,
  );
}
