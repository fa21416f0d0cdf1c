/** A head that somebody has kept since the day of the payment: the only thing that reveals a rewritten history. */
import type { BatchId } from '../../domain/ids.ts';
import type { LedgerHead } from '../../domain/ledger-head.ts';
import { ChainRanges } from '../../ledger/chain-ranges.ts';
import type { EvidenceStore } from '../../ledger/evidence-store.ts';
import { isRightlySigned } from '../../ledger/signed-head.ts';
import { rangeOf } from './evidence-lines.ts';
import { linesMax, member, type Pack } from './members.ts';
import { type OpenPack, PackDifference, recordsIn } from './open-pack.ts';

/** A kept head, and where it was read. */
export interface KeptHead {
  readonly said: LedgerHead;
  readonly where: string;
}

/** Yields the differences if a head that somebody kept is not part of the history in the pack. */
export async function* keptHeadDifferences(
  pack: OpenPack,
  said: Pack,
  store: EvidenceStore,
  { said: head, where }: KeptHead,
): AsyncGenerator<string> {
  if (!isRightlySigned(said.ledger, head)) {
    yield `${where}: its head does not belong to this ledger`;
    return;
  }
  if (head.key !== said.head.key && !store.isHandedOn(head.key, said.head.key)) {
    yield `${where}: was signed with the key ${head.key}, and the pack with ${said.head.key}; no fact of the batch says that the key was changed`;
    return;
  }
  if (head.seq > said.head.seq) {
    yield `${where}: knows fact ${head.seq}, and the pack ends with fact ${said.head.seq}: it is older, or facts were left out`;
    return;
  }
  const ranges = new ChainRanges(said.ledger, said.batch as BatchId); // the facts were compared with it before
  const own = store.factAt(head.seq);
  for await (const range of recordsIn(pack, member.chains, rangeOf, linesMax.chains)) {
    if (range.seq > head.seq) break;
    for (const _ of ranges.take(range)) throw new PackDifference(`${member.chains}: is not what it was`);
  }
  if (!own && ranges.seq !== head.seq) {
    // The caller asked for this comparison, so the pack must not count as sound without it.
    yield `${where}: was made while another batch was in progress, so the pack cannot show its head: compare one from another time`;
    return;
  }
  const then = own ? ranges.headWith(head.seq, own) : ranges.head;
  if (then.hash !== head.hash) yield `${where}: its head is of another history than the pack`;
}
