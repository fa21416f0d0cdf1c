/** The view of a batch that is being paid, or that somebody has to resume. It is rendered again whenever something changes. */

import { randomUUID } from 'node:crypto';
import type { BatchHeader } from '../domain/batch.ts';
import { counted, durationText } from '../domain/counted.ts';
import { exitCode } from '../domain/exit-code.ts';
import { moneyText } from '../domain/money.ts';
import { failedIn, finishedIn, type Outcome, type OutcomeCounts, outcomes, outcomeTable } from '../domain/outcome.ts';
import { figureTile, type Html, html, htmlTable, isNone, isolated, none, told } from '../html/html.ts';
import { nextStepOf } from '../results/next-step.ts';
import { awaitedWords } from '../results/progress-words.ts';
import { actForm, type FormField } from './act-form.ts';
import { doubtPart, isAllPaid } from './batch-lines.ts';
import { choiceField } from './choices.ts';
import { addressOf, linkTo, type Site, wide } from './frame.ts';
import { faultText } from './routes.ts';
import type { Run } from './runs.ts';
import { type AtRest, figuresOf, type GoingOn, type Standing, stopText } from './standing.ts';

/** Most reasons that are listed. */
const REASONS_MAX = 20;

/** The state in one line, for people who hear the page; it is read out only when it changes. */
export function spokenLine(standing: Standing): string {
  const { run, rest } = standing;
  if (!rest) return run?.sends === false || run?.asking ? 'Being looked up. Nothing is sent.' : 'Being paid.';
  const { done, of } = finishedIn(rest.end.counts);
  return `Ended: ${done} of ${counted(of, 'row')} finished.`;
}

/** Keeps htmx from acting on attributes inside the content. */
export const disabled = (content: Html): Html => (isNone(content) ? none : html`<div hx-disable>${content}</div>`);

/** The complete view of a batch, with the acts that are possible. `now`: wall-clock milliseconds. */
export function wholeView(site: Site, standing: Standing, now: number): Html {
  const { header, stop, run, rest } = standing;
  const { id } = header;
  const going = rest?.going;
  const notices = run?.notices ?? rest?.notices ?? [];
  return html`${headline(site, standing, now)}
${rest ? '' : LATE}
${stop && html`<p class="verdict careful">${told(stopText(stop))}</p>`}
${figures(standing)}
${notices.map((notice) => html`<p class="note">${told(notice)}</p>`)}
${reasonsTable(standing)}
${going && going.unknown > 0 && lookForm(site, header, going)}
${going && resumeForm(site, header, going)}
<p class="actions">${rest && html`<a class="button" href="${addressOf(site, 'results', { id, format: 'xlsx' })}" download>Download the results workbook</a> `}${linkTo(addressOf(site, 'batch', { id }), 'The batch and all its results')} ${rest && !isAllPaid(header, rest.end) && linkTo(addressOf(site, 'unpaid', { id }), 'People not paid')} ${linkTo(addressOf(site, 'running', { id }), 'Reload this page')}</p>`;
}

/** How far the batch is; without counts, only its total. */
function figures(standing: Standing): Html {
  const { header, rest, reasons } = standing;
  const known = figuresOf(standing);
  const total = figureTile('Of', moneyText(header.total));
  if (known === undefined) return html`<dl>${total}</dl>`;
  const { counts, paid } = known;
  const { done, of } = finishedIn(counts);
  const tiles = countsShown(counts, rest !== undefined).map(([title, count]) =>
    figureTile(title, count.toLocaleString('en-GB')),
  );
  return html`<p><progress max="${of}" value="${done}" aria-label="Rows finished"></progress> ${done.toLocaleString('en-GB')} of ${of.toLocaleString('en-GB')} finished</p>
<dl>${figureTile(rest ? 'Paid' : 'Paid so far', moneyText(paid))}${total}${tiles}</dl>
${!rest && reasons.size === 0 && failedIn(counts) > 0 && html`<p class="quiet">The reasons are listed at the end.</p>`}`;
}

/** Rows by outcome. While the batch is being followed, rows without a final outcome are counted as waited for. */
function countsShown(counts: OutcomeCounts, isAtRest: boolean): readonly (readonly [title: string, count: number])[] {
  const isWaited = (outcome: Outcome): boolean => !isAtRest && (outcome === 'pending' || outcome === 'in-doubt');
  const apart = outcomes
    .filter((outcome) => !isWaited(outcome))
    .map((outcome) => [outcomeTable[outcome].title, counts[outcome]] as const);
  const waited = outcomes.filter(isWaited).reduce((sum, outcome) => sum + counts[outcome], 0);
  return [...apart, ['In progress', waited] as const].filter(([, count]) => count > 0);
}

