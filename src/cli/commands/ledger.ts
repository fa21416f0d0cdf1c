import { Fault } from '../../domain/fault.ts';
import { cliCommand } from '../command.ts';
import { closeLost } from './close-lost.ts';
import { ledgerBackup } from './ledger-backup.ts';
import { ledgerCheck } from './ledger-check.ts';
import { ledgerGrants } from './ledger-grants.ts';
import { ledgerMove } from './ledger-move.ts';
import { ledgerRestore } from './ledger-restore.ts';
import { ledgerUpgrade } from './ledger-upgrade.ts';
import { newKey } from './new-key.ts';
import { publicKey } from './public-key.ts';
import { sameAccount } from './same-account.ts';
import { separate } from './separate.ts';

const children = [
  ledgerCheck,
  ledgerBackup,
  ledgerRestore,
  ledgerMove,
  ledgerUpgrade,
  ledgerGrants,
  sameAccount,
  separate,
  closeLost,
  newKey,
  publicKey,
];

export const ledger = cliCommand({
  example: ledgerBackup.example ?? '',
  moreExamples: [ledgerRestore, closeLost].map(({ example = '' }) => example),
  declare: (command) => command,
  run() {
    const known = children.map(({ name }) => `paybatch ledger ${name}`).join(', ');
    throw new Fault('usage', 'What is to be done about the ledger?', `Known: ${known}.`);
  },
  children,
});
