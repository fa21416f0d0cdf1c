/**
 * Mistakes that the simulation must find, each as a change of one file of the sources. They are made in a copy, by text:
 * a change whose text is not found there exactly once is out of date, and the campaign says so.
 */
import type { FaultKind } from './fault-kinds.ts';

type Edit = readonly [find: string, replace: string];

export interface PlantedBug {
  readonly name: string;
  /** Relative to `src/`. */
  readonly file: string;
  readonly edits: readonly Edit[];
  /** What it takes in other files. */
  readonly also?: readonly { readonly file: string; readonly edits: readonly Edit[] }[];
  /** It harms nobody in the worlds that are drawn; this test, by its file beneath `test/`, holds the rule. */
  readonly heldBy?: string;
  /**
   * Other bugs of the list, by their names: each takes away a defence that holds what this one breaks. Where all of them are planted, a
   * seed breaks a rule that it breaks neither without this one nor by this one alone.
   */
  readonly behind?: readonly string[];
  /** Faults that it takes to do harm: seeds whose themes are about one of them are tried first. */
  readonly about?: readonly FaultKind[];
}

const one = (name: string, file: string, find: string, replace: string): PlantedBug => ({
  name,
  file,
  edits: [[find, replace]],
});

const heldBy = (test: string, bug: PlantedBug): PlantedBug => ({ ...bug, heldBy: test });
const behind = (defences: readonly string[], bug: PlantedBug): PlantedBug => ({ ...bug, behind: defences });

const UNREAD = 'whose the lease is, is not read before a submission';
const NEVER_STALE = 'a claim may leave however old it is';
const ANY_VERSION = 'an order is moved from whatever version it has';
const OVERWRITTEN = 'a fact may take the place of another, and so may the head';

const disk: readonly PlantedBug[] = [
  one(
    'an order is submitted before its claim is on disk',
    'ledger/order-moves.ts',
    'await writer.write(under, group);',
    'writer.write(under, group).catch(() => undefined);',
  ),
  heldBy(
    'ledger/batch-stops.test.ts: is recorded beside the lease, and no claim follows it; what was claimed is still recorded',
    one('a claim follows the stop of a person', 'ledger/order-moves.ts', 'isMoved = mayMove();', 'isMoved = true;'),
  ),
  {
    name: 'commits are not synced to the disk',
    file: 'database/sqlite.ts',
    edits: [
      ['PRAGMA synchronous = FULL;', 'PRAGMA synchronous = NORMAL;'],
      ['const FULL = 2n;', 'const FULL = 1n;'],
    ],
  },
  {
    ...one('a failed write does not stop the run', 'dispatch/task.ts', 'this.#broken.abort();', ''),
    about: ['disk-full'],
  },
  // Who lost the lease also knows an older end of the chain, and older versions of its orders, than there are.
  behind(
    [OVERWRITTEN, ANY_VERSION],
    one(
      'writes are not fenced by the lease',
      'ledger/lease.ts',
      'WHERE name = ? AND epoch = ? AND holder IS NOT NULL',
      'WHERE name = ? AND ? > 0',
    ),
  ),
  {
    name: OVERWRITTEN,
    file: 'ledger/commit.ts',
    edits: [
      [
        'return factStatement({ seq: chains.seq, ...chained, position, hash, text, salt });',
        `const { sql, ...put } = factStatement({ seq: chains.seq, ...chained, position, hash, text, salt });
      return { ...put, sql: sql.replace('INSERT', 'INSERT OR REPLACE') };`,
      ],
      ['begin: (when) => (chains || when ? [believing(believed)] : []),', 'begin: (when) => (when ? [] : []),'],
      [
        'yield headStatement(head, signedLedgerEnd(ledgerUuid, head, ledgerEnd, keyring.signer), believed);',
        "const statement = headStatement(head, signedLedgerEnd(ledgerUuid, head, ledgerEnd, keyring.signer), 0);\n      yield { ...statement, sql: statement.sql.replace(/head.seq = [?]/, '? >= 0') };",
      ],
    ],
  },
  behind(
    [OVERWRITTEN, 'writes are not fenced by the lease'],
    one(
      ANY_VERSION,
      'ledger/order-moves.ts',
      'WHERE position = ? AND version = ?`;',
      'WHERE position = ? AND ? >= 0`;',
    ),
  ),
  one(UNREAD, 'dispatch/run.ts', 'await this.deps.ledger.proveLease();', ''),
  heldBy(
    'ledger/leases.test.ts: a proof is never a reading that began before it was asked for',
    one(
      'a reading of the lease that is under way is shared with those who ask later',
      'ledger/leases.ts',
      'this.#nextProof = undefined;\n      const proof = this.#readEpochs();',
      'const proof = this.#readEpochs().finally(() => void (this.#nextProof = undefined));',
    ),
  ),
  one(
    NEVER_STALE,
    'dispatch/run.ts',
    'suspension.sleptSince(state.id) > CLAIM_FRESH_MS) return false;',
    'suspension.sleptSince(state.id) < 0 && CLAIM_FRESH_MS > 0) return false;',
  ),
  one(
    'any holder of the lease is replaced',
    'ledger/leases.ts',
    'if (await database.tryLock(name)) return;',
    'await database.tryLock(name);\n    return;',
  ),
  one(
    'a lock is let go as soon as its lease is written',
    'ledger/leases.ts',
    'for (const name of names) this.#epochs.set(name, epoch);',
    'for (const name of names) {\n        this.#epochs.set(name, epoch);\n        await database.unlock(name);\n      }',
  ),
  one(
    'claims of a crashed run are forgotten',
    'ledger/orders.ts',
    `phase IN ('claimed', 'in-doubt'`,
    `phase IN ('in-doubt'`,
  ),
  one(
    'the whole batch is claimed at once',
    'dispatch/admission.ts',
    'const CLAIM_FACTOR = 4;',
    'const CLAIM_FACTOR = 400;',
  ),
];

