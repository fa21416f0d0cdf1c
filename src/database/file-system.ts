/** Finds out what a folder is kept on: a disk of this machine, or something whose locks and syncs cannot be trusted. */
import { existsSync, realpathSync, statfsSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../domain/fault.ts';

/** Where a folder is kept. `unknown` means that the system does not say, or says something that is not known here. */
export type StoragePlace = 'local' | 'network' | 'synchronised' | 'memory' | 'layered' | 'unknown';

export interface FileSystem {
  /** The usual name of the file system, or its number. A folder of a program that copies it elsewhere is named by its path. */
  readonly name: string;
  readonly place: StoragePlace;
}

/** Magic numbers of `statfs(2)` on Linux. */
const types: ReadonlyMap<number, readonly [name: string, place: StoragePlace]> = new Map([
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

/** `\\server\share`, as Windows itself names a folder there, also below a drive that is mapped to a share. */
const WINDOWS_SHARE = /^\\\\(?:\?\\UNC\\)?[^\\?.]/i;

/** Returns where a folder is kept, or will be once it is created. */
export function fileSystemOf(folder: string): FileSystem {
  // The system itself resolves the path: only the system knows what a drive of Windows is mapped to.
  const whole = realpathSync.native(existingAbove(folder));
  const named = fileSystemOfPath(whole);
  if (named) return named;
  if (process.platform !== 'linux') return { name: process.platform, place: 'unknown' };
  // A 32-bit system returns the highest bit as a sign.
  return fileSystemOfType(statfsSync(whole).type >>> 0);
}

/** Returns what can be concluded from the path of a folder alone, or `undefined`. `whole` is the path as the system names it. */
export function fileSystemOfPath(whole: string): FileSystem | undefined {
  if (SYNCHRONISED.test(whole)) return { name: whole, place: 'synchronised' };
  if (WINDOWS_SHARE.test(whole)) return { name: 'a share', place: 'network' };
  return undefined;
}

/** Returns the file system that has this number on Linux. */
export function fileSystemOfType(type: number): FileSystem {
  const [name, place] = types.get(type) ?? [`0x${type.toString(16)}`, 'unknown'];
  return { name, place };
}

/** Returns the space that the disk of a folder has left, in bytes. */
export function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(existingAbove(folder), { bigint: true });
  return Number(bavail * bsize);
}

/** Throws a Fault `ledger-unsafe` for a folder in which no ledger can be relied on. Opens nothing in that folder. */
export function requireLocal(folder: string): void {
  const { name, place } = fileSystemOf(folder);
  if (place !== 'network' && place !== 'synchronised') return;
  const what = place === 'network' ? `is on ${name}` : 'is copied elsewhere by a program';
  throw new Fault(
    'ledger-unsafe',
    `The state folder ${folder} ${what}, so other computers may use it too: two computers could send the same payments. Nothing was sent.`,
    'Set PAYBATCH_HOME to a folder on a local disk of this machine. If its locks and syncs are known to hold all the same, say "stateFolder": "shared" in the profile.',
  );
}

function existingAbove(folder: string): string {
  for (let at = path.resolve(folder); ; at = path.dirname(at)) if (existsSync(at) || at === path.dirname(at)) return at;
}
