/** Where the secret of a new profile is kept: as a flag says, as the profile before did, or as a person chooses. */
import { Fault } from '../../domain/fault.ts';
import { type Account, keychainAccountOf } from '../config/account.ts';
import { askToChoose } from '../screens/ask.ts';
import type { Shell } from '../shell.ts';
import { canAsk, stopped } from './ask-account.ts';
import { keptInFile, keptInKeychain, type SecretKeeper } from './secret-keeper.ts';

/** What is known before the account is. */
export interface KeeperRequest {
  /** The keychain was asked for, now or by the profile that is replaced. */
  readonly wantsKeychain: boolean;
  /** A file was asked for. */
  readonly wantsFile: boolean;
  /** Used where a file is. */
  readonly secretFile: string;
}

/** Any name will do to see whether a keychain answers. */
const PROBE = 'is it there';

/** A Fault where the keychain was asked for and cannot be used: before anybody answers questions, and before a service is asked. */
export function requireKeychainFor(shell: Shell, { wantsKeychain }: KeeperRequest): void {
  if (wantsKeychain) shell.keychain.read(PROBE);
}

/** What keeps the secret. A person is asked where the keychain can be used and nothing was said; nobody else gets another place than was asked for. */
export async function chooseKeeper(
  shell: Shell,
  { wantsKeychain, wantsFile, secretFile }: KeeperRequest,
  account: Pick<Account, 'clientId' | 'tokenUrl'>,
): Promise<SecretKeeper> {
  const [file, keychain] = [keptInFile(secretFile), keptInKeychain(shell.keychain, keychainAccountOf(account))];
  if (wantsKeychain) return keychain;
  if (wantsFile || !canAsk(shell) || !canBeUsed(keychain)) return file;
  const answer = await askToChoose(shell, 'Where should the secret be kept?', [
    { value: 1, label: 'In a file that only you can read: also for scheduled payments' },
    { value: 2, label: 'In the keychain of this computer: while you are logged in' },
  ]);
  if (answer === undefined) throw stopped();
  return answer === 2 ? keychain : file;
}

function canBeUsed(keychain: SecretKeeper): boolean {
  try {
    keychain.isKept();
    return true;
  } catch (error) {
    if (error instanceof Fault && error.code === 'configuration') return false;
    throw error;
  }
}
