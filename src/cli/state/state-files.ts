/** The places where a profile keeps its state. */
import path from 'node:path';
import { Fault, systemCode } from '../../domain/fault.ts';
import { isInside } from '../../files/inside.ts';
import { keysInFolder } from '../../ledger/key-folder.ts';
import { keyFromSecret, type LedgerKeys } from '../../ledger/signing.ts';
import { practiceClient } from '../../sandbox/practice-account.ts';
import type { LoadedConfig } from '../config/load-config.ts';

type Place = Pick<LoadedConfig, 'home' | 'profileName'>;

/** The folder of a profile's state: its ledger, its callbacks, and the books of the practice service. */
export const stateFolder = ({ home, profileName }: Place): string => path.join(home, profileName);

export const ledgerFile = (place: Place): string => path.join(stateFolder(place), 'ledger.db');

/** The checkpoint of a profile's ledger. It is outside the folder of the profile, because people delete and restore folders. */
export const checkpointFile = ({ home, profileName }: Place): string =>
  path.join(home, 'checkpoints', `${profileName}.json`);

/** Prefix of the folder that a console keeps in the state folder until it ends. */
export const CONSOLE_FOLDER = 'console';

type Keeping = Pick<LoadedConfig, 'home' | 'keysFolder'> & { readonly account?: LoadedConfig['account'] | undefined };

/**
 * Returns the signing keys of this user's ledgers. They are never in the state folder, which others may get hold of, but
 * files in the user's own configuration folder. If nothing can be written there, the key is derived from the client secret,
 * which a person who reads the state folder does not have. Rehearsals pay nobody, and leave nothing outside their folder.
 * Throws a Fault `configuration` if the keys would be in the state folder.
 */
export function ledgerKeys({ home, keysFolder, account }: Keeping): LedgerKeys {
  if (!account) return keysFromSecret(practiceClient.secret);
  if (isInside(home, keysFolder)) {
    throw new Fault(
      'configuration',
      `The keys of ledgers would be kept in ${keysFolder}, which is in the state folder itself. Nothing was sent.`,
      'Name another folder in PAYBATCH_KEYS, or another state folder in PAYBATCH_HOME.',
    );
  }
  const files = keysInFolder(keysFolder);
  // A profile that can only read has no secret to derive a key from.
  if (account.clientSecret === undefined) return files;
  const secret = keysFromSecret(account.clientSecret);
  const orSecret =
    (make: LedgerKeys['next']): LedgerKeys['next'] =>
    (ledger) => {
      try {
        return make(ledger);
      } catch (error) {
        systemCode(error);
        return secret.first(ledger);
      }
    };
  const place = `${keysFolder}, or the client secret`;
  return { ...files, place, derived: secret.first, first: orSecret(files.first), next: orSecret(files.next) };
}

/** Returns the files of a profile's ledger, and its keys: what it takes to open a ledger in a file. */
export const ledgerPlaces = (loaded: Place & Keeping) => ({
  path: ledgerFile(loaded),
  checkpointPath: checkpointFile(loaded),
  keys: ledgerKeys(loaded),
});

const keysFromSecret = (secret: string): LedgerKeys => ({
  place: 'the client secret',
  of: (ledger) => [keyFromSecret(secret, ledger)],
  first: (ledger) => keyFromSecret(secret, ledger),
  next: (ledger) => keyFromSecret(secret, ledger),
});
