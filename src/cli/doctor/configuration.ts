/** The configuration: what was read, from where, and whether others can read the secrets that it names. */
import { statSync } from 'node:fs';
import path from 'node:path';
import { forMeAlone, whoElseReads, whoElseWrites } from '../../files/file-rights.ts';
import { readsAlone } from '../config/account.ts';
import { ignoredProxyText } from '../config/ignored-proxy.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import { type Check, ok, warning } from './check.ts';

export const configuration: Check = {
  name: 'configuration',
  title: 'Configuration',
  look({ loaded, settings, currency }) {
    const { file, profileName, account, profile } = loaded;
    const where = file ?? 'no file, all as it is by default';
    const who = `${settings.organisation}, ${currency.code}, ${settings.country}`;
    const figures = { file: file ?? null, profile: profileName, sandbox: settings.sandbox };
    if (!account)
      return ok(`SANDBOX: practice, no real money moves (profile ${profileName}; ${where}; ${who}).`, figures);
    const { origin } = new URL(account.baseUrl);
    const isGiven = profile.baseUrl?.replace(/\/+$/, '') !== account.baseUrl;
    const source = isGiven ? ', from the environment' : '';
    const way = account.proxy === undefined ? '' : `, through the proxy ${account.proxy}`;
    const told = `Profile ${profileName} at ${origin}${source}${way} (${where}; ${who}).`;
    const all = {
      ...figures,
      origin,
      tokenOrigin: new URL(account.tokenUrl).origin,
      originFrom: isGiven ? 'environment' : 'file',
      proxy: account.proxy ?? null,
    };
    const ignored = ignoredProxyText(loaded);
    return ignored ? warning(`${told} ${ignored.says}`, ignored.fix, all) : ok(told, all);
  },
};

export const secretFiles: Check = {
  name: 'secrets',
  title: 'Secrets',
  look({ loaded, shell }) {
    const files = secretsOf(loaded, shell.cwd);
    if (files.length === 0) return ok(secretAt(loaded));
    const open = files.filter((file) => {
      const stats = statSync(file, { throwIfNoEntry: false });
      return stats && (whoElseWrites(file, stats) ?? whoElseReads(file, stats)) !== undefined;
    });
    if (open.length === 0) return ok(`${files.join(', ')}: for nobody else.`);
    return warning(
      `Others on this machine have rights on ${open.join(', ')}.`,
      `${open.map(forMeAlone).join('; ')}; and ask for a new secret if others use this machine.`,
    );
  },
};

function secretAt({ account, reach }: LoadedConfig): string {
  if (!account) return 'None is needed here.';
  if (readsAlone({ reach })) return 'There is no client secret: this profile can read its ledger, and ask nobody.';
  return `The client secret is in the ${account.secretKeychain === undefined ? 'environment' : 'keychain of this system'}, in no file.`;
}

/** Whoever has the secret of the callbacks can only make us look something up; it is nobody's business all the same. */
const secretsOf = ({ account, profile }: LoadedConfig, cwd: string): readonly string[] => [
  ...(account?.secretFile === undefined ? [] : [account.secretFile]),
  ...[profile.callbacks.secretFile, profile.notify?.webhook?.secretFile, profile.notify?.mail?.passwordFile].flatMap(
    (file) => (file === undefined ? [] : [path.resolve(cwd, file)]),
  ),
];
