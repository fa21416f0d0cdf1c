/** What happens in a world with a plot (`plot.ts`): who runs which sheet where, what is lost or copied, and when. */
import { CLAIM_FRESH_MS } from '../../../src/dispatch/admission.ts';
import { elsewhereStop } from '../../../src/dispatch/stop-reasons.ts';
import type { Chance } from '../../support/seeded-random.ts';
import { Desk, type DeskDeps, type PaidSheet } from './desk.ts';
import type { Ending } from './ending.ts';
import { type MadeBatch, type MadeSheet, makeBatch, onlySheet } from './made-batch.ts';
import {
  type Edit,
  hiding,
  type Plot,
  situationOfEdit,
  situationOfLoss,
  situationOfOrigin,
  situationOfStep,
} from './plot.ts';
import {
  ALL_REGROUPED_MAY_BE_PAID_TWICE,
  ANCHORS,
  judgePaid,
  judgePeople,
  judgeRepeated,
  judgeSaid,
} from './plot-judgement.ts';
import type { World } from './world.ts';

const MINUTE = 60_000;
/** Runs of one sheet, each after the end of the one before. */
const RUNS_MAX = 8;
/** How long a computer sleeps while another one pays, in milliseconds. */
const SLEEP_MS = 40 * MINUTE;

type TwoLedgers = Extract<Plot, { tag: 'two-ledgers' }>;
type InStep = Extract<Plot, { tag: 'in-step' }>;
type LostBatches = Extract<Plot, { tag: 'lost-batches' }>;

export class PlotStory {
  readonly #deps: DeskDeps;
  readonly #desk: Desk;
  readonly #other: Desk;
  /** Every submission of a ledger, in the order in which they left. */
  readonly #sent: { readonly order: string; readonly ledger: string; readonly atMs: number }[] = [];
  /** People whose payment of before a loss nobody can find. */
  #hidden: ReadonlySet<number> = new Set();
  runs = 0;
  crashes = 0;
  readonly claimedAtCrash = 0;
  readonly outcomes = new Map<string, number>();

  constructor(deps: DeskDeps) {
    this.#deps = deps;
    this.#desk = new Desk(deps.fleet.desk, 1, deps);
    this.#other = new Desk(deps.fleet.other, 101, deps);
  }

