import { Fault } from '../../domain/fault.ts';
import { subcommand } from '../command.ts';
import { answered } from '../screens/answered.ts';

/** Below `paybatch ledger`. It asks no server. */
export const ledgerGrants = subcommand({
  name: 'grants',
  summary: 'print the SQL that gives roles of PostgreSQL the least rights to the ledger; changes nothing by itself',
  example: 'paybatch ledger grants --pay amina,payroll_server --read auditor --profile live | psql paybatch',
  declare(command) {
    return command
      .option('--pay <roles>', 'who may plan, approve and pay; several with commas between them')
      .option('--read <roles>', 'who may only read');
  },
  async run(shell, _, options) {
    const { ledger } = shell.profile();
    if (!ledger) {
      throw new Fault(
        'usage',
        'The ledger of this profile is a file: whoever may read and write that file may read and write it.',
        'Name a profile with "ledger", or give its address in PAYBATCH_LEDGER.',
      );
    }
    const [pay, read] = [namesIn(options.pay), namesIn(options.read)];
    if (pay.length + read.length === 0) {
      throw new Fault('usage', 'No role is named.', 'Name who may pay with --pay, and who may only read with --read.');
    }
    const { schema } = ledger.address;
    const { grantsText } = await import('../../ledger/postgres/rights.ts');
    const script = grantsText(schema, { pay, read });
    return answered(shell, { type: 'ledger-grants', schema, pay, read, script }, script.split('\n'));
  },
});

const namesIn = (typed = ''): readonly string[] =>
  typed
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
