/**
 * The routes of plans: made, shown, signed, declined and paid, with the same functions as `plan`, `approve`, `decline` and
 * `apply`.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Signatory } from '../approval/approver-key.ts';
import { approvePlan, declinePlan } from '../approval/give-word.ts';
import { PLAN, planIn } from '../approval/plan-file.ts';
import { signatoryIn } from '../approval/signatory.ts';
import { wordIn, wordsBeside } from '../approval/word-files.ts';
import { Fault } from '../domain/fault.ts';
import { reasonOf } from '../domain/given-reason.ts';
import { proposedBatchName } from '../domain/proposed-name.ts';
import type { RunEnd } from '../domain/run-end.ts';
import { writeWholeFile } from '../files/whole-file.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { heldBatchName } from '../preflight/batch-name.ts';
import { compareTotals } from '../preflight/control-totals.ts';
import { applyPlan, planToday, sheetOf } from '../run/apply-plan.ts';
import type { RunDeps } from '../run/paybatch.ts';
import { planSheet } from '../run/plan-sheet.ts';
import { requestOf } from './checks.ts';
import { type ChosenSheet, chosenFile, filesEnding, namedSheet } from './choose-sheet.ts';
import { type FoundPlan, type FoundPlans, isOver, newPlanPage, planPage, plansPage } from './plan-page.ts';
import type { Routes, Texts } from './routes.ts';
import type { Runs } from './runs.ts';
import { requireUnmoved, type Seen, StalePage, seenIn, seenNow } from './seen.ts';
import type { ConsoleWorld } from './world.ts';

/** Most plans that a list reads, latest first; each is read whole. */
const PLANS_MAX = 20;
/** Ending of key files that are suggested; a key with any other name can be typed. */
const KEY = '.key';

/** The plans in the folder with their approvals and refusals, and the names of those that cannot be read. */
export async function plansBelow(world: ConsoleWorld, ledger: Ledger): Promise<FoundPlans> {
  const plans: FoundPlan[] = [];
  const unread: string[] = [];
  for (const named of (await filesEnding(`.${PLAN}`, world)).slice(0, PLANS_MAX)) {
    try {
      plans.push(await planNamed(named, world, ledger));
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      unread.push(named);
    }
  }
  return { plans, unread };
}

interface PlanAt extends FoundPlan {
  /** Absolute path, with links resolved. */
  readonly file: string;
}

async function planNamed(named: string, world: ConsoleWorld, ledger: Ledger): Promise<PlanAt> {
  const file = await chosenFile(named, world, 'plan');
  const plan = planIn(file);
  const batch = await ledger.findBatchCalled(plan.plan.batch);
  const paid = batch?.approval?.plan === plan.sha256 ? batch : undefined;
  return { named, file, plan, words: wordsBeside(file).map(wordIn), ...(paid && { paid }) };
}

export function planRoutes(routes: Routes): void {
  const { world } = routes;
  routes.page('/plans', async (site) => {
    await using records = await routes.records();
    return plansPage(site, await plansBelow(world, records.deps.ledger), world.clock.now());
  });
  routes.page('/plan', async (site, { plan = '' }) => {
    const keys = await filesEnding(KEY, world);
    return routes.session(
      async (deps) => {
        // Taken first, so that anything recorded while the plan is tried counts as a change.
        const before = await seenNow(deps);
        const found = await planNamed(plan, world, deps.ledger);
        const now = world.clock.now();
        // A plan that is paid or expired is not compared with anything.
        const today = isOver(found, now)
          ? { changes: [] }
          : await planToday({ ...found, sheet: sheetBeside(found) }, { deps, ...world.planning(deps.service) });
        const seen = { ...before, sheet: markOf(found) };
        return planPage(site, found, { now, today, seen, keys });
      },
      { sends: true },
    );
  });
  makeRoutes(routes);
  wordRoutes(routes);
  applyRoute(routes);
}

/** Path of the plan's sheet now. */
const sheetBeside = ({ plan, file }: PlanAt): string =>
  sheetOf(plan, { plan: file, named: undefined, cwd: path.dirname(file) });

