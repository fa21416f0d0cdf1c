/** How a ledger ended earlier: marks, workbooks and plans hold heads from before. */
import type { BatchId } from '../domain/ids.ts';
import { type BatchEnd, type ChainHead, Chains, headHash } from './chain.ts';
import { linkFact } from './chain-proof.ts';
import type { Reader } from './database.ts';
import { rawFacts } from './facts.ts';
import { changed } from './proof-faults.ts';
import { readEnds } from './told-facts.ts';

/** `chains`: as they end now, proven. Fault `ledger-unsafe` when what follows that fact does not lead to them. */
export async function headAt(reader: Reader, ledgerUuid: string, chains: Chains, seq: number): Promise<ChainHead> {
  if (seq === chains.seq) return chains.head;
  const ends = await readEnds(reader, seq);
  await assertLeading(reader, new Chains(ledgerUuid), { seq, ends }, chains.head);
  return { seq, hash: headHash(ledgerUuid, ends) };
}

/** Earlier ends are right when the facts after them lead to the ends that are proven: no two ways lead to one hash. */
async function assertLeading(
  reader: Reader,
  chains: Chains,
  from: { readonly seq: number; readonly ends: ReadonlyMap<BatchId, BatchEnd> },
  to: ChainHead,
): Promise<void> {
  chains.standAt(from.seq, from.ends);
  for await (const block of rawFacts(reader, { after: from.seq, to: to.seq })) {
    for (const fact of block) for (const wrong of linkFact(chains, fact)) throw changed(wrong);
  }
  if (chains.head.hash !== to.hash) throw changed(`the facts after fact ${from.seq} do not lead to the head`);
}
