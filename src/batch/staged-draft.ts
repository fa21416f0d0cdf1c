import type { StagedRow } from '../domain/staging.ts';
import type { Draft } from '../submissions/index.ts';

/** What is submitted for a staged row, as its kind wrote it; undefined for one that is set aside, or that lacks settings. */
export const draftOfRow = ({ payout, draft }: StagedRow): Draft | undefined => payout && (draft as Draft | undefined); // staged together with the payout, by its kind
