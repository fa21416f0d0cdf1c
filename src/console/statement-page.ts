/**
 * The page Statement: what a sheet would pay and cost, what it would leave in the wallet, and the form that pays it. Looking at
 * it records and sends nothing.
 */

import type { EarlierFindings } from '../domain/duplicate.ts';
import type { Emit, MoneyStatement } from '../domain/event.ts';
import { caughtFault, Fault } from '../domain/fault.ts';
import { present } from '../domain/present.ts';
import { proposedBatchName } from '../domain/proposed-name.ts';
import { endedBy, type RunEnd } from '../domain/run-end.ts';
import type { Settings } from '../domain/settings.ts';
import { type Html, html, orElse, type Part, prose } from '../html/html.ts';
import { nameMistake } from '../preflight/batch-name.ts';
import { type CheckRecord, CheckRecorder } from '../results/check-record.ts';
import { checkVerdict } from '../results/html/check-page.ts';
import {
  earlierTables,
  statementFigures as figuresOf,
  paymentTables,
  reservedParts,
  statementKinds,
} from '../results/html/statement-parts.ts';
import { runSheet } from '../run/paybatch.ts';
import type { RunDeps } from '../run/run-deps.ts';
import { requestOf } from './checks.ts';
import {
  answersList,
  askedIn,
  type Choices,
  choicesIn,
  optionsOf,
  questionsForm,
  unverifiableIn,
  withChoices,
} from './choices.ts';
import { addressOf, linkTo, type PageParts, type Site, wide } from './frame.ts';
import { payForm } from './pay-page.ts';
import { faultText, type Routes } from './routes.ts';
import { type Seen, seenNow } from './seen.ts';
import { inTerminal, sheetChoice } from './sheet-choice.ts';
import { type ChosenSheet, chosenSheet } from './sheet-files.ts';

/** The result of a dry run. */
interface Rehearsed {
  readonly record: CheckRecord;
  readonly statement: MoneyStatement | undefined;
  readonly notices: readonly string[];
  readonly end: RunEnd;
  /** `undefined` if the sheet cannot be paid as it is. */
  readonly seen: Seen | undefined;
}

/** The statement that a page asks for. */
interface StatementWish {
  readonly sheet: ChosenSheet;
  /** Name of the batch; `undefined` for a rehearsal, which takes its key from the content. */
  readonly batch: string | undefined;
  readonly said: Choices;
  /** The page asks for the name and the answers again, instead of paying. */
  readonly isAsking: boolean;
}

export function statementRoutes(routes: Routes): void {
  const { world } = routes;
  routes.page('/statement', async (site, texts) => {
    const sheet = await chosenSheet(texts, world);
    if (!sheet) return sheetChoice(site, 'statement', texts, world);
    const batch = batchNameIn(texts['batch'], sheet, site.settings, world.clock.now());
    const isAsking = texts['ask'] !== undefined;
    return statementPage(site, { sheet, batch, said: choicesIn(texts), isAsking }, routes);
  });
}

/**
 * The name that was typed; for a live payment without one, the proposed name. Throws a Fault `usage` for a text that cannot name
 * a batch.
 */
function batchNameIn(
  text: string | undefined,
  { name }: Pick<ChosenSheet, 'name'>,
  { sandbox, timezone }: Pick<Settings, 'sandbox' | 'timezone'>,
  now: number,
): string | undefined {
  const typed = (text ?? '').trim();
  const proposal = proposedBatchName(name, now, timezone);
  if (typed === '') return sandbox ? undefined : proposal;
  const mistake = nameMistake(typed, proposal);
  if (mistake === undefined) return typed;
  throw new Fault('usage', `"${typed}" cannot name a batch. Nothing was sent.`, mistake);
}

