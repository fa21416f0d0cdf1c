/** Whether the marks of a ledger are in its own word, and of its own history. */
import { Fault } from '../domain/fault.ts';
import type { Keyring } from './keyring.ts';
import { type FoundMarks, isOfServerBefore, type Place, type SignedMark, signedMarkText } from './mark.ts';
import type { Proof } from './proof.ts';

export interface MarkedLedger {
  readonly ledgerUuid: string;
  readonly proof: Pick<Proof, 'chains' | 'headAt' | 'keyChanges'>;
  readonly keyring: Pick<Keyring, 'hasSigned'>;
  readonly place: Place;
}

/**
 * Throws a Fault `ledger-unsafe` for a mark of this ledger that its key has not signed, or that names another fact at a number that
 * the ledger has: a history was rewritten. A ledger that was put back goes on from an earlier fact, so it says so in its marks
 * before it does (`settle`): while one of them does, the other may be from before. A server that took over from another one goes on
 * from what had reached it, so what a computer marked of the one before puts the ledger in doubt, and no more.
 */
export async function requireSigned(
  { marks }: Pick<FoundMarks, 'marks'>,
  { ledgerUuid, keyring, proof, place }: MarkedLedger,
): Promise<void> {
  const ours = marks.filter(({ mark }) => mark.ledger === ledgerUuid);
  for (const { key, text, signature, path } of ours) {
    if (!keyring.hasSigned(key, signedMarkText(text), signature, proof.keyChanges)) {
      throw tampered(`The mark ${path} was not signed by the key of this ledger`);
    }
  }
  const agreeing: SignedMark[] = [];
  const others: SignedMark[] = [];
  for (const one of ours) {
    if (one.mark.seq > proof.chains.seq) continue;
    const { hash } = await proof.headAt(one.mark.seq);
    if (hash === one.mark.hash) agreeing.push(one);
    else if (!isOfServerBefore(one.mark, place)) others.push(one);
  }
  const [other] = others;
  if (other && !agreeing.some(({ mark }) => mark.doubt !== undefined)) {
    throw tampered(`The mark ${other.path} names another fact ${other.mark.seq} than the ledger has`);
  }
}

const tampered = (what: string): Fault =>
  new Fault(
    'ledger-unsafe',
    `${what}: one of the two was changed by something else than paybatch. Nothing more was sent.`,
    'Keep both as they are, and find out who changed what. A mark that somebody put back from a back-up may be set aside: every payment is then looked up before it is sent.',
  );
