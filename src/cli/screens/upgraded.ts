/** The message about a ledger whose tables were brought up to date. */
import { shown } from '../../domain/shown-text.ts';
import type { Upgraded } from '../../ledger/ledger.ts';

export const upgradedText = ({ from, to, kept }: Upgraded): string =>
  kept === undefined
    ? `The tables of the ledger were brought from version ${from} to version ${to}.`
    : `The tables of the ledger were brought from version ${from} to version ${to}. The ledger as it was is kept in ${shown(kept)}: it holds names, phones and accounts that purge does not reach, so remove it in time.`;