const again: readonly PlantedBug[] = [
  heldBy(
    'dispatch/side-by-side.deep.test.ts: sends the next block only when the service shows the one before',
    one(
      'blocks grow before the service shows the one before',
      'dispatch/send.ts',
      '        await run.untilShown();\n',
      '',
    ),
  ),
  heldBy(
    'dispatch/side-by-side.deep.test.ts: leave more only when the service shows those that left before',
    one(
      'what is submitted again leaves before the service shows what left before it',
      'dispatch/follow.ts',
      'if (trust.latest.isAwaited(now) || admission',
      'if (admission',
    ),
  ),
  heldBy(
    'dispatch/send-again.test.ts: the same holds where another run may send it, too',
    one(
      'an order that was proven absent and is held all the same stops nothing',
      'dispatch/follow.ts',
      'if (held.length > 0) return',
      'if (held.length < 0) return',
    ),
  ),
  one(
    'what is submitted again waits for a fresh answer without an end',
    'dispatch/follow.ts',
    'if (this.#staleSince !== undefined && then',
    'if (this.#staleSince === Number.NaN && then',
  ),
  {
    name: 'a second submission gets a new id',
    file: 'dispatch/submit.ts',
    edits: [
      ['const { id, submission } = state;', 'const { id, submission, posts } = state;'],
      ['rendered: body }', 'rendered: posts > 1 ? body.replaceAll(id, id.slice(0, -1) + posts) : body }'],
    ],
  },
  {
    name: 'a second submission is rendered again',
    file: 'dispatch/submit.ts',
    edits: [
      ['const { id, submission } = state;', 'const { id, submission, posts } = state;'],
      ['rendered: body }', 'rendered: posts > 1 ? JSON.stringify(JSON.parse(body), null, 1) : body }'],
    ],
  },
  {
    name: 'one "unknown" is enough',
    file: 'dispatch/decision.ts',
    edits: [
      ['unknowns < 2 ||', 'unknowns < 1 ||'],
      ['Math.max(first + unknownGapMs,', 'Math.max('],
    ],
  },
  one('two "unknown" may follow at once', 'dispatch/decision.ts', 'Math.max(first + unknownGapMs,', 'Math.max('),
  one('no silence is kept', 'dispatch/decision.ts', 'silentSince(state, policy, now) + quietMs, believed', 'believed'),
  one(
    '"unknown" is believed though nothing shows how late look-ups are',
    'dispatch/decision.ts',
    'return visibleSince === undefined ? undefined : visibleSince + policy.inDoubt.unknownGapMs;',
    'return 0;',
  ),
  one(
    'what was accepted before an order shows that it is absent',
    'dispatch/witnesses.ts',
    'find((witness) => !isBefore(witness, sent))',
    'at(0)',
  ),
  one('an old order is submitted again', 'dispatch/decision.ts', '&& age + clockAheadMs <= inDoubt.maxAgeMs', ''),
  heldBy(
    'dispatch/decision-times.test.ts: the age of an order is the larger of two clocks, to the millisecond',
    one(
      'no order grows old while the computer sleeps',
      'dispatch/decision.ts',
      '&& age + clockAheadMs <=',
      '&& age <=',
    ),
  ),
  one(
    'an order is submitted again without an end',
    'dispatch/decision.ts',
    'if (isSpent(state, rule)) return false;',
    '',
  ),
  one(
    'submissions are not counted',
    'domain/order.ts',
    'posts: state.posts + 1,',
    'posts: Math.min(state.posts + 1, 1),',
  ),
  one('"never submit again" is ignored', 'dispatch/decision.ts', `if (rule.resend === 'never') return false;`, ''),
  one('"exists" is ignored', 'dispatch/decision.ts', `if (state.answer?.tag === 'exists') return false;`, ''),
  one(
    'evidence from before a submission counts after it',
    'domain/order.ts',
    '...rest } = withoutUnknowns(state);',
    '...rest } = state;',
  ),
  one(
    'an accepted order becomes unknown again',
    'domain/order.ts',
    `if (state.phase !== 'claimed' && state.phase !== 'in-doubt') return state;`,
    '',
  ),
  one(
    'any refused look-up means "unknown"',
    'dispatch/look-up.ts',
    '|| form !== (await this.#learnUnknown(lookUp))',
    '',
  ),
  one(
    'the client repeats a submission after 401',
    'service/client/client.ts',
    'if (!operation.repeatable) return reply;',
    '',
  ),
  one(
    'an earlier submission is forgotten',
    'domain/order.ts',
    `phase === 'in-doubt' && !mayHaveArrived && answer`,
    `phase === 'in-doubt' && answer`,
  ),
];

