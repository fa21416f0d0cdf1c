/** The user and the computer of this process, as far as the system says. Missing information is never an error here. */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { codeOf } from '../../domain/fault.ts';
import type { LeaseHolder } from '../../ledger/lease.ts';

/**
 * Time limit, in milliseconds, of a program that reads an id of the system. It needs a few; one that hangs must not delay a
 * run.
 */
const PROGRAM_MS_MAX = 2000;

/** Characters of the hash that are kept to distinguish computers. */
const ID_CHARACTERS = 16;

const GUID = /[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}/i;

const REGISTRY_QUERY = ['query', 'HKLM\\SOFTWARE\\Microsoft\\Cryptography', '/v', 'MachineGuid'] as const;

/** Reads the id that each system was given when it was installed. */
const installationIds: Readonly<Partial<Record<NodeJS.Platform, () => string | undefined>>> = {
  linux: () => systemText('/etc/machine-id'),
  darwin: () => GUID.exec(said('ioreg', ['-rd1', '-c', 'IOPlatformExpertDevice']) ?? '')?.[0],
  win32: () => GUID.exec(said('reg', REGISTRY_QUERY) ?? '')?.[0],
};

/**
 * Returns an id that distinguishes this computer from any other, and says nothing else about it. It is built from the name
 * of the computer and the id of its installation, because installations are copied with their id. The domain is left out of
 * the name, because it changes with the network. `named`: what the operator calls the computer instead, if its system has
 * no lasting name (a container that is new for every run).
 */
function machineId(named?: string): string {
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

/** Returns what the system says; `undefined` if it has no such file or program. */
function known(read: () => string): string | undefined {
  try {
    return read() || undefined;
  } catch (error) {
    if (error instanceof Error && ('code' in error || 'status' in error)) return undefined;
    throw error;
  }
}

/** Returns user and machine for the record. A user of a container has a number and often no name. */
export function makerName(): string {
  return `${userName() ?? `user ${process.geteuid?.()}`}@${hostname()}`;
}

/** Returns the name of the user; `undefined` if the system has none for the number. */
export function userName(): string | undefined {
  try {
    return userInfo().username;
  } catch (error) {
    if (codeOf(error) === 'ERR_SYSTEM_ERROR') return undefined;
    throw error;
  }
}

/** Returns this process as the holder of a lease of a ledger. `machineName`: see `machineId`. */
export const thisProcess = (description: string, machineName?: string): LeaseHolder => ({
  host: hostname(),
  machine: machineId(machineName),
  pid: process.pid,
  description,
});
