/** Payees of a sheet, verified over loopback with the real client, and everything that was told and noted. */

import type { Clock } from '../../../src/domain/clock.ts';
import type { RunEvent } from '../../../src/domain/event.ts';
import type { Issue } from '../../../src/domain/issue.ts';
import type { PayeeFigures, PayeeFinding } from '../../../src/domain/payee.ts';
import { type VerifyDeps, type VerifyRequest, verifyPayees } from '../../../src/preflight/payees/verify-payees.ts';
import { systemClock, systemRandom } from '../../../src/system.ts';
import { issueFix, issueMessage } from '../../../src/texts/issue-message.ts';
import { clientOf } from '../../support/priced-sheet.ts';
import { check } from '../../support/sheets/checked-sheet.ts';
import type { CellChoice } from '../../support/sheets/sheet-rows.ts';

export interface Verified {
  readonly figures: PayeeFigures;
  readonly findings: readonly PayeeFinding[];
  /** Row, verdict and holder of every row. */
  readonly verdicts: readonly (readonly [number, string, ...string[]])[];
  readonly reasons: readonly (string | undefined)[];
  readonly events: readonly RunEvent[];
  /** Noted for the checked copy, besides what the check itself noted. */
  readonly warnings: readonly Issue[];
}

export interface Choice extends Partial<VerifyRequest> {
  readonly polling?: VerifyDeps['settings']['polling'];
  readonly concurrency?: number;
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
  /** Payees that the ledger has paid before. */
  readonly paid?: readonly string[];
  readonly onEvent?: (event: RunEvent) => void;
}

export const quickPolling = { firstMs: 5, maxMs: 20, deadlineMs: 400 };

export async function verified(
  url: string,
  rows: readonly (readonly CellChoice[])[],
  {
    newOnly = false,
    polling = quickPolling,
    concurrency = 2,
    signal,
    clock = systemClock,
    paid = [],
    onEvent,
  }: Choice = {},
): Promise<Verified> {
  const { checked, staging } = await check(rows, { allowIdentical: 99 });
  const before = [...staging.issues()].length;
  const events: RunEvent[] = [];
  const figures = await verifyPayees(
    checked,
    staging,
    { newOnly },
    {
      settings: {
        currency: 'KES',
        country: 'KE',
        polling,
        sending: { concurrency, ratePerSecond: 0, linesPerOrder: 1, requestTimeoutMs: 2_000 },
      },
      client: clientOf(url),
      ledger: { knownPayees: async (payees) => new Set(paid.filter((payee) => payees.has(payee))) },
      clock,
      random: systemRandom,
      emit(event) {
        events.push(event);
        onEvent?.(event);
      },
      signal: signal ?? new AbortController().signal,
    },
  );
  const findings = events.flatMap((event) => (event.type === 'payee' ? [event] : []));
  const issues = [...staging.issues()];
  const warnings = issues.filter(({ code }) => code.startsWith('PB-PAYEE-') && code !== 'PB-PAYEE-NAMES');
  if (issues.length - before !== warnings.length) throw new Error('something else was noted');
  for (const found of warnings) requireWhole(found);
  return {
    figures,
    findings,
    verdicts: findings.map(
      ({ row, verdict, holder }) => [row, verdict, ...(holder === undefined ? [] : [holder])] as const,
    ),
    reasons: findings.map(({ reason }) => reason),
    events,
    warnings,
  };
}

function requireWhole(found: Issue): void {
  const sentences = `${issueMessage(found)} ${issueFix(found)}`;
  if (/[{}]|undefined|""/.test(sentences)) throw new Error(sentences);
}
