/** A run as a person reads it: a conversation on stderr and, if there is one, the answer on stdout. */

import { localTime } from '../../domain/clock.ts';
import { counted } from '../../domain/counted.ts';
import type { EarlierFindings } from '../../domain/duplicate.ts';
import type { MoneyStatement, PeriodPoint, RunEvent, WorkerPoint } from '../../domain/event.ts';
import type { Issue } from '../../domain/issue.ts';
import type { Language } from '../../domain/language.ts';
import { type LeftOutSums, leftOutText } from '../../domain/left-out.ts';
import { add, groupedDecimalOf, type Money, moneyText } from '../../domain/money.ts';
import { payeeCountsText } from '../../domain/payee.ts';
import { waitsText } from '../../domain/payment-notice.ts';
import { present } from '../../domain/present.ts';
import type { RowRecord } from '../../domain/row-record.ts';
import type { RunEnd } from '../../domain/run-end.ts';
import { shown } from '../../domain/shown-text.ts';
import { ROWS_EMITTED_MAX } from '../../run/emit-batch.ts';
import { issueFix, issueMessage } from '../../texts/issue-message.ts';
import type { Reporter } from '../shell.ts';
import { earlierLines } from './earlier-lines.ts';
import { sayEnd } from './end-screen.ts';
import { PayeeTable } from './payee-table.ts';
import { Progress, type ProgressClock } from './progress.ts';
import type { Terminal } from './terminal.ts';

type EventOf<Type extends RunEvent['type']> = Extract<RunEvent, { readonly type: Type }>;

/** Most batches that are named, a line each. */
const NAMED_MAX = 3;

function fundsLines({ owed, covered, count }: MoneyStatement): readonly string[] {
  const batches = owed?.batches ?? [];
  const rest = batches.length - NAMED_MAX;
  const named = batches
    .slice(0, NAMED_MAX)
    .map(({ batch, rows, amount }) => `  by batch ${batch}: ${counted(rows, 'row')}, ${moneyText(amount)}`);
  return [
    ...(batches.length > 0 ? ['Reserved for rows that are not sent, or not finished, and not paid yet'] : []),
    ...named,
    ...(rest > 0 ? [`  and ${counted(rest, 'more batch', 'more batches')}`] : []),
    ...(covered && covered.rows < count
      ? [
          `The balance covers the first ${covered.rows} of ${counted(count, 'row')}: ${moneyText(add(covered.amount, covered.charges))}`,
        ]
      : []),
  ];
}

const untilText = ({ until, timezone }: EventOf<'period'>): string =>
  `until ${localTime(until, timezone)} (${timezone})`;

const continuedText = (event: EventOf<'period'>): string =>
  event.left === undefined
    ? `paybatch continues the batch ${untilText(event)}. After that, run`
    : `the batch is left to a person: ${shown(event.left)}. To continue it, run`;

const texts: Readonly<Record<PeriodPoint, (event: EventOf<'period'>) => string>> = {
  waiting: (event) => `is due and ${waitsText(event.why)}; nothing was sent. paybatch tries again ${untilText(event)}`,
  sent: ({ batch }) => `is being paid as batch ${batch}`,
  finished: ({ batch }) => `is done, as batch ${batch}`,
  'in-doubt': (event) =>
    `has rows without a final outcome, in batch ${event.batch}; ${continuedText(event)}: paybatch resume ${event.batch}`,
  alarm: ({ batch }) => `ended with an alarm, as batch ${batch}: ask the provider`,
  missed: () => 'was missed: nothing was sent, and nothing will be',
};

const periodText = (event: EventOf<'period'>): string =>
  `${event.schedule} ${event.period} (${event.day}) ${texts[event.point](event)}`;

