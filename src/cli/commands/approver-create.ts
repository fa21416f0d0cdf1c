import path from 'node:path';
import { APPROVER_NAME_RULE, isApproverName, newApproverKey } from '../../approval/approver-key.ts';
import { Fault } from '../../domain/fault.ts';
import { createDurably } from '../../files/durable-file.ts';
import { declarePassphrase, keepPassphrase, newPassphrase, requireKeychain } from '../approval/passphrase.ts';
import { subcommand } from '../command.ts';
import { answered } from '../screens/answered.ts';

/** Below `paybatch approver`. */
export const approverCreate = subcommand({
  name: 'create',
  summary: 'make a key with which one person makes or approves plans; prints its public part; sends nothing',
  example: 'paybatch approver create jane --key jane.key',
  declare(command) {
    return declarePassphrase(command)
      .argument('<name>', 'what this approver is called in the configuration')
      .requiredOption('--key <file>', 'new file for the private key; only its owner may read it')
      .option('--no-passphrase', 'the key lies open in its file: who can read that can sign');
  },
  async run(shell, [name], options) {
    if (!isApproverName(name)) throw new Fault('usage', `"${name}" cannot name an approver.`, APPROVER_NAME_RULE);
    const file = path.resolve(shell.cwd, options.key);
    if (options.keychain && !options.passphrase) {
      throw new Fault(
        'usage',
        'A key without a passphrase has nothing for the keychain. No key was made.',
        'Leave one of --keychain and --no-passphrase out.',
      );
    }
    if (options.keychain) requireKeychain(shell, file);
    const opened = options.passphrase ? await newPassphrase(shell, options.passphraseFile) : undefined;
    const { publicKey, text } = newApproverKey(name, opened);
    keep(file, text);
    if (options.keychain && opened !== undefined) {
      keepPassphrase(shell, file, opened);
      shell.terminal.say('Its passphrase is in the keychain of this system: paybatch approve PLAN --key … --keychain');
    }
    shell.terminal.say(`The private key of ${name} is in ${file}. It stays with ${name}: nobody else needs it.`);
    if (opened === undefined) shell.terminal.say('It has no passphrase: whoever can read the file can sign.');
    shell.terminal.say(`For the profile in the configuration:  "approvers": { "${name}": "${publicKey}" }`);
    return answered(shell, { type: 'approver', name, publicKey, file }, [publicKey]);
  },
});

/** An older file stays: what a key has signed counts by it. */
function keep(file: string, text: string): void {
  try {
    createDurably(file, text);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    const isThere = error.code === 'EEXIST';
    throw new Fault(
      'file-unwritten',
      isThere ? `${file} is there already. No key was made.` : `${file} cannot be written (${String(error.code)}).`,
      isThere ? 'Choose another file, or move that one away first.' : 'Choose a file in a folder of your own.',
      { cause: error },
    );
  }
}
