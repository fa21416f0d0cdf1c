/** The page of a plan, for who signs on paper: all that was found stands there, and nothing of it can act. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Plan, planText, readPlan } from '../../../src/approval/plan.ts';
import { PRINTED_ROWS_MAX, planPage } from '../../../src/cli/approval/plan-page.ts';
import type { CurrencyCode } from '../../../src/domain/currency.ts';
import type { BatchId } from '../../../src/domain/ids.ts';
import { examplePlan } from '../../support/example-plan.ts';

const kes = (minor: bigint) => ({ minor, currency: 'KES' as CurrencyCode });
const fileOf = (plan: Omit<Plan, 'signed'>) => readPlan(Buffer.from(planText(plan)));
const textOf = (html: string): string => html.replace(/<style>.*<\/style>/s, '').replace(/<[^>]+>/g, '');

const HOSTILE = '<img src=x onerror=alert(1)>&\'"';
const TURNED = '\u202egnp.exe\u0007';
const [order] = examplePlan.orders;
if (!order) throw new Error('the example pays somebody');

describe('the page of a plan', () => {
  test('shows the money, every payment, who made it and the whole fingerprint', () => {
    const file = fileOf(examplePlan);
    const html = planPage(file, '0.1.0');
    const text = textOf(html);
    for (const said of ['KES 1,500.50', 'KES 10.00', 'KES 1,510.50', 'Ann', '+254712345679', '700.00', 'finance@desk'])
      expect(text).toContain(said);
    expect(text).toContain(`Fingerprint of the plan${file.sha256}`);
    expect(text).toContain('holds personal data');
    expect(text).toContain('4: not paid');
    expect(html.match(/<tr><td>(?:Made|Approved) by<\/td>/g)).toHaveLength(3);
    expect(text).not.toContain('SANDBOX');
    expect(textOf(planPage(fileOf({ ...examplePlan, sandbox: true }), '0.1.0'))).toContain('SANDBOX: a rehearsal');
  });

  test('needs no other file, runs nothing, and its style alone is allowed', () => {
    const html = planPage(fileOf(examplePlan), '0.1.0');
    expect(html).not.toMatch(/<script|<img|<link|\bsrc=|\bhref=|url\(|@import|\bon\w+=/i);
    const [, style = ''] = /<style>(.*)<\/style>/s.exec(html) ?? [];
    expect(html).toContain(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`);
    expect(style).toContain('size: A4');
  });

  test.each(['=HYPERLINK("x")', '+1+1', '-1', '@SUM(A1)', HOSTILE, TURNED])(
    'shows %j as it stands, and as text',
    (name) => {
      const rows = order.rows.map((row) => ({ ...row, name, to: name }));
      const hostile = { ...examplePlan, organisation: name, maker: name, service: name, batch: name as BatchId };
      const html = planPage(fileOf({ ...hostile, orders: [{ ...order, rows }] }), '0.1.0');
      const shown = name
        .replace(
          /[&<>"']/g,
          (character) => `&${{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#39' }[character]};`,
        )
        .replace('\u202e', '&lt;U+202E&gt;')
        .replace('\u0007', '&lt;U+0007&gt;');
      expect(html.split(`<td><bdi>${shown}</bdi></td>`)).toHaveLength(1 + 2 * rows.length + 1);
      expect(html).not.toContain('<img');
      expect(html).not.toContain('\u202e');
      expect(html).not.toContain('\u0007');
      // A spreadsheet that opens the page takes every cell for text.
      expect(html).toContain('td, th { mso-number-format: "\\@"; }');
    },
  );

  test('prints the first payments, and says how many and how much the others are', () => {
    const amount = kes(1_000n);
    const count = PRINTED_ROWS_MAX + 200;
    const orders = Array.from({ length: count }, (_, index) => ({
      id: `00000000-0000-8000-8000-${String(index).padStart(12, '0')}`,
      body: 'a'.repeat(64),
      rows: [{ row: count + 10 - index, name: `Person ${index}`, to: '+254712345678', amount, charge: kes(0n) }],
    }));
    const total = kes(1_000n * BigInt(count));
    const figures = { count, total, charges: kes(0n) };
    const statement = { ...examplePlan.statement, ...figures };
    const plan = fileOf({ ...examplePlan, orders, statement, total, charges: kes(0n) });
    const text = textOf(planPage(plan, '0.1.0'));
    expect(text).toContain('And 200 more payments, KES 2,000.00 together');
    // In the order of the sheet.
    expect(text).toContain(`Person ${count - 1}`);
    expect(text).not.toContain('Person 1\n');
  });

  test('names what has changed since the last time, and whom to ask', () => {
    const named = (row: number, name: string) => ({ row, cell: `D${row}`, name, amount: kes(10_000n) });
    const sum = (name: string) => ({ count: 130, amount: kes(1_300_000n), rows: [named(9, name)] });
    const batch = 'october' as BatchId;
    const statement: Plan['statement'] = {
      ...examplePlan.statement,
      changedPayees: {
        count: 1,
        rows: [{ row: 2, name: 'Ann', from: '+25471…678', to: '+254799999955', batch, rowThen: 7 }],
      },
      lastTime: {
        batch,
        date: '2026-10-30',
        paid: { count: 2, amount: kes(1n) },
        newPeople: sum('Nia'),
        gonePeople: sum('Gideon'),
        changedAmounts: { count: 1, rows: [{ ...named(3, 'Ben'), was: kes(7n) }], more: kes(9n), less: kes(0n) },
      },
      unusualAmounts: { count: 1, rows: [{ ...named(3, 'Uma'), usual: kes(77n), payments: 4 }] },
      newPayees: sum('Firsttime'),
      paidBefore: {
        count: 130,
        amount: kes(1_300_000n),
        batches: [{ ...sum('Paula'), batch, date: '2026-10-30', isHeld: true }],
        held: { count: 130, amount: kes(1_300_000n) },
      },
    };
    const text = textOf(planPage(fileOf({ ...examplePlan, statement }), '0.1.0'));
    for (const said of ['+25471…678', '+254799999955', 'since batch october of 2026-10-30', 'Nia', 'Gideon', 'Uma'])
      expect(text).toContain(said);
    for (const said of [': 1, KES 0.09 more\n', 'Firsttime', 'Paula', 'and 129 more', 'KES 0.77'])
      expect(text).toContain(said);
  });
});