const checkpoints: readonly PlantedBug[] = [
  one(
    'a claim is not in the checkpoint before it is sent',
    'ledger/ledger.ts',
    `      await checkpoints.advance(writer.head);
      for (const batch of`,
    '      for (const batch of',
  ),
  one('a power cut takes a checkpoint back', 'files/durable-file.ts', 'await files.syncFolder(dirname(path));', ''),
  one(
    'a checkpoint that is gone is not missed',
    'ledger/checkpoint-keeper.ts',
    `return found === 'missing' && last === 0 ? 'new' : 'no-checkpoint';`,
    `return found === 'missing' && last === 0 ? 'new' : undefined;`,
  ),
  one(
    'a ledger without any checkpoint is believed',
    'ledger/checkpoint-keeper.ts',
    `return found === 'missing' && last === 0 ? 'new' : 'no-checkpoint';`,
    'return undefined;',
  ),
  heldBy(
    'ledger/checkpoint.test.ts: and of which the checkpoint is put back to before a run that sent nothing is in recovery, because that run may have found something out',
    one(
      'a checkpoint that was put back is believed',
      'ledger/checkpoint-keeper.ts',
      '(await database.read(RUN_SINCE, [checkpoint.seq])).length > 0',
      '(await database.read(RUN_SINCE, [checkpoint.seq])).length < 0',
    ),
  ),
  one(
    'an older ledger of the same epoch is believed',
    'ledger/checkpoint-keeper.ts',
    'if (isForgotten || checkpoint.epoch >',
    'if (checkpoint.epoch >',
  ),
  one(
    'a doubt ends with the run that had it',
    'ledger/checkpoint-keeper.ts',
    'recovery: isUnnamed ? { ...recovery, batches: [...new Set([...recovery.batches, batch])] } : recovery,',
    'recovery: isUnnamed ? undefined : undefined,',
  ),
  // It does damage only where answers get lost in the last round as well.
  heldBy(
    'dispatch/recovery.test.ts: stops without having sent anything when the look-ups say nothing',
    one(
      'a ledger in recovery sends without a look',
      'dispatch/probes.ts',
      'if (policy.lookFirst && !this.#recovery.hasCleared(order)) return false;',
      '',
    ),
  ),
  one(
    'a ledger in recovery waits for no gap and no silence',
    'dispatch/decision.ts',
    'return lookFirst ? Math.max(firstUnknownAt + inDoubt.unknownGapMs, recoveryAt + inDoubt.quietMs) : firstUnknownAt;',
    'return firstUnknownAt;',
  ),
  one(
    'a ledger in recovery keeps no silence',
    'dispatch/decision.ts',
    'Math.max(firstUnknownAt + inDoubt.unknownGapMs, recoveryAt + inDoubt.quietMs)',
    'firstUnknownAt + inDoubt.unknownGapMs',
  ),
  one(
    'what never left is believed by a ledger in recovery',
    'dispatch/decision.ts',
    'neverTransmitted(state) && (!policy.lookFirst || isSendOnce(state))',
    'neverTransmitted(state)',
  ),
  one(
    'airtime is sent by a ledger in recovery',
    'preflight/ledger-in-recovery.ts',
    'choice.settings.sandbox || choice.acceptUnverifiable === count',
    'choice.settings.sandbox || choice.acceptUnverifiable !== 0',
  ),
];

/** What a state folder that was put back in place would do: nothing but the service shows it. */
const unseen: readonly PlantedBug[] = [
  one(
    'a run that goes on with a batch asks for nothing before it sends',
    'dispatch/decision.ts',
    'askEach && !isSendOnce(state) && hasLookUp(state.submission)',
    'false',
  ),
  one(
    'a batch that is begun twice is not asked for',
    'dispatch/probes.ts',
    'const unsent = await this.#lastAskedFor(mayLeave);',
    'const unsent = this.#recovery.maySend ? allButTheLast(mayLeave) : [];',
  ),
  one(
    'nobody goes ahead of the others',
    'dispatch/probes.ts',
    'return this.#run.trust.probes.accepted >= PROBES || this.#tried >= CANDIDATES;',
    'return true;',
  ),
  one(
    'the first of the sheet go ahead, and not the smallest ids',
    'ledger/orders.ts',
    'ORDER BY id LIMIT ?)\n  ORDER BY o.id`;',
    'ORDER BY position LIMIT ?)\n  ORDER BY o.position`;',
  ),
  one(
    'a probe that could not go ahead leaves without a look at the other smallest ids',
    'dispatch/send.ts',
    'await this.#probes.watchOthers(planned);',
    '',
  ),
  one(
    'an order that is found though it was never sent puts nothing in doubt',
    'dispatch/probes.ts',
    'return lookFirst ? this.#recovery.othersSend() : this.#run.trust.enterRecovery();',
    'return Promise.resolve();',
  ),
  one(
    'what never left is sent again without a look',
    'dispatch/decision.ts',
    'const isAskedAlready = !isAskedFor(state, policy) || (state.lastUnknownAt ?? 0) >= since;',
    'const isAskedAlready = true;',
  ),
];

