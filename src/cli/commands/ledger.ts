import { Fault } from '../../domain/fault.ts';
import type { CliCommand } from '../command.ts';
import { sameAccount } from './same-account.ts';

export const ledger: CliCommand = {
  name: 'ledger',
  summary: 'what is to be done about the ledger itself',
  declare: () => undefined,
  run() {
    const known = [sameAccount].map(({ name }) => `paybatch ledger ${name}`).join(', ');
    throw new Fault('usage', 'What is to be done about the ledger?', `Known: ${known}.`);
  },
  children: [sameAccount],
};
