/** Who authorised a batch: how it was confirmed, and the people who signed its plan if it had one. */
import type { BatchHeader } from '../domain/batch.ts';
import { purgedText } from '../domain/purged.ts';
import type { ResultsOptions, ResultsSource } from './source.ts';

/** Returns label and text of each line about the confirmation. */
export function confirmationTexts({
  confirmation,
  approval,
}: Pick<BatchHeader, 'confirmation' | 'approval'>): readonly (readonly [string, string])[] {
  const confirmed = ['Totals confirmed', confirmation] as const;
  if (!approval) return [confirmed];
  const { plan, maker, approvals } = approval;
  return [
    confirmed,
    ['SHA-256 of the plan', plan],
    ...(maker ? [['Plan signed by', `${maker.name} (key ${maker.key})`] as const] : []),
    ...approvals.map(
      ({ name, key, at, note }) =>
        ['Plan approved by', `${name} at ${at} (key ${key})${note === undefined ? '' : `: ${note}`}`] as const,
    ),
  ];
}

/** Returns a line about what was deleted from the rows of a batch and who deleted it; empty if nothing was. */
export const purgeTexts = (
  { purge }: Pick<ResultsSource, 'purge'>,
  { timezone }: Pick<ResultsOptions, 'timezone'>,
): readonly (readonly [label: string, text: string])[] =>
  purge ? [['Purged', `Its ${purgedText(purge, timezone)} by ${purge.by}; amounts, ids and outcomes stay.`]] : [];