const answers: readonly PlantedBug[] = [
  one(
    'a broken connection counts as not sent',
    'service/client/verdict.ts',
    'const unsent = notSentAlways.has(code) ||',
    `const unsent = code === 'ECONNRESET' || notSentAlways.has(code) ||`,
  ),
  one(
    'a time limit counts as not sent',
    'service/client/verdict.ts',
    'const unsent = notSentAlways.has(code) ||',
    `const unsent = code.startsWith('UND_ERR') || notSentAlways.has(code) ||`,
  ),
  one(
    'a page of somebody else counts as an acceptance',
    'dispatch/submit.ts',
    `reply.unsent ? 'not-sent' : reply.tag;`,
    `reply.unsent ? 'not-sent' : reply.tag === 'ambiguous' && reply.reason.startsWith('HTTP 200') ? 'accepted' : reply.tag;`,
  ),
  one(
    '"exists" counts as refused',
    'dispatch/submit.ts',
    `reply.unsent ? 'not-sent' : reply.tag;`,
    `reply.unsent ? 'not-sent' : reply.tag === 'exists' ? 'refused' : reply.tag;`,
  ),
  one(
    'every error counts as refused',
    'dispatch/submit.ts',
    `reply.unsent ? 'not-sent' : reply.tag;`,
    `reply.unsent ? 'not-sent' : reply.tag === 'ambiguous' ? 'refused' : reply.tag;`,
  ),
  one('refused needs no look-up', 'dispatch/decision.ts', 'if (mayBeRefused && isProven)', 'if (mayBeRefused)'),
  one(
    'a refusal undoes an earlier submission',
    'dispatch/decision.ts',
    `answer?.tag === 'refused' && !mayHaveArrived`,
    `answer?.tag === 'refused'`,
  ),
  one(
    'the acceptance of another order counts',
    'dispatch/submit.ts',
    'named.toLowerCase() === id',
    'named !== undefined',
  ),
  one(
    'Retry-After is ignored',
    'service/client/pace.ts',
    'Math.max(this.#resumeAtMs, nowMs + pauseMs)',
    'Math.max(this.#resumeAtMs, nowMs + 1)',
  ),
  one('more is in flight than allowed', 'dispatch/submit.ts', 'pLimit(concurrency)', 'pLimit(concurrency * 4)'),
];

const byHand: readonly PlantedBug[] = [
  one(
    'every attempt has the same trace number',
    'batch/order-origin.ts',
    'const trace = traceNumberOf(identity, rowKey);',
    'const trace = traceNumberOf({ ...identity, attempt: 1 }, rowKey);',
  ),
  one(
    'what a person settled is sent again',
    'dispatch/decision.ts',
    'if (hasResolvedLine(state)) return askStep(state, policy, now);',
    '',
  ),
  one(
    'a row that is paid may be tried again',
    'domain/outcome.ts',
    `outcome === 'rejected' || outcome === 'refused' || outcome === 'failed';`,
    `outcome === 'rejected' || outcome === 'refused' || outcome === 'failed' || outcome === 'completed';`,
  ),
];

const ends: readonly PlantedBug[] = [
  {
    name: 'accepted means paid',
    file: 'domain/order.ts',
    edits: [
      [
        `phase: fact.tag === 'accepted' ? 'accepted' : 'in-doubt',`,
        `phase: fact.tag === 'accepted' ? 'settled' : 'in-doubt',
    lines: state.lines.map((line) => (fact.tag === 'accepted' ? { ...line, phase: 'completed' as const } : line)),`,
      ],
    ],
  },
  one(
    'timed out means failed',
    'domain/order-line.ts',
    `case 'timed-out':\n      return 'timed-out';\n    case 'unrecognised'`,
    `case 'timed-out':\n      return 'failed';\n    case 'unrecognised'`,
  ),
  one(
    'timed out means completed',
    'domain/order-line.ts',
    `case 'timed-out':\n      return 'timed-out';\n    case 'unrecognised'`,
    `case 'timed-out':\n      return 'completed';\n    case 'unrecognised'`,
  ),
  one(
    'an unknown status means failed',
    'domain/order-line.ts',
    `processed && resultMeaning(resultCode) === 'failed' ? 'failed' : 'open'`,
    `'failed'`,
  ),
  one(
    'an unknown status means completed',
    'domain/order-line.ts',
    `processed && resultMeaning(resultCode) === 'failed' ? 'failed' : 'open'`,
    `'completed'`,
  ),
  one(
    'a duplicate (result code 9) means failed',
    'domain/result-code.ts',
    `'9': { says: 'Duplicate transaction', meaning: 'held' }`,
    `'9': { says: 'Duplicate transaction', meaning: 'failed' }`,
  ),
  one(
    'a duplicate (result code 9) is the last word on what it repeats',
    'domain/order-line.ts',
    'if (saysHeld(report.resultCode)) return',
    'if (line.row < 0) return',
  ),
  one(
    '"rejected" is final beside any result code',
    'domain/order-line.ts',
    `return leavesOpen(resultCode) ? 'open' : 'rejected';`,
    `return 'rejected';`,
  ),
  one(
    '"rejected" is final beside a time-out (result code -1)',
    'domain/result-code.ts',
    `meaning === 'open' || meaning === 'held' || meaning === 'timed-out'`,
    `meaning === 'open' || meaning === 'held'`,
  ),
  one(
    'an element that is invalid (result code 8) means failed',
    'domain/result-code.ts',
    `'8': { says: 'Invalid transaction element', meaning: 'open' }`,
    `'8': { says: 'Invalid transaction element', meaning: 'failed' }`,
  ),
  one(
    'an acceptance proves that this submission is the one that pays',
    'domain/order.ts',
    'fact.serviceId !== undefined && !state.mayHaveArrived &&',
    'fact.serviceId !== undefined &&',
  ),
  // Either alarm alone notices most of it.
  {
    name: 'completed can be taken back',
    file: 'domain/order-line.ts',
    edits: [
      [`if (line.phase === 'completed' && next !== 'completed') {`, 'if (line.row < 0) {'],
      [
        `if (isWordOf('completed', line.report) && !isWordOf('completed', report) && !isContradiction) {`,
        'if (line.row < 0) {',
      ],
    ],
  },
  one(
    'a claimed order reads unsent',
    'domain/order.ts',
    `case 'claimed':\n    case 'in-doubt':\n      return neverTransmitted`,
    `case 'claimed':\n      return 'unsent';\n    case 'in-doubt':\n      return neverTransmitted`,
  ),
  one('an order in doubt reads failed', 'domain/order.ts', `? 'unsent' : 'in-doubt';`, `? 'unsent' : 'failed';`),
  one(
    'what is overdue reads failed',
    'domain/order.ts',
    `state.alarms.length > 0 ? 'in-doubt' : 'pending'`,
    `state.alarms.length > 0 ? 'failed' : 'pending'`,
  ),
  one(
    'the fee is read from another field',
    'ledger/recorded-orders.ts',
    'fromWire(line.report.feeAmount,',
    'fromWire(line.report.paidAmount,',
  ),
  one(
    'the exit code forgets what timed out',
    'domain/exit-code.ts',
    'const open = openIn(counts) +',
    "const open = openIn(counts) - counts['timed-out'] +",
  ),
  one(
    'a report loses a row',
    'ledger/batches.ts',
    'WHERE batch = ? AND sheet_row > ? ORDER BY',
    'WHERE batch = ? AND sheet_row > ? + 2 ORDER BY',
  ),
  one(
    'a record changes without a fact',
    'ledger/order-moves.ts',
    'for (const fact of facts) yield append(batch, fact, position);',
    'for (const fact of facts.slice(0, 1)) yield append(batch, fact, position);',
  ),
];

