/** The view of a batch that is being paid, or that somebody has to resume. It is rendered again whenever something changes. */

import { randomUUID } from 'node:crypto';
import type { BatchHeader } from '../domain/batch.ts';
import { counted, durationText } from '../domain/counted.ts';
import { exitCode } from '../domain/exit-code.ts';
import { moneyText } from '../domain/money.ts';
import { finishedIn, type Outcome, outcomes, outcomeTable } from '../domain/outcome.ts';
import type { RunEnd } from '../domain/run-end.ts';
import { figureTile, type Html, html, htmlTable, isNone, isolated, none, told } from '../html/html.ts';
import { nextStepOf } from '../results/next-step.ts';
import { awaitedWords } from '../results/progress-words.ts';
import { type ActField, actForm } from './act-form.ts';
import { addressOf, linkTo, type Site, wide } from './frame.ts';
import { faultText } from './routes.ts';
import type { RunView } from './runs.ts';
import { type GoingOn, isDoubtful, type Standing, type StandingNow, stopText, unpaidIn } from './standing.ts';
import type { ConsoleWorld } from './world.ts';

/** Most reasons that are listed. */
const REASONS_MAX = 20;

/** The state in one line, for people who hear the page; it is read out only when it changes. */
export function spokenLine(standing: Standing): string {
  const { counts, atWork, end, run } = standing;
  const { done, of } = finishedIn(counts);
  if (atWork) return run?.verb === 'status' || run?.asking ? 'Being looked up. Nothing is sent.' : 'Being paid.';
  return end ? `Over: ${done} of ${counted(of, 'row')} finished.` : '';
}

/** Keeps htmx from acting on attributes inside the content. */
export const disabled = (content: Html): Html => (isNone(content) ? none : html`<div hx-disable>${content}</div>`);

/** The complete view of a batch, with the acts that are possible. */
export const wholeView = (site: Site, { standing, going }: StandingNow, { clock }: Pick<ConsoleWorld, 'clock'>): Html =>
  html`${standingHtml(site, standing, clock.now())}
${going && going.unknown > 0 ? lookForm(site, standing.header, going) : ''}
${going ? resumeForm(site, standing.header, going) : ''}
<p class="actions">${standing.atWork ? '' : html`<a class="button" href="${addressOf(site, 'results', { id: standing.header.id, format: 'xlsx' })}" download>Download the results workbook</a> `}${linkTo(addressOf(site, 'batch', { id: standing.header.id }), 'The batch, and all its results')} ${linkTo(addressOf(site, 'running', { id: standing.header.id }), 'Load this page again')}</p>`;

/** `now`: wall-clock milliseconds. */
function standingHtml(site: Site, standing: Standing, now: number): Html {
  const { counts, paid, header, stop, notices } = standing;
  const { done, of } = finishedIn(counts);
  const money = moneyText(paid);
  const tiles = countsShown(standing).map(([title, count]) => figureTile(title, count.toLocaleString('en-GB')));
  return html`${headline(site, standing, now)}
${standing.atWork ? LATE : ''}
${stop ? html`<p class="verdict careful">${told(stopText(stop))}</p>` : ''}
<p><progress max="${of}" value="${done}" aria-label="Rows finished"></progress> ${done.toLocaleString('en-GB')} of ${of.toLocaleString('en-GB')} finished</p>
<dl>${figureTile(standing.atWork ? 'Paid so far' : 'Paid', money)}${figureTile('Of', moneyText(header.total))}${tiles}</dl>
${notices.map((notice) => html`<p class="note">${told(notice)}</p>`)}
${reasonsTable(standing)}`;
}

/** Rows by outcome. While the batch is being followed, rows without a final outcome are counted as waited for. */
function countsShown({ counts, atWork }: Standing): readonly (readonly [title: string, count: number])[] {
  const isWaited = (outcome: Outcome): boolean => outcome === 'pending' || outcome === 'in-doubt';
  const apart = outcomes.filter((outcome) => !(atWork && isWaited(outcome)));
  const waiting = atWork ? counts.pending + counts['in-doubt'] : 0;
  const all = apart.map((outcome) => [outcomeTable[outcome].title, counts[outcome]] as const);
  return [...all, ['Waited for', waiting] as const].filter(([, count]) => count > 0);
}

