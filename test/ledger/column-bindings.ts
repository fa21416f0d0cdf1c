/**
 * Whether each column of the ledger is bound to its facts. What is bound cannot be changed unseen; what is free is listed with the
 * reason why it can neither send money nor hide it. A new column needs its entry here.
 */
export type Binding = 'bound' | { readonly free: string };

const ONE_HOLDER = 'who may write; two at once end where one of them finds facts of its batch that it did not record';

export const bindings: Readonly<Record<string, Readonly<Record<string, Binding>>>> = {
  meta: {
    only_row: 'bound',
    // The first fact of each batch begins with it.
    ledger_uuid: 'bound',
    // The plan of each batch says whose it is, and so does each new client id.
    service: 'bound',
    token_url: 'bound',
    client_id: 'bound',
    moved: {
      free: 'it lets nothing be recorded; one that is taken away leaves the checkpoints, which say where the ledger went',
    },
  },
  head: {
    only_row: 'bound',
    seq: 'bound',
    hash: 'bound',
    signing_key: 'bound',
    signature: 'bound',
    // What was told of batches, signed with the head.
    told: 'bound',
    told_signature: 'bound',
  },
  epoch: {
    only_row: { free: ONE_HOLDER },
    latest: { free: `${ONE_HOLDER}; one that goes back is held against the checkpoint` },
  },
  lease: {
    name: { free: ONE_HOLDER },
    epoch: { free: ONE_HOLDER },
    holder: { free: ONE_HOLDER },
  },
  batch: {
    number: 'bound',
    id: 'bound',
    batch_key: 'bound',
    fingerprint: 'bound',
    planned_at: 'bound',
    header: 'bound',
    begins_after: 'bound',
  },
  pay_order: {
    position: 'bound',
    id: 'bound',
    batch: 'bound',
    attempt: 'bound',
    submission: 'bound',
    phase: 'bound',
    outcome: 'bound',
    version: 'bound',
    due_at: {
      free: 'when an order is looked at next; each run makes all that is open due, and no time sends anything',
    },
    alarmed: 'bound',
    superseded: 'bound',
  },
  order_body: {
    position: 'bound',
    body: 'bound',
    origin: 'bound',
    salt: 'bound',
  },
  payout: {
    batch: 'bound',
    sheet_row: 'bound',
    kind: 'bound',
    reference: 'bound',
    name: 'bound',
    amount_minor: 'bound',
    currency: 'bound',
    charge_minor: 'bound',
    order_id: 'bound',
    trace: 'bound',
    outcome: 'bound',
    fee_minor: 'bound',
    payout: 'bound',
    payee: 'bound',
    texts: 'bound',
    issues: 'bound',
    salt: 'bound',
  },
  fact: {
    seq: 'bound',
    batch: 'bound',
    number: 'bound',
    position: 'bound',
    type: 'bound',
    happened_at: 'bound',
    data: 'bound',
    hash: 'bound',
    // What may name people: the data of the fact commits to both, and a purge alone takes them away.
    text: 'bound',
    salt: 'bound',
  },
};

const NEWS = 'what can be looked up is only looked up sooner by it, and never believed from here';
const AIRTIME = `${NEWS}; of airtime it is the final word, and whoever writes to this file can still forge that`;

/** The inbox of callbacks is a file of its own, which the listener writes; no fact speaks of it before a run has heard it. */
export const inboxBindings: Readonly<Record<string, Binding>> = {
  seq: { free: NEWS },
  topic: { free: AIRTIME },
  subject: { free: AIRTIME },
  received_at: { free: NEWS },
  body: { free: AIRTIME },
  body_sha256: { free: 'keeps the same message from being kept twice' },
  times: { free: 'how often it came' },
};
