/**
 * Writes the evidence pack of a batch: one zip with everything that proves what became of it. The same ledger, time zone and
 * version give the same bytes. Files are streamed into the zip, and never held in memory as a whole.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { BatchHeader } from '../../domain/batch.ts';
import { isoTime } from '../../domain/clock.ts';
import { Fault } from '../../domain/fault.ts';
import { invariant } from '../../domain/invariant.ts';
import type { Settings } from '../../domain/settings.ts';
import { type WrittenFile, writeWholeFile } from '../../files/whole-file.ts';
import type { BatchEvidence } from '../../ledger/batch-evidence.ts';
import type { SignList } from '../../ledger/evidence.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { batchFileName } from '../../results/file-name.ts';
import { RESULTS_SCHEMA } from '../../results/made-text.ts';
import { knownEnd } from '../../results/run-end.ts';
import { derivedFiles, document } from './derived.ts';
import { factLines, rangeLines, requestLines, rowLines } from './evidence-lines.ts';
import { howToCheck } from './how-to-check.ts';
import { type KeptFile, type KeptFiles, keptFiles } from './kept-files.ts';
import { type Member, member, PACK_VERSION, type Pack, SUMS_LINE } from './members.ts';
import { PACK_ENDING } from './pack-name.ts';

/** The notice at the top of every pack that names people, for anyone who opens or forwards it. */
const PERSONAL_DATA =
  'This pack holds personal data: names, phones, accounts and amounts. Send it only to the people who must check the batch, and delete it afterwards.';
const NO_PERSONAL_DATA = 'Names, phones and accounts of this batch were purged before the pack was made.';

/** Every member has the first date that a zip can hold, so that the bytes of a pack depend only on its content. */
const MEMBER = { mtime: new Date(1980, 0, 1), forceDosTimestamp: true, mode: 0o100600 } as const;

/** Characters that are gathered before they are written. */
const CHUNK_CHARACTERS = 64 * 1024;

/** Where the pack goes, and which files may be added to it. */
export interface PackPlace {
  /** Folder for the pack; absent: next to the sheet. */
  readonly folder?: string | undefined;
  /** Path of the pack, which overrides `folder`. */
  readonly file?: string | undefined;
  /** Files among which sheet and plan are looked for, in addition to their original places. */
  readonly given?: readonly string[] | undefined;
}

/** A file of the pack: its name, and a function that reads its bytes. */
interface PackFile {
  readonly name: Member;
  readonly bytes: () => AsyncIterable<Buffer>;
}

/**
 * Writes the pack, from the ledger as it is at one moment; a run may continue in the meantime. `kept`: the sheet and the plan
 * that were found and added.
 */
export async function packBatch(
  batch: BatchHeader,
  { ledger, settings, version }: { readonly ledger: Ledger; readonly settings: Settings; readonly version: string },
  { folder = batch.sheet.folder, file, given = [] }: PackPlace = {},
): Promise<WrittenFile & { readonly kept: KeptFiles }> {
  const { unconfirmed } = await knownEnd(batch, ledger);
  const target = file ?? path.join(folder, batchFileName(batch, PACK_ENDING));
  return ledger.evidence(batch.id, async (evidence, signList) => {
    const isPurged = await arePeopleDeleted(evidence);
    // The people of a purged batch must be forgotten, and the user's own files would still name them.
    const kept = isPurged ? {} : await keptFiles(evidence.header, given);
    const pack = await packOf(evidence, kept, {
      notice: isPurged ? NO_PERSONAL_DATA : PERSONAL_DATA,
      inRecovery: unconfirmed !== undefined,
      madeWith: version,
      timezone: settings.timezone,
    });
    return { ...(await writeZip(target, await filesOf(evidence, pack, kept), signList)), kept };
  });
}

