/** The setting `journal`: how `report --format journal` writes payments for the books. */
import { z } from 'zod';
import { journalDates, journalFields, usualJournal } from '../../domain/journal.ts';
import { kinds } from '../../kinds/index.ts';

/** Longer than any program of accounting takes. */
const account = z.string().trim().min(1).max(200);
const heading = z.string().max(100);
const once = z.boolean().optional().describe('In the first line of an entry alone');
const word = z.string().max(200);

const column = z.union(
  [
    z.strictObject({ heading, field: z.enum(journalFields), once }),
    z.strictObject({ heading, text: word, once }),
    z.strictObject({ heading, debit: word, credit: word, once }),
  ],
  `a heading with one of: field (${journalFields.join(', ')}), text, or debit and credit`,
);

const { accounts } = usualJournal;

export const journalSchema = z
  .strictObject({
    entry: z.enum(['batch', 'row']).default(usualJournal.entry).describe('One entry for a batch, or one for each row'),
    dates: z.enum(journalDates).default(usualJournal.dates).describe('How days are written'),
    accounts: z
      .strictObject({
        payments: account.default(accounts.payments).describe('Debited with what was paid'),
        kinds: z
          .partialRecord(z.enum(kinds.map(({ name }) => name as string)), account)
          .default(accounts.kinds)
          .describe('In its place for one way of paying'),
        fees: account.default(accounts.fees).describe('Debited with fees that were charged'),
        wallet: account.default(accounts.wallet).describe('Credited with all that left the wallet'),
        suspense: account.optional().describe('Debited with what may have left it; without it that is left out'),
      })
      .prefault({}),
    columns: z
      .array(column)
      .min(1)
      .max(60)
      .default([...usualJournal.columns])
      .describe('The columns of the file, in their order'),
  })
  .describe('How report --format journal writes payments for the books');
