/**
 * The plan of a scheduled payment, with its approvals and refusals, next to the sheet or in the folder that the schedule
 * names.
 */

import { existsSync } from 'node:fs';
import path from 'node:path';
import { type PlanFile, refusedPlan } from '../../approval/plan.ts';
import { PLAN, planIn } from '../../approval/plan-file.ts';
import type { GivenWord } from '../../approval/word.ts';
import { namesIn, wordIn, wordsBeside } from '../../approval/word-files.ts';
import { Fault } from '../../domain/fault.ts';
import type { BatchId } from '../../domain/ids.ts';
import { shown } from '../../domain/shown-text.ts';
import { typedPath } from '../../domain/typed-path.ts';
import { batchFileName } from '../../results/file-name.ts';
import type { ScheduledPayment } from '../../schedule/run-due.ts';

/** The plan of a period. */
export interface PeriodPlan {
  readonly plan: PlanFile;
  /** Path of the plan. */
  readonly file: string;
  /** Approvals and refusals of the plan, whichever copy of it they were signed for. */
  readonly words: readonly GivenWord[];
}

/**
 * Returns the plan that was made last for this payment, or `undefined` if there is none. Throws a Fault `plan-refused` if a
 * file of such a name is not a plan of this payment, because a person believes that it is.
 */
export async function planOfPeriod(payment: ScheduledPayment, sandbox: boolean): Promise<PeriodPlan | undefined> {
  const found: Pick<PeriodPlan, 'plan' | 'file'>[] = [];
  for (const file of filesOf(payment, sandbox)) {
    const plan = planIn(file);
    const { batch } = plan.plan;
    if (batch !== payment.batch) throw refusedPlan(`${file} is that of ${shown(batch)}, and not of ${payment.batch}`);
    found.push({ file, plan });
  }
  const [latest] = found.toSorted((one, other) => (one.plan.plan.madeAt > other.plan.plan.madeAt ? -1 : 1));
  if (!latest) return undefined;
  const copies = found.filter(({ plan }) => plan.sha256 === latest.plan.sha256);
  return { ...latest, words: copies.flatMap(({ file }) => wordsBeside(file)).map(wordIn) };
}

/**
 * Returns the files that `paybatch plan` could have written for a payment, with numbers that avoid older files, and saved
 * copies.
 */
function filesOf(payment: ScheduledPayment, sandbox: boolean): readonly string[] {
  const folder = folderOf(payment);
  const named = { id: payment.batch as BatchId, sandbox, sheet: { name: path.basename(payment.sheet) } }; // its name becomes its id
  const { name, ext } = path.parse(batchFileName(named, PLAN));
  if (!existsSync(folder)) return [];
  return namesIn(folder)
    .filter(
      (file) =>
        file.startsWith(name) &&
        /^(?: ?\(\d{1,3}\))?$/.test(file.slice(name.length, -ext.length)) &&
        file.endsWith(ext),
    )
    .map((file) => path.join(folder, file));
}

const folderOf = ({ schedule, sheet }: ScheduledPayment): string => schedule.approvals?.folder ?? path.dirname(sheet);

/** The Fault for a schedule that pays only approved plans, and has none for this payment. */
export const planMissing = (payment: ScheduledPayment, makerKey: boolean): Fault =>
  new Fault(
    'plan-missing',
    `There is no plan of ${payment.batch} in ${folderOf(payment)}. Nothing was sent.`,
    `Make it: paybatch plan ${typedPath(payment.sheet)} --batch ${payment.batch} --out ${typedPath(folderOf(payment))}${makerKey ? ' --key FILE' : ''}   Then have it approved: paybatch approve PLAN --key FILE`,
  );

/** The Fault for a plan that nobody has approved or declined yet. */
export const waitsForApproval = ({ batch }: ScheduledPayment, { file }: PeriodPlan): Fault =>
  new Fault(
    'not-approved',
    `${batch} is due and waits for approval: nobody has approved ${file}. Nothing was sent.`,
    `Have it approved, and put the approval next to the plan: paybatch approve ${typedPath(file)} --key FILE`,
  );