const sentences: Readonly<Record<WorkerPoint, (event: EventOf<'worker'>) => string>> = {
  ready: () => 'ready: takes batches',
  waiting: ({ message = '' }) => `not ready, so it takes no batches: ${message} It will try again.`,
  begun: ({ batch }) => `batch ${batch}: continues`,
  'handed-on': ({ batch }) => `batch ${batch}: handed back for this or another worker to continue; everything is saved`,
  over: ({ batch, exit }) => `batch ${batch}: nothing is left to do (${exit})`,
  later: ({ batch, exit }) => `batch ${batch}: later (${exit})`,
  left: ({ message = '' }) => message,
  alarm: ({ message = '' }) => message,
};

const workerText = (event: EventOf<'worker'>): string => shown(sentences[event.point](event));

const noticeLabels = { info: '', warning: 'WARN', alarm: 'ALARM' } as const;
const noticeTones = { info: undefined, warning: 'careful', alarm: 'bad' } as const;

/** Most problems that are shown one by one; the rest is only counted. */
const PROBLEMS_SHOWN_MAX = 40;

export class TextReporter implements Reporter {
  readonly #terminal: Terminal;
  #progress: Progress;
  readonly #clock: ProgressClock;
  readonly #language: () => Language;
  #problems = 0;
  #payees: PayeeTable;
  #sandbox = false;
  #isBatchNamed = false;
  /** The first rows that the sheet leaves out. */
  readonly #leftOut: EventOf<'row.left-out'>[] = [];
  /** The first rows that were not completed. */
  readonly #rows: RowRecord[] = [];

  /** How each event is shown. Files are named at the end, where they are not overlooked. */
  readonly #printers: { readonly [Type in RunEvent['type']]?: (event: EventOf<Type>) => void } = {
    start: (event) => this.#start(event),
    sheet: ({ name, worksheet }) =>
      this.#terminal.sayLabelled('Reading', worksheet ? `${name}, worksheet "${worksheet}"` : name),
    columns: (event) => this.#columns(event),
    'row.problem': ({ issue }) => this.#problem(issue),
    'row.left-out': (event) => {
      if (this.#leftOut.length < ROWS_EMITTED_MAX) this.#leftOut.push(event);
    },
    'sheet.summary': (event) => this.#summary(event),
    statement: ({ statement }) => this.#statement(statement),
    earlier: (event) => this.#earlier(event),
    batch: (event) => this.#batch(event),
    'batch.planned': ({ batch }) => {
      if (!this.#isBatchNamed) this.#terminal.sayLabelled('Batch', this.#named(batch));
    },
    'row.outcome': ({ record }) => {
      if (record.outcome !== 'completed' && this.#rows.length < ROWS_EMITTED_MAX) this.#rows.push(record);
    },
    progress: (event) => this.#progress.show(event),
    'reconcile.progress': (event) => this.#progress.beforehand(event),
    'payees.progress': (event) => this.#payees.progress(event),
    payee: (event) => this.#payees.row(event),
    payees: (event) => this.#payees.figures(event),
    period: (event) => this.#terminal.sayLabelled('Schedule', periodText(event)),
    worker: (event) => {
      if (event.point === 'left') this.#notice('warning', workerText(event));
      else if (event.point === 'alarm') this.#notice('alarm', workerText(event));
      else this.#terminal.sayLabelled('Worker', workerText(event));
    },
    notice: ({ level, message }) => this.#notice(level, message),
  };

  /** `language`: returns the language for problems of the sheet, and is called when one is reported. `sleep`: moves a countdown. */
  constructor(terminal: Terminal, now: () => number, language: () => Language, sleep?: ProgressClock['sleep']) {
    this.#terminal = terminal;
    this.#language = language;
    this.#clock = { now, ...present({ sleep }) };
    this.#progress = new Progress(terminal, this.#clock);
    this.#payees = new PayeeTable(terminal, '');
  }

  emit(event: RunEvent): void {
    const emit = this.#printers[event.type] as ((event: RunEvent) => void) | undefined; // the entry of its own type
    emit?.(event);
  }

  end(end: RunEnd, seconds: number): void {
    this.#progress.finish();
    sayEnd(this.#terminal, end, this.#rows, seconds);
  }

  #start(event: EventOf<'start'>): void {
    this.#payees = new PayeeTable(this.#terminal, event.command);
    // `status` pays nobody, so its progress must not say "Paying".
    if (event.command === 'status') this.#progress = new Progress(this.#terminal, this.#clock, 'Asking');
    const { version, profile, sandbox, service } = event;
    this.#sandbox = sandbox;
    const t = this.#terminal;
    const where = sandbox
      ? t.paint('practice', 'SANDBOX: practice run, no real money moves')
      : [t.paint('careful', 'REAL MONEY'), `profile ${profile}`, ...(service === undefined ? [] : [service])].join(
          ' · ',
        );
    t.say(`paybatch ${version} · ${where}`);
    if (!sandbox) for (const line of accountLines(event)) this.#terminal.sayLabelled(...line);
    t.say();
  }

  #named(batch: string): string {
    return `${batch}${this.#sandbox ? '  (SANDBOX)' : ''}`;
  }

  #batch({ batch, sheet, rows, total, maker, plannedAt, timezone }: EventOf<'batch'>): void {
    this.#isBatchNamed = true;
    this.#terminal.sayLabelled('Batch', this.#named(batch));
    this.#terminal.sayLabelled('Sheet', `${sheet}, ${counted(rows, 'row')}, ${moneyText(total)}`);
    this.#terminal.sayLabelled('Planned', `${localTime(Date.parse(plannedAt), timezone)} (${timezone}) by ${maker}`);
    this.#terminal.say();
  }

