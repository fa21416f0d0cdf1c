/** Whether the state folder lies on a disk of this machine: locks and syncs of a network or synchronised folder lie. */
import { unreachable } from '../../domain/invariant.ts';
import { type FileSystem, fileSystemOf } from '../../ledger/file-system.ts';
import { type Check, type Finding, ok, problem, warning } from './check.ts';

const LOCAL_DISK = 'Set PAYBATCH_HOME to a folder on a local disk of this machine.';

export const fileSystem: Check = {
  name: 'file-system',
  title: 'File system',
  look: ({ folder, loaded }) => findingOfFileSystem(fileSystemOf(folder), loaded.profile.stateFolder === 'shared'),
};

/** What a file system means for a ledger. `isAccepted`: the profile says that a shared one is good enough. */
export function findingOfFileSystem({ name, place }: FileSystem, isAccepted = false): Finding {
  const figures = { type: name, place };
  const unsafe = (message: string): Finding =>
    isAccepted
      ? warning(`${message} The profile accepts it.`, LOCAL_DISK, figures)
      : problem('ledger-unsafe', message, LOCAL_DISK, figures);
  switch (place) {
    case 'local':
      return ok(`${name}, a disk of this machine.`, figures);
    case 'network':
      return unsafe(`${name} is no disk of this machine: what it calls locked or synced need not be.`);
    case 'synchronised':
      return unsafe(`${name} looks like a folder that a program copies elsewhere; that damages a ledger.`);
    case 'memory':
      return warning(`${name} is memory: the ledger is gone when the machine restarts.`, LOCAL_DISK, figures);
    case 'layered':
      return warning(
        `${name} is the layer of a container: the ledger is gone when the container is removed.`,
        'Mount a volume of the machine, and set PAYBATCH_HOME to a folder on it.',
        figures,
      );
    case 'unknown':
      if (process.platform !== 'linux') {
        return ok(`Its kind is not known on ${name}; keep the state folder on a local disk.`, figures);
      }
      return warning(
        `The file system ${name} is not known here.`,
        `Make sure that it is local. ${LOCAL_DISK}`,
        figures,
      );
    default:
      return unreachable(place);
  }
}
