/** Who runs this process, and on which computer, as far as its system tells. What cannot be read is unknown, which is never a problem here. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import type { LeaseHolder } from '../../ledger/lease.ts';

/** Reading an id of the system takes milliseconds; a program that hangs must not hold up a run. */
const PROGRAM_MS_MAX = 2000;

/** Characters of a hash that tell computers apart. */
const ID_CHARACTERS = 16;

const GUID = /[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}/i;

const REGISTRY_QUERY = ['query', 'HKLM\\SOFTWARE\\Microsoft\\Cryptography', '/v', 'MachineGuid'] as const;

/** Where each system keeps the id that it was given when it was installed. */
const installationIds: Readonly<Partial<Record<NodeJS.Platform, () => string | undefined>>> = {
  linux: () => systemText('/etc/machine-id'),
  darwin: () => GUID.exec(said('ioreg', ['-rd1', '-c', 'IOPlatformExpertDevice']) ?? '')?.[0],
  win32: () => GUID.exec(said('reg', REGISTRY_QUERY) ?? '')?.[0],
};

/**
 * Tells this computer from any other, and nothing else about it. By its name and the id of its installation, because
 * installations are copied with their id; without the suffix of the name, which changes with the network. `named`: what the
 * operator calls it instead, where the system has no lasting name (a container that is new for every run).
 */
export function machineId(named?: string): string {
  const [name = ''] = hostname().split('.');
  const parts = named ? ['named', named] : [name.toLowerCase(), installationIds[process.platform]?.() ?? ''];
  const hash = createHash('sha256').update(JSON.stringify(['paybatch', ...parts]));
  return hash.digest('hex').slice(0, ID_CHARACTERS);
}

const systemText = (file: string): string | undefined => known(() => readFileSync(file, 'utf8').trim());

const said = (program: string, args: readonly string[]): string | undefined =>
  known(() =>
    execFileSync(program, args, { encoding: 'utf8', timeout: PROGRAM_MS_MAX, stdio: ['ignore', 'pipe', 'ignore'] }),
  );

/** What the system says; undefined where it has no such file or program. */
function known(read: () => string): string | undefined {
  try {
    return read() || undefined;
  } catch (error) {
    if (error instanceof Error && ('code' in error || 'status' in error)) return undefined;
    throw error;
  }
}

/** The user and the machine, for the record. A user of a container has a number and often no name. */
export function makerName(): string {
  return `${userName() ?? `user ${process.geteuid?.()}`}@${hostname()}`;
}

/** The name of the user; undefined where the system has none for the number. */
export function userName(): string | undefined {
  try {
    return userInfo().username;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_SYSTEM_ERROR') return undefined;
    throw error;
  }
}

/** This process, as it takes a ledger's lease. `machineName`: see `machineId`. */
export const thisProcess = (description: string, machineName?: string): LeaseHolder => ({
  host: hostname(),
  machine: machineId(machineName),
  pid: process.pid,
  description,
});
