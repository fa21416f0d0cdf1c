/** A text that must be nowhere: every spelling in which it could slip out, and everything in which it is looked for. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';

/** Something that is kept or was said. */
export interface Kept {
  readonly name: string;
  readonly bytes: Buffer;
}

export const asKept = (name: string, text: string): Kept => ({ name, bytes: Buffer.from(text) });

/** Every spelling in which a secret could slip out. */
export const spellingsOf = (secret: string): readonly string[] => [
  secret,
  encodeURIComponent(secret),
  new URLSearchParams({ s: secret }).toString().slice(2),
  JSON.stringify(secret).slice(1, -1),
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  Buffer.from(secret).toString('base64url'),
  Buffer.from(secret).toString('hex'),
];

/** Every file below a folder. */
export const filesBelow = (folder: string): readonly Kept[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((name) => statSync(name).isFile())
    .map((name) => ({ name, bytes: readFileSync(name) }));

/** The names of those in which a text stands in any spelling; workbooks are looked at inside. */
export async function namesWith(secret: string, kept: readonly Kept[]): Promise<readonly string[]> {
  const spellings = spellingsOf(secret);
  const whole = (await Promise.all(kept.map(unpacked))).flat();
  return whole.filter(({ bytes }) => spellings.some((one) => bytes.includes(one))).map(({ name }) => name);
}

const ZIP = Buffer.from('PK\u0003\u0004', 'latin1');

async function unpacked({ name, bytes }: Kept): Promise<readonly Kept[]> {
  if (!bytes.subarray(0, ZIP.length).equals(ZIP)) return [{ name, bytes }];
  const archive = await fromBufferPromise(bytes);
  const parts: Kept[] = [];
  for await (const entry of archive.eachEntry()) {
    const part = `${name}/${entry.fileName}`;
    parts.push({ name: part, bytes: await buffer(await archive.openReadStreamPromise(entry)) });
  }
  return parts;
}
