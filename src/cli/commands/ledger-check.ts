import { shown } from '../../domain/shown-text.ts';
import { shownAddress } from '../../ledger/postgres/address.ts';
import { subcommand } from '../command.ts';
import { answered } from '../screens/answered.ts';
import { openRecords } from '../session.ts';
import { ledgerFile } from '../state/state-files.ts';

/** Below `paybatch ledger`. What makes a ledger unsafe has refused it before it is asked. */
export const ledgerCheck = subcommand({
  name: 'check',
  summary: 'say what the ledger relies on so that no payment is forgotten, and whether it holds; sends nothing',
  example: 'paybatch ledger check',
  moreExamples: ['paybatch ledger check --profile live'],
  declare: (command) => command,
  async run(shell) {
    await using records = await openRecords(shell, { command: 'ledger check' });
    const { loaded, deps } = records;
    const place = loaded.ledger ? shownAddress(loaded.ledger.address) : ledgerFile(loaded);
    const relied = await deps.ledger.relied();
    const lines = relied.map(({ what, holds, found, remedy }) =>
      holds ? `holds    ${what}: ${found}` : `WARNING  ${what}: ${found}. ${remedy}`,
    );
    const event = {
      type: 'ledger-check',
      place,
      relied: relied.map(({ what, holds, found, remedy }) => ({ what, holds, found, ...(!holds && { remedy }) })),
    };
    return answered(shell, event, [`The ledger is ${shown(place)}. It relies on:`, ...lines]);
  },
});
