/**
 * Plans: made, listed, shown, signed, declined and paid, with the same functions as `plan`, `approve`, `decline` and `apply`.
 */

import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Signatory, signatoryIn } from '../approval/approver-key.ts';
import { type GivenDecision, judgeDecisions } from '../approval/decision.ts';
import { approvePlan, decisionIn, decisionsBeside, declinePlan } from '../approval/decision-files.ts';
import { PLAN, type PlanFile, planIn } from '../approval/plan.ts';
import { planFacts, planPayments } from '../approval/plan-parts.ts';
import { requiredApprovals } from '../approval/policy.ts';
import type { BatchHeader } from '../domain/batch.ts';
import { localTime } from '../domain/clock.ts';
import { counted } from '../domain/counted.ts';
import { Fault } from '../domain/fault.ts';
import { GIVEN_TEXT_MAX, givenText } from '../domain/given-text.ts';
import { moneyText } from '../domain/money.ts';
import { proposedBatchName } from '../domain/proposed-name.ts';
import type { RunEnd } from '../domain/run-end.ts';
import type { Settings } from '../domain/settings.ts';
import { typedPath } from '../domain/typed-path.ts';
import { writeWholeFile } from '../files/whole-file.ts';
import { type Html, html, htmlTable, isolated, none, orElse, prose } from '../html/html.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { heldBatchName } from '../preflight/batch-name.ts';
import { compareTotals } from '../preflight/control-totals.ts';
import { applyPlan, type PlanToday, planToday, sheetOf } from '../run/apply-plan.ts';
import { planSheet } from '../run/plan-sheet.ts';
import type { RunDeps } from '../run/run-deps.ts';
import { type Act, actForm, type FormField } from './act-form.ts';
import { batchLink } from './batch-lines.ts';
import { requestOf } from './checks.ts';
import { addressOf, linkTo, linkToNamed, type PageParts, type Site, wide } from './frame.ts';
import { faultText, type Routes, type Texts } from './routes.ts';
import type { Runs } from './runs.ts';
import { requireUnmoved, type Seen, StalePage, seenIn, seenNow } from './seen.ts';
import { inTerminal } from './sheet-choice.ts';
import { type ChosenSheet, chosenFile, filesEnding, namedSheet } from './sheet-files.ts';
import { statementFigures, statementTables } from './statement-page.ts';
import type { ConsoleWorld } from './world.ts';

/** Most plans that a list reads, latest first; each is read whole. */
const PLANS_MAX = 20;
/** Ending of key files that are suggested; a key with any other name can be typed. */
const KEY = '.key';
/** Most rows of a plan that are listed. */
const ROWS_SHOWN = 200;
/** Most characters of a path and of a passphrase. */
const TYPED_MAX = 300;

/** A plan in the folder, with its approvals and refusals. */
export interface FoundPlan {
  /** Path below the folder of the console. */
  readonly named: string;
  /** Absolute path, with links resolved. */
  readonly file: string;
  readonly plan: PlanFile;
  readonly decisions: readonly GivenDecision[];
  /** The batch that was paid from the plan; absent if it was not paid. */
  readonly paid?: BatchHeader | undefined;
}

/** The plans of a folder, and the names of files that cannot be read as plans. */
interface FoundPlans {
  readonly plans: readonly FoundPlan[];
  readonly unread: readonly string[];
}

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

async function planNamed(named: string, world: ConsoleWorld, ledger: Ledger): Promise<FoundPlan> {
  const file = await chosenFile(named, world, 'plan');
  const plan = planIn(file);
  const batch = await ledger.findBatchCalled(plan.plan.batch);
  const paid = batch?.approval?.plan === plan.sha256 ? batch : undefined;
  return { named, file, plan, decisions: decisionsBeside(file).map(decisionIn), paid };
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
const sheetBeside = ({ plan, file }: FoundPlan): string =>
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
    'Sign when the batch is finished, or type the passphrase.',
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
    const said = givenText('The note', note.trim() || undefined);
    const by = await signatoryOf(texts, routes);
    await approvePlan({ plan, file, by, now: clock.now() }, said);
    return ['plan', { plan: named }];
  });
  routes.act('/plan/decline', async ({ ledger }, texts, seen) => {
    const { named, plan, file } = await shownPlan(texts, seen, world, ledger);
    const by = await signatoryOf(texts, routes);
    await declinePlan({ plan, file, by, now: clock.now() }, givenText('The reason', texts['reason'] ?? ''));
    return ['plan', { plan: named }];
  });
}

/** The plan that a form is about. Throws if it is not as the page showed it. */
async function shownPlan(texts: Texts, seen: Seen, world: ConsoleWorld, ledger: Ledger): Promise<FoundPlan> {
  const found = await planNamed(texts['plan'] ?? '', world, ledger);
  if (markOf(found) === seen.sheet) return found;
  const isSame = seen.sheet?.startsWith(found.plan.sha256) === true;
  throw new StalePage(
    [isSame ? 'Somebody has approved or declined the plan since.' : 'This file now holds a different plan.'],
    [],
  );
}

