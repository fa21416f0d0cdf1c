/**
 * A plan as a page for printing, for people who sign on paper: the money, what has changed since the last time, and the payments
 * one by one. Ink approves nothing, because a program cannot read it.
 */

import type { PlanFile } from '../../approval/plan.ts';
import { planFacts, planPayments } from '../../approval/plan-parts.ts';
import { counted } from '../../domain/counted.ts';
import { Fault } from '../../domain/fault.ts';
import { moneyText } from '../../domain/money.ts';
import { payeeCountsText } from '../../domain/payee.ts';
import { writeWholeFile } from '../../files/whole-file.ts';
import { factOf, type Html, html, isolated, type Part } from '../../html/html.ts';
import { htmlPage } from '../../html/html-page.ts';
import { pageStyle } from '../../html/page-style.ts';
import { earlierTables, paymentTables, statementFigures, statementKinds } from '../../results/html/statement-parts.ts';

/** The styles of the page, in addition to those of all pages: A4 paper, and lines to sign on. */
const planPageStyle = `${pageStyle}
thead th.figure:first-child { width: 4rem; }
.above td, .above th { border-bottom: 0; color: var(--quiet); background: var(--paper); font-size: .8rem; font-weight: 400; }
.sign td { height: 3.2rem; border-bottom: 1px solid var(--ink); vertical-align: bottom; }
.sign td:first-child { width: 9rem; }
.sign td.corner { height: auto; border-bottom: 0; }
@page { size: A4; margin: 15mm 15mm 18mm; @bottom-right { content: counter(page) " / " counter(pages); font: 9pt sans-serif; } }
@media print {
  .sign, .short { break-inside: avoid; }
  section { margin-top: 1.2rem; }
  th, td { padding: .2rem .4rem; }
  dd { font-size: 13pt; }
}
`;

/** Most payments that are printed one by one: about twenty sheets of paper. */
export const PRINTED_ROWS_MAX = 1000;
/** The lines to sign on, in addition to that of the person who made the plan. */
const APPROVERS = ['Approved by', 'Approved by'] as const;

/** Writes a plan as a page for printing, and returns its path. Throws a Fault `usage` for a name that does not end like a page. */
export async function writePlanPage(plan: PlanFile, target: string, version: string): Promise<string> {
  // An older page is replaced, so the ending is checked: a sheet that was named by mistake must not be replaced.
  if (!/\.html?$/i.test(target)) {
    throw new Fault(
      'usage',
      `${target} is not a name for a page. Nothing was written.`,
      'Use a name that ends in .html.',
    );
  }
  const written = await writeWholeFile(target, 'page', async ({ stream }) => {
    stream.write(planPage(plan, version));
  });
  return written.path;
}

/** Returns the page as text; it is always the same for the same plan. `version`: of the paybatch that writes it. */
export function planPage(file: PlanFile, version: string): string {
  const { batch, organisation, sandbox, notice, statement } = file.plan;
  const body = html`<header>
${sandbox ? html`<p class="banner">SANDBOX: a rehearsal. No real money moves.</p>` : ''}
<p class="quiet">${isolated(organisation)} · paybatch ${version}</p>
<h1>Payment plan ${isolated(batch)}</h1>
<p class="note">${notice}</p>
</header>
<main>
${statementFigures(statement, 'Wallet when planned')}
${planFacts(file, moreFacts(file))}
${statementKinds(statement)}
${earlierTables(statement)}
${paymentTables(statement)}
${signatures(file)}
${planPayments(file, { most: PRINTED_ROWS_MAX, above: `Payment plan ${batch} · fingerprint ${file.sha256.slice(0, 16)}…` })}
</main>
<footer><p class="quiet">Nothing was sent. A signature on paper is for your files: paybatch pays what was approved with a key, and compares this plan with the sheet before it does.</p></footer>`;
  return htmlPage({ language: 'en', title: `Payment plan ${batch}`, version, style: planPageStyle, body });
}

/** Returns what else a person who signs on paper should know. */
const moreFacts = ({ plan: { statement } }: PlanFile): Html => {
  const { owed, payees } = statement;
  return html`${factOf('Payees', payees && payeeCountsText(payees))}
${factOf('Reserved by other batches', owed && `${moneyText(owed.amount)}, by ${counted(owed.batches.length, 'other batch', 'other batches')}`)}
`;
};

function signatures({ plan: { maker } }: PlanFile): Html {
  const line = (label: string, name: Part): Html => html`<tr><td>${label}</td><td>${name}</td><td></td><td></td></tr>`;
  return html`<section><table class="sign"><caption>To sign on paper, after comparing the fingerprint with the plan that will be paid</caption>
<thead><tr><td class="corner"></td><th scope="col">Name</th><th scope="col">Date</th><th scope="col">Signature</th></tr></thead>
<tbody>${line('Made by', isolated(maker))}${APPROVERS.map((label) => line(label, ''))}</tbody></table></section>`;
}
