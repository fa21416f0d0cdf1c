/** Names of profiles. Each is the name of a folder in the state folder, also on disks that do not distinguish A from a. */
import { Fault } from '../../domain/fault.ts';

/** The profiles of the embedded practice service, and of a base address that only the environment sets. */
export const SANDBOX_PROFILE = 'sandbox';
export const ENVIRONMENT_PROFILE = 'env';

/** Other folders in the state folder. */
const ownFolders = ['logs', 'checkpoints', 'mappings', 'trusted'] as const;

/** Names of devices on Windows, which are taken in every folder. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/** Throws a Fault `configuration` unless the name can be that of a folder, next to those of the other profiles. */
export function requireProfileName(name: string, others: readonly string[]): void {
  const shown = name.slice(0, 60);
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,40}$/.test(name)) {
    throw wrongName(`"${shown}" cannot name a profile.`, 'Use letters, digits, - and _.');
  }
  const folded = name.toLowerCase();
  if (DEVICE.test(folded) || ownFolders.some((own) => own === folded)) {
    throw wrongName(`"${shown}" cannot name a profile: its folder would be another thing.`, 'Use another name.');
  }
  const alike = [SANDBOX_PROFILE, ...others].find((other) => other !== name && other.toLowerCase() === folded);
  if (alike !== undefined) {
    throw wrongName(
      `The profiles "${shown}" and "${alike}" differ only in case, and many disks would give them one ledger.`,
      `Use "${alike}", or another name.`,
    );
  }
}

const wrongName = (message: string, remedy: string): Fault =>
  new Fault('configuration', `${message} Nothing was sent.`, remedy);