  async emit(plot: TwoLedgers | InStep | LostBatches): Promise<void> {
    if (this.#deps.world.machine.usedBefore) await this.#desk.useBefore();
    if (plot.tag === 'two-ledgers') await this.#twoLedgers(plot);
    else if (plot.tag === 'in-step') await this.#inStep(plot);
    else await this.#lostBatches(plot);
    this.#desk.disk.close();
    this.#other.disk.close();
  }

  /** Submissions of all. */
  get posts(): number {
    return this.#sent.length;
  }

  get #desks(): readonly Desk[] {
    return [this.#desk, this.#other];
  }

  async #twoLedgers(plot: TwoLedgers): Promise<void> {
    const { world, witness, timeline } = this.#deps;
    const batch = makeBatch(world);
    witness.situations.add(situationOfOrigin[plot.from]);
    witness.saw('second-runner');
    let copied: Promise<unknown> = Promise.resolve();
    const start = async (): Promise<void> => {
      if (plot.from !== 'new') this.#other.disk.copyFrom(this.#desk.disk, plot.isTold);
      witness.log('story', `the folder is copied (${plot.from})`);
      await timeline.pass(plot.apartMs);
      await this.#runUntilClosed(this.#other, batch, 3);
    };
    if (plot.from === 'new' || plot.from === 'before') copied = start();
    else this.#at(this.#desk, batch, plot.afterOrders, () => this.#cut(plot, () => (copied = start())));
    await this.#runUntilClosed(this.#desk, batch, 3, plot.from === 'between' ? () => (copied = start()) : undefined);
    await copied;
    await this.#becomeCalm();
    // Somebody sees to it that only one goes on; later the other one looks as well.
    for (const desk of this.#desks)
      this.#judgeEnd(desk.sheet(batch), await this.#runUntilClosed(desk, batch, RUNS_MAX));
    const momentMs = this.#momentMs();
    const areBoth = plot.from === 'new' || plot.from === 'before' || plot.from === 'between';
    this.#noteSent(this.#desk, 'desk');
    this.#noteSent(this.#other, 'other');
    // Later runs of the two may begin in one moment as well.
    const together = areBoth && plot.apartMs <= momentMs ? ANCHORS : this.#sentTogether(momentMs);
    // A request that was late on its way could not be seen before it arrived, however long ago it was sent.
    const unseen = this.#repeated().size - this.#repeated(momentMs).size;
    this.#judge(Math.min(ANCHORS, together), new Set(), Math.min(ANCHORS, Math.max(together, unseen)));
  }

  /** Two begin in one moment: whoever sends then does not know of the other one. */
  async #inStep({ from, afterOrders, apartMs }: InStep): Promise<void> {
    const { world, witness, timeline } = this.#deps;
    const batch = makeBatch(world);
    witness.situations.add(situationOfStep[from]);
    witness.saw('second-runner');
    if (from === 'between') {
      this.#at(this.#desk, batch, afterOrders, () => this.#desk.kill('somebody ends it'));
      await this.#run(this.#desk, batch);
    }
    if (from === 'copied' || from === 'between') this.#other.disk.copyFrom(this.#desk.disk, from === 'copied');
    // Neither of them is where the folder was.
    if (from === 'copied') this.#desk.disk.checkpoints.identity = 'another copy of the ledger';
    const other = this.#runUntilClosed(this.#other, batch, 3);
    // A new ledger has kept its silence when it begins.
    await timeline.pass(apartMs + (from === 'beside' ? world.settings.inDoubt.quietMs : 0));
    await Promise.all([other, this.#runUntilClosed(this.#desk, batch, 3)]);
    await this.#becomeCalm();
    for (const desk of this.#desks)
      this.#judgeEnd(desk.sheet(batch), await this.#runUntilClosed(desk, batch, RUNS_MAX));
    this.#noteSent(this.#desk, 'desk');
    this.#noteSent(this.#other, 'other');
    // What both send within one moment, neither can know; how many that are is chance. But few of them are paid twice. Where the
    // answer to a later look-up was lost, an earlier one counts for as long as it is fresh.
    const freshMs = Object.values(world.network.rates).some((rate) => rate > 0) ? CLAIM_FRESH_MS : 0;
    this.#judge(ANCHORS, new Set(), Math.max(ANCHORS, this.#sentTogether(this.#momentMs() + freshMs)));
  }

  /** So long nobody sees what the other one has sent. */
  #momentMs(): number {
    const { service, network, settings } = this.#deps.world;
    const paceMs = settings.sending.ratePerSecond > 0 ? (AHEAD * MS_PER_SECOND) / settings.sending.ratePerSecond : 0;
    // What was asked last may be as old as the wait for an answer that was lost beside it.
    const losesAnswers = Object.values(network.rates).some((rate) => rate > 0);
    const lostMs = losesAnswers ? settings.sending.requestTimeoutMs : 0;
    return MOMENT_MS + paceMs + service.readLagMs + 4 * network.latencyMs + lostMs;
  }

  /** How many orders left from both ledgers within one moment. */
  #sentTogether(momentMs: number): number {
    const byOrder = Map.groupBy(this.#sent, ({ order }) => order);
    return [...byOrder.values()].filter((sent) =>
      sent.some((one) =>
        sent.some(({ ledger, atMs }) => ledger !== one.ledger && Math.abs(atMs - one.atMs) <= momentMs),
      ),
    ).length;
  }

  /** What happens to the first computer in the middle of its run. */
  #cut({ from }: TwoLedgers, copy: () => void): void {
    if (from === 'between') {
      this.#desk.kill('somebody ends it');
      return;
    }
    if (from === 'asleep') this.#sleep();
    copy();
  }

  #sleep(): void {
    const { fleet, timeline, witness } = this.#deps;
    witness.saw('asleep');
    const { host } = this.#desk;
    for (const process of fleet.on(host)) process.pause(SLEEP_MS);
    host.sleep(timeline.nowMs, SLEEP_MS);
    witness.log('story', `${host.name} sleeps for ${SLEEP_MS}`);
  }