function makeRoutes(routes: Routes): void {
  const { world } = routes;
  routes.page('/plan/new', async (site, texts) => {
    const sheet = await namedSheet(texts, world);
    const batch = proposedBatchName(sheet.name, world.clock.now(), site.settings.timezone);
    await using records = await routes.records();
    const seen = await seenNow(records.deps);
    const keys = await filesEnding(KEY, world);
    return newPlanPage(site, sheet, batch, { seen, keys });
  });
  routes.form('/plan/make', async (ask, texts) => {
    const seen = seenIn(texts);
    const chosen = await namedSheet(texts, world);
    const batchName = heldBatchName(texts['batch'] ?? '');
    const maker = texts['key']?.trim() ? await signatoryOf(texts, routes) : undefined;
    const make = async (deps: RunDeps): Promise<RunEnd> => {
      await requireUnmoved(seen, deps);
      const sheet = chosen.path === undefined ? await besideThePlan(chosen, world) : chosen.file;
      const payment = { ...requestOf(chosen, world), sheet, batchName };
      return planSheet({ payment, account: world.planning(deps.service).account, maker }, deps);
    };
    const end = await routes.session(make, { sends: true });
    const file = end.files.find(({ kind }) => kind === 'plan');
    if (!file) throw end.fault ?? new Fault('usage', 'No plan was made.', 'Look at the check of the sheet.');
    const plan = path.relative(world.folder, file.path).split(path.sep).join('/');
    return routes.leadTo(ask, 'plan', { plan });
  });
}

/** Copies a dropped sheet next to its plan, because the plan outlives the console and the dropped sheet does not. */
async function besideThePlan({ file, name }: ChosenSheet, { folder }: ConsoleWorld): Promise<string> {
  const written = await writeWholeFile(path.join(folder, name), 'copy', ({ stream, signal }) =>
    pipeline(createReadStream(file), stream, { signal, end: false }),
  );
  return written.path;
}

/** The person who signs: opens a key below the folder with its passphrase. */
async function signatoryOf(texts: Texts, { world, runs }: Routes): Promise<Signatory> {
  const { key = '', passphrase = '', keychain } = texts;
  const file = await chosenFile(key, world, 'key');
  return signatoryIn(file, () => {
    if (keychain === 'yes') {
      requireIdle(runs);
      return world.passphraseOf(file);
    }
    if (passphrase !== '') return passphrase;
    throw new Fault(
      'usage',
      'This key has a passphrase, and none was given. Nothing was signed.',
      'Type it, or tick that it is in the keychain.',
    );
  });
}

/** Throws while a payment is in progress: asking the keychain blocks the process and may wait for a person. */
function requireIdle({ underWay }: Runs): void {
  if (underWay.length === 0) return;
  throw new Fault(
    'usage',
    'This console is paying a batch, and cannot wait for the keychain meanwhile. Nothing was signed.',
    'Sign when the batch is through, or type the passphrase.',
  );
}

/** The routes that sign approvals and refusals. */
function wordRoutes(routes: Routes): void {
  const { world } = routes;
  const { clock } = world;
  routes.act('/plan/approve', async ({ ledger }, texts, seen) => {
    const { named, plan, file } = await shownPlan(texts, seen, world, ledger);
    const { total = '', note = '' } = texts;
    compareTotals(plan.plan.statement, { total });
    const said = reasonOf(note.trim() || undefined);
    const by = await signatoryOf(texts, routes);
    await approvePlan({ plan, file, by, now: clock.now() }, said);
    return ['plan', { plan: named }];
  });
  routes.act('/plan/decline', async ({ ledger }, texts, seen) => {
    const { named, plan, file } = await shownPlan(texts, seen, world, ledger);
    const by = await signatoryOf(texts, routes);
    await declinePlan({ plan, file, by, now: clock.now() }, reasonOf(texts['reason']) ?? '');
    return ['plan', { plan: named }];
  });
}

/** The plan that a form is about. Throws if it is not as the page showed it. */
async function shownPlan(texts: Texts, seen: Seen, world: ConsoleWorld, ledger: Ledger): Promise<PlanAt> {
  const found = await planNamed(texts['plan'] ?? '', world, ledger);
  if (markOf(found) === seen.sheet) return found;
  const isSame = seen.sheet?.startsWith(found.plan.sha256) === true;
  throw new StalePage(
    [isSame ? 'Somebody has approved or declined the plan since.' : 'The plan in this file is another one now.'],
    [],
  );
}

/** A mark of a plan and of all that was signed about it. */
const markOf = ({ plan: { sha256 }, words }: FoundPlan): string =>
  `${sha256}.${createHash('sha256').update(JSON.stringify(words)).digest('hex')}`;

/** Pays a plan as it was approved, as `paybatch apply` does, while pages stay available. */
function applyRoute(routes: Routes): void {
  const { world } = routes;
  routes.payment('/plan/apply', async (texts, seen) => {
    await using records = await world.records(() => undefined);
    const found = await shownPlan(texts, seen, world, records.deps.ledger);
    const { currency, purpose, acceptUnverifiable } = found.plan.plan.request;
    return {
      verb: 'apply',
      about: path.basename(found.file),
      currency,
      purpose,
      acceptUnverifiable,
      work: (deps) => applyPlan({ ...found, sheet: sheetBeside(found) }, { deps, ...world.planning(deps.service) }),
    };
  });
}