/** The style shows this warning when the part has not been updated for a while. */
const LATE = html`<p class="late verdict careful">No news from the console for a while: it may have ended, or the connection is lost. Load the page again. Payments that have begun continue, and the ledger records them.</p>`;

function headline(site: Site, { run, other, rest }: Standing, now: number): Html {
  if (rest) return endHtml(site, rest);
  return html`<p class="verdict wait">${run ? waitingWords(run, now) : 'Another command is working on it: see below.'}</p>${other && html`<p class="quiet">${told(other.says)}</p>`}`;
}

/** What happens at this moment, and how long it takes at most. */
function waitingWords({ sends, asking, progress }: Run, now: number): string {
  if (asking) {
    const { done, of, leftMs, toldAt } = asking;
    const left = toldAt + leftMs - now;
    return `Asking what the service holds already: ${done} of ${of} look-ups${left > 0 ? `, about ${durationText(left)} left` : ''}. Nothing is sent before that.`;
  }
  if (!sends) return 'The service is asked about each row that is not final. Nothing is sent.';
  if (!progress) return 'Everything is recorded. The first payments are about to leave.';
  const [awaited] = awaitedWords(progress, now);
  return awaited === undefined ? 'Being paid.' : `Being paid: ${awaited}.`;
}

const looks = new Map<number, string>([
  [exitCode.ok, 'good'],
  [exitCode.someNotPaid, 'careful'],
  // Rows in doubt have their own line.
  [exitCode.notFinal, 'careful'],
  [exitCode.interrupted, 'careful'],
  [exitCode.terminated, 'careful'],
  [exitCode.reportUnwritten, 'careful'],
]);

function endHtml(site: Site, { end }: AtRest): Html {
  const look = looks.get(end.exit) ?? 'bad';
  const next = nextStepOf(end);
  const command = next?.command === undefined ? '' : html` <code>${`${next.command}${site.options}`}</code>`;
  const files = end.files.map(
    ({ kind, path }) => html`<p>${kind === 'results' ? 'Results' : kind}: ${isolated(path)}</p>`,
  );
  const alarm =
    end.exit === exitCode.alarm
      ? html`<p class="verdict bad">ALARM: the service contradicts the plan. Nothing more is sent.</p>`
      : '';
  return html`${alarm}${doubtPart({ end })}${end.fault ? faultText(end.fault) : ''}
${next?.before?.map((says) => html`<p class="verdict ${look}">${told(says)}</p>`) ?? ''}
${next && next.says !== end.fault?.remedy ? html`<p class="verdict ${look}">${told(next.says)}${command}</p>` : ''}
${files}`;
}

function reasonsTable({ reasons }: Standing): Html {
  if (reasons.size === 0) return none;
  const all = [...reasons].sort(([, one], [, other]) => other - one);
  const rows = all.slice(0, REASONS_MAX).map(([reason, count]) => [count.toLocaleString('en-GB'), told(reason)]);
  const more = all.length - rows.length;
  return html`<section><h2>Why rows were not paid</h2>${wide('Why rows were not paid', htmlTable({ caption: 'Reasons, the most frequent first', columns: ['#Rows', 'Reason'], rows, namedBy: -1 }))}${more > 0 ? html`<p class="quiet">${counted(more, 'more reason')}: see the results.</p>` : ''}</section>`;
}

const lookForm = (site: Site, { id }: BatchHeader, { seen, unknown }: GoingOn): Html =>
  actForm(site, {
    action: 'running/look',
    seen,
    legend: 'Look again',
    says: html`<p>The service is asked once about ${counted(unknown, 'row that is', 'rows that are')} not final. Nothing is sent.</p>`,
    hidden: { id, once: randomUUID() },
    button: 'Look again',
    plain: true,
  });

function resumeForm(site: Site, { id }: BatchHeader, going: GoingOn): Html {
  const { seen, unverifiable, isShort } = going;
  const fields: readonly FormField[] = [
    ...(unverifiable > 0
      ? [
          choiceField(
            'unverifiable',
            'The ledger may not know all that was sent. Make sure in the records of the provider that none of them was sent before.',
          ),
        ]
      : []),
    ...(isShort
      ? [
          {
            ...choiceField(
              'balance',
              'Leave it empty to pay all of them. Otherwise type exactly the number that the wallet covers.',
            ),
            optional: true as const,
          },
        ]
      : []),
  ];
  return actForm(site, {
    action: 'running/resume',
    seen,
    legend: 'Continue',
    says: html`<p>Rows that were not sent are sent, and rows that are not final are followed to their end. No row is paid twice: what was sent is looked up first.</p>`,
    hidden: { id, once: randomUUID() },
    fields,
    button: 'Resume this batch',
  });
}