/** A mark of a plan and of all that was signed about it. */
const markOf = ({ plan: { sha256 }, decisions }: FoundPlan): string =>
  `${sha256}.${createHash('sha256').update(JSON.stringify(decisions)).digest('hex')}`;

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

/** The state of a plan, and whether somebody has to act. */
interface PlanState {
  readonly look: 'good' | 'careful' | 'bad' | 'wait' | 'muted';
  readonly says: string;
  /** Approvals are missing. */
  readonly waits: boolean;
}

/** Whether the plan can no longer be signed or paid. */
const isOver = ({ plan: { plan }, paid }: FoundPlan, now: number): boolean =>
  paid !== undefined || now >= Date.parse(plan.expiresAt);

export function planState({ plan, decisions, paid }: FoundPlan, { approval }: Settings, now: number): PlanState {
  if (paid) return { look: 'muted', says: 'Paid.', waits: false };
  if (now >= Date.parse(plan.plan.expiresAt)) return { look: 'muted', says: 'Expired: make a new one.', waits: false };
  const { counted: given, wrong, isDeclined } = judgeDecisions(plan, decisions, approval);
  if (isDeclined) return { look: 'bad', says: 'Declined.', waits: false };
  if (wrong.length > 0) return { look: 'bad', says: 'A file next to it does not count.', waits: false };
  if (!approval) return { look: 'wait', says: 'It needs no approval.', waits: false };
  const needed = Math.max(1, requiredApprovals(approval, plan.plan.total));
  const has = `${given.length} of ${counted(needed, 'approval')}`;
  return given.length >= needed
    ? { look: 'good', says: `Approved: ${has}.`, waits: false }
    : { look: 'careful', says: `Waiting: ${has}.`, waits: true };
}

/** A table of plans; `none` if there are none. */
export function planTable(site: Site, plans: readonly FoundPlan[], now: number): Html {
  const { settings } = site;
  if (plans.length === 0) return none;
  const rows = plans.map((found) => {
    const { plan } = found.plan;
    const { look, says } = planState(found, settings, now);
    return [
      html`${linkToNamed(addressOf(site, 'plan', { plan: found.named }), plan.batch)}${plan.sandbox && html` <span class="level warning">SANDBOX</span>`}`,
      moneyText(plan.total),
      isolated(plan.signed?.name ?? plan.maker),
      localTime(Date.parse(plan.expiresAt), settings.timezone),
      html`<span class="state ${look}">${says}</span>`,
    ];
  });
  return wide(
    'Plans',
    htmlTable({
      caption: html`Plans of this folder · times of ${isolated(settings.timezone)}`,
      columns: ['Batch', '#Total', 'Made by', { heading: 'Valid until', look: 'brief' }, 'Status'],
      rows,
    }),
  );
}

const plansPage = (site: Site, { plans, unread }: FoundPlans, now: number): PageParts => ({
  place: 'Approvals',
  title: 'Plans and approvals',
  body: html`<p class="quiet">A plan holds everything that a sheet would pay, in one file that people can sign. It is paid as it was signed, or not at all.</p>
${orElse(planTable(site, plans, now), html`<p>There is no plan in this folder.</p>`)}
${unread.map((name) => html`<p class="note">${isolated(name)} cannot be read as a plan: it was changed, or belongs to another version.</p>`)}
<p>To make one, begin with a sheet: ${linkTo(addressOf(site, 'check'), 'Check')}.</p>`,
  commands: ['plan SHEET --batch NAME --key FILE', 'approve PLAN --key FILE', 'apply PLAN'],
});

/** What the page of a plan needs in addition to the plan. */
interface PlanShown {
  readonly now: number;
  readonly today: PlanToday;
  readonly seen: Seen;
  /** Key files in the folder. */
  readonly keys: readonly string[];
}

function planPage(site: Site, found: FoundPlan, shown: PlanShown): PageParts {
  const { plan } = found.plan;
  const { settings } = site;
  const { now, today } = shown;
  const { look, says, waits } = planState(found, settings, now);
  const over = isOver(found, now);
  const typed = typedPath(found.named);
  return {
    place: 'Approvals',
    title: 'Plan of',
    about: plan.batch,
    body: html`<p class="verdict ${look}">${says}${found.paid ? html` ${batchLink(site, found.paid)}` : ''}</p>
${plan.sandbox === settings.sandbox ? '' : html`<p class="verdict bad">This plan is ${plan.sandbox ? 'a rehearsal' : 'for real money'}, and this console is not.</p>`}
${over ? '' : changesOf(today)}
${statementFigures(plan.statement, 'Wallet when planned')}
${over ? '' : html`<p class="actions"><a class="button" href="#sign">Go to the signature</a></p>`}
${decisionsTable(found, settings)}
${statementTables(plan.statement)}
<section>${wide('Payments', planPayments(found.plan, { most: ROWS_SHOWN }))}</section>
${planFacts(found.plan)}
${over ? '' : html`<section id="sign"><h2>Sign, or pay</h2>${forms(site, found, shown, waits)}</section>`}`,
    commands: [`approve ${typed} --key FILE`, `decline ${typed} --key FILE --reason "…"`, `apply ${typed}`],
  };
}