const stops: readonly PlantedBug[] = [
  {
    name: 'an alarm does not stop sending',
    file: 'dispatch/task.ts',
    edits: [[`    this.#halted.abort();\n    if (this.#stop `, `    if (this.#stop `]],
  },
  one('the next run forgets an alarm', 'dispatch/dispatch.ts', 'control.raise(await ledger.alarms(batch));', ''),
  one(
    'Ctrl-C does not stop sending',
    'dispatch/task.ts',
    'AbortSignal.any([task.signal, this.#broken.signal])',
    'AbortSignal.any([this.#broken.signal])',
  ),
  one(
    'the amount that the service holds is not compared',
    'service/submissions/payment-order.ts',
    '!amount || !sameMoney(amount, plan.amount)',
    '!amount',
  ),
  one(
    'the account that the service holds is not compared',
    'service/submissions/payment-order.ts',
    'differs(recipient?.primaryAccountNumber,',
    'differs(undefined,',
  ),
  one(
    'a line that is there twice is not noticed',
    'service/submissions/payment-order.ts',
    'if (seen.has(trace))',
    'if (seen.size < 0)',
  ),
  one(
    'a completion that is denied is believed',
    'domain/order-line.ts',
    'if (deniesSuccess(resultCode)) return',
    'if (paidAmount === resultCode) return',
  ),
  one('the amount that was paid is not compared', 'domain/order-line.ts', 'paid && sameMoney(paid, amount)', 'paid'),
];

const rejections: readonly PlantedBug[] = [
  one(
    'what the service took a request to stop for is rejected',
    'dispatch/reject.ts',
    'return { row, end: endOf(found, row),',
    `return { row, end: reason === undefined ? 'rejected' : endOf(found, row),`,
  ),
  one(
    'a request to stop that was lost is taken for done',
    'dispatch/reject.ts',
    'return { row, end: endOf(found, row),',
    `return { row, end: reason?.startsWith('HTTP') === false ? 'rejected' : endOf(found, row),`,
  ),
  one(
    'what a request to stop leaves open has ended',
    'dispatch/reject.ts',
    `default:\n      return 'unknown';`,
    `default:\n      return 'ended';`,
  ),
  one(
    'what was never sent counts as stopped, and goes out later',
    'dispatch/reject.ts',
    `outcome === 'unsent' ? 'unsent' : 'not-stoppable'`,
    `outcome === 'unsent' ? 'rejected' : 'not-stoppable'`,
  ),
  one(
    'what timed out counts as stopped',
    'dispatch/reject.ts',
    `case 'rejected':\n      return 'rejected';`,
    `case 'rejected':\n    case 'timed-out':\n      return 'rejected';`,
  ),
  one(
    'what timed out is not stopped with all that is open',
    'dispatch/reject.ts',
    'block.filter(({ outcome }) => !isSettled(outcome))',
    `block.filter(({ outcome }) => !isSettled(outcome) && outcome !== 'timed-out')`,
  ),
  one(
    'nobody records who asks for a stop',
    'dispatch/reject.ts',
    'return { order, facts: [fact], dueAt: order.dueAt };',
    'return { order, facts: fact.at < 0 ? [fact] : [], dueAt: order.dueAt };',
  ),
  one(
    'rows are stopped with those that were named',
    'dispatch/reject.ts',
    'requireWholeOrders([...orders.values()], rows, request.rows.length > 0);',
    'requireWholeOrders([...orders.values()], rows, false);',
  ),
  one(
    'nothing is asked about what was stopped',
    'dispatch/reject.ts',
    'await new AskAgain(deps, request).about(stopped.map(({ order }) => order))',
    `stopped.map(({ order }) => ({ order, told: 'nobody' as const }))`,
  ),
  one(
    'what was asked about stays due',
    'dispatch/look-up.ts',
    'facts: answers[index]?.facts ?? [], dueAt: null }',
    'facts: answers[index]?.facts ?? [], dueAt: order.dueAt }',
  ),
];

