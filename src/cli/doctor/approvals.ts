/** Who has to approve: that configuration and ledger agree, that enough people can, and that their keys are theirs alone. */
import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import { isKeyText, isLocked } from '../../approval/approver-key.ts';
import { requirePolicyInForce } from '../../approval/policy.ts';
import type { ApprovalPolicy } from '../../domain/approval.ts';
import { counted } from '../../domain/counted.ts';
import { forMeAlone, whoElseReads, whoElseWrites } from '../../files/file-rights.ts';
import { type Check, type Finding, ok, warning } from './check.ts';

export const approvals: Check = {
  name: 'approvals',
  title: 'Approvals',
  async look(context) {
    const { approval, profile } = context.settings;
    const ledger = await context.ledger();
    const inForce = await ledger.approvalPolicy();
    requirePolicyInForce(inForce?.policy, approval);
    return findingOfPolicy(approval, profile, inForce !== undefined);
  },
};

/** Whether the people who are named are enough for every sum, whoever of them makes the plan. The configuration has refused a tier for more. */
export function findingOfPolicy(policy: ApprovalPolicy | undefined, profile: string, isInForce: boolean): Finding {
  if (!policy) return ok('Nobody has to approve: whoever may run paybatch pays by control totals.');
  const { tiers, approvers, makerKey } = policy;
  const names = Object.keys(approvers);
  const most = Math.max(0, ...tiers.map(({ required }) => required));
  const figures = { approvers: names.length, requiredMost: most, makerKey };
  if (tiers.length === 0) {
    return warning(
      `${counted(names.length, 'approver is', 'approvers are')} named, and no tier says for which sums: every sum may be paid without them.`,
      'Add approval.tiers, for example [{ "above": { "KES": "0" }, "required": 1 }].',
      figures,
    );
  }
  if (!makerKey) {
    return warning(
      'Whoever makes a plan may also approve it: plans need no signature of their maker.',
      'Set approval.makerKey to true, and let the approvers of before sign that: paybatch approver change --key FILE',
      figures,
    );
  }
  if (most === names.length) {
    return warning(
      `The highest tier asks for all approvers (${most}): where one of them makes the plan, or is away, it cannot be paid.`,
      `Name one more in approval.approvers of the profile "${profile}".`,
      figures,
    );
  }
  return ok(
    `${counted(names.length, 'person', 'people')} may approve (${names.join(', ')}), and the highest tier asks for ${most}; ${isInForce ? 'the ledger says the same' : 'it counts with the first batch that is paid'}.`,
    figures,
  );
}

/** Files of a folder that are looked into. */
const FILES_MAX = 500;
/** A key file is shorter. */
const BYTES_MAX = 4096;

export const approverKeys: Check = {
  name: 'approver-keys',
  title: "Approvers' keys",
  look({ loaded, shell }) {
    const folders = new Set([shell.cwd, ...(loaded.file === undefined ? [] : [path.dirname(loaded.file)])]);
    const keys = [...folders].flatMap(keysIn);
    if (keys.length === 0) return ok('None lies here or beside the configuration.');
    const open = keys.filter(({ file }) => {
      const stats = statSync(file);
      return (whoElseWrites(file, stats) ?? whoElseReads(file, stats)) !== undefined;
    });
    const files = (some: typeof keys): string => some.map(({ file }) => file).join(', ');
    if (open.length > 0) {
      return warning(
        `Others on this machine have rights on ${files(open)}: they can sign as these approvers.`,
        `${open.map(({ file }) => forMeAlone(file)).join('; ')}; and if others use this machine, make new keys: paybatch approver create`,
      );
    }
    const bare = keys.filter(({ text }) => !isLocked(text));
    if (bare.length === 0) return ok(`${files(keys)}: for nobody else, and under a passphrase.`);
    return warning(
      `Without a passphrase: ${files(bare)}. A copy of such a file is enough to sign.`,
      'Make a key with a passphrase: paybatch approver create NAME --key FILE   Then let it take the place of the old one: paybatch approver change',
    );
  },
};

/** Key files of approvers in a folder, whatever they are called. */
function keysIn(folder: string): readonly { readonly file: string; readonly text: string }[] {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  return files.slice(0, FILES_MAX).flatMap(({ name }) => {
    const file = path.join(folder, name);
    const text = shortTextOf(file);
    return text !== undefined && isKeyText(text) ? [{ file, text }] : [];
  });
}

/** Undefined for a file that is longer, or that this user cannot read. */
function shortTextOf(file: string): string | undefined {
  try {
    const opened = openSync(file, 'r');
    try {
      const buffer = Buffer.alloc(BYTES_MAX + 1);
      const bytes = readSync(opened, buffer, 0, buffer.length, 0);
      return bytes > BYTES_MAX ? undefined : buffer.toString('utf8', 0, bytes);
    } finally {
      closeSync(opened);
    }
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) return undefined;
    throw error;
  }
}
