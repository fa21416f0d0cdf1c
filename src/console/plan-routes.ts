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
import { writeWholeFile } from '../files/whole-file.ts';
import { Turns } from '../ledger/database.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { heldBatchName } from '../preflight/batch-name.ts';
import { compareTotals } from '../preflight/control-totals.ts';
import { applyPlan, planToday, sheetOf } from '../run/apply-plan.ts';
import { planSheet } from '../run/plan-sheet.ts';
import { requestOf } from './checks.ts';
import { type ChosenSheet, chosenFile, filesEnding, namedSheet } from './choose-sheet.ts';
import { type FoundPlan, isOver, newPlanPage, planPage, plansPage } from './plan-page.ts';
import type { Routes, Texts } from './routes.ts';
import type { Runs } from './runs.ts';
import { requireUnmoved, type Seen, StalePage, seenIn, seenNow } from './seen.ts';
import type { ConsoleWorld } from './world.ts';

/** Most plans that a list reads, latest first; each is read whole. */
const PLANS_MAX = 20;
/** Ending of key files that are suggested; a key with any other name can be typed. */
const KEY = '.key';

/** The plans in the folder with their approvals and refusals, and the names of those that cannot be read. */
export async function plansBelow(
  world: ConsoleWorld,
  ledger: Ledger,
): Promise<{ readonly plans: readonly FoundPlan[]; readonly unread: readonly string[] }> {
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
  const { app, world } = routes;
  app.get('/plans', (ask) =>
    routes.page(ask, async (site) => {
      await using records = await routes.records();
      const { plans, unread } = await plansBelow(world, records.deps.ledger);
      return plansPage(site, plans, unread, world.clock.now());
    }),
  );
  app.get('/plan', (ask) =>
    routes.page(ask, async (site) => {
      const keys = await filesEnding(KEY, world);
      return await routes.turns.take(async () => {
        await using session = await world.session(() => undefined, world.signal, true);
        const { deps } = session;
        // Taken first, so that anything recorded while the plan is tried counts as a change.
        const before = await seenNow(deps);
        const found = await planNamed(ask.req.query('plan') ?? '', world, deps.ledger);
        const now = world.clock.now();
        // A plan that is paid or expired is not compared with anything.
        const today = isOver(found, now)
          ? { changes: [] }
          : await planToday(
              { ...found, sheet: sheetBeside(found) },
              { deps: { ...deps, tell: () => undefined }, ...world.planning(deps.service) },
            );
        const seen = { ...before, sheet: markOf(found) };
        return planPage(site, found, { now, today, seen, keys });
      });
    }),
  );
  makeRoutes(routes);
  wordRoutes(routes);
  applyRoute(routes);
}

/** Path of the plan's sheet now. */
const sheetBeside = ({ plan, file }: PlanAt): string =>
  sheetOf(plan, { plan: file, named: undefined, cwd: path.dirname(file) });

function makeRoutes(routes: Routes): void {
  const { app, world, turns } = routes;
  app.get('/plan/new', (ask) =>
    routes.page(ask, async (site) => {
      const sheet = await namedSheet(ask.req.query(), world);
      const batch = proposedBatchName(sheet.name, world.clock.now(), site.settings.timezone);
      await using records = await routes.records();
      const seen = await seenNow(records.deps);
      const keys = await filesEnding(KEY, world);
      return newPlanPage(site, sheet, batch, { seen, keys });
    }),
  );
  routes.form('/plan/make', (ask, texts) =>
    turns.take(async () => {
      const seen = seenIn(texts);
      const chosen = await namedSheet(texts, world);
      const batchName = heldBatchName(texts['batch'] ?? '');
      const maker = texts['key']?.trim() ? await signatoryOf(texts, routes) : undefined;
      await using session = await world.session(() => undefined, world.signal, true);
      const { deps } = session;
      await requireUnmoved(seen, deps);
      const sheet = chosen.path === undefined ? await besideThePlan(chosen, world) : chosen.file;
      const payment = { ...requestOf(chosen, world), sheet, batchName };
      const { account } = world.planning(deps.service);
      const end = await planSheet({ payment, account, maker }, { ...deps, tell: () => undefined });
      const file = end.files.find(({ kind }) => kind === 'plan');
      if (!file) throw end.fault ?? new Fault('usage', 'No plan was made.', 'Look at the check of the sheet.');
      const plan = path.relative(world.folder, file.path).split(path.sep).join('/');
      return routes.leadTo(ask, 'plan', { plan });
    }),
  );
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

/** The routes that sign approvals and refusals, one at a time: the second of two that were sent at once has not seen the first. */
function wordRoutes(routes: Routes): void {
  const { world } = routes;
  const turns = new Turns();
  const signing = (
    path: string,
    sign: (found: PlanAt, texts: Texts, by: () => Promise<Signatory>) => Promise<string>,
  ): void =>
    routes.form(path, (ask, texts) =>
      turns.take(async () => {
        const found = await unmovedPlan(texts, seenIn(texts), world);
        await sign(found, texts, () => signatoryOf(texts, routes));
        return routes.leadTo(ask, 'plan', { plan: found.named });
      }),
    );
  signing('/plan/approve', async ({ plan, file }, { total = '', note = '' }, by) => {
    compareTotals(plan.plan.statement, { total });
    const said = reasonOf(note.trim() || undefined);
    return approvePlan({ plan, file, by: await by(), now: world.clock.now() }, said);
  });
  signing('/plan/decline', async ({ plan, file }, { reason = '' }, by) =>
    declinePlan({ plan, file, by: await by(), now: world.clock.now() }, reasonOf(reason) ?? ''),
  );
}

/** The plan that a form is about. Throws if it is not as the page showed it. */
async function unmovedPlan(texts: Texts, seen: Seen, world: ConsoleWorld): Promise<PlanAt> {
  await using records = await world.records(() => undefined);
  await requireUnmoved(seen, records.deps);
  const found = await planNamed(texts['plan'] ?? '', world, records.deps.ledger);
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
    const found = await unmovedPlan(texts, seen, world);
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
