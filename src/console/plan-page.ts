/**
 * The pages of plans: the list of plans that wait for somebody, and one plan with its signatures and with what has changed since
 * it was made.
 */

import { randomUUID } from 'node:crypto';
import type { PlanFile } from '../approval/plan.ts';
import { requiredApprovals } from '../approval/policy.ts';
import { type GivenWord, judgeWords } from '../approval/word.ts';
import type { BatchHeader } from '../domain/batch.ts';
import { localTime } from '../domain/clock.ts';
import { counted } from '../domain/counted.ts';
import { REASON_MAX } from '../domain/given-reason.ts';
import { moneyText } from '../domain/money.ts';
import type { Settings } from '../domain/settings.ts';
import { typedPath } from '../domain/typed-path.ts';
import { factRow, type Html, html, htmlTable, inParts, isolated, none, orElse, told } from '../html/html.ts';
import {
  earlierTables,
  paymentTables,
  reservedParts,
  statementFigures,
  statementKinds,
} from '../results/html/statement-parts.ts';
import type { PlanToday } from '../run/apply-plan.ts';
import { type Act, actForm, type FormField } from './act-form.ts';
import { batchLink } from './batch-lines.ts';
import type { ChosenSheet } from './choose-sheet.ts';
import { addressOf, linkTo, linkToNamed, type PageParts, type Site, wide } from './frame.ts';
import { faultText } from './routes.ts';
import type { Seen } from './seen.ts';
import { inTerminal } from './sheet-choice.ts';

/** Most rows of a plan that are listed. */
const ROWS_SHOWN = 200;
/** Most characters of a path and of a passphrase. */
const TYPED_MAX = 300;

/** A plan in the folder, with its approvals and refusals. */
export interface FoundPlan {
  /** Path below the folder of the console. */
  readonly named: string;
  readonly plan: PlanFile;
  readonly words: readonly GivenWord[];
  /** The batch that was paid from the plan; absent if it was not paid. */
  readonly paid?: BatchHeader | undefined;
}

/** The plans of a folder, and the names of files that are no plan that can be read. */
export interface FoundPlans {
  readonly plans: readonly FoundPlan[];
  readonly unread: readonly string[];
}

/** The state of a plan, and whether somebody has to act. */
interface PlanState {
  readonly look: 'good' | 'careful' | 'bad' | 'wait' | 'muted';
  readonly says: string;
  /** Approvals are missing. */
  readonly waits: boolean;
}

/** Whether the plan can no longer be signed or paid. */
export const isOver = ({ plan: { plan }, paid }: FoundPlan, now: number): boolean =>
  paid !== undefined || now >= Date.parse(plan.expiresAt);

export function planState({ plan, words, paid }: FoundPlan, { approval }: Settings, now: number): PlanState {
  if (paid) return { look: 'muted', says: 'Paid.', waits: false };
  if (now >= Date.parse(plan.plan.expiresAt)) return { look: 'muted', says: 'Expired: make it anew.', waits: false };
  const { counted: given, wrong, isDeclined } = judgeWords(plan, words, approval);
  if (isDeclined) return { look: 'bad', says: 'Declined.', waits: false };
  if (wrong.length > 0) return { look: 'bad', says: 'Something beside it does not count.', waits: false };
  if (!approval) return { look: 'wait', says: 'Nobody has to approve it.', waits: false };
  const needed = Math.max(1, requiredApprovals(approval, plan.plan.total));
  const has = `${given.length} of ${counted(needed, 'approval')}`;
  return given.length >= needed
    ? { look: 'good', says: `Approved: ${has}.`, waits: false }
    : { look: 'careful', says: `Waits: ${has}.`, waits: true };
}

const planAddress = (site: Site, { named }: Pick<FoundPlan, 'named'>): string =>
  addressOf(site, 'plan', { plan: named });

