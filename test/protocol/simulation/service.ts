/**
 * A service of the simulation's own: it knows the wire and keeps books, and shares nothing with the practice service,
 * so that the two cannot agree on a mistake. The books are the truth that the judge holds everything against.
 */
import type { Chance } from '../../support/seeded-random.ts';
import {
  CompletionLies,
  falseOutcome,
  isEnd,
  isUndecided,
  ODD_STATUS,
  strangeLine,
  trueOutcome,
} from './line-outcomes.ts';
import type { Place } from './made-batch.ts';
import { Repetitions } from './repetitions.ts';
import type { Timeline } from './timeline.ts';
import { Tokens } from './tokens.ts';
import {
  type Answer,
  balance,
  charges,
  json,
  outcome,
  refusals,
  repeatRefusals,
  unknownAnswers,
  type WireLine,
  type WireOrder,
  type WireOutcome,
  wireOrderOf,
} from './wire.ts';
import { Withdrawals } from './withdrawals.ts';
import type { Witness } from './witness.ts';
import { fateOf, type RowFate, type World } from './world.ts';

/** One order that the service took and acts upon. */
interface Taken {
  readonly wire: WireOrder;
  readonly systemId: string;
  readonly atMs: number;
  readonly visibleAtMs: number;
}

/** Money that left the wallet for one row. */
export interface Payment {
  readonly row: number;
  readonly order: string;
  readonly amount: number;
  readonly account: unknown;
  readonly atMs: number;
}

const paying: ReadonlySet<string> = new Set(['completed', 'late-completion']);

export class Service {
  readonly #world: World;
  readonly #timeline: Timeline;
  readonly #chance: Chance;
  readonly #witness: Witness;
  readonly #places: ReadonlyMap<string, Place>;
  readonly #taken = new Map<string, Taken[]>();
  readonly #repetitions: Repetitions;
  readonly #lies = new CompletionLies();
  readonly #tokens: Tokens;
  readonly #withdrawals: Withdrawals;
  calm = false;

  constructor(
    world: World,
    deps: { readonly timeline: Timeline; readonly chance: Chance; readonly witness: Witness },
    places: ReadonlyMap<string, Place>,
  ) {
    this.#world = world;
    this.#timeline = deps.timeline;
    this.#chance = deps.chance;
    this.#witness = deps.witness;
    this.#places = places;
    this.#tokens = new Tokens(world.service, deps);
    this.#repetitions = new Repetitions(deps);
    this.#withdrawals = new Withdrawals(world.operator.rejecting.habit, deps);
  }

  token(): Answer {
    return this.#tokens.issue(this.calm);
  }

