import { rmSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../../domain/fault.ts';
import { shown } from '../../domain/shown-text.ts';
import { syncFolder } from '../../files/folders.ts';
import { cliCommand } from '../command.ts';
import { answered } from '../screens/answered.ts';
import { isKept } from '../setup/kept-files.ts';
import { keptSecretFile, liveProfile, sharersOf } from '../setup/kept-secret.ts';

export const logout = cliCommand({
  name: 'logout',
  summary: 'remove the kept client secret of the profile; its settings and its ledger stay',
  declare: (command) => command,
  async run(shell) {
    const profile = liveProfile(shell);
    const { profileName } = profile;
    const file = keptSecretFile(shell, profile);
    const wasKept = isKept(file);
    if (wasKept) remove(file);
    const sharers = sharersOf(profile, file, shell.cwd);
    return answered(shell, { type: 'logout', profile: profileName, secretFile: file, wasKept, sharers }, [
      wasKept
        ? `${shown(file)} is removed. Copies of it elsewhere, as in a back-up, are not.`
        : `No secret is kept in ${shown(file)}.`,
      ...(sharers.length > 0 ? [`WARN      It was the secret of ${sharers.join(', ')} as well.`] : []),
      `Commands of the profile ${profileName} end with 2 until: paybatch login --profile ${profileName}`,
    ]);
  },
});

/** The removal survives a power cut, as the secret would have. */
function remove(file: string): void {
  try {
    rmSync(file);
    syncFolder(path.dirname(file));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    const message = `${shown(file)} cannot be removed (${String(error.code)}): the secret is still there.`;
    throw new Fault('file-unwritten', message, 'Look at the rights of its folder.', { cause: error });
  }
}
