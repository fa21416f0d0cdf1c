/** The end of the ledger as one group moves it: facts follow, seals change, and the new end is signed. */
import type { BatchFact, Fact } from '../domain/fact.ts';
import type { BatchId } from '../domain/ids.ts';
import { invariant } from '../domain/invariant.ts';
import type { LedgerHead } from '../domain/ledger-head.ts';
import { type Chains, factHash } from './chain.ts';
import type { NewSalt } from './commitment.ts';
import type { Database, Reader, Statement } from './database.ts';
import { encodeFact } from './fact-record.ts';
import { factStatement } from './facts.ts';
import type { Keyring } from './keyring.ts';
import { batchOfLease, type LeaseName, stopLeaseOf } from './lease.ts';
import type { MovedSeal, OrderSeal } from './order-seal.ts';
import type { Appended, Proof } from './proof.ts';
import { changed } from './proof-faults.ts';
import { SealBroken } from './seals.ts';
import { believing, headSeq, headStatement, signedHead, signedSeals } from './signed-head.ts';
import { isStop } from './stops-in-force.ts';
import { toldAfter } from './told-facts.ts';

/** Makes the statement that appends a fact. Every one that is made must be run, in the order in which they were made. */
export interface Append {
  (batch: BatchId, fact: Fact | BatchFact): Statement;
  /** The orders that these facts plan and move. */
  readonly seals: Sealing;
}

/** How the seals of orders change with a group. Those of orders that move were loaded before. */
export interface Sealing {
  /** Fault `ledger-unsafe` when they are not those of the signed root, `SealBroken` when others moved it. Of a new order, its place is loaded. */
  load(positions: readonly number[]): Promise<void>;
  planned(position: number, seal: OrderSeal): void;
  moved(position: number, seal: MovedSeal): void;
  /** What need not be held any longer in a long plan. */
  full(): Iterable<Statement>;
}

export interface EndingOptions {
  readonly database: Database;
  readonly ledgerUuid: string;
  /** Where the chains end: what is appended goes on from there. */
  readonly proof: Pick<Proof, 'chains' | 'head' | 'told' | 'seals' | 'appended'>;
  readonly keyring: Pick<Keyring, 'signer'>;
  readonly newSalt: NewSalt;
}

export interface Ending {
  readonly append: Append;
  /** Fails the group when others have appended facts: asked for when the facts of the group are made, or `always`. */
  readonly begin: (when?: 'always') => readonly Statement[];
  readonly sign: () => Iterable<Statement>;
  /** The group is on disk. */
  readonly keep: () => void;
}

/** `under`: the leases of all that the facts may be about. */
export function endingOf(options: EndingOptions, under: readonly LeaseName[]): Ending {
  const { proof, keyring, ledgerUuid, newSalt } = options;
  const believed = proof.head?.seq ?? 0;
  const change = proof.seals.change();
  let { told } = proof.told;
  let chains: Chains | undefined;
  let signed: Appended | undefined;
  function follow(batch: BatchId, fact: Fact | BatchFact): Statement {
    const isOf = under.some((name) => batchOfLease(name) === batch);
    const isOurs = isOf || (isStop(fact) && under.includes(stopLeaseOf(batch)));
    invariant(isOurs, `a fact of batch ${batch} is recorded under its lease`);
    chains ??= proof.chains.copy();
    const { number: before, hash: previous } = chains.endOf(batch);
    const order = 'order' in fact ? fact.order : undefined;
    const { type, at } = fact;
    const { data, kept } = encodeFact(fact, newSalt);
    const chained = { batch, number: before + 1, order, type, at, data };
    const hash = factHash(previous, chained);
    chains.follow(batch, { number: chained.number, hash });
    told = toldAfter(told, chained);
    const { text, salt } = kept ?? {};
    return factStatement({ seq: chains.seq, ...chained, hash, text, salt });
  }
  return {
    append: Object.assign(follow, {
      seals: {
        load: (positions: readonly number[]) => loadAlone(options, positions),
        planned: change.planned.bind(change),
        moved: change.moved.bind(change),
        full: change.full.bind(change),
      },
    }),
    begin: (when) => (chains || when ? [believing(believed)] : []),
    *sign() {
      invariant(chains || change.isEmpty, 'an order moves by a fact');
      if (!chains) return;
      yield* change.statements();
      const head: LedgerHead = signedHead(ledgerUuid, chains.head, keyring.signer);
      const root = change.isEmpty ? proof.seals.root : change.root;
      yield headStatement(head, signedSeals(ledgerUuid, head, { root, told }, keyring.signer), believed);
      signed = { chains, told, change, head };
    },
    keep() {
      if (signed) proof.appended(signed);
    },
  };
}

/**
 * Nobody else appends anything meanwhile, so what is not right was changed. But a server gives a transaction up when its process stands
 * still, and others go on: then it is thrown as it is, and the group is made again.
 */
export async function loadAlone(
  { database, proof }: { readonly database: Reader; readonly proof: Pick<Proof, 'seals' | 'head'> },
  positions: readonly number[],
): Promise<void> {
  try {
    await proof.seals.load(database, positions);
  } catch (error) {
    const isAlone = error instanceof SealBroken && (await headSeq(database)) === (proof.head?.seq ?? 0);
    throw isAlone ? changed(error.message) : error;
  }
}
