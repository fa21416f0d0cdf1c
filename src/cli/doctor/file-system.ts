/** Whether the state folder lies on a disk of this machine: locks and syncs of a network or synchronised folder lie. */
import { realpathSync, statfsSync } from 'node:fs';
import { type Check, type Finding, ok, problem, warning } from './check.ts';

type Place = 'local' | 'network' | 'memory' | 'layered';

/** Magic numbers of `statfs(2)` on Linux. */
const types: ReadonlyMap<number, readonly [name: string, place: Place]> = new Map([
  [0xef53, ['ext4', 'local']],
  [0x58465342, ['XFS', 'local']],
  [0x9123683e, ['Btrfs', 'local']],
  [0xf2f52010, ['F2FS', 'local']],
  [0x2fc12fc1, ['ZFS', 'local']],
  [0xca451a4e, ['bcachefs', 'local']],
  [0x3153464a, ['JFS', 'local']],
  [0x52654973, ['ReiserFS', 'local']],
  [0x794c7630, ['overlay', 'layered']],
  [0x61756673, ['aufs', 'layered']],
  [0x01021994, ['tmpfs', 'memory']],
  [0x858458f6, ['ramfs', 'memory']],
  [0x6969, ['NFS', 'network']],
  [0xff534d42, ['CIFS', 'network']],
  [0xfe534d42, ['SMB', 'network']],
  [0x517b, ['SMB', 'network']],
  [0x65735546, ['FUSE', 'network']],
  [0x01021997, ['9P', 'network']],
  [0x00c36400, ['Ceph', 'network']],
  [0x5346414f, ['AFS', 'network']],
  [0x0bd00bd0, ['Lustre', 'network']],
  [0x786f4256, ['VirtualBox share', 'network']],
  [0xbacbacbc, ['VMware share', 'network']],
]);

/** Folders of programs that copy files elsewhere while they are written. */
const SYNCHRONISED = /onedrive|dropbox|google ?drive|icloud|mobile documents|nextcloud|syncthing/i;

const LOCAL_DISK = 'Set PAYBATCH_HOME to a folder on a local disk of this machine.';

export const fileSystem: Check = {
  name: 'file-system',
  title: 'File system',
  look({ folder }) {
    const whole = realpathSync(folder);
    if (SYNCHRONISED.test(whole)) {
      return warning(
        `${whole} looks like a folder that a program copies elsewhere; that damages a ledger.`,
        LOCAL_DISK,
      );
    }
    if (process.platform !== 'linux') {
      return ok(`Its kind is not known on ${process.platform}; keep the state folder on a local disk.`);
    }
    // A 32-bit system gives the highest bit as a sign.
    return findingOfType(statfsSync(whole).type >>> 0);
  },
};

/** What the type of a file system, as Linux numbers them, means for a ledger. */
export function findingOfType(type: number): Finding {
  const [name, place] = types.get(type) ?? [`0x${type.toString(16)}`, undefined];
  const figures = { type: name, place: place ?? 'unknown' };
  switch (place) {
    case 'local':
      return ok(`${name}, a disk of this machine.`, figures);
    case 'network':
      return problem(
        'ledger-unsafe',
        `${name} is no disk of this machine: what it calls locked or synced need not be.`,
        LOCAL_DISK,
        figures,
      );
    case 'memory':
      return warning(`${name} is memory: the ledger is gone when the machine restarts.`, LOCAL_DISK, figures);
    case 'layered':
      return warning(
        `${name} is the layer of a container: the ledger is gone when the container is removed.`,
        'Mount a volume of the machine, and set PAYBATCH_HOME to a folder on it.',
        figures,
      );
    default:
      return warning(
        `The file system ${name} is not known here.`,
        `Make sure that it is local. ${LOCAL_DISK}`,
        figures,
      );
  }
}