  async #lostBatches(plot: LostBatches): Promise<void> {
    const { world, witness } = this.#deps;
    const desk = this.#desk;
    const sheets = Array.from({ length: plot.batches }, (_, index) => sheetOf(world, index));
    desk.keep();
    for (const [index, sheet] of sheets.entries()) {
      const batch = makeBatch(world, sheet);
      const isLast = index === sheets.length - 1;
      if (isLast) this.#at(desk, batch, plot.diesAt, () => desk.kill('power loss'));
      await this.#run(desk, batch);
    }
    witness.saw('power-loss');
    witness.situations.add(situationOfLoss[plot.lost]);
    this.#noteSent(desk, 'first');
    if (plot.lost === 'since') await this.#putBack();
    else desk.lose(plot.lost);
    for (const edit of plot.edits) witness.situations.add(situationOfEdit[edit]);
    const edited = sheets.map((sheet) => plot.edits.reduce((one, edit) => editedBy(edit, one, this.#deps), sheet));
    const again = edited.map((sheet) => makeBatch(world, sheet));
    this.#hidden = hiddenIn(sheets, new Set(edited.flatMap(({ people }) => people)));
    for (const batch of again) await this.#runUntilClosed(desk, batch, 2);
    await this.#becomeCalm();
    for (const batch of again) {
      const ending = await this.#runUntilClosed(desk, batch, RUNS_MAX);
      if (plot.edits.some((edit) => hiding.includes(edit))) this.#judgeHeldBack(ending);
      else this.#judgeEnd(desk.sheet(batch), ending);
    }
    this.#noteSent(desk, 'desk');
    this.#judge(0, this.#hidden);
  }

  /** The folder of the computer is as it was; by then the service shows whatever was sent. */
  async #putBack(): Promise<void> {
    const { timeline, world } = this.#deps;
    await timeline.pass(world.service.readLagMs + world.network.lateMaxMs);
    this.#desk.putBack();
  }

  /** The sheet of a lost batch, identified otherwise: the checkpoint tells of its batch, and nobody says that it is another one. */
  #judgeHeldBack(ending: Ending | undefined): void {
    if (ending?.tag === 'fault' && ending.fault.code === 'lost-batches') return;
    this.#deps.witness.violated('M3', 'a sheet is paid that may be that of a lost batch');
  }

  #judgeEnd(sheet: PaidSheet, ending: Ending | undefined): void {
    if (ending?.tag === 'ended') judgePaid(sheet, ending.endings);
    else if (ending?.tag === 'fault')
      this.#deps.witness.violated('M18', `a calm run ends with: ${ending.fault.message}`);
  }

  /** `admitted`: so many may be paid twice. `repeated`: so many orders may be sent again that the service holds from the other one. */
  #judge(admitted: number, excused: ReadonlySet<number>, repeated = admitted): void {
    const { service, witness } = this.#deps;
    judgePeople(service, witness, admitted, excused);
    // One that answers a repetition as it answered the first shows nobody that there was one, and acts on none.
    if (this.#deps.world.service.repeats !== 'replayed') judgeRepeated(service, witness, this.#repeated(), repeated);
  }

  #noteSent(desk: Desk, ledger: string): void {
    for (const { traffic } of desk.sheets) {
      for (const [order, posts] of traffic.posts) {
        for (const { leftAtMs } of posts) this.#sent.push({ order, ledger, atMs: leftAtMs });
      }
    }
  }

  /** Orders that a second ledger sent more than `laterMs` after the service had taken them. */
  #repeated(laterMs = 0): ReadonlySet<string> {
    const { service } = this.#deps;
    const byOrder = Map.groupBy(this.#sent, ({ order }) => order);
    return new Set(
      [...byOrder].flatMap(([order, sent]) => {
        const takenAtMs = service.takenAtMs(order) ?? Number.POSITIVE_INFINITY;
        const first = sent.findLast(({ atMs }) => atMs <= takenAtMs)?.ledger;
        return sent.some(({ atMs, ledger }) => atMs > takenAtMs + laterMs && ledger !== first) ? [order] : [];
      }),
    );
  }

  #at(desk: Desk, batch: MadeBatch, submission: number, run: () => void): void {
    const { timeline, chance } = this.#deps;
    desk.sheet(batch).traffic.moments.at(submission, () => timeline.after(chance.below(50), run));
  }

  async #becomeCalm(): Promise<void> {
    const { world, service, timeline, witness } = this.#deps;
    for (const desk of this.#desks) desk.calm = true;
    service.calm = true;
    witness.log('story', 'all is calm');
    await timeline.pass(
      world.settings.inDoubt.quietMs + world.network.lateMaxMs + world.service.readLagMs + longestMs(world),
    );
  }

  /** Runs a sheet again after each end that is not the last word; `between` happens after the first run. */
  async #runUntilClosed(desk: Desk, batch: MadeBatch, most: number, between?: () => void): Promise<Ending | undefined> {
    const { timeline, chance } = this.#deps;
    let ending: Ending | undefined;
    for (let left = most; left > 0; left--) {
      ending = await this.#run(desk, batch);
      if (left === most) between?.();
      if (ending.tag === 'ended' && ending.endings.exit !== 7) return ending;
      // Whoever is told that somebody else pays, or of an alarm, finds out what is going on before another run.
      if (ending.tag === 'bug' || isWarned(ending)) return ending;
      if (most === RUNS_MAX) await desk.sayAbsent(batch);
      // What was sent late has to have its end by the last run.
      const isLast = most === RUNS_MAX && left === 2;
      await timeline.pass(isLast ? longestMs(this.#deps.world) : chance.pick([1000, MINUTE, 5 * MINUTE]));
    }
    return ending;
  }

  async #run(desk: Desk, batch: MadeBatch): Promise<Ending> {
    this.runs += 1;
    const ending = await desk.run(batch);
    if (ending.tag === 'died') this.crashes += 1;
    if (ending.tag === 'ended') judgeSaid(desk.sheet(batch), ending.endings, this.#hidden);
    return ending;
  }
}

