/** Checks the files of a pack as files: which exist, and whether each has the hash in the signed list. */
import { shown } from '../../domain/shown-text.ts';
import { type Member, member, optionalMembers, SUMS_LINE } from './members.ts';
import { type OpenPack, PackDifference } from './open-pack.ts';

/** Yields what is wrong with files: unknown, missing, changed or not in the list. Their content is not judged here. */
export async function* damagesOf(pack: OpenPack): AsyncGenerator<string> {
  // The list comes first, because a pack of another version may have other files.
  const listed = pack.has(member.sums) ? await listOf(pack) : new Map<string, string>();
  if (typeof listed === 'string') {
    yield listed;
    return;
  }
  const known: ReadonlySet<string> = new Set(Object.values(member));
  for (const name of pack.names) if (!known.has(name)) yield `${shown(name)}: does not belong in an evidence pack`;
  for (const name of Object.values(member)) {
    const expected = listed.get(name);
    if (!pack.has(name)) {
      if (expected !== undefined || !optionalMembers.has(name)) yield `${name}: is missing in the pack`;
    } else if (expected !== undefined) yield* hashDifference(name, pack, expected);
    else if (pack.has(member.sums) && !unlisted.has(name)) yield `${name}: is not in the list ${member.sums}`;
  }
}

/** Files that the list does not name: it cannot hold its own hash. */
const unlisted: ReadonlySet<string> = new Set([member.sums, member.sumsSignature]);

async function* hashDifference(name: Member, { sha256 }: OpenPack, expected: string): AsyncGenerator<string> {
  try {
    if ((await sha256(name)) !== expected) yield `${name}: was changed (its SHA-256 is not that of ${member.sums})`;
  } catch (error) {
    if (!(error instanceof PackDifference)) throw error;
    yield error.message;
  }
}

/** Returns the hashes by file name, or a sentence if the file is not a list that paybatch writes. */
async function listOf({ whole }: OpenPack): Promise<ReadonlyMap<string, string> | string> {
  let text: string;
  try {
    text = (await whole(member.sums)).toString('latin1');
  } catch (error) {
    if (error instanceof PackDifference) return error.message;
    throw error;
  }
  const [first = '', ...rest] = text.split('\n');
  const version = /^# paybatch evidence pack (\d{1,9})$/.exec(first)?.[1];
  if (version === undefined) return `${member.sums}: is not the list of an evidence pack`;
  if (first !== SUMS_LINE) return newer(version);
  const listed = new Map<string, string>();
  for (const line of rest.slice(0, -1)) {
    const [, hash, name] = /^([0-9a-f]{64}) {2}([A-Za-z0-9.-]+)$/.exec(line) ?? [];
    if (hash === undefined || name === undefined || listed.has(name))
      return `${member.sums}: has the line ${shown(line)}`;
    listed.set(name, hash);
  }
  return rest.at(-1) === '' ? listed : `${member.sums}: its last line has no end`;
}

const newer = (version: string): string =>
  `the pack: it has version ${version}, and this paybatch knows another one: verify it with the paybatch that wrote it`;