/** The style shows this warning when the part has not been updated for a while. */
const LATE = html`<p class="late verdict careful">No news from the console for a while: it may have ended, or the connection is lost. Load the page again. What was begun goes on as the ledger says.</p>`;

function headline(site: Site, standing: Standing, now: number): Html {
  const { atWork, end, run } = standing;
  if (atWork) {
    const words = atWork.isOurs ? waitingWords(run, now) : 'Another command is at work on it: see below.';
    const who = atWork.isOurs ? '' : html`<p class="quiet">${told(atWork.says)}</p>`;
    return html`<p class="verdict wait">${words}</p>${who}`;
  }
  return end ? endHtml(site, standing, end) : none;
}

/** What happens at this moment, and how long it takes at most. */
function waitingWords(run: RunView | undefined, now: number): string {
  if (run?.asking) {
    const { done, of, leftMs, toldAt } = run.asking;
    const left = toldAt + leftMs - now;
    return `Asking what the service holds already: ${done} of ${of} look-ups${left > 0 ? `, about ${durationText(left)} left` : ''}. Nothing is sent before.`;
  }
  if (run?.verb === 'status') return 'The service is asked about each row that is not final. Nothing is sent.';
  if (!run?.progress) return 'Everything is recorded. The first payments are about to leave.';
  const [awaited] = awaitedWords(run.progress, now);
  return awaited === undefined ? 'Being paid.' : `Being paid: ${awaited}.`;
}

const looks = new Map<number, string>([
  [exitCode.ok, 'good'],
  [exitCode.someNotPaid, 'careful'],
  // Rows in doubt have a line of their own.
  [exitCode.notFinal, 'careful'],
  [exitCode.interrupted, 'careful'],
  [exitCode.terminated, 'careful'],
  [exitCode.reportUnwritten, 'careful'],
]);

function endHtml(site: Site, standing: Standing, end: RunEnd): Html {
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
  const doubt = isDoubtful(standing)
    ? html`<p class="verdict bad">Some rows may have been paid, and nobody knows yet. Do not pay them again.</p>`
    : '';
  return html`${alarm}${doubt}${end.fault ? faultText(end.fault) : ''}
${next && next.says !== end.fault?.remedy ? html`<p class="verdict ${look}">${told(next.says)}${command}</p>` : ''}
${files}`;
}

function reasonsTable({ reasons, counts, atWork }: Standing): Html {
  if (reasons.size === 0)
    return atWork && unpaidIn(counts) > 0
      ? html`<p class="quiet">Why rows were not paid is said soon, or at the end.</p>`
      : none;
  const all = [...reasons].sort(([, one], [, other]) => other - one);
  const lines = all
    .slice(0, REASONS_MAX)
    .map(
      ([reason, count]) =>
        html`<tr><td class="figure">${count.toLocaleString('en-GB')}</td><td>${told(reason)}</td></tr>`,
    );
  const more = all.length - lines.length;
  return html`<section><h2>Why rows were not paid</h2>${wide('Why rows were not paid', htmlTable({ caption: 'Reasons, the most frequent first', columns: ['#Rows', 'Reason'], rows: lines }))}${more > 0 ? html`<p class="quiet">${counted(more, 'more reason')}: see the results.</p>` : ''}</section>`;
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
  const fields: ActField[] = [
    ...(unverifiable > 0
      ? [
          {
            name: 'unverifiable',
            label: 'Airtime and bills that nobody can look up: how many are sent?',
            hint: 'The ledger may not know all that was sent. Make sure in the records of the provider that none of them was sent before.',
            digits: true,
          } as const,
        ]
      : []),
    ...(isShort
      ? [
          {
            name: 'balance',
            label: 'Only so many of the rows that were not sent; empty: all',
            hint: 'When the wallet covers no more. The number has to be exactly what it covers.',
            digits: true,
            optional: true,
          } as const,
        ]
      : []),
  ];
  return actForm(site, {
    action: 'running/resume',
    seen,
    legend: 'Go on with it',
    says: html`<p>Rows that were not sent are sent, and what is not known is found out. No row is paid twice: what was sent is looked up first.</p>`,
    hidden: { id, once: randomUUID() },
    fields,
    button: 'Resume this batch',
  });
}