/** A table of plans; `none` if there are none. */
export function planTable(site: Site, plans: readonly FoundPlan[], now: number): Html {
  const { settings } = site;
  if (plans.length === 0) return none;
  const lines = plans.map((found) => {
    const { plan } = found.plan;
    const { look, says } = planState(found, settings, now);
    return html`<tr><th scope="row">${linkToNamed(planAddress(site, found), plan.batch)}${plan.sandbox ? html` <span class="level warning">SANDBOX</span>` : ''}</th><td class="figure">${moneyText(plan.total)}</td><td>${isolated(plan.signed?.name ?? plan.maker)}</td><td class="brief">${localTime(Date.parse(plan.expiresAt), settings.timezone)}</td><td><span class="state ${look}">${says}</span></td></tr>`;
  });
  return wide(
    'Plans',
    htmlTable({
      caption: html`Plans of this folder · times of ${isolated(settings.timezone)}`,
      columns: ['Batch', '#Total', 'Made by', 'Holds until', 'How far'],
      rows: lines,
    }),
  );
}

export const plansPage = (site: Site, { plans, unread }: FoundPlans, now: number): PageParts => ({
  place: 'Approvals',
  title: 'Plans and approvals',
  body: html`<p class="quiet">A plan is all that a sheet would pay, in one file that people can sign. It is paid as it was signed, or not at all.</p>
${orElse(planTable(site, plans, now), html`<p>There is no plan in this folder.</p>`)}
${unread.map((name) => html`<p class="note">${isolated(name)} is no plan that can be read: it is not as it was made, or belongs to another version.</p>`)}
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

export function planPage(site: Site, found: FoundPlan, shown: PlanShown): PageParts {
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
${plan.sandbox === settings.sandbox ? '' : html`<p class="verdict bad">This plan is ${plan.sandbox ? 'a rehearsal' : 'of real money'}, and this console is not.</p>`}
${over ? '' : changesOf(today)}
${statementFigures(plan.statement, 'Wallet when planned')}
${wide('Reserved by other batches', reservedParts(plan.statement))}
${over ? '' : html`<p class="actions"><a class="button" href="#sign">To the signature, below</a></p>`}
${wordsTable(found, settings)}
${wide('By kind', statementKinds(plan.statement))}
<section><h2>What changed since last time</h2>${orElse(wide('What changed since last time', earlierTables(plan.statement)), html`<p>Nothing to compare with.</p>`)}</section>
<section><h2>Payments to look at</h2>${wide('Payments to look at', paymentTables(plan.statement))}</section>
${rowsTable(found.plan)}
${factsOf(found.plan)}
${over ? '' : html`<section id="sign"><h2>Sign, or pay</h2>${forms(site, found, shown, waits)}</section>`}`,
    commands: [`approve ${typed} --key FILE`, `decline ${typed} --key FILE --reason "…"`, `apply ${typed}`],
  };
}

/** What changed since the plan was signed, or prevents it from being paid. */
function changesOf({ changes, fault }: PlanToday): Html {
  const lines = changes.map((change) => html`<li>${told(change)}</li>`);
  const changed =
    changes.length > 0
      ? html`<p class="verdict bad">Out of date: what it would pay today is not what stands in it. It cannot be paid; make a new plan.</p><ul>${lines}</ul>`
      : none;
  if (fault) return html`${changed}${faultText(fault)}`;
  return orElse(
    changed,
    html`<p class="verdict good">Nothing has changed since it was made: sheet, charges and settings are the same.</p>`,
  );
}

function wordsTable({ plan, words }: FoundPlan, { approval, timezone }: Settings): Html {
  const { counted: given, wrong } = judgeWords(plan, words, approval);
  const lines = given.map(
    ({ name, at, note }) =>
      html`<tr><th scope="row">${isolated(name)}</th><td>approved${note === undefined ? '' : html`<br><span class="quiet">${isolated(note)}</span>`}</td><td class="brief">${localTime(Date.parse(at), timezone)}</td></tr>`,
  );
  const table =
    lines.length === 0
      ? html`<p>Nobody has approved it yet.</p>`
      : wide(
          'Who has approved it',
          htmlTable({ caption: 'By a key that counts', columns: ['Name', 'Said', 'When'], rows: lines }),
        );
  const others = wrong.map((why) => html`<p class="verdict bad">${told(why)}</p>`);
  return html`<section><h2>Who has said what</h2>${table}${others}</section>`;
}

