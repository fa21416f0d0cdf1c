/**
 * The files of a pack that follow from the rest of it: made when the pack is written, and made again and compared when it is
 * verified.
 */
import { approvalText } from '../../approval/decision.ts';
import type { BatchHeader } from '../../domain/batch.ts';
import { isoTime } from '../../domain/clock.ts';
import { decimalOf, type Money } from '../../domain/money.ts';
import { outcomes } from '../../domain/outcome.ts';
import { kindTitles } from '../../kinds/index.ts';
import type { BatchEvidence } from '../../ledger/batch-evidence.ts';
import { signedHeadText } from '../../ledger/signed-head.ts';
import { publicPem } from '../../ledger/signing.ts';
import { namesComparedOnce } from '../../preflight/payees/paid-names.ts';
import { csvLines } from '../../results/csv.ts';
import { jsonLines } from '../../results/json-lines.ts';
import { type Report, reportOf } from '../../results/report.ts';
import { unpaidAsKnown, withUnconfirmed } from '../../results/sent-ahead.ts';
import { tieOutsOf } from '../../results/tie-outs.ts';
import { type Member, member, type Pack } from './members.ts';

/** A file of a pack, as pieces of text. */
export interface DerivedFile {
  readonly name: Member;
  readonly pieces: () => Iterable<string> | AsyncIterable<string>;
}

/** Returns the files that follow from the evidence, made with the zone, time and doubt that the pack states. */
export async function derivedFiles(evidence: BatchEvidence, pack: Pack): Promise<readonly DerivedFile[]> {
  const { header } = evidence;
  const report = await packReport(evidence, pack);
  return [
    { name: member.headText, pieces: () => [signedHeadText(pack.ledger, pack.head)] },
    { name: member.key, pieces: () => [publicPem(pack.head.key)] },
    { name: member.approvals, pieces: () => [document(approvalsOf(header))] },
    { name: member.summary, pieces: () => [document(summaryOf(report))] },
    { name: member.csv, pieces: () => csvLines(report) },
    { name: member.lines, pieces: () => jsonLines(report) },
  ];
}

/** Returns the same results as the command `report`, as of the last fact, so that the same ledger gives the same bytes. */
async function packReport(evidence: BatchEvidence, { timezone, inRecovery, asOf }: Pack): Promise<Report> {
  const { header, head } = evidence;
  const tallies = await evidence.tallies();
  const rows = namesComparedOnce(evidence.resultRows, () => undefined);
  const source = {
    header,
    tallies,
    head,
    runs: await evidence.runs(),
    ...(inRecovery && { unconfirmed: unpaidAsKnown(tallies) }),
    rows: inRecovery ? () => withUnconfirmed(rows()) : rows,
  };
  const options = { printedAt: Date.parse(asOf), timezone, kindTitles, groupBy: [], pictures: false };
  return reportOf(source, options);
}

export const document = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

/** Returns who approved. Each signature covers the `text` next to it. */
function approvalsOf({ id, total, policy, approval }: BatchHeader): object {
  if (!approval) return { plan: null, maker: null, approvals: [], policy: policy ?? null };
  const { plan, maker, approvals } = approval;
  return {
    plan,
    maker: maker ?? null,
    approvals: approvals.map((one) => ({
      name: one.name,
      at: one.at,
      ...(one.note !== undefined && { note: one.note }),
      key: one.key,
      publicKey: publicPem(one.key),
      text: approvalText({ ...one, plan, batch: id, total }),
      signature: one.signature,
    })),
    policy: policy ?? null,
  };
}

const decimal = (value: number | Money): number | string => (typeof value === 'number' ? value : decimalOf(value));

/** Returns counts, sums, runs and wallet balances. */
function summaryOf({ source, figures }: Report): object {
  const { header, runs = [] } = source;
  return {
    batch: header.id,
    sandbox: header.sandbox,
    organisation: header.organisation,
    profile: header.profile,
    service: header.service,
    sheet: { name: header.sheet.name, sha256: header.sheet.sha256 },
    currency: header.currency,
    plannedAt: isoTime(header.plannedAt),
    maker: header.maker,
    confirmation: header.confirmation,
    rows: header.rows,
    payable: header.payable,
    planned: decimalOf(header.total),
    chargesQuoted: decimalOf(header.charges),
    outcomes: Object.fromEntries(
      outcomes
        .filter((outcome) => figures.byOutcome[outcome].count > 0)
        .map((outcome) => {
          const { count, amount, fees } = figures.byOutcome[outcome];
          return [outcome, { rows: count, amount: decimalOf(amount), fees: decimalOf(fees) }];
        }),
    ),
    ...(source.unconfirmed !== undefined && { checkFirst: source.unconfirmed }),
    tiesOut: tieOutsOf(source, figures).map(({ claim, left, right, ties }) => ({
      claim,
      left: decimal(left),
      right: decimal(right),
      ties,
    })),
    walletBefore: decimalOf(header.balance),
    runs: runs.map(({ startedAt, started, stoppedAt, stopped }) => ({
      startedAt: isoTime(startedAt),
      by: started.holder,
      version: started.version,
      endedAt: stoppedAt === undefined ? null : isoTime(stoppedAt),
      reason: stopped?.reason ?? null,
      walletAfter: stopped?.wallet
        ? decimalOf({ minor: BigInt(stopped.wallet.balance), currency: header.currency })
        : null,
    })),
  };
}
