/** The page Statement: what a sheet would pay and cost, and what it would leave in the wallet. Nothing is recorded or sent. */
import type { MoneyStatement, Tell } from '../domain/event.ts';
import { Fault } from '../domain/fault.ts';
import { proposedBatchName } from '../domain/proposed-name.ts';
import { endedBy, type RunEnd } from '../domain/run-end.ts';
import type { Settings } from '../domain/settings.ts';
import { escaped, isolated } from '../html/html-page.ts';
import type { Turns } from '../ledger/database.ts';
import { runSheet } from '../paybatch.ts';
import { heldBatchName } from '../preflight/batch-name.ts';
import { CheckRecorder } from '../results/check-record.ts';
import { checkVerdict } from '../results/html/check-page.ts';
import { earlierTables, paymentTables, statementFigures, statementKinds } from '../results/html/statement-parts.ts';
import { requestOf } from './checks.ts';
import type { ChosenSheet } from './choose-sheet.ts';
import { addressOf, hiddenFields, linkTo, type PageParts, type Site, wide } from './frame.ts';
import { faultText } from './routes.ts';
import type { ConsoleWorld } from './world.ts';

/** What a dry run said. */
interface Rehearsed {
  readonly recorder: CheckRecorder;
  readonly statement?: MoneyStatement;
  readonly notices: readonly string[];
  readonly end: RunEnd;
}

/** Which statement is wanted. */
interface StatementWish {
  readonly sheet: ChosenSheet;
  /** What the batch is to be called; empty: as a dry run proposes. */
  readonly batch: string;
}

export async function statementPage(
  site: Site,
  settings: Settings,
  { sheet, batch, world, turns }: StatementWish & { readonly world: ConsoleWorld; readonly turns: Turns },
): Promise<PageParts> {
  const batchName = batch.trim() === '' ? undefined : heldBatchName(batch);
  const { recorder, statement, notices, end } = await rehearsed({ sheet, batchName }, world, turns);
  const record = recorder.record();
  const check = addressOf(site, 'check', sheet.query);
  const isRefused = (record.summary?.errors ?? 0) > 0;
  const fault = end.fault && !isRefused ? faultText(end.fault) : '';
  const parts = [
    isRefused ? `${checkVerdict(record)}<p>See each problem at its cell: ${linkTo(check, 'Check')}.</p>` : fault,
    ...(end.fault === undefined && statement
      ? [`<p class="verdict ${settings.sandbox ? 'wait' : 'good'}">It could be paid as it is. Nothing was sent.</p>`]
      : []),
    ...notices.map((notice) => `<p class="note">${isolated(notice)}</p>`),
    ...(statement ? statementParts(statement) : []),
    nameForm(site, { sheet, batch: batchName ?? proposedBatchName(sheet.name, world.clock.now(), settings.timezone) }),
    `<p class="actions">${linkTo(check, 'The check of this sheet')} ${linkTo(addressOf(site, 'statement'), 'Another sheet')}</p>`,
    ...(statement && end.fault === undefined
      ? [
          '<p class="quiet">To pay it, type the command below without <code>--dry-run</code>. It asks for the total from your own papers.</p>',
        ]
      : []),
  ];
  return {
    place: 'Statement',
    title: `Statement of ${sheet.name}`,
    body: parts.join('\n'),
    commands: [`run ${sheet.typed}${batchName === undefined ? '' : ` --batch ${batchName}`} --dry-run`],
  };
}

/** A batch is paid once under its name, so another name is another batch. */
const nameForm = (site: Site, { sheet, batch }: StatementWish): string =>
  `<form method="get" action="${escaped(addressOf(site, 'statement'))}">${hiddenFields(sheet.query)}<div class="fields"><div class="long"><label for="batch">Name of the batch, under which it is paid once</label><input id="batch" name="batch" value="${escaped(batch)}" maxlength="64" autocomplete="off" spellcheck="false"></div><div><button class="plain">State it under this name</button></div></div></form>`;

const statementParts = (statement: MoneyStatement): readonly string[] => [
  statementFigures(statement, 'Wallet now'),
  wide('By kind', statementKinds(statement)),
  `<section><h2>What changed since last time</h2>${wide('What changed since last time', earlierTables(statement)) || '<p>Nothing to compare with: no earlier batch paid most of these people.</p>'}</section>`,
  `<section><h2>Payments to look at</h2>${wide('Payments to look at', paymentTables(statement))}</section>`,
];

/** The dry run of `paybatch run`, with nobody who could answer a question. */
async function rehearsed(
  { sheet, batchName }: Pick<StatementWish, 'sheet'> & { readonly batchName: string | undefined },
  world: ConsoleWorld,
  turns: Turns,
): Promise<Rehearsed> {
  const recorder = new CheckRecorder();
  const notices: string[] = [];
  let statement: MoneyStatement | undefined;
  const tell: Tell = (event) => {
    recorder.hear(event);
    if (event.type === 'statement') ({ statement } = event);
    if (event.type === 'notice' && event.level !== 'info') notices.push(event.message);
  };
  const end = await turns
    .take(async () => {
      await using session = await world.session(tell, world.signal, true);
      const named = batchName === undefined ? {} : { batchName };
      return await runSheet({ ...requestOf(sheet, world), ...named, dryRun: true }, { ...session.deps, tell });
    })
    .catch((error: unknown) => {
      if (error instanceof Fault) return endedBy(error);
      throw error;
    });
  return { recorder, notices, end, ...(statement && { statement }) };
}