  #columns({ headerRow, headings, mapping }: EventOf<'columns'>): void {
    this.#terminal.sayLabelled('', `headings in row ${headerRow}`);
    if (mapping) this.#terminal.sayLabelled('Mapping', mapping.name);
    const named = headings.flatMap(({ text, ...others }) => {
      const line = text.replace(/\s+/g, ' ').trim();
      return line === '' ? [] : [{ ...others, text: line }];
    });
    const used = named.filter(({ means }) => means !== undefined);
    const kept = named.filter(({ means }) => means === undefined);
    if (used.length > 0) {
      this.#terminal.sayLabelled(
        'Columns',
        used
          .map(({ text, means, by }) => `${text} → ${means}${by === 'mapping' ? ' (mapping)' : ''}`)
          .join(this.#terminal.accessible ? ', ' : '   '),
      );
    }
    if (kept.length > 0)
      this.#terminal.sayLabelled('', `not used, kept in the results: ${kept.map(({ text }) => text).join(', ')}`);
  }

  #problem(issue: Issue): void {
    this.#problems += 1;
    if (this.#problems > PROBLEMS_SHOWN_MAX) return;
    const t = this.#terminal;
    const language = this.#language();
    const word = issue.level === 'error' ? t.paint('bad', 'ERROR') : t.paint('careful', 'WARN ');
    const place = (issue.cell ?? (issue.row === undefined ? '' : `row ${issue.row}`)).padEnd(7);
    t.say(`${word}     ${place} ${shown(issueMessage(issue, language))}  ${t.paint('quiet', issue.code)}`);
    t.say(`                  ${shown(issueFix(issue, language))}`);
  }

  #summary(summary: EventOf<'sheet.summary'>): void {
    const { rows, ready, withErrors, errors, warnings, total, leftOut } = summary;
    const hidden = this.#problems - PROBLEMS_SHOWN_MAX;
    if (hidden > 0)
      this.#terminal.sayLabelled('', `… and ${counted(hidden, 'more problem')} (all of them with --json)`);
    const found = `${counted(errors, 'error')}, ${counted(warnings, 'warning')}`;
    const left = leftOut ? `, ${leftOut.rows} left out` : '';
    const problems = errors + warnings === 0 ? 'no problems' : found;
    // Nothing is ready while the sheet as a whole has an error, and no row may have to be corrected.
    const states = errors > 0 && withErrors === 0 ? '' : `: ${ready} ready, ${withErrors} with errors${left}`;
    this.#terminal.sayLabelled('Checking', `${counted(rows, 'row')}${states}; ${problems}`);
    if (total) this.#terminal.sayLabelled('', `ready to pay: ${moneyText(total)}`);
    if (leftOut) this.#sayLeftOut(leftOut);
  }

  /** Names the rows that are not among the payments, and why each is left out. */
  #sayLeftOut(leftOut: LeftOutSums): void {
    this.#terminal.sayLabelled(
      'Left out',
      `${leftOutText(leftOut)}: on hold or in cash, so not sent, and not in the total`,
    );
    for (const { row, name, amount, reason } of this.#leftOut) {
      const what = [...(name === '' ? [] : [name]), ...(amount ? [moneyText(amount)] : [])].join(', ');
      this.#terminal.sayLabelled('', `row ${row}${what === '' ? '' : `  ${what}`}: ${reason}`);
    }
    const more = leftOut.rows - this.#leftOut.length;
    if (more > 0) this.#terminal.sayLabelled('', `… and ${counted(more, 'more row')} (all of them with --json)`);
  }

  #statement(statement: MoneyStatement): void {
    const t = this.#terminal;
    const { currency } = statement.total;
    // On a narrow screen only the last column gives way, so that all amounts stay below each other.
    const last = Math.min(16, t.width - AMOUNTS_END);
    const row = (title: string, count: string, amount: string, charges: string): string =>
      `  ${title.padEnd(20)}${count.padStart(7)}${amount.padStart(20)}${charges.padStart(last)}`;
    t.say();
    t.say(t.paint('quiet', row('Kind', 'Rows', `Amount ${currency}`, 'Charges')));
    for (const { title, count, amount, charges } of statement.kinds) {
      t.say(row(title, String(count), groupedDecimalOf(amount), groupedDecimalOf(charges)));
    }
    t.say(
      t.paint(
        'strong',
        row('Total', String(statement.count), groupedDecimalOf(statement.total), groupedDecimalOf(statement.charges)),
      ),
    );
    t.say(row('People', String(statement.people), '', '').trimEnd());
    t.say();
    const money = (label: string, value: Money): void =>
      t.say(`  ${label.padEnd(27)}${groupedDecimalOf(value).padStart(20)}`);
    money(this.#sandbox ? 'Practice wallet now' : 'Wallet balance now', statement.balance);
    money('Leaves the wallet', statement.needed);
    money('Wallet balance after', statement.after);
    if (statement.owed) money('Reserved by other batches', statement.owed.amount);
    for (const line of fundsLines(statement)) t.say(`  ${shown(line)}`);
    if (statement.payees) t.say(`  Payees: ${payeeCountsText(statement.payees)}`);
    const [largest] = statement.largest;
    if (largest) t.say(`  Largest payment: row ${largest.row}, ${shown(largest.name)}, ${moneyText(largest.amount)}`);
    const [edge] = statement.aboveEdge;
    if (edge) {
      const others = statement.aboveEdge.length - 1;
      const more = others > 0 ? ` (and ${counted(others, 'more row')})` : '';
      t.say(
        `  Just above a charge band: row ${edge.row}, ${moneyText(edge.amount)}; slightly less would cost ${moneyText(edge.saving)} less${more}`,
      );
    }
    t.say();
    this.#earlier(statement);
  }

  #earlier(findings: EarlierFindings): void {
    const lines = earlierLines(findings);
    for (const { level, text } of lines) this.#notice(level, text);
    if (lines.length > 0) this.#terminal.say();
  }

  #notice(level: 'info' | 'warning' | 'alarm', message: string): void {
    this.#terminal.sayLabelled(noticeLabels[level], message, noticeTones[level]);
  }
}

/** Columns of the money statement up to the end of its amounts. */
const AMOUNTS_END = 49;

/** Returns lines that name the account, the service that issues its token, and the configuration that says so. */
function accountLines(event: EventOf<'start'>): readonly (readonly [string, string])[] {
  const { clientId, tokenService, configuration } = event;
  if (clientId === undefined) return [];
  const token = tokenService === undefined ? '' : ` · token from ${tokenService}`;
  return [
    ['Account', `${clientId}${token}`],
    ['Settings', configuration ?? 'from the environment'],
  ];
}
