/** A plan as it is shown to a person who approves or declines it: the account, who made it, and what it pays. */
import type { PlanFile } from '../../approval/plan.ts';
import { moneyText } from '../../domain/money.ts';
import { shown } from '../../domain/shown-text.ts';
import type { Shell } from '../shell.ts';

/** Prints the contents of a plan; `rows`: whether to print each of its rows. */
export function showPlan({ plan, sha256 }: PlanFile, { terminal, reporter, flags }: Shell, rows: boolean): void {
  const line = (word: string, said: string): void => terminal.say(`${word.padEnd(13)}${shown(said)}`);
  if (!flags.json) {
    line('Plan', `${plan.batch} of ${plan.organisation}${plan.sandbox ? '  (SANDBOX)' : ''}`);
    line('Account', `profile ${plan.profile} · ${plan.service}`);
    line('Sheet', `${plan.sheet.name}, SHA-256 ${plan.sheet.sha256}`);
    line('Made by', plan.signed ? `${plan.maker}, signed by ${plan.signed.name}` : `${plan.maker}, not signed`);
    line('Made at', plan.madeAt);
    line('Holds until', plan.expiresAt);
    line('Fingerprint', sha256);
    if (plan.setAside.length > 0) line('Set aside', `rows ${plan.setAside.join(', ')}`);
    for (const { row, reason } of plan.leftOut ?? []) line('Left out', `row ${row}: ${reason}`);
  }
  reporter.tell({ type: 'statement', statement: plan.statement });
  if (!rows) return;
  for (const { row, name, to, amount } of plan.orders.flatMap((order) => order.rows)) {
    terminal.say(`  row ${String(row).padEnd(7)} ${shown(name)}, ${shown(to)}, ${moneyText(amount)}`);
  }
}