/** Writes the whole zip, or nothing: see `writeWholeFile`. */
const writeZip = (target: string, files: readonly PackFile[], signList: SignList): Promise<WrittenFile> =>
  writeWholeFile(target, 'report', async ({ stream, signal }) => {
    const zip = new ZipFile();
    const { outputStream: output } = zip;
    invariant(output instanceof Readable, 'yazl writes into a stream of Node.js');
    let source: Readable | undefined;
    const sums = [`${SUMS_LINE}\n`];
    const add = (name: Member, bytes: () => AsyncIterable<Buffer>): void =>
      zip.addReadStreamLazy(name, MEMBER, (ready) => {
        source = Readable.from(bytes(), { objectMode: false });
        source.once('error', (error) => output.destroy(error));
        ready(null, source);
      });
    for (const { name, bytes } of files) add(name, () => hashed(bytes(), (hash) => sums.push(`${hash}  ${name}\n`)));
    // yazl reads one member after another, so all hashes are known when it reads the sums.
    add(member.sums, () => bytesOf(() => Buffer.from(sums.join(''))));
    add(member.sumsSignature, () => bytesOf(() => Buffer.from(signList(sums.join('')), 'base64url')));
    zip.end();
    try {
      await pipeline(output, stream, { signal });
    } finally {
      source?.destroy();
    }
  });

async function packOf(
  evidence: BatchEvidence,
  kept: KeptFiles,
  { notice, inRecovery, madeWith, timezone }: Pick<Pack, 'notice' | 'inRecovery' | 'madeWith' | 'timezone'>,
): Promise<Pack> {
  const { ledger, header, head } = evidence;
  const { seq, hash, key, signature } = head;
  const { sheet, approval } = header;
  const { facts, latestAt } = await evidence.extent();

  return {
    v: PACK_VERSION,
    type: 'paybatch evidence pack',
    notice,
    batch: header.id,
    sandbox: header.sandbox,
    ledger,
    head: { seq, hash, key, signature },
    asOf: isoTime(latestAt),
    facts,
    inRecovery,
    madeWith,
    resultsSchema: RESULTS_SCHEMA,
    timezone,
    sheet: { name: sheet.name, sha256: sheet.sha256, member: kept.sheet?.name ?? null },
    plan: approval ? { sha256: approval.plan, member: kept.plan?.name ?? null } : null,
  };
}

/** Reports whether the people whom the batch paid were deleted. */
async function arePeopleDeleted(evidence: BatchEvidence): Promise<boolean> {
  for await (const block of evidence.rows()) return block[0]?.salt === undefined;
  return false;
}

async function filesOf(evidence: BatchEvidence, pack: Pack, { sheet, plan }: KeptFiles): Promise<readonly PackFile[]> {
  const derived = new Map((await derivedFiles(evidence, pack)).map(({ name, pieces }) => [name, pieces]));
  const made = (name: Member): PackFile => ({ name, bytes: () => buffers(derived.get(name)?.() ?? []) });
  const text = (name: Member, pieces: () => Iterable<string> | AsyncIterable<string>): PackFile => ({
    name,
    bytes: () => buffers(pieces()),
  });
  const signature = () => bytesOf(() => Buffer.from(pack.head.signature, 'base64url'));
  return [
    text(member.page, () => [howToCheck(pack)]),
    text(member.pack, () => [document(pack)]),
    made(member.headText),
    { name: member.headSignature, bytes: signature },
    made(member.key),
    text(member.chains, () => rangeLines(evidence)),
    text(member.facts, () => factLines(evidence)),
    text(member.orders, () => requestLines(evidence)),
    text(member.rows, () => rowLines(evidence)),
    made(member.approvals),
    ...(plan ? [keptBytes(plan)] : []),
    ...(sheet ? [keptBytes(sheet)] : []),
    made(member.summary),
    made(member.csv),
    made(member.lines),
  ];
}

/** Returns a file of the user for the pack. Reading throws a Fault `file-unwritten` if the file has changed since it was found. */
const keptBytes = ({ name, path: file, sha256 }: KeptFile): PackFile => ({
  name,
  bytes: () =>
    hashed(createReadStream(file), (hash) => {
      if (hash === sha256) return;
      throw new Fault(
        'file-unwritten',
        `${file} was changed while it was read. No pack was written.`,
        'Write it again.',
      );
    }),
});

async function* buffers(pieces: Iterable<string> | AsyncIterable<string>): AsyncGenerator<Buffer> {
  let text = '';
  for await (const piece of pieces) {
    text += piece;
    if (text.length < CHUNK_CHARACTERS) continue;
    yield Buffer.from(text);
    text = '';
  }
  if (text !== '') yield Buffer.from(text);
}

async function* bytesOf(make: () => Buffer): AsyncGenerator<Buffer> {
  yield make();
}

/** Passes the bytes on, and reports their SHA-256 at the end. */
async function* hashed(bytes: AsyncIterable<Buffer>, emit: (sha256: string) => void): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield chunk;
  }
  emit(hash.digest('hex'));
}
