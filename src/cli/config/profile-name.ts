/** Names of profiles: each is a folder of the state folder, also on disks that see no difference between A and a. */
import { Fault } from '../../domain/fault.ts';

/** Profile of the embedded practice service, and of a base address given by the environment alone. */
export const SANDBOX_PROFILE = 'sandbox';
export const ENVIRONMENT_PROFILE = 'env';

/** What else stands in the state folder. */
const ownFolders = ['logs', 'checkpoints', 'mappings', 'trusted'] as const;

/** Devices on Windows, in every folder. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/** A Fault unless this name, beside the others of the configuration, can be that of a folder. */
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
      `The profiles "${shown}" and "${alike}" differ in case alone, and many disks would give them one ledger.`,
      `Use "${alike}", or another name.`,
    );
  }
}

const wrongName = (message: string, remedy: string): Fault =>
  new Fault('configuration', `${message} Nothing was sent.`, remedy);
