/** What a set-up leaves: the secret, in a file of its own or in the keychain, and the configuration. Both are written, or none. */
import { createHash } from 'node:crypto';
import { lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../../domain/fault.ts';
import { shown } from '../../domain/shown-text.ts';
import { removePrivateFile, writePrivateFile } from '../../files/private-file.ts';
import type { Shell } from '../shell.ts';

/** Characters of a hash that tell two configuration files apart. */
const HASH_CHARACTERS = 8;

/**
 * Where the secret of a profile is kept unless somebody names another place: in the folder of the user's own configuration, and
 * never beside a file that others may see. Profiles of other files have a part of their path in the name.
 */
export function ownSecretFile(shell: Shell, { file, profileName }: { file: string; profileName: string }): string {
  const { ownFile } = shell.places();
  const of = file === ownFile ? '' : `-${createHash('sha256').update(file).digest('hex').slice(0, HASH_CHARACTERS)}`;
  return path.join(path.dirname(ownFile), 'secrets', `${profileName}${of}`);
}

/** Whether a secret is kept there. A Fault `configuration` for a link, a pipe or a device, which are not ours to change. */
export function isKept(file: string): boolean {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (!found || found.isFile()) return found !== undefined;
  throw new Fault(
    'configuration',
    `${shown(file)} is a link, or no file: what it leads to is not ours to change. Nothing was changed.`,
    'Change the secret where it comes from, or name another file for it.',
  );
}

/** Puts a secret into its file. A Fault `file-unwritten` when the disk refuses, and `configuration` for a place that is not ours. */
export function keepSecret(file: string, secret: string): void {
  isKept(file);
  written(file, () => writePrivateFile(file, `${secret}\n`));
}

/** What puts a file back as it is now. */
export function rememberKept(file: string): () => void {
  const before = isKept(file) ? readFileSync(file, 'utf8') : undefined;
  return () => (before === undefined ? removePrivateFile(file) : writePrivateFile(file, before));
}

/** Removes a secret for good. A Fault `file-unwritten` when the disk refuses. */
export function removeSecret(file: string): void {
  try {
    removePrivateFile(file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    const message = `${shown(file)} cannot be removed (${String(error.code)}): the secret is still there.`;
    throw new Fault('file-unwritten', message, 'Look at the rights of its folder.', { cause: error });
  }
}

/** Keeps the secret, and then writes the configuration that says where it is. When that fails, the secret is as it was before. */
export function keepProfile(
  keeper: { keep(secret: string): void; remember(): () => void },
  secret: string,
  config: { readonly file: string; readonly text: string },
): void {
  const putBack = keeper.remember();
  keeper.keep(secret);
  try {
    written(config.file, () => writePrivateFile(config.file, config.text));
  } catch (error) {
    putBack();
    throw error;
  }
}

function written(file: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new Fault(
      'file-unwritten',
      `${shown(file)} cannot be written (${String(error.code)}). Nothing was written.`,
      'Look at the disk and the rights of its folder, or name another place: --config FILE, --secret-file FILE',
      { cause: error },
    );
  }
}
