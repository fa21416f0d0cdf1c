/** The page Today: due schedules, rows in doubt, the wallet balance, and the latest batches. */

import type { Turns } from '../database/database.ts';
import { localTime } from '../domain/clock.ts';
import { counted, grouped } from '../domain/counted.ts';
import { currencyOrFault } from '../domain/currency.ts';
import { caughtFault } from '../domain/fault.ts';
import { moneyText } from '../domain/money.ts';
import { failedIn } from '../domain/outcome.ts';
import type { Settings } from '../domain/settings.ts';
import { typedPath } from '../domain/typed-path.ts';
import { figureTile, type Html, html, htmlTable, isolated, joined, none, prose } from '../html/html.ts';
import { patientClient } from '../preflight/patient-client.ts';
import { readBalance } from '../preflight/read-service.ts';
import { periodStateTexts } from '../schedule/period-record.ts';
import { batchTable, inDoubtOf, openBatches, openBatchesPart, type SeenBatch } from './batch-lines.ts';
import { addressOf, linkTo, type PageParts, type Site, wide } from './frame.ts';
import { type FoundPlan, planState, plansBelow, planTable } from './plan-page.ts';
import type { Routes } from './routes.ts';
import type { ConsoleWorld, KeptSchedule } from './world.ts';

/** How long the page waits for the wallet balance, in milliseconds, so that the rest of the page is not delayed for longer. */
const WALLET_MS = 3_000;
/** Number of latest batches that are listed. */
const LISTED = 5;
/**
 * How long a batch with failed rows is listed as waiting for a decision, in milliseconds: after that, people were paid in another
 * way or informed.
 */
const DECIDED_WITHIN_MS = 14 * 86_400_000;

/** The wallet balance, or why it is not known. */
type Wallet = { readonly holds: string } | { readonly why: string };

export async function todayPage(site: Site, routes: Routes): Promise<PageParts> {
  const { world, turns } = routes;
  const asked = walletOf(site.settings, world, turns);
  await using records = await routes.records();
  const { ledger } = records.deps;
  const batches = await openBatches(ledger);
  const { plans } = await plansBelow(world, ledger);
  const wallet = await asked;
  const { seen, open } = batches;
  const { timezone } = site.settings;
  return {
    place: 'Today',
    title: 'Today',
    body: html`<p class="quiet">${localTime(world.clock.now(), timezone)} ${isolated(timezone)}</p>
${tiles(wallet, seen)}
${openBatchesPart(site, batches)}
${forMe(site, { plans, seen, now: world.clock.now() })}
<section><h2>Due</h2>${due(world.schedules())}</section>
<section><h2>Latest batches</h2>
${seen.length > 0 ? batchTable(site, 'The latest', seen.slice(0, LISTED)) : html`<p>There is no batch yet. Begin with a sheet: ${linkTo(addressOf(site, 'check'), 'Check')}.</p>`}
</section>`,
    commands: ['balance', 'history', 'schedule list', ...open.map(({ header }) => `status ${typedPath(header.id)}`)],
  };
}

function tiles(wallet: Wallet, seen: readonly SeenBatch[]): Html {
  const sum = (of: (batch: SeenBatch) => number): string => grouped(seen.reduce((all, batch) => all + of(batch), 0));
  const held = 'holds' in wallet ? figureTile('Wallet', wallet.holds) : figureTile('Wallet', 'not known', wallet.why);
  return html`<dl>${[
    held,
    figureTile('Rows in doubt', sum(inDoubtOf)),
    figureTile(
      'Pending',
      sum(({ end }) => end.counts.pending),
    ),
    figureTile(
      'Not sent',
      sum(({ end }) => end.counts.unsent - (end.superseded?.rows ?? 0)),
    ),
  ]}</dl>`;
}

/** What waits for a signature or a decision. */
function forMe(
  site: Site,
  {
    plans,
    seen,
    now,
  }: { readonly plans: readonly FoundPlan[]; readonly seen: readonly SeenBatch[]; readonly now: number },
): Html {
  const toSign = plans.filter((plan) => planState(plan, site.settings, now).waits);
  const toDecide = seen.filter(
    (batch) =>
      inDoubtOf(batch) > 0 ||
      // Of a batch whose people were deleted, nobody can be paid again.
      (!batch.end.purged && failedIn(batch.end.counts) > 0 && now - batch.header.plannedAt < DECIDED_WITHIN_MS),
  );
  if (toSign.length === 0 && toDecide.length === 0) return none;
  const lines = toDecide.map(
    (batch) =>
      html`<li>${linkTo(addressOf(site, 'unpaid', { id: batch.header.id }), 'People not paid:')} ${isolated(batch.header.id)} <span class="quiet">${decidedText(batch)}</span></li>`,
  );
  return html`<section><h2>Waiting for you</h2>
${toSign.length > 0 ? html`<p class="verdict careful">${counted(toSign.length, 'plan is waiting', 'plans are waiting')} for a signature.</p>${planTable(site, toSign, now)}` : ''}
${lines.length > 0 ? html`<ul class="choices">${lines}</ul>` : ''}</section>`;
}

/** What there is to decide about a batch. */
function decidedText(batch: SeenBatch): Html {
  // Of a ledger in recovery nothing is certain: what it calls failed may have been paid by the one before.
  const failed = batch.end.unconfirmed ? 0 : failedIn(batch.end.counts);
  return joined(
    [
      ...(inDoubtOf(batch) > 0 ? [html`<span>${counted(inDoubtOf(batch), 'row')} that may have been paid</span>`] : []),
      ...(failed > 0 ? [html`<span>${counted(failed, 'row')} certainly not paid</span>`] : []),
    ],
    ', ',
  );
}

function due(schedules: readonly KeptSchedule[]): Html {
  if (schedules.length === 0) return html`<p>No sheet is scheduled.</p>`;
  const rows = schedules.map(({ name, sheet, next, latest }) => [
    isolated(name),
    prose(next),
    sheet === undefined ? '' : isolated(sheet),
    latest &&
      prose(
        `${latest.period}: ${periodStateTexts[latest.state]}${latest.says === undefined ? '' : `: ${latest.says}`}`,
      ),
  ]);
  const columns = ['Schedule', { heading: 'Next', look: 'brief' }, 'Sheet', 'Last time'];
  return wide('Schedules', htmlTable({ caption: 'Schedules', columns, rows }));
}

/** Asks the service for the balance, for as long as the page can wait. Rejects only with a bug. */
async function walletOf(settings: Settings, world: ConsoleWorld, turns: Turns): Promise<Wallet> {
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, world.signal]);
  const asked = turns.take(async (): Promise<Wallet> => {
    if (signal.aborted) return { why: '' };
    await using session = await world.session(() => undefined, signal, false);
    const { code } = currencyOrFault(settings.currency);
    const client = patientClient(session.deps.client, { ...session.deps, emit: () => undefined, signal });
    return { holds: moneyText(await readBalance(client, code)) };
  });
  const answered = new AbortController();
  const late = world.clock
    .sleep(WALLET_MS, answered.signal)
    .then((): Wallet => ({ why: `The service did not answer within ${WALLET_MS / 1000} s.` }));
  const prose = asked.catch((error: unknown): Wallet => ({ why: caughtFault(error).message }));
  const wallet = await Promise.race([prose, late]);
  over.abort();
  answered.abort();
  return wallet;
}