function factsOf({ plan, sha256 }: PlanFile): Html {
  const { profile, service, sheet, maker, signed, madeAt, expiresAt, setAside, leftOut = [] } = plan;
  const out = leftOut.map(({ row, reason }) => `row ${row} (${reason})`).join('; ');
  return html`<section><table class="facts"><caption>What this is</caption><tbody>
${factRow('Account', html`profile ${isolated(profile)} · ${isolated(service)}`)}
${factRow('Sheet', html`${isolated(sheet.name)}<br><code>SHA-256</code> ${inParts(sheet.sha256)}`)}
${factRow('Made by', signed ? html`${isolated(maker)}, signed by ${isolated(signed.name)}` : html`${isolated(maker)}, not signed`)}
${factRow('Made at', isolated(madeAt))}
${factRow('Holds until', isolated(expiresAt))}
${factRow('Fingerprint of the plan', inParts(sha256))}
${setAside.length === 0 ? '' : factRow('Set aside', `rows ${setAside.join(', ')}: not paid`)}
${out === '' ? '' : factRow('Left out', html`${isolated(out)}: not paid`)}
</tbody></table></section>`;
}

function rowsTable({ plan: { orders } }: PlanFile): Html {
  const rows = orders.flatMap((order) => order.rows).toSorted((one, other) => one.row - other.row);
  const lines = rows
    .slice(0, ROWS_SHOWN)
    .map(
      ({ row, name, to, amount }) =>
        html`<tr><th scope="row">row ${row}</th><td>${isolated(name)}</td><td>${isolated(to)}</td><td class="figure">${moneyText(amount)}</td></tr>`,
    );
  const more = rows.length - ROWS_SHOWN;
  const note =
    more > 0 ? html`<p class="note">And ${counted(more, 'more payment')}, in the plan and in its sheet.</p>` : '';
  return html`<section>${wide('Payments', htmlTable({ caption: counted(rows.length, 'payment'), columns: ['Row', 'Name', 'To', '#Amount'], rows: lines }))}${note}</section>`;
}

/** The fields for the key that signs and its passphrase. The key file stays where it is. */
export const keyFields = (keys: readonly string[], isOptional = false): readonly FormField[] => [
  {
    name: 'key',
    label: 'Your key file, below the folder of the console',
    hint:
      keys.length > 0
        ? `For example ${keys[0]}. It is read where it lies, and sent nowhere.`
        : 'It is read where it lies, and sent nowhere.',
    most: TYPED_MAX,
    among: keys,
    ...(isOptional && { optional: true }),
  },
  { name: 'passphrase', label: 'Its passphrase, where it has one', most: TYPED_MAX, optional: true, secret: true },
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
    says: html`<p>Your signature lets this plan be paid, by whoever applies it.</p>`,
    fields: [
      { name: 'total', label: `Total ${total.currency}, from your own papers`, hint: 'Without charges.' },
      { name: 'note', label: 'Note; it stands in the results', most: REASON_MAX, optional: true },
      ...keyFields(keys),
    ],
    button: 'Sign: it may be paid',
  };
  const decline: Act = {
    action: 'plan/decline',
    seen,
    hidden,
    legend: 'Decline',
    says: html`<p>A no cannot be taken back: this plan is not paid any more.</p>`,
    fields: [{ name: 'reason', label: 'Why it must not be paid', most: REASON_MAX }, ...keyFields(keys)],
    button: 'Sign: it must not be paid',
    plain: true,
  };
  const apply: Act = {
    action: 'plan/apply',
    seen,
    hidden: { ...hidden, once: randomUUID() },
    legend: 'Pay exactly this plan',
    says: html`<p>It is held against the sheet and the settings once more, and then sent.</p>`,
    button: 'Pay this plan now',
  };
  const acts = waits || !site.settings.approval ? [approve, apply, decline] : [apply, approve, decline];
  return html`${acts.map((act) => actForm(site, act))}`;
}

/** The form that makes a plan of a sheet. */
export function newPlanPage(
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
    says: html`<p>It is written ${path === undefined ? 'into the folder of the console, with the sheet beside it' : 'beside the sheet'}. Nothing is sent.${mustSign ? ' This profile pays plans alone that their maker signed.' : ''}</p>`,
    fields: [
      { name: 'batch', label: 'Name of the batch, under which it is paid once', value: batch },
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