/** What a ledger does that is not the first. */
const later: readonly PlantedBug[] = [
  one(
    'attempts that a lost ledger made are not looked for',
    'dispatch/recovery.ts',
    'await this.#attempts?.after(order, row, depth)',
    'undefined as Awaited<ReturnType<Attempts["after"]>> | undefined',
  ),
  heldBy(
    'dispatch/attempts-runs.test.ts: does not send a row of which the service holds attempt 3 alone, whatever its id, where it holds anything of the batch',
    one(
      'of a batch that was begun only the next attempt is looked for',
      'dispatch/recovery.ts',
      'this.#isBegun || this.#smallest.has(order.position)',
      'this.#smallest.has(order.position)',
    ),
  ),
  heldBy(
    'dispatch/recovery.test.ts: looks everything up after the silence also where it asks again sooner, because one gets no clear answer',
    one(
      'what never left is sent before the silence is over',
      'dispatch/recovery.ts',
      'if (provenAt !== undefined && deps.clock.now() < provenAt)',
      'if (provenAt !== undefined && deps.clock.now() < 0)',
    ),
  ),
  one(
    'an attempt that is found is not followed',
    'dispatch/other-rows.ts',
    'found.push(foundAt(now, current, other));',
    '',
  ),
];

/** Rules that matter where there are two ledgers, several lost batches or edited sheets, or where a computer slept. */
const several: readonly PlantedBug[] = [
  heldBy(
    'dispatch/somebody-else.test.ts: where payments turn up once more, after a run has looked at all of them anew, it stops and has sent nothing',
    one(
      'an order that turns up while a ledger is reconciled stops nobody',
      'dispatch/recovery.ts',
      'if (first !== undefined) await this.othersSend();',
      '',
    ),
  ),
  heldBy(
    'dispatch/decision-times.test.ts: is proven unsent after the gap, and after the silence of this run, where the ledger is in doubt',
    one(
      'no silence is kept after a doubt in the middle of a run',
      'dispatch/decision.ts',
      'recoveryAt + inDoubt.quietMs)',
      'Math.min(startedAt, recoveryAt) + inDoubt.quietMs)',
    ),
  ),
  one(
    'a run that stood still asks for nothing',
    'dispatch/suspension.ts',
    'clockAheadMs) > this.#longMs;',
    'clockAheadMs) < 0;',
  ),
  one(
    'a sleep is no standstill',
    'dispatch/suspension.ts',
    'Math.max(now - this.#lastClaimAt, clockAheadMs)',
    '(now - this.#lastClaimAt)',
  ),
  one(
    'what was claimed before a sleep leaves after it',
    'dispatch/run.ts',
    'now - (state.lastClaimedAt ?? 0) + suspension.sleptSince(state.id) > CLAIM_FRESH_MS',
    'now - (state.lastClaimedAt ?? 0) > CLAIM_FRESH_MS',
  ),
  heldBy(
    'dispatch/long-sleep.test.ts: an order that was to be submitted again when the computer fell asleep is asked for before it leaves',
    one(
      'what was decided on before a sleep leaves after it',
      'dispatch/follow.ts',
      'await this.#sendAgain(cleared, aheadMs);',
      'await this.#sendAgain(cleared, trust.suspension.clockAheadMs);',
    ),
  ),
  heldBy(
    'dispatch/stale-answers.test.ts: one that goes ahead was asked for in the latest round, where the answer about another one was lost in that',
    one(
      'those that go ahead leave on the answers of earlier rounds',
      'dispatch/probes.ts',
      'return this.#recovery.maySend ? answered : [];',
      'return this.#recovery.maySend ? ahead.slice(0, PROBES) : [];',
    ),
  ),
  heldBy(
    'dispatch/send-again.test.ts: an order that was proven absent long ago stays when another ledger has sent it since',
    one(
      'an order is submitted again on a proof of any age',
      'dispatch/follow.ts',
      '(state.lastUnknownAt ?? now) > CLAIM_FRESH_MS',
      '(state.lastUnknownAt ?? now) > Number.POSITIVE_INFINITY',
    ),
  ),
  heldBy(
    'dispatch/look-up.test.ts: tells nothing by "unknown" where the computer slept before it read the answer',
    one(
      'an answer that was slept over counts as one from after the sleep',
      'dispatch/look-up.ts',
      'if (this.#deps.wokeAt?.() !== wokeAt) return SLEPT_OVER;',
      'if (this.#deps.wokeAt?.() === Number.NaN && wokeAt) return SLEPT_OVER;',
    ),
  ),
  one(
    'a lost batch that the checkpoint names stops nobody',
    'preflight/ledger-in-recovery.ts',
    'if (lost.length === 0) return;',
    'if (lost.length >= 0) return;',
  ),
  one(
    'a lost batch is known by its name alone',
    'preflight/ledger-in-recovery.ts',
    'if (named) return requireItsRows(named, ids(), settings);',
    'if (named) return;',
  ),
  heldBy(
    'dispatch/recovery.test.ts: stops where the service shows a payment under another id than that of its acceptance',
    one(
      'those that go ahead may be shown under another service id',
      'dispatch/witnesses.ts',
      'if (differ(serviceId, fact.serviceId)) this.#isOther();',
      '',
    ),
  ),
  one('the name of a batch is compared with its case', 'domain/ids.ts', 'name.trim().toLowerCase();', 'name.trim();'),
  one(
    'rows that were grouped otherwise are not asked for',
    'batch/other-orders.ts',
    'const first = place === 0 ? attempt + 1 : attempt;',
    'const first = attempt + 1;',
  ),
  heldBy(
    'dispatch/side-by-side.deep.test.ts: sends the first three of the smallest ids one by one, and asks for all of them that it has not sent before each',
    one(
      'a ledger in recovery begins with whatever it has cleared',
      'dispatch/probes.ts',
      'while (this.#recovery.maySend && !this.areDone) {',
      'while (this.#recovery.maySend && !this.areDone && !run.policy.lookFirst) {',
    ),
  ),
  heldBy(
    'dispatch/stale-answers.test.ts: where answers are lost in each pass over the first ones, those that go ahead are asked for last',
    one(
      'answers of a lossy network are never too old',
      'dispatch/probes.ts',
      'const answered = await this.#lookAhead.cleared(ahead.slice(0, PROBES));',
      'const answered = ahead;',
    ),
  ),
  heldBy(
    'dispatch/stale-answers.test.ts: no payment leaves while a ledger in recovery has no clear answer about one of them, and that one is asked for just before it leaves',
    one(
      'a ledger in recovery clears each order by itself',
      'dispatch/recovery.ts',
      'return isEveryCleared && this.#cleared.has(position);',
      'return this.#cleared.has(position);',
    ),
  ),
  heldBy(
    'dispatch/stale-answers.test.ts: no payment leaves while a ledger in recovery has no clear answer about one of them, and that one is asked for just before it leaves',
    one(
      'what a ledger in recovery has cleared leaves at once',
      'dispatch/probes.ts',
      'if (!policy.lookFirst && !mustLookFirst(order.state, policy)) return true;',
      'if (policy.lookFirst || !mustLookFirst(order.state, policy)) return true;',
    ),
  ),
  heldBy(
    'dispatch/decision-absence.test.ts: makes old what proved an order absent, because another computer may have sent it meanwhile',
    one(
      'proof from before a sleep counts after it',
      'dispatch/decision.ts',
      'believed, policy.wokeAt ?? 0)',
      'believed)',
    ),
  ),
];

