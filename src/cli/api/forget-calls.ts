/**
 * Takes bodies out of the record of single calls. What was called, when, under which identifier and how it was answered stays: a
 * call that may have arrived is still refused.
 *
 * Another process may add a call at any moment, so the file is neither replaced nor shortened: the bytes of a body are
 * overwritten where they stand.
 */
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { Forgets } from '../../domain/purged.ts';
import { CALLS_FILE } from './call-record.ts';

/** Where a line has the hash of its body, and the body, which is the last thing in it, also where the line was cut off: quotes inside of a text are escaped. */
const HASH = /"sha256":"([0-9a-f]{64})"/d;
const BODY = /"body":"(.*?)(?:"\})?$/d;

/** Bytes of a line, from its beginning, with what stands there from now on. */
interface Overwritten {
  readonly at: number;
  readonly bytes: Buffer;
}

/** Gives the number of calls that were forgotten. `folder`: state folder of the profile. */
export async function forgetCalls(folder: string, forgets: Forgets): Promise<number> {
  const file = path.join(folder, CALLS_FILE);
  if (!existsSync(file)) return 0;
  const content = readFileSync(file);
  const overwritten: Overwritten[] = [];
  let forgotten = 0;
  // One byte is one character here, so a place in the text is one in the file.
  let start = 0;
  for (const line of content.toString('latin1').split('\n')) {
    const from = start;
    start += line.length + 1;
    const places = [...placesOf(HASH, line, '0'), ...placesOf(BODY, line, ' ')];
    if (places.length === 0 || !(await isForgotten(line, forgets))) continue;
    forgotten += BODY.test(line) ? 1 : 0;
    overwritten.push(...places.map(({ at, bytes }) => ({ at: from + at, bytes })));
  }
  if (overwritten.length > 0) overwrite(file, overwritten);
  return forgotten;
}

/** None where it was overwritten before. */
function placesOf(pattern: RegExp, line: string, filler: string): readonly Overwritten[] {
  const [from, to] = pattern.exec(line)?.indices?.[1] ?? [0, 0];
  const text = line.slice(from, to);
  return text.replaceAll(filler, '') === '' ? [] : [{ at: from, bytes: Buffer.alloc(to - from, filler) }];
}

/** A line that cannot be read was never whole on disk, so nobody sent what it holds; its body is forgotten with the rest. */
async function isForgotten(line: string, forgets: Forgets): Promise<boolean> {
  const [, at = ''] = /"at":"([^"]+)"/.exec(line) ?? [];
  const [, id = ''] = /"id":"([^"]+)"/.exec(line) ?? [];
  return forgets(id.toLowerCase(), Date.parse(at) || 0);
}

function overwrite(file: string, places: readonly Overwritten[]): void {
  const handle = openSync(file, 'r+');
  try {
    for (const { at, bytes } of places) {
      for (let done = 0; done < bytes.length; ) done += writeSync(handle, bytes, done, bytes.length - done, at + done);
    }
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
