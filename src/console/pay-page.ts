/** Paying a sheet: the form below its statement, and the run that it starts. It is `paybatch run`, and asks what a terminal asks. */

import { randomUUID } from 'node:crypto';
import { counted, firstOf } from '../domain/counted.ts';
import type { MoneyStatement } from '../domain/event.ts';
import { Fault } from '../domain/fault.ts';
import { moneyText } from '../domain/money.ts';
import { present } from '../domain/present.ts';
import type { Settings } from '../domain/settings.ts';
import { type Html, html, isolated } from '../html/html.ts';
import { compareTotals, confirmedBy, NOT_ASKED } from '../preflight/control-totals.ts';
import { runSheet } from '../run/paybatch.ts';
import { actForm } from './act-form.ts';
import { requestOf } from './checks.ts';
import { type Choices, choiceField, choicesIn, unverifiableIn, withChoices } from './choices.ts';
import type { Site } from './frame.ts';
import type { Routes, Texts } from './routes.ts';
import type { PaymentWish } from './runs.ts';
import { type Seen, StalePage } from './seen.ts';
import { type ChosenSheet, namedSheet } from './sheet-files.ts';
import type { ConsoleWorld } from './world.ts';

/** A statement and what it is about. */
interface Stated {
  readonly sheet: ChosenSheet;
  /** Name of the batch; `undefined` for a rehearsal, which takes its key from the content. */
  readonly batch: string | undefined;
  readonly said: Choices;
  readonly statement: MoneyStatement;
  readonly seen: Seen;
}

/** The form below a statement that can be paid. In a rehearsal it asks for no totals, because no money moves. */
export function payForm(site: Site, { sheet, batch, said, statement, seen }: Stated): Html {
  const { count, people, total, needed, changedPayees, upTo } = statement;
  const { sandbox } = site.settings;
  const payments = counted(count, 'payment');
  const changed = sandbox || said.changed !== undefined ? undefined : changedPayees;
  const now = upTo === undefined ? payments : counted(upTo, 'payment');
  return actForm(site, {
    action: 'pay',
    seen,
    legend: sandbox ? 'Rehearse the payment' : 'Pay this sheet',
    says: html`<p>${sandbox ? 'This moves no money' : 'This sends real money'}: ${payments} to ${counted(people, 'person', 'people')}${batch === undefined ? '' : html`, under the name ${isolated(batch)}`}.</p>${upTo === undefined ? '' : html`<p>The ${firstOf(upTo, 'payment is', 'payments are')} sent now, and the others when you resume the batch. The total is that of the whole sheet.</p>`}`,
    hidden: {
      ...sheet.query,
      ...present({ batch }),
      ...said,
      once: randomUUID(),
      needed: moneyText(needed),
    },
    fields: [
      ...(changed
        ? [
            choiceField(
              'changed',
              `${counted(changed.count, 'row goes', 'rows go')} to another phone or account than last time; they are listed above. Call these people first, on a number that you already had. Then type the number of rows that changed.`,
            ),
          ]
        : []),
      ...(sandbox
        ? []
        : [
            {
              name: 'total',
              label: `Total ${total.currency}, typed from your own papers`,
              hint: 'Not copied from this page: the total of the payroll as you know it, without charges.',
            },
          ]),
    ],
    button: `${sandbox ? 'Rehearse' : 'Pay'} ${now}`,
  });
}

export function payRoutes(routes: Routes): void {
  routes.payment('/pay', (texts, seen) => paymentOf(texts, seen, routes.world));
}

/** The run that the form asks for: the same as in a terminal, and bound to what the page showed. */
async function paymentOf(texts: Texts, seen: Seen, world: ConsoleWorld): Promise<Omit<PaymentWish, 'seen' | 'once'>> {
  const sheet = await namedSheet(texts, world);
  const said = choicesIn(texts);
  const { batch, total = '', needed } = texts;
  // A dropped sheet is deleted when the console ends, but its results must outlive it.
  const place = sheet.path === undefined ? { recordedFolder: world.folder, outFolder: world.folder } : {};
  const request = {
    ...requestOf(sheet, world),
    ...present({ batchName: batch }),
    ...withChoices(said),
    ...place,
    dryRun: false,
  };
  return {
    verb: 'run',
    about: sheet.name,
    outFolder: place.outFolder,
    acceptUnverifiable: unverifiableIn(said),
    work: (deps) =>
      runSheet(request, {
        ...deps,
        confirm: async (statement, fingerprint) => {
          if (fingerprint === undefined || fingerprint !== seen.sheet)
            throw new StalePage(['The sheet was changed: it pays other people, accounts or amounts now.'], []);
          if (moneyText(statement.needed) !== needed)
            throw new StalePage(
              [
                `With its charges it takes ${moneyText(statement.needed)} from the wallet now. The page said ${needed}.`,
              ],
              [],
            );
          return confirmed(statement, total, deps.settings);
        },
      }),
  };
}

/** How the totals were confirmed, recorded as in a terminal. Throws a Fault if they do not match. */
export function confirmed(statement: MoneyStatement, typed: string, { sandbox }: Settings): string {
  if (sandbox) return NOT_ASKED;
  if (typed.trim() === '')
    throw new Fault('declined', 'No total was typed. Nothing was sent.', 'Type the total from your own papers.');
  compareTotals(statement, { total: typed });
  return confirmedBy('typed', statement);
}