/** What would keep two in step who begin in the same moment. */
const inStep: readonly PlantedBug[] = [
  {
    name: 'two who begin in one moment walk in one order',
    file: 'dispatch/probes.ts',
    edits: [['shuffled(await smallestOf(), random)', '(await smallestOf())']],
    also: [
      {
        file: 'dispatch/send.ts',
        edits: [['this.#probes.first, deps.random)', 'this.#probes.first, () => 1 - 2 ** -53)']],
      },
    ],
  },
  {
    name: 'the order is drawn from the uuid of the ledger, which a copied folder has too',
    file: 'dispatch/probes.ts',
    edits: [['shuffled(await smallestOf(), random)', '(await smallestOf())']],
    also: [
      {
        file: 'dispatch/send.ts',
        edits: [['this.#probes.first, deps.random)', 'this.#probes.first, () => 1 - 2 ** -53)']],
      },
      {
        file: 'ledger/ledger.ts',
        edits: [
          [
            'smallestUnsent: (batch, limit, upTo) => of(batch, () => orders.smallestUnsent(read, batch, limit, upTo)),',
            'smallestUnsent: async (batch, limit, upTo) => (await of(batch, () => orders.smallestUnsent(read, batch, limit, upTo))).toSorted((a, b) => drawnAt(ledgerUuid, a.position) - drawnAt(ledgerUuid, b.position)),',
          ],
          [
            'unsentPositions: (batch, upTo) => of(batch, () => orders.unsentPositions(database, batch, upTo)),',
            'unsentPositions: async (batch, upTo) => (await of(batch, () => orders.unsentPositions(database, batch, upTo))).toSorted((a, b) => drawnAt(ledgerUuid, a) - drawnAt(ledgerUuid, b)),',
          ],
          [
            'interface LedgerPorts {',
            'const drawnAt = (uuid: string, position: number): number => (position * Number.parseInt(uuid.slice(0, 6), 16)) % 8191;\ninterface LedgerPorts {',
          ],
        ],
      },
    ],
  },
  heldBy(
    'dispatch/side-by-side.deep.test.ts: sends the others in blocks of 1, 2, 4 and so on, and asks for each just before it leaves',
    one(
      'the first block of a run that looks first has 64 orders',
      'dispatch/send.ts',
      'Math.min(this.#blockSize, claimMost)',
      'Math.min(BLOCK_MAX, claimMost)',
    ),
  ),
  heldBy(
    'dispatch/side-by-side.deep.test.ts: stops claiming for a silence, in whichever block it is, and goes on and says so where nothing turns up',
    one(
      'that the service holds an order tells nothing of others',
      'dispatch/run.ts',
      'posts === 1 && facts',
      'posts < 1 && facts',
    ),
  ),
];