async function statementPage(site: Site, wish: StatementWish, routes: Routes): Promise<PageParts> {
  const { sheet, batch, said, isAsking } = wish;
  const rehearsal = await rehearsed(wish, routes);
  const { record, statement, notices, seen, end } = rehearsal;
  const options = `${batch === undefined ? '' : ` --batch ${batch}`}${optionsOf(said)}`;
  const named = batch ?? proposedBatchName(sheet.name, routes.world.clock.now(), site.settings.timezone);
  const questions = questionsForm(site, { said, asked: askedIn(record, end.fault), batch: named, sheet: sheet.query });
  const paying =
    seen && statement && !isAsking
      ? html`${answersList(said)}${payForm(site, { sheet, batch, said, statement, seen })}`
      : undefined;
  const change = addressOf(site, 'statement', { ...sheet.query, ...said, batch, ask: 1 });
  const parts: readonly Part[] = [
    verdictParts(site, wish, rehearsal),
    paying === undefined && questions,
    notices.map((notice) => html`<p class="note">${prose(notice)}</p>`),
    statement && [statementFigures(statement, 'Wallet now'), statementTables(statement)],
    paying,
    html`<p class="actions">${paying && linkTo(change, 'Change the name or the answers')} ${linkTo(addressOf(site, 'check', sheet.query), 'The check of this sheet')} ${linkTo(addressOf(site, 'statement'), 'Another sheet')}</p>`,
  ];
  return {
    place: 'Statement',
    title: 'Statement of',
    about: sheet.name,
    body: html`${parts}`,
    ...inTerminal(site, sheet, (typed) => [
      `run ${typed}${options} --dry-run`,
      ...(seen ? [`run ${typed}${options}`] : []),
    ]),
  };
}

/** Whether the sheet can be paid as it is; otherwise the reason. */
function verdictParts(
  site: Site,
  { sheet, said }: StatementWish,
  { record, end: { fault, batch: earlier }, seen }: Rehearsed,
): readonly Part[] {
  if (!fault)
    return [
      seen &&
        html`<p class="verdict ${site.settings.sandbox ? 'wait' : 'good'}">It can be paid as it is. Nothing was sent yet.</p>`,
    ];
  const isPlain = Object.keys(said).length === 0;
  const hasErrors = (record.summary?.errors ?? 0) > 0;
  const check = linkTo(addressOf(site, 'check', sheet.query), 'Check');
  return [
    hasErrors && html`${checkVerdict(record)}<p>See each problem at its cell: ${check}.</p>`,
    // The verdict has said this already.
    !(hasErrors && fault.code === 'sheet-refused' && isPlain) && faultText(fault),
    earlier && html`<p class="actions">${linkTo(addressOf(site, 'running', { id: earlier }), 'See that batch')}</p>`,
  ];
}

/** What is paid and left in the wallet. `wallet`: what its balance is called. */
export const statementFigures = (statement: MoneyStatement, wallet: string): Html =>
  html`${figuresOf(statement, wallet)}${wide('Reserved by other batches', reservedParts(statement))}`;

export const earlierSection = (title: string, findings: EarlierFindings): Html =>
  html`<section><h2>${title}</h2>${orElse(wide(title, earlierTables(findings)), html`<p>Nothing to compare with: no earlier batch paid most of these people.</p>`)}</section>`;

export const statementTables = (statement: MoneyStatement): Html =>
  html`${wide('By kind', statementKinds(statement))}
${earlierSection('What changed since last time', statement)}
<section><h2>Payments to look at</h2>${wide('Payments to look at', paymentTables(statement))}</section>`;

/** The dry run of `paybatch run`, without anybody to answer questions. */
async function rehearsed({ sheet, batch, said }: StatementWish, routes: Routes): Promise<Rehearsed> {
  const recorder = new CheckRecorder();
  const notices: string[] = [];
  let statement: MoneyStatement | undefined;
  let seen: Seen | undefined;
  const emit: Emit = (event) => {
    recorder.hear(event);
    if (event.type === 'statement') ({ statement } = event);
    if (event.type === 'notice' && event.level !== 'info') notices.push(event.message);
  };
  const named = batch === undefined ? {} : { batchName: batch };
  const request = { ...requestOf(sheet, routes.world), ...named, ...withChoices(said), dryRun: true };
  const acceptUnverifiable = unverifiableIn(said);
  const dryRun = async (deps: RunDeps): Promise<RunEnd> => {
    // Taken first, so that anything recorded while the sheet is read counts as a change.
    const before = await seenNow(deps);
    return runSheet(request, {
      ...deps,
      rehearsed(sheetPaid) {
        seen = { ...before, sheet: sheetPaid };
      },
      ...present({ acceptUnverifiable }),
    });
  };
  const end = await routes
    .session(dryRun, { sends: true, emit })
    .catch((error: unknown) => endedBy(caughtFault(error)));
  return { record: recorder.record(), notices, end, statement, seen: end.fault ? undefined : seen };
}