/** What changed since the plan was signed, or prevents it from being paid. */
function changesOf({ changes, fault }: PlanToday): Html {
  const lines = changes.map((change) => html`<li>${prose(change)}</li>`);
  const changed =
    changes.length > 0
      ? html`<p class="verdict bad">Out of date: today it would pay something else. It cannot be paid; make a new plan.</p><ul>${lines}</ul>`
      : none;
  if (fault) return html`${changed}${faultText(fault)}`;
  return orElse(
    changed,
    html`<p class="verdict good">Nothing has changed since it was made: sheet, charges and settings are the same.</p>`,
  );
}

function decisionsTable({ plan, decisions }: FoundPlan, { approval, timezone }: Settings): Html {
  const { counted: given, wrong } = judgeDecisions(plan, decisions, approval);
  const rows = given.map(({ name, at, note }) => [
    isolated(name),
    html`approved${note !== undefined && html`<br><span class="quiet">${isolated(note)}</span>`}`,
    localTime(Date.parse(at), timezone),
  ]);
  const columns = ['Name', 'Decision', { heading: 'When', look: 'brief' }];
  const table =
    rows.length === 0
      ? html`<p>Nobody has approved it yet.</p>`
      : wide('Who has approved it', htmlTable({ caption: 'Signed with accepted keys', columns, rows }));
  const others = wrong.map((why) => html`<p class="verdict bad">${prose(why)}</p>`);
  return html`<section><h2>Approvals so far</h2>${table}${others}</section>`;
}

/** The fields for the key that signs and its passphrase. The key file stays where it is. */
const keyFields = (keys: readonly string[], isOptional = false): readonly FormField[] => [
  {
    name: 'key',
    label: 'Your key file, below the folder of the console',
    hint:
      keys.length > 0
        ? `For example ${keys[0]}. It is read where it is, and sent nowhere.`
        : 'It is read where it is, and sent nowhere.',
    most: TYPED_MAX,
    among: keys,
    ...(isOptional && { optional: true }),
  },
  { name: 'passphrase', label: 'Its passphrase, if it has one', most: TYPED_MAX, optional: true, secret: true },
  { name: 'keychain', label: 'The passphrase is in the keychain of this system', tick: true },
];

function forms(site: Site, { plan, named }: FoundPlan, { seen, keys }: PlanShown, waits: boolean): Html {
  const hidden = { plan: named };
  const { total } = plan.plan;
  const approve: Act = {
    action: 'plan/approve',
    seen,
    hidden,
    legend: 'Approve',
    says: html`<p>Your signature allows this plan to be paid, by anybody who applies it.</p>`,
    fields: [
      { name: 'total', label: `Total ${total.currency}, from your own papers`, hint: 'Without charges.' },
      { name: 'note', label: 'Note, shown in the results', most: GIVEN_TEXT_MAX, optional: true },
      ...keyFields(keys),
    ],
    button: 'Sign: it may be paid',
  };
  const decline: Act = {
    action: 'plan/decline',
    seen,
    hidden,
    legend: 'Decline',
    says: html`<p>A refusal cannot be undone: this plan will not be paid.</p>`,
    fields: [{ name: 'reason', label: 'Why it must not be paid', most: GIVEN_TEXT_MAX }, ...keyFields(keys)],
    button: 'Sign: it must not be paid',
    plain: true,
  };
  const apply: Act = {
    action: 'plan/apply',
    seen,
    hidden: { ...hidden, once: randomUUID() },
    legend: 'Pay exactly this plan',
    says: html`<p>It is compared with the sheet and the settings again, and then sent.</p>`,
    button: 'Pay this plan now',
  };
  const acts = waits ? [approve, apply, decline] : [apply, approve, decline];
  return html`${acts.map((act) => actForm(site, act))}`;
}

/** The form that makes a plan of a sheet. */
function newPlanPage(
  site: Site,
  sheet: ChosenSheet,
  batch: string,
  { seen, keys }: Pick<PlanShown, 'seen' | 'keys'>,
): PageParts {
  const { query, name, path } = sheet;
  const mustSign = site.settings.approval?.makerKey === true;
  const act: Act = {
    action: 'plan/make',
    seen,
    hidden: query,
    legend: 'Make a plan',
    says: html`<p>It is written ${path === undefined ? 'into the folder of the console, with the sheet next to it' : 'next to the sheet'}. Nothing is sent.${mustSign ? ' This profile pays only plans that their maker has signed.' : ''}</p>`,
    fields: [
      { name: 'batch', label: 'Batch name; each name is paid only once', value: batch },
      ...keyFields(keys, !mustSign),
    ],
    button: 'Make the plan',
  };
  return {
    place: 'Approvals',
    title: 'Plan of',
    about: name,
    body: html`${actForm(site, act)}<p class="actions">${linkTo(addressOf(site, 'check', query), 'The check of this sheet')}</p>`,
    ...inTerminal(site, sheet, (typed) => [`plan ${typed} --batch ${batch}${mustSign ? ' --key FILE' : ''}`]),
  };
}
