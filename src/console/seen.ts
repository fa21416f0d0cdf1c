/**
 * What a page had shown when it was made. A form that acts carries it, and is refused if it has changed, because a person decides
 * by what the page shows.
 */

import { batchStopText } from '../domain/batch.ts';
import { localTime } from '../domain/clock.ts';
import { counted } from '../domain/counted.ts';
import { Fault } from '../domain/fault.ts';
import type { BatchId } from '../domain/ids.ts';
import { moneyText } from '../domain/money.ts';
import { present } from '../domain/present.ts';
import type { Settings } from '../domain/settings.ts';
import type { Html } from '../html/html.ts';
import type { StoredFact } from '../ledger/facts.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { hiddenFields } from './frame.ts';

export interface Seen {
  /** The account whose money it is, as people read it. */
  readonly account: string;
  /** The signed head of the ledger: the number of its last fact and the beginning of its hash. */
  readonly ledger: string;
  /** The batch whose progress the page shows; absent if it shows none. */
  readonly batch?: string;
  /** A fingerprint of the payments of the page's sheet; absent if the page has no sheet. */
  readonly sheet?: string;
}

/** What the comparison reads. */
export interface SeenDeps {
  readonly settings: Pick<Settings, 'profile' | 'organisation' | 'idNamespace' | 'currency' | 'timezone'>;
  /** Address of the service. */
  readonly service: string;
  readonly ledger: Pick<
    Ledger,
    'head' | 'headAt' | 'ledgerFactsSince' | 'lastFactOf' | 'findBatch' | 'findBatchCalled'
  >;
}

/** Thrown when something is no longer as a page showed it. Nothing was done. */
export class StalePage extends Fault {
  /** The batches that changed, for links. */
  readonly batches: readonly BatchId[];

  constructor(changes: readonly string[], batches: readonly BatchId[]) {
    super(
      'plan-stale',
      'Something has changed since this page was made, so nothing was done. Nothing was sent.',
      'Look at what changed. Then load the page again, and decide by what it shows now.',
      { details: changes },
    );
    this.batches = [...new Set(batches)];
  }
}

/** Characters of the hash that a form carries: enough to tell one ledger from another. */
const HASH_CHARACTERS = 16;

const accountText = ({ profile, organisation, idNamespace, currency }: SeenDeps['settings'], service: string): string =>
  `${organisation} · profile ${profile} · ${service} · account ${idNamespace} · ${currency}`;

/** What a page that is made now shows. */
export async function seenNow(
  { settings, service, ledger }: SeenDeps,
  about: Pick<Seen, 'batch' | 'sheet'> = {},
): Promise<Seen> {
  const { seq, hash } = (await ledger.head()) ?? { seq: 0, hash: '' };
  return {
    account: accountText(settings, service),
    ledger: `${seq}.${hash.slice(0, HASH_CHARACTERS)}`,
    ...about,
  };
}

/** The hidden fields that carry it. */
export const seenFields = (seen: Seen): Html =>
  hiddenFields(Object.fromEntries(Object.entries(seen).map(([name, value]) => [`seen-${name}`, value])));

/** Reads what the page of a form had shown. Throws a Fault `usage` if the form does not say it. */
export function seenIn(form: Readonly<Record<string, string | undefined>>): Seen {
  const { 'seen-account': account, 'seen-ledger': ledger, 'seen-batch': batch, 'seen-sheet': sheet } = form;
  if (account === undefined || ledger === undefined || !LEDGER_END.test(ledger))
    throw new Fault(
      'usage',
      'The form does not say what its page had shown. Nothing was done.',
      'Load the page again, and send the form again.',
    );
  return { account, ledger, ...present({ batch, sheet }) };
}

const LEDGER_END = /^\d{1,15}\.[0-9a-f]{0,16}$/;

/**
 * Throws a `StalePage` that lists the changes. Progress of batches that were already planned is not a change, unless the page is
 * about that batch; otherwise nobody could confirm anything while another batch is being paid. Things that the payment itself
 * checks again, such as the wallet, are not compared. The sheet is compared where it is read.
 */
export async function requireUnmoved(seen: Seen, { settings, service, ledger }: SeenDeps): Promise<void> {
  const account = accountText(settings, service);
  if (account !== seen.account) throw new StalePage([`The page was about ${seen.account}. It is ${account} now.`], []);
  const head = (await ledger.head()) ?? { seq: 0, hash: '' };
  const [end = '', hash] = seen.ledger.split('.');
  const seq = Number(end);
  if (head.seq === seq && head.hash.slice(0, HASH_CHARACTERS) === hash) return;
  const then = seq === 0 || head.seq < seq ? '' : (await ledger.headAt(seq)).hash.slice(0, HASH_CHARACTERS);
  if (then !== hash) throw new StalePage(['This is a different ledger, or it was restored to an earlier day.'], []);
  await requireNothingNew(seq, { settings, ledger });
  if (seen.batch !== undefined) await requireBatchStill(seen.batch, seq, ledger);
}

/** Throws if batches were planned, retried, stopped or purged since, or if the ledger itself was changed. */
async function requireNothingNew(seq: number, { settings, ledger }: Omit<SeenDeps, 'service'>): Promise<void> {
  const changes: string[] = [];
  const batches: BatchId[] = [];
  for await (const { fact, batch } of ledger.ledgerFactsSince(seq)) {
    const what = await ledgerEndText(fact, batch, ledger);
    if (what === undefined) continue;
    changes.push(`${localTime(fact.at, settings.timezone)}: ${what}`);
    batches.push(batch);
  }
  if (changes.length > 0) throw new StalePage(changes, batches);
}

/** Describes a fact that the page did not know; `undefined` for progress of a batch that was already there. */
async function ledgerEndText(
  fact: StoredFact['fact'],
  batch: BatchId,
  { findBatch }: Pick<Ledger, 'findBatch'>,
): Promise<string | undefined> {
  switch (fact.type) {
    case 'batch-planned': {
      const header = await findBatch(batch);
      const what = header
        ? `: ${counted(header.payable, 'payment')}, ${moneyText(header.total)}, by ${header.maker}`
        : '';
      return `batch ${batch} was planned${what}`;
    }
    case 'retry-planned':
      return `another attempt at ${counted(fact.count, 'row')} of batch ${batch} was planned by ${fact.maker}`;
    case 'attempts-found':
      return `further attempts at ${counted(fact.count, 'row')} of batch ${batch} were found at the service`;
    case 'batch-stopped':
      return `batch ${batch}: ${batchStopText(fact)}`;
    case 'batch-released':
      return `batch ${batch}: ${fact.by} cancelled the stop`;
    case 'batch-purged':
      return `the people of batch ${batch} were deleted by ${fact.by}`;
    case 'client-id-changed':
    case 'signing-key-changed':
      return `the account or the key of the ledger was changed by ${fact.by}`;
    case 'approvers-changed':
      return 'others have to approve from now on';
    default:
      return undefined;
  }
}

/** Throws if anything was recorded about the batch since. */
async function requireBatchStill(
  called: string,
  seq: number,
  ledger: Pick<Ledger, 'findBatchCalled' | 'lastFactOf'>,
): Promise<void> {
  const header = await ledger.findBatchCalled(called);
  if (header && (await ledger.lastFactOf(header.id)) <= seq) return;
  throw new StalePage([`batch ${called} has continued since.`], header ? [header.id] : []);
}
