import { shown } from '../../domain/shown-text.ts';
import type { Upgraded } from '../../ledger/ledger.ts';
import { shownAddress } from '../../ledger/postgres/address.ts';
import { subcommand } from '../command.ts';
import { answered } from '../screens/answered.ts';
import { upgradedText } from '../screens/upgraded.ts';
import { openRecords } from '../session.ts';
import { ledgerFile } from '../state/state-files.ts';

/** Below `paybatch ledger`. A command that pays does the same by itself to a ledger in a file. */
export const ledgerUpgrade = subcommand({
  name: 'upgrade',
  summary: 'bring the tables of an older ledger up to date, and keep a copy of it as it was; sends nothing',
  example: 'paybatch ledger upgrade',
  moreExamples: ['paybatch ledger upgrade --backed-up --profile live'],
  declare(command) {
    return command.option('--backed-up', 'you have backed up the server that has the ledger');
  },
  async run(shell, _, options) {
    const done: Upgraded[] = [];
    await using records = await openRecords(shell, {
      command: 'ledger upgrade',
      upgrade: { isBackedUp: options.backedUp === true, onUpgraded: (upgraded) => done.push(upgraded) },
    });
    const { ledger } = records.loaded;
    const place = ledger ? shownAddress(ledger.address) : ledgerFile(records.loaded);
    const [upgraded] = done;
    const lines = upgraded
      ? [upgradedText(upgraded), 'Next: paybatch verify']
      : [`The tables of the ledger ${shown(place)} are up to date. Nothing was changed.`];
    const { from, to, kept } = upgraded ?? {};
    const event = { type: 'ledger-upgraded', place, from: from ?? null, to: to ?? null, kept: kept ?? null };
    return answered(shell, event, lines, kept === undefined ? [] : [{ kind: 'backup', path: kept }]);
  },
});
