/**
 * The record of single calls that may act: `api-calls.ndjson` in the profile's state folder. The identifier and the exact body are
 * on disk before the request leaves, so that a call can be looked up and is not sent again, whatever happens.
 */

import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { type Clock, isoTime, type Random } from '../../domain/clock.ts';
import { Fault, systemCode } from '../../domain/fault.ts';
import { sha256 } from '../../domain/ids.ts';
import { jsonIn } from '../../domain/json.ts';
import type { Forgets } from '../../domain/purged.ts';
import { syncFolder } from '../../files/folders.ts';
import type { Reply, ReplyTag } from '../../service/client/reply.ts';

const CALLS_FILE = 'api-calls.ndjson';

/** A call that may act. */
export interface ActingCall {
  readonly operation: string;
  /** The identifier under which the service knows the call; `undefined` for operations that have none. */
  readonly id: string | undefined;
  /** The exact bytes that are sent. */
  readonly body: string;
}

/** An earlier call of the same operation under the same identifier that may have arrived. */
interface EarlierCall {
  readonly at: string;
  /** Absent if no answer was recorded. */
  readonly tag?: string;
}

/** Replies after which the service did not act, so that the same identifier may be sent again. */
const withoutEffect: readonly ReplyTag[] = ['refused', 'not-sent'];

const recorded = z.looseObject({
  at: z.string(),
  event: z.enum(['leaving', 'answered']),
  /** Joins an answer to its call. */
  call: z.string(),
  operation: z.string(),
  id: z.string().nullish(),
  tag: z.string().optional(),
});

/** The record, as one call reads and writes it. */
export class CallRecord {
  readonly path: string;
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #call: string;

  constructor(folder: string, clock: Clock, random: Random) {
    this.path = path.join(folder, CALLS_FILE);
    this.#folder = folder;
    this.#clock = clock;
    this.#call = Math.trunc(random() * 2 ** 40).toString(36);
  }

  /**
   * Throws a Fault `already-paid` if an earlier call under this identifier may have arrived, and `ledger-unsafe` if the record
   * cannot be read.
   */
  refuseAgain(call: ActingCall): void {
    const earlier = this.#earlier(call).at(-1);
    if (!earlier) return;
    throw new Fault(
      'already-paid',
      `${call.operation} left this computer under ${call.id} at ${earlier.at} (${earlier.tag ?? 'no answer recorded'}). Nothing was sent.`,
      'Look up what became of it; a new request needs its own identifier.',
    );
  }