  #barred(authorization: string | undefined): Answer | undefined {
    return this.#tokens.barred(authorization);
  }

  /** Takes an order, or says why not. */
  submit(authorization: string | undefined, body: string): Answer {
    const barred = this.#barred(authorization);
    if (barred) return barred;
    const wire = wireOrderOf(body);
    const id = wire.originatorConversationId;
    if (this.#fatesOf(wire).some(({ end }) => end === 'refused')) {
      this.#witness.saw('refused');
      return { ...this.#chance.pick(refusals), means: 'refused' };
    }
    const earlier = this.#taken.get(id)?.[0];
    if (earlier) return this.#repeat(earlier, wire);
    const taken = this.#take(wire);
    this.#witness.log('service', `takes ${id.slice(0, 8)}`);
    return this.#acceptance(taken);
  }

  #take(wire: WireOrder): Taken {
    const atMs = this.#timeline.nowMs;
    const { readLagMs, repeats, shownAtOnce } = this.#world.service;
    if (readLagMs > 0) this.#witness.saw('read-lag');
    const isShown = shownAtOnce !== undefined && this.#chance.below(100) < shownAtOnce * 100;
    // Nothing protects from a service that acts on every request but the rules for sending: nobody may see it happen.
    if (repeats === 'executed' || repeats === 'hidden') this.#witness.saw(`repeat-${repeats}`);
    const taken: Taken = {
      wire,
      systemId: `sys-${this.#taken.size}-${this.#chance.below(1e6)}`,
      atMs,
      visibleAtMs: isShown ? atMs : atMs + readLagMs,
    };
    const id = wire.originatorConversationId;
    this.#taken.set(id, [...(this.#taken.get(id) ?? []), taken]);
    for (const { end } of this.#fatesOf(wire)) if (end !== 'completed' && end !== 'refused') this.#witness.saw(end);
    return taken;
  }

  #repeat(earlier: Taken, wire: WireOrder): Answer {
    const id = wire.originatorConversationId;
    const { repeats } = this.#world.service;
    if (repeats !== 'echoed') this.#witness.saw(`repeat-${repeats}`);
    this.#witness.log('service', `is sent ${id.slice(0, 8)} again: ${repeats}`);
    switch (repeats) {
      case 'replayed':
        return this.#acceptance(earlier);
      case 'nine':
        this.#repetitions.accepted(id);
        return this.#acceptance({ ...earlier, systemId: `${earlier.systemId}-again` });
      case 'executed':
      case 'hidden':
        return this.#acceptance(this.#take(wire));
      case 'echoed':
        this.#take(wire);
        return this.#acceptance(earlier);
      default:
        return { ...this.#chance.pick(repeatRefusals), means: 'repeated' };
    }
  }

  #acceptance({ wire, systemId }: Taken): Answer {
    const fate = this.#fatesOf(wire).find(({ lie }) => lie === 'echo-of-another');
    if (fate) this.#witness.saw('echo-of-another');
    const message = {
      appDomainName: 'LIVE',
      systemConversationId: systemId,
      originatorConversationId: fate ? '00000000-0000-8000-8000-000000000000' : wire.originatorConversationId,
      remarks: 'Accepted for processing',
    };
    return { ...json(this.#world.service.acceptStatus, { message }), means: fate ? 'contradiction' : 'accepted' };
  }

  find(authorization: string | undefined, id: string): Answer {
    const barred = this.#barred(authorization);
    if (barred) return barred;
    const visible = this.#visible(id);
    const [first] = visible;
    if (!first) return { ...this.#unknown(id), means: 'unknown' };
    const lie = this.#fatesOf(first.wire).find((fate) => fate.lie !== undefined)?.lie;
    const lines = visible.flatMap(({ wire, atMs }) => wire.paymentOrderLines.map((line) => this.#line(line, id, atMs)));
    if (lie === 'extra-line') lines.push(strangeLine(first.wire));
    if (lie === 'line-twice') lines.push(...lines.slice(0, 1));
    const told = lie !== undefined && ['extra-line', 'line-twice', 'other-order'].includes(lie);
    if (told) this.#witness.saw(lie);
    const contradicts = told || visible.length > 1 || lines.some(({ lied }) => lied);
    const record = {
      conversationId: first.systemId,
      originatorConversationId: lie === 'other-order' ? '00000000-0000-8000-8000-000000000001' : id,
      remarks: 'Transactions',
      isProcessed: lines.every(({ transactionOutcome }) => transactionOutcome.resultCode !== null),
      orderLines: lines.map(({ lied, ...line }) => line),
    };
    return { ...json(200, record), means: contradicts ? 'contradiction' : 'found' };
  }

  #visible(id: string): readonly Taken[] {
    const visible = (this.#taken.get(id) ?? []).filter(({ visibleAtMs }) => visibleAtMs <= this.#timeline.nowMs);
    const { repeats } = this.#world.service;
    return repeats === 'hidden' || repeats === 'echoed' ? visible.slice(0, 1) : visible;
  }

  #unknown(id: string): Answer {
    const { unknownForm } = this.#world.service;
    if (unknownForm === 'none') this.#witness.saw('no-unknown-form');
    return unknownAnswers[unknownForm](id, this.#chance.below(1e9));
  }

  #line(line: WireLine, id: string, takenAtMs: number) {
    const fate = this.#fateOf(line);
    const { amount } = line.transaction;
    const hidden = this.#repetitions.shownOf(id);
    const shown = hidden ?? this.#shownOutcome(line, fate, takenAtMs);
    const { lie } = fate;
    const completed = shown.transactionStatus === 4 && !hidden;
    const told = lie === 'amount-held' || lie === 'account-held' || (completed && this.#lies.tells(line, lie));
    if (lie && told) this.#witness.saw(lie);
    return {
      recipient: lie === 'account-held' ? { ...line.recipient, primaryAccountNumber: '+254799999999' } : line.recipient,
      transaction: { ...line.transaction, ...(lie === 'amount-held' && { amount: amount + 1 }) },
      transactionOutcome: told && completed ? falseOutcome(shown, line, lie) : shown,
      // A completion that is taken back contradicts only what was heard before, which a crash may have lost.
      lied: told && lie !== 'status-back',
    };
  }

  #shownOutcome(line: WireLine, fate: RowFate, takenAtMs: number): WireOutcome {
    if (this.#withdrawals.isEffective(line)) return outcome(7, '0', 0);
    const shown = trueOutcome(fate, line.transaction.amount, this.#timeline.nowMs - takenAtMs);
    if (shown.transactionStatus === ODD_STATUS) this.#witness.saw('odd-status');
    if (isUndecided(fate, shown)) this.#witness.saw('undecided');
    return shown;
  }

  /** Stops an order, as far as it is known and can be stopped. */
  reject(authorization: string | undefined, id: string): Answer {
    const barred = this.#barred(authorization);
    if (barred) return barred;
    const lines = this.#visible(id).flatMap(({ wire, atMs }) =>
      wire.paymentOrderLines.map((line) => ({ line, fate: this.#fateOf(line), takenAtMs: atMs })),
    );
    return lines.length > 0 ? this.#withdrawals.ask(id, lines) : this.#unknown(id);
  }

  /** Every payment made by now. */
  payments(): readonly Payment[] {
    const made: Payment[] = [];
    for (const [order, all] of this.#taken) {
      for (const { wire, atMs } of all) {
        for (const line of wire.paymentOrderLines) {
          const fate = this.#fateOf(line);
          if (!this.#pays(line)) continue;
          const paidAtMs = atMs + fate.settleMs + (fate.end === 'late-completion' ? fate.lateMs : 0);
          if (paidAtMs > this.#timeline.nowMs) continue;
          const row = this.#rowOf(line);
          const account = line.recipient['primaryAccountNumber'];
          made.push({ row, order, amount: line.transaction.amount, account, atMs: paidAtMs });
        }
      }
    }
    return made;
  }

  /** Whether the service gave an order this id of its own when it began to act on it. */
  actsAs(order: string, systemId: string): boolean {
    return (this.#taken.get(order) ?? []).some((taken) => taken.systemId === systemId);
  }

  /** When the service first took an order; undefined while it has not. */
  takenAtMs(order: string): number | undefined {
    return this.#taken.get(order)?.[0]?.atMs;
  }

  /** How often the service acts on an order. */
  timesTaken(order: string): number {
    return this.#taken.get(order)?.length ?? 0;
  }

  /** Whether it has an order, and the order has no line of the row: another ledger sent it with fewer rows. */
  lacks(order: string, row: number): boolean {
    return this.timesTaken(order) > 0 && this.#linesOf(order, row).length === 0;
  }

  /** Whether an order, in so far as it is about a row, has paid nothing and never will. */
  isDead(order: string, row: number): boolean {
    return this.#linesOf(order, row).every((line) => !this.#pays(line));
  }

  /** Whether somebody stopped an order, in so far as it is about a row, before it paid. */
  isWithdrawn(order: string, row: number): boolean {
    const lines = this.#linesOf(order, row);
    return lines.length > 0 && lines.every((line) => this.#withdrawals.willBe(line));
  }

  /** Whether the end of an order, in so far as it is about a row, is shown to who asks. */
  showsEnd(order: string, row: number): boolean {
    const shown = this.#visible(order).flatMap(({ wire, atMs }) =>
      this.#ofRow(wire, row).map((line) => this.#shownOutcome(line, this.#fateOf(line), atMs)),
    );
    return shown.some(isEnd);
  }

  #linesOf(order: string, row: number): readonly WireLine[] {
    return (this.#taken.get(order) ?? []).flatMap(({ wire }) => this.#ofRow(wire, row));
  }

  #ofRow({ paymentOrderLines }: WireOrder, row: number): readonly WireLine[] {
    return paymentOrderLines.filter((line) => this.#rowOf(line) === row);
  }

  #pays(line: WireLine): boolean {
    return paying.has(this.#fateOf(line).end) && !this.#withdrawals.willBe(line);
  }

  charges(authorization: string | undefined): Answer {
    return this.#barred(authorization) ?? charges;
  }

  balance(authorization: string | undefined): Answer {
    return this.#barred(authorization) ?? balance;
  }

  /** Whether a repetition hides the true end of an order. */
  hides(order: string): boolean {
    return this.#repetitions.shownOf(order) !== undefined;
  }

  #rowOf({ transaction }: WireLine): number {
    return this.#places.get(transaction.systemTraceAuditNumber)?.row ?? -1;
  }

  #fateOf(line: WireLine): RowFate {
    const place = this.#places.get(line.transaction.systemTraceAuditNumber);
    return (place && fateOf(this.#world, place.row, place.attempt)) ?? strangersFate;
  }

  #fatesOf({ paymentOrderLines }: WireOrder): readonly RowFate[] {
    return paymentOrderLines.map((line) => this.#fateOf(line));
  }
}

/** What becomes of a line that no plan knows: it is paid, so that the judge sees it. */
const strangersFate: RowFate = { end: 'completed', settleMs: 0, lateMs: 0, odd: false };
