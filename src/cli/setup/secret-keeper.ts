/** What keeps the secret of a profile, so that it can be changed and removed: a file of ours, or the keychain of the system. */
import { shown } from '../../domain/shown-text.ts';
import type { Keychain } from '../keychain/keychain.ts';
import { isKept, keepSecret, rememberKept, removeSecret } from './kept-files.ts';

/** Each of its functions throws a Fault when it cannot do what it says. */
export interface SecretKeeper {
  /** Where it is, in words for people. */
  readonly where: string;
  /** Where it is, for programs. */
  readonly told: { readonly secretFile: string } | { readonly secretKeychain: string };
  /** The settings of the profile that name it. */
  readonly settings: { readonly clientSecretFile?: string; readonly clientSecretKeychain?: true };
  isKept(): boolean;
  keep(secret: string): void;
  remove(): void;
  /** What puts back the secret that is there now. */
  remember(): () => void;
}

export const keptInFile = (file: string): SecretKeeper => ({
  where: `${shown(file)}, for you alone`,
  told: { secretFile: file },
  settings: { clientSecretFile: file },
  isKept: () => isKept(file),
  keep: (secret) => keepSecret(file, secret),
  remove: () => removeSecret(file),
  remember: () => rememberKept(file),
});

/** `account`: the name that it is kept under. */
export const keptInKeychain = (keychain: Keychain, account: string): SecretKeeper => ({
  where: `the keychain of this system, as paybatch: ${shown(account)}`,
  told: { secretKeychain: account },
  settings: { clientSecretKeychain: true },
  isKept: () => keychain.read(account) !== undefined,
  keep: (secret) => keychain.keep(account, secret),
  remove: () => void keychain.remove(account),
  remember() {
    const before = keychain.read(account);
    return () => (before === undefined ? void keychain.remove(account) : keychain.keep(account, before));
  },
});