  /**
   * Records that a call leaves, and returns when this is on disk. Throws a Fault, and then the call must not leave, if it cannot
   * be written, or if another process recorded a call under the same identifier first: of two that wrote at the same time, both
   * see which was the first.
   */
  leaving(call: ActingCall): void {
    try {
      this.#append({ event: 'leaving', ...this.#keyOf(call), body: call.body });
    } catch (error) {
      throw this.#unsafe('written', error);
    }
    if (this.#earlier(call).length > 0) this.answered(call, { tag: 'not-sent', reason: 'another call was first' });
    this.refuseAgain(call);
  }

  /** Records the reply to a call. Returns false if that cannot be written: the call then counts as one without an answer. */
  answered(call: ActingCall, reply: Reply<unknown>): boolean {
    const status = 'status' in reply ? { status: reply.status } : {};
    // A call without a token never left. Any other refusal may be by an intermediary, on the way back, and proves nothing.
    const tag = reply.tag === 'unauthorised' && reply.unsent ? 'not-sent' : reply.tag;
    try {
      this.#append({ event: 'answered', ...this.#keyOf(call), tag, ...status });
      return true;
    } catch (error) {
      systemCode(error);
      return false;
    }
  }

  /** Returns the calls under the same identifier, recorded before this one, on which the service may have acted; in their order. */
  #earlier({ operation, id }: ActingCall): readonly EarlierCall[] {
    const open = new Map<string, EarlierCall>();
    if (id === undefined) return [];
    let own = false;
    for (const { at, event, call, tag, ...line } of this.#lines()) {
      if (line.operation !== operation || line.id !== id) continue;
      if (call === this.#call) own = true;
      else if (event === 'leaving' && !own) open.set(call, { at });
      else if ((withoutEffect as readonly unknown[]).includes(tag)) open.delete(call);
      else if (open.has(call) && tag !== undefined) open.set(call, { at, tag });
    }
    return [...open.values()];
  }

  #keyOf({ operation, id, body }: ActingCall): object {
    return { call: this.#call, operation, id: id ?? null, sha256: sha256(body) };
  }

  #append(entry: object): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const isNew = !existsSync(this.path);
    const line = JSON.stringify({ v: 1, at: isoTime(this.#clock.now()), ...entry });
    const file = openSync(this.path, 'a', 0o600);
    try {
      // A line that a crash cut off must not swallow the new one.
      const bytes = Buffer.from(`${isNew || this.#endsWhole() ? '' : '\n'}${line}\n`);
      for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    // The name of a new file survives a power cut only if its folder is synced.
    if (isNew) syncFolder(this.#folder);
  }

  #endsWhole(): boolean {
    const content = readFileSync(this.path);
    return content.length === 0 || content.at(-1) === 0x0a;
  }

  #text(): string {
    try {
      return readFileSync(this.path, 'utf8');
    } catch (error) {
      throw this.#unsafe('read', error);
    }
  }

  #unsafe(done: 'read' | 'written', cause: unknown): Fault {
    return new Fault(
      'ledger-unsafe',
      `The record ${this.path} cannot be ${done} (${systemCode(cause)}). Nothing was sent.`,
      'Check the permissions of the state folder and the space on its disk.',
      { cause },
    );
  }

  /** Reads the lines of the record. A line that was cut off was never complete on disk, so its request never left. */
  *#lines(): Generator<z.infer<typeof recorded>> {
    if (!existsSync(this.path)) return;
    for (const line of this.#text().split('\n')) {
      const read = recorded.safeParse(jsonIn(line));
      if (read.success) yield read.data;
    }
  }
}

/**
 * The hash of a body in its line, and the body itself, which comes last. The body is found in a line that was cut off as well,
 * because quotes inside a text are escaped.
 */
const HASH = /"sha256":"([0-9a-f]{64})"/d;
const BODY = /"body":"(.*?)(?:"\})?$/d;

/** New bytes, and the offset at which they replace the old ones. */
interface Overwritten {
  readonly at: number;
  readonly bytes: Buffer;
}

/**
 * Removes bodies from the record, and returns the number of calls whose body was removed. The operation, the time, the identifier
 * and the answer of a call stay, so a call that may have arrived is still refused. Another process may add a call at any moment,
 * so the file is neither replaced nor shortened: the bytes of a body are overwritten in place. `folder`: state folder of the
 * profile.
 */
export async function forgetCalls(folder: string, forgets: Forgets): Promise<number> {
  const file = path.join(folder, CALLS_FILE);
  if (!existsSync(file)) return 0;
  const content = readFileSync(file);
  const overwritten: Overwritten[] = [];
  let forgotten = 0;
  // In latin1 one byte is one character, so an offset in the text is an offset in the file.
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

/** Returns the place that a pattern finds in a line; none if it was overwritten before. */
function placesOf(pattern: RegExp, line: string, filler: string): readonly Overwritten[] {
  const [from, to] = pattern.exec(line)?.indices?.[1] ?? [0, 0];
  const text = line.slice(from, to);
  return text.replaceAll(filler, '') === '' ? [] : [{ at: from, bytes: Buffer.alloc(to - from, filler) }];
}

/**
 * Reports whether the body of a line is to be removed. A line that cannot be read was never complete on disk, so its request never
 * left; its body is removed with the others.
 */
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
