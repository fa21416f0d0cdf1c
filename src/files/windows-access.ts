/**
 * Reads from the access list of a file on Windows who else may write or read it. Node.js does not offer that list, so PowerShell is
 * asked for it as a security descriptor string (SDDL, Microsoft's "Security Descriptor String Format"), which is the same in every
 * language of Windows. Not yet tried on Windows itself. If PowerShell cannot be asked, the file is accepted.
 */
import { spawnSync } from 'node:child_process';

/** What others may do with a file, in words; absent if no one else may. */
export interface OthersAccess {
  readonly write?: string;
  readonly read?: string;
}

/** Absolute path, because another program of that name may be in the working folder. */
const POWERSHELL = String.raw`C:\Windows\System32\WindowsPowerShell\v1.0\powershell.exe`;
/** Longest wait for PowerShell, in milliseconds; it starts in a second or two. */
const ASK_MS_MAX = 15_000;

/** Access rights as bits, as the kernel uses them. */
const READ_DATA = 0x1;
const READ_ALL = 0x8000_0000 + 0x1000_0000 + READ_DATA;
/** Rights to write or append data, to change the access list or the owner, and to delete and so replace the file. */
const WRITE_ALL = 0x4000_0000 + 0x1000_0000 + 0x8_0000 + 0x4_0000 + 0x1_0000 + 0x4 + 0x2;

/** The letters of the format for rights of files, and for the single bits that these consist of. */
const rightsOf: Readonly<Record<string, number>> = {
  FA: 0x1f_01ff,
  FR: 0x12_0089,
  FW: 0x12_0116,
  FX: 0x12_00a0,
  GA: 0x1000_0000,
  GR: 0x8000_0000,
  GW: 0x4000_0000,
  GX: 0x2000_0000,
  SD: 0x1_0000,
  RC: 0x2_0000,
  WD: 0x4_0000,
  WO: 0x8_0000,
  CC: 0x1,
  DC: 0x2,
  LC: 0x4,
  SW: 0x8,
  RP: 0x10,
  WP: 0x20,
  DT: 0x40,
  LO: 0x80,
  CR: 0x100,
};

/** Accounts that count as the user: the system, its administrators, its installer, and the owner or creator of the file. */
const own: ReadonlySet<string> = new Set([
  'SY',
  'BA',
  'LA',
  'OW',
  'CO',
  'S-1-5-18',
  'S-1-5-32-544',
  'S-1-3-0',
  'S-1-3-4',
  'S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464',
]);

const names: Readonly<Record<string, string>> = {
  WD: 'everybody',
  'S-1-1-0': 'everybody',
  AU: 'everybody who is signed in',
  'S-1-5-11': 'everybody who is signed in',
  BU: 'every user of this computer',
  'S-1-5-32-545': 'every user of this computer',
};

const nameOf = (account: string): string => names[account] ?? `another account (${account})`;

const asked = new Map<string, OthersAccess>();

/** Returns what others may do with a file. A process asks about each file only once. */
export function othersAccess(file: string): OthersAccess {
  const known = asked.get(file);
  if (known) return known;
  const { sddl, user } = ask(file);
  const access = sddl && user ? accessIn(sddl, user) : {};
  asked.set(file, access);
  return access;
}

function ask(file: string): { readonly sddl?: string | undefined; readonly user?: string | undefined } {
  const script = `(Get-Acl -LiteralPath '${file.replaceAll("'", "''")}').Sddl; [Security.Principal.WindowsIdentity]::GetCurrent().User.Value`;
  const encoded = Buffer.from(script, 'utf16le').toString('base64');
  const { stdout, status } = spawnSync(POWERSHELL, ['-NoProfile', '-NonInteractive', '-EncodedCommand', encoded], {
    encoding: 'utf8',
    timeout: ASK_MS_MAX,
    windowsHide: true,
  });
  const [sddl, user] = status === 0 ? stdout.split(/\r?\n/).map((line) => line.trim()) : [];
  return { sddl, user };
}

/** Reads a security descriptor. `user` is the account of this process, as `S-1-…`. */
export function accessIn(sddl: string, user: string): OthersAccess {
  const isOwn = (account: string): boolean => account === user || own.has(account);
  const [, owner = ''] = /O:(S-[\d-]+|[A-Z]{2})/.exec(sddl) ?? [];
  if (!isOwn(owner)) return bothTo(nameOf(owner));
  const [, list] = /D:([A-Z_]*(?:\([^()]*\))*)/.exec(sddl) ?? [];
  // Without an access list, everybody may do everything.
  if (list === undefined || list.includes('NO_ACCESS_CONTROL')) return bothTo('everybody');
  const others = [...list.matchAll(/\(([^()]*)\)/g)].map(([, entry = '']) => entryOf(entry)).filter(isGiven);
  const [writer, reader] = [WRITE_ALL, READ_ALL].map(
    (wanted) => others.find(({ account, rights }) => !isOwn(account) && hasAny(rights, wanted))?.account,
  );
  return {
    ...(writer !== undefined && { write: `${nameOf(writer)} can write to it` }),
    ...(reader !== undefined && { read: `${nameOf(reader)} can read it` }),
  };
}

const bothTo = (who: string): OthersAccess => ({ write: `${who} can write to it`, read: `${who} can read it` });

interface Entry {
  readonly type: string;
  readonly flags: string;
  readonly rights: number;
  readonly account: string;
}

function entryOf(text: string): Entry {
  const [type = '', flags = '', rights = '', , , account = ''] = text.split(';');
  const letters = rights.match(/../g) ?? [];
  const isNumber = rights.startsWith('0x');
  const sum = letters.reduce((bits, two) => bits + (rightsOf[two] ?? 0) - common(bits, rightsOf[two] ?? 0), 0);
  return { type, flags, account, rights: isNumber ? Number(rights) : sum };
}

/** Reports whether an entry allows something on the file itself, and not only on what is created in it. */
const isGiven = ({ type, flags }: Entry): boolean => (type === 'A' || type === 'XA') && !/^(?:..)*IO/.test(flags);

/** Returns the bits that both numbers have. It uses BigInt, because the highest bit makes a number of 32 bits negative. */
const common = (one: number, other: number): number => Number(BigInt(one) & BigInt(other));
const hasAny = (rights: number, wanted: number): boolean => common(rights, wanted) !== 0;