/** Longest random wait of a run before it looks, and what one takes over its own disk, in milliseconds: it is one moment. */
const MOMENT_MS = 250;
/** Requests from the first look-up of those that go ahead to the last of them: with a pace, they take as long as the pace says. */
const AHEAD = 16;
const MS_PER_SECOND = 1000;

const isWarned = (ending: Ending): boolean =>
  ending.tag === 'ended' && (ending.endings.alarms.length > 0 || ending.endings.stopped === elsewhereStop.says);

const longestMs = ({ fates }: World): number => Math.max(...fates.map(({ settleMs, lateMs }) => settleMs + lateMs));

/** The sheets of several batches have people of their own. */
export function sheetOf(world: World, index: number): MadeSheet {
  const only = onlySheet(world);
  if (index === 0) return only;
  const people = only.people.map((person) => person + index * world.rows);
  return { ...only, name: `${only.name}-${index + 1}`, people };
}

function editedBy(edit: Edit, sheet: MadeSheet, { chance }: { readonly chance: Chance }): MadeSheet {
  const { people, linesPerOrder } = sheet;
  const at = chance.below(people.length);
  switch (edit) {
    case 'corrected':
      return { ...sheet, corrected: new Set([people[at] ?? 0]) };
    case 'added':
      return { ...sheet, people: people.toSpliced(at, 0, Math.max(...people) + 1) };
    case 'removed':
      return { ...sheet, people: people.toSpliced(at, 1) };
    case 'sorted':
      return {
        ...sheet,
        people: chance.onceIn(2) ? people.toReversed() : [...people.slice(at), ...people.slice(0, at)],
      };
    case 'grouped':
      return { ...sheet, linesPerOrder: chance.pick([1, 2, 3, 5].filter((lines) => lines !== linesPerOrder)) };
    case 'recased':
      return { ...sheet, name: sheet.name.toUpperCase() };
    case 'another-client':
      return { ...sheet, namespace: 'acme-2' };
    case 'renamed':
      return { ...sheet, name: `${sheet.name}-again` };
  }
}

/** Whom any sheet of a world can pay, under each name that a batch may have there, and what becomes of them. */
export function peopleOf(
  world: World,
  plot: Plot,
): { readonly sheets: readonly MadeSheet[]; readonly fates: World['fates'] } {
  const batches = 'batches' in plot ? plot.batches : 1;
  const { name } = onlySheet(world);
  const people = Array.from({ length: world.rows * batches + ADDED_MAX }, (_, person) => person);
  const names = [name, `${name}-again`, ...Array.from({ length: batches - 1 }, (_, index) => `${name}-${index + 2}`)];
  return {
    sheets: names.map((one) => ({ name: one, people, linesPerOrder: 1 })),
    fates: people.flatMap((person) => world.fates[person % world.rows] ?? []),
  };
}

/** People that edits of a sheet add at most. */
const ADDED_MAX = 2;

/** People who may be paid twice after a loss: in an order that began with a row which is in no sheet any more. */
const hiddenIn = (sheets: readonly MadeSheet[], left: ReadonlySet<number>): ReadonlySet<number> =>
  new Set(
    sheets.flatMap(({ people, linesPerOrder }) =>
      people.filter((_, index) => {
        const place = index % linesPerOrder;
        const first = people[index - place] ?? -1;
        return place > 0 && (ALL_REGROUPED_MAY_BE_PAID_TWICE || !left.has(first));
      }),
    ),
  );
