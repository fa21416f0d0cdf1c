/** Who has to agree before money leaves. */
import { z } from 'zod';
import { isApproverName, isPublicKey } from '../../approval/approver-key.ts';
import { currencyCode, decimal } from './setting-values.ts';

/** Who has to agree before money leaves. It counts by the ledger as well: see `paybatch approver change`. */
export const approval = z
  .strictObject({
    makerKey: z.boolean().default(false).describe('Plans have to be signed by their maker, who cannot approve them'),
    tiers: z
      .array(
        z.strictObject({
          above: z.record(currencyCode, decimal).describe('Sum, by currency, above which the tier counts'),
          required: z.int().min(1).max(20).describe('How many have to approve'),
        }),
      )
      .max(20)
      .default([])
      .describe('So many have to approve what is above; the last 24 hours count along'),
    approvers: z
      .record(
        z.string().refine(isApproverName, 'a name of letters, digits, dots, hyphens and underscores'),
        z.string().refine(isPublicKey, 'a public key as paybatch approver create prints it'),
      )
      .default({})
      .describe('Who approves: names, each with its public key'),
  })
  .superRefine(({ tiers, approvers }, context) => {
    const keys = Object.values(approvers);
    if (new Set(keys).size !== keys.length) {
      context.addIssue({ code: 'custom', path: ['approvers'], message: 'names with a key of its own for each' });
    }
    for (const [index, { required }] of tiers.entries()) {
      if (required <= keys.length) continue;
      const message = `at most the number of approvers, ${keys.length}`;
      context.addIssue({ code: 'custom', path: ['tiers', index, 'required'], message });
    }
  });
