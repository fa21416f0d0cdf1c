/** Evidence packs in the hands of somebody who changes them: opened, edited, listed and signed again. */
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { type ZipPart, zipBytes } from './sheets/xlsx-bytes.ts';
import { zipMembers } from './zip-members.ts';

/** Its files by name, in their order. */
export type PackFiles = Map<string, Buffer>;

export const packFilesIn: (path: string) => Promise<PackFiles> = zipMembers;

export const partsOf = (files: PackFiles): ZipPart[] => [...files].map(([name, content]) => ({ name, content }));

/** A zip of these files that is whole as a zip. */
export const packed = (files: PackFiles): Buffer => zipBytes(partsOf(files));

/** With one file put through `change`, which sees its text. */
export function changed(files: PackFiles, name: string, change: (text: string) => string): PackFiles {
  const before = files.get(name)?.toString('latin1') ?? '';
  const after = change(before);
  if (before === after) throw new Error(`${name} was to be changed`);
  return new Map([...files, [name, Buffer.from(after, 'latin1')]]);
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** The list of hashes made again, so that it fits what was changed. Its signature does not. */
export function listed(files: PackFiles): PackFiles {
  const [first = ''] = (files.get('SHA256SUMS')?.toString() ?? '').split('\n');
  const names = [...files.keys()].filter((name) => !name.startsWith('SHA256SUMS'));
  const lines = names.map((name) => `${sha256(files.get(name) ?? Buffer.alloc(0))}  ${name}\n`);
  return new Map([...files, ['SHA256SUMS', Buffer.from(`${first}\n${lines.join('')}`)]]);
}

/** Everything signed again with a key of the forger, who hands out a pack that is whole in itself. */
export function signedAnew(files: PackFiles): { readonly files: PackFiles; readonly key: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const key = publicKey.export({ format: 'jwk' }).x ?? '';
  const head = signatureOf(privateKey, files.get('head.txt') ?? Buffer.alloc(0));
  const forged = changed(files, 'pack.json', (text) =>
    text
      .replace(/"key": "[^"]+"/, `"key": "${key}"`)
      .replace(/"signature": "[^"]+"/, `"signature": "${head.toString('base64url')}"`),
  );
  forged.set('head.sig', head);
  forged.set('ledger-key.pem', Buffer.from(publicKey.export({ format: 'pem', type: 'spki' }).toString()));
  const all = listed(forged);
  all.set('SHA256SUMS.sig', signatureOf(privateKey, all.get('SHA256SUMS') ?? Buffer.alloc(0)));
  return { files: all, key };
}

const signatureOf = (key: KeyObject, text: Buffer): Buffer => sign(null, text, key);
