/** The environment that `schedule export` writes into a unit: what is set now decides which account and ledger pay later. */

import type { SharedLedger } from '../../database/postgres/address.ts';
import { Fault } from '../../domain/fault.ts';
import type { Environment, Reach } from './account.ts';
import { environmentNames } from './environment-names.ts';

/** The settings in force, as far as a unit must meet them again. */
interface InForce {
  readonly home: string;
  readonly keysFolder: string;
  readonly file?: string | undefined;
  /** Absent for the practice service. */
  readonly reach?: Reach | undefined;
  readonly ledger?: SharedLedger | undefined;
}

/**
 * Returns every variable that is set and holds no secret, with the places that are in use now. Throws a Fault
 * `configuration` if a secret in use is only in the environment: a unit is readable by others, and would pay nothing
 * without it.
 */
export function exportedEnvironment(env: Environment, loaded: InForce): Readonly<Record<string, string>> {
  const secret = secretInText(env, loaded);
  if (secret) throw onlyInText(secret);
  const set = environmentNames.flatMap(({ name, secretFile }): (readonly [string, string])[] => {
    const value = env[name];
    return value && secretFile === undefined && !hasPassword(value) ? [[name, value]] : [];
  });
  const { home, keysFolder, file } = loaded;
  return {
    ...Object.fromEntries(set),
    PAYBATCH_HOME: home,
    PAYBATCH_KEYS: keysFolder,
    ...(file !== undefined && { PAYBATCH_CONFIG: file }),
  };
}

interface SecretInText {
  readonly name: string;
  /** The variable that names a file with it instead. */
  readonly secretFile: string;
}

/** Returns the variable whose value is a secret that this profile uses and that no file holds; `undefined` if there is none. */
function secretInText(env: Environment, { reach, ledger }: InForce): SecretInText | undefined {
  // A rehearsal needs no secret.
  if (!reach) return undefined;
  if (hasPassword(env['PAYBATCH_LEDGER'] ?? '')) return { name: 'PAYBATCH_LEDGER', secretFile: 'PGPASSFILE' };
  for (const { name, secretFile } of environmentNames) {
    const isUsed = name !== 'PGPASSWORD' || (ledger && ledger.address.password === undefined);
    if (secretFile !== undefined && isUsed && env[name] && !env[secretFile]) return { name, secretFile };
  }
  return undefined;
}

/** Reports whether a value is an address with a password in it. */
const hasPassword = (value: string): boolean => URL.canParse(value) && new URL(value).password !== '';

const onlyInText = ({ name, secretFile }: SecretInText): Fault =>
  new Fault(
    'configuration',
    `${name} holds a secret, which is not written into files of a schedule, and without it the schedule could not pay. Nothing was written.`,
    `Put the secret into a file that only the user who pays can read, name that file in ${secretFile}, remove the secret from ${name}, and export again.`,
  );
