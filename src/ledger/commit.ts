/** Moves the end of the ledger within one group: appends facts, and signs the new end. */

import type { Database, Statement } from '../database/database.ts';
import type { BatchFact, Fact } from '../domain/fact.ts';
import type { BatchId } from '../domain/ids.ts';
import { invariant } from '../domain/invariant.ts';
import type { LedgerHead } from '../domain/ledger-head.ts';
import { type Chains, factHash } from './chain.ts';
import { isStop } from './chain-proof.ts';
import type { NewSalt } from './commitment.ts';
import { encodeFact, factStatement } from './facts.ts';
import type { Keyring } from './keyring.ts';
import { batchOfLease, type LeaseName, stopLeaseOf } from './lease.ts';
import { ledgerChainAfter } from './ledger-chain.ts';
import type { Appended, Proof } from './proof.ts';
import { OrderDigests, type PlacedFact } from './recorded-orders.ts';
import { believing, headStatement, signedHead, signedLedgerEnd } from './signed-head.ts';

/**
 * Returns the statement that appends a fact. Every statement that it returns must be run, in the order in which they were
 * returned. `position` is that of the order that the fact is about.
 */
export type Append = (batch: BatchId, fact: Fact | BatchFact, position?: number) => Statement;

export interface CommitOptions {
  readonly database: Database;
  readonly ledgerUuid: string;
  /** The chains as they end now, from which appended facts continue. */
  readonly proof: Pick<Proof, 'chains' | 'head' | 'ledgerState' | 'knows' | 'appended'>;
  readonly keyring: Pick<Keyring, 'signer'>;
  readonly newSalt: NewSalt;
}

export interface Commit {
  readonly append: Append;
  /**
   * Returns statements that make the group fail if other processes have appended facts. Called once the facts of the group
   * are built: without facts there are none, unless `always` is given.
   */
  readonly begin: (when?: 'always') => readonly Statement[];
  readonly sign: () => Iterable<Statement>;
  /** Takes over the facts of the group, once it is written. */
  readonly keep: () => void;
}

/** Returns the commit of one group of statements. `under` are the leases of everything that the facts may be about. */
export function commitOf(options: CommitOptions, under: readonly LeaseName[]): Commit {
  const { proof, keyring, ledgerUuid, newSalt } = options;
  const believed = proof.head?.seq ?? 0;
  const planned = new Map<BatchId, OrderDigests>();
  const followed: PlacedFact[] = [];
  let { ledgerEnd } = proof.ledgerState;
  let chains: Chains | undefined;
  let signed: Appended | undefined;
  return {
    append(batch, fact, position) {
      const isOf = under.some((name) => batchOfLease(name) === batch);
      const isOurs = isOf || (isStop(fact) && under.includes(stopLeaseOf(batch)));
      invariant(isOurs, `a fact of batch ${batch} is recorded under its lease`);
      const order = 'order' in fact ? fact.order : undefined;
      invariant((order === undefined) === (position === undefined), 'a fact about an order has its position');
      chains ??= proof.chains.copy();
      const { number: before, hash: previous } = chains.endOf(batch);
      const { type, at } = fact;
      const { data, kept } = encodeFact(fact, newSalt);
      const chained = { batch, number: before + 1, order, type, at, data };
      const hash = factHash(previous, chained);
      chains.follow(batch, { number: chained.number, hash });
      const isNew = !(proof.ledgerState.plans.has(batch) || proof.knows(batch) || planned.has(batch));
      if (isNew) planned.set(batch, new OrderDigests());
      // Of a batch that is being planned, only the digests of its orders are kept, and not the facts.
      const digests = planned.get(batch);
      if (digests) digests.follow({ ...chained, position, hash });
      else followed.push({ ...chained, position, hash });
      ledgerEnd = ledgerChainAfter(ledgerEnd, chained);
      const { text, salt } = kept ?? {};
      return factStatement({ seq: chains.seq, ...chained, position, hash, text, salt });
    },
    begin: (when) => (chains || when ? [believing(believed)] : []),
    *sign() {
      if (!chains) return;
      const head: LedgerHead = signedHead(ledgerUuid, chains.head, keyring.signer);
      yield headStatement(head, signedLedgerEnd(ledgerUuid, head, ledgerEnd, keyring.signer), believed);
      signed = { chains, ledgerEnd, planned, followed, head };
    },
    keep() {
      if (signed) proof.appended(signed);
    },
  };
}