/** What several processes that work on one ledger at the same time would do to each other. */
const shared: readonly PlantedBug[] = [
  one(
    'a group is made again without the facts of others',
    'ledger/writer.ts',
    'of await this.#options.proof.follow()) {',
    'of new Set<BatchId>()) {',
  ),
  {
    name: 'a checkpoint goes back when another process was faster',
    heldBy:
      'ledger/two-writers.test.ts: stops a run that another one finds out about, and knows what was claimed beside that',
    file: 'ledger/checkpoint-keeper.ts',
    edits: [
      [
        'checkpoint.seq < head.seq ? { ...checkpoint, ...further(head, checkpoint) } : checkpoint,',
        '({ ...checkpoint, ...further(head, checkpoint) }),',
      ],
      ['  checkpoint.seq > head.seq ?', '  checkpoint.seq < 0 ?'],
    ],
  },
  heldBy(
    'ledger/two-writers.test.ts: names the batches of both and the last fact of either, and never goes back',
    one(
      'a process writes the checkpoint that it knows, and not what another one has written since',
      'ledger/checkpoint-keeper.ts',
      'const before = this.#following(found, own);',
      'const before = this.#following("missing", own);',
    ),
  ),
  heldBy(
    'ledger/two-writers.test.ts: stops a run that another one finds out about after it asked, and before it began',
    one(
      'a run that was told of no doubt takes one over when it begins',
      'ledger/checkpoint-keeper.ts',
      'if ((await this.recoveryReason(batch)) !== undefined) this.#inRecovery.add(batch);',
      'this.#inRecovery.add(batch);',
    ),
  ),
  one(
    'an epoch is given without being drawn',
    'ledger/leases.ts',
    '() => [drawing(latest), ...statements(latest + 1)]',
    '() => statements(latest + 1)',
  ),
  heldBy(
    'ledger/two-writers.test.ts: are sent one after the other by one process, also when another one has sent of the second in the meantime',
    one(
      'what the holder before has recorded is not proven',
      'ledger/lease-interface.ts',
      "    await proof.facts('again');\n",
      '',
    ),
  ),
  one(
    'a head is put in the place of whichever there is',
    'ledger/commit.ts',
    'begin: (when) => (chains || when ? [believing(believed)] : []),',
    'begin: (when) => (when ? [] : []),',
  ),
];

/** What a planning that was interrupted leaves behind. */
const unplanned: readonly PlantedBug[] = [
  one('an interrupted planning keeps its ids', 'ledger/plan.ts', '  await freeUnplanned(database, recording);\n', ''),
];

/** What is believed of an order that is read again. */
const believed: readonly PlantedBug[] = [
  heldBy(
    'ledger/tampering.test.ts: facts of an order that were edited are found before anything is claimed',
    one(
      'the facts of an order are believed when it is read again',
      'ledger/held-orders.ts',
      'if (!isSameDigest(known, digest)) throw',
      'if (known.hash === digest.hash && known.version !== digest.version) throw',
    ),
  ),
  heldBy(
    'ledger/tampering.test.ts: a row that was edited is found before anything is claimed',
    one(
      'the rows that an order pays are believed when it is claimed',
      'ledger/held-orders.ts',
      'storedRowHash(row) !== commitments.rows[index]',
      'commitments.rows.length === 0',
    ),
  ),
  heldBy(
    'ledger/payees.test.ts: are not read past an outcome that somebody edited',
    one(
      'what the tables say of an earlier payment is believed when a sheet is held against it',
      'ledger/proof.ts',
      'if (await this.#isWhole(batch)) continue;',
      'continue;',
    ),
  ),
  heldBy(
    'ledger/payees.test.ts: are looked for among all rows of a batch, even if it pays none of these people',
    one(
      'the rows of earlier batches are believed when a sheet is held against them',
      'ledger/proof.ts',
      'if (this.#facts.rows.get(id) !== hash) await this.batch(id);',
      '',
    ),
  ),
  heldBy(
    'ledger/tampering.test.ts: an edit of a row that nobody claims is found by the report',
    one(
      'a batch that was proven once is believed when it is reported',
      'ledger/proof.ts',
      'if ((this.#wholeAt.get(id)?.number ?? 0) < this.chains.endOf(id).number) this.#batches.delete(id);',
      '',
    ),
  ),
];

/** Bugs that name no faults of their own take these. */
const about = (faults: readonly FaultKind[], bugs: readonly PlantedBug[]): readonly PlantedBug[] =>
  bugs.map((bug) => ({ about: faults, ...bug }));

export const plantedBugs: readonly PlantedBug[] = [
  ...disk,
  ...about(['withdrawn', 'reject-ignored'], rejections),
  ...again,
  ...about(['ledger-lost', 'ledger-restored', 'checkpoint-lost', 'checkpoint-restored'], checkpoints),
  ...about(['ledger-restored', 'second-runner'], unseen),
  ...about(['timed-out'], byHand),
  ...answers,
  ...ends,
  ...stops,
  ...about(['rejected'], later),
  ...about(['asleep', 'second-runner', 'ledger-lost'], several),
  ...about(['second-runner'], inStep),
  // Themes of several processes on one ledger alone are about this.
  ...about(['paused'], shared),
  ...unplanned,
  ...believed,
];

/** The bugs that take away what holds this one (`PlantedBug.behind`). */
export const defencesOf = ({ behind: names = [] }: PlantedBug): readonly PlantedBug[] =>
  names.map((name) => {
    const bug = plantedBugs.find((one) => one.name === name);
    if (!bug) throw new Error(`There is no planted bug "${name}"`);
    return bug;
  });
