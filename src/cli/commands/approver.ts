/** `paybatch approver …`: the people who approve plans. */

import path from 'node:path';
import { newApproverKey } from '../../approval/approver-key.ts';
import {
  type AskedChange,
  readSignedChange,
  rightSignatures,
  signaturesNeeded,
  signChange,
  signedChangeText,
} from '../../approval/approvers-change.ts';
import { policyDifferences } from '../../approval/policy.ts';
import type { PersonSigned } from '../../domain/approval.ts';
import { counted } from '../../domain/counted.ts';
import { Fault, systemCode } from '../../domain/fault.ts';
import { isPlainName, PLAIN_NAME_RULE } from '../../domain/ids.ts';
import { endedBy, type RunEnd } from '../../domain/run-end.ts';
import { createDurably } from '../../files/durable-file.ts';
import { readShortFile, whyUnread } from '../../files/short-file.ts';
import { writeWholeText } from '../../files/whole-file.ts';
import {
  declarePassphrase,
  keepPassphrase,
  newPassphrase,
  openSignatory,
  requireKeychain,
} from '../approval/passphrase.ts';
import { answered, commandFamily, subcommand } from '../command.ts';
import { severalTexts } from '../flags/options.ts';
import { openRecords, type Records } from '../session.ts';
import { makerName } from '../state/system.ts';

const approverCreate = subcommand({
  name: 'create',
  summary: 'make a key with which one person makes or approves plans; prints its public part; sends nothing',
  example: 'paybatch approver create jane --key jane.key',
  declare: (command) =>
    declarePassphrase(command)
      .argument('<name>', 'what this approver is called in the configuration')
      .requiredOption('--key <file>', 'new file for the private key; only its owner may read it')
      .option('--no-passphrase', 'store the key without a passphrase: anyone who can read the file can sign'),
  async run(shell, [name], options) {
    if (!isPlainName(name)) throw new Fault('usage', `"${name}" cannot name an approver.`, PLAIN_NAME_RULE);
    const file = path.resolve(shell.cwd, options.key);
    if (options.keychain && !options.passphrase) {
      throw new Fault(
        'usage',
        'A key without a passphrase has nothing for the keychain. No key was made.',
        'Leave one of --keychain and --no-passphrase out.',
      );
    }
    if (options.keychain) requireKeychain(shell, file);
    if (options.passphraseFile !== undefined && !options.passphrase) {
      throw new Fault(
        'usage',
        'A passphrase is given for a key without a passphrase. No key was made.',
        'Leave one of --passphrase-file and --no-passphrase out.',
      );
    }
    const opened = options.passphrase ? await newPassphrase(shell, options.passphraseFile) : undefined;
    const { publicKey, text } = newApproverKey(name, opened);
    keep(file, text);
    if (options.keychain && opened !== undefined) {
      keepPassphrase(shell, file, opened);
      shell.terminal.say('Its passphrase is in the keychain of this system: paybatch approve PLAN --key … --keychain');
    }
    shell.terminal.say(`The private key of ${name} is in ${file}. It stays with ${name}: nobody else needs it.`);
    if (opened === undefined) shell.terminal.say('It has no passphrase: anyone who can read the file can sign.');
    shell.terminal.say(`For the profile in the configuration:  "approvers": { "${name}": "${publicKey}" }`);
    return answered(shell, { type: 'approver', name, publicKey, file }, [publicKey]);
  },
});

/** Writes a new key file, and never replaces one, because signatures count by the key in it. Throws a Fault `file-unwritten`. */
function keep(file: string, text: string): void {
  try {
    createDurably(file, text);
  } catch (error) {
    const code = systemCode(error);
    const isThere = code === 'EEXIST';
    throw new Fault(
      'file-unwritten',
      isThere ? `${file} already exists. No key was made.` : `${file} cannot be written (${code}).`,
      isThere ? 'Choose another file, or move the existing one first.' : 'Choose a file in a folder of your own.',
      { cause: error },
    );
  }
}

const approverChange = subcommand({
  name: 'change',
  summary:
    'have the approvers in force sign the change to the approvers that the configuration names now; sends nothing',
  example: 'paybatch approver change --key jane.key',
  declare: (command) =>
    declarePassphrase(command)
      .requiredOption('--key <file>', 'key of an approver in force')
      .option('--signature <file...>', 'the signature of another approver in force', severalTexts)
      .option('--out <folder>', 'folder for your signature, if others have to sign too; default: this folder'),
  async run(shell, _, options) {
    const given = (options.signature ?? []).map((file) => signatureIn(path.resolve(shell.cwd, file)));
    await using records = await openRecords(shell);
    const { ledger } = records.deps;
    const asked = await askedChange(records);
    const own = signChange(asked, await openSignatory(shell, options));
    const right = rightSignatures(asked, [...given, own]);
    if (!right.some(({ key }) => key === own.key)) throw noApprover(own.name);
    const lines = policyDifferences(asked.inForce.policy, asked.to);
    const needed = signaturesNeeded(asked.inForce.policy);
    if (right.length < needed) {
      return await toBeSigned(path.resolve(shell.cwd, options.out ?? ''), own, { has: right.length, needed, lines });
    }
    await ledger.takeLease();
    // Another person may have changed the approvers while the passphrase was typed.
    if ((await askedChange(records)).inForce.changes !== asked.inForce.changes) throw changedMeanwhile();
    await ledger.changeApprovers({ to: asked.to ?? null, signatures: right, by: makerName() });
    const by = right.map(({ name }) => name);
    return answered(shell, { type: 'approvers-changed', by, changes: lines }, [
      ...lines,
      `Signed by ${by.join(', ')}.`,
    ]);
  },
});

async function askedChange({ deps: { ledger, settings, service } }: Records): Promise<AskedChange> {
  const inForce = await ledger.approvalPolicy();
  if (!inForce) {
    throw new Fault(
      'usage',
      'This ledger has no approvers yet. Nothing was recorded.',
      'The approvers in the configuration apply from the first batch that is paid.',
    );
  }
  const asked = { profile: settings.profile, service, inForce, to: settings.approval };
  if (policyDifferences(inForce.policy, asked.to).length > 0) return asked;
  throw new Fault(
    'usage',
    'The configuration names the approvers that are in force. Nothing was recorded.',
    'Change approval in the profile first.',
  );
}

/** The largest file with a signature that is read, in bytes. */
const SIGNATURE_BYTES_MAX = 16_384;

function signatureIn(file: string): PersonSigned {
  try {
    const signed = readSignedChange(readShortFile(file, SIGNATURE_BYTES_MAX).toString('utf8'));
    if (signed) return signed;
    throw new Fault(
      'usage',
      `${file} is not the signature of an approver. Nothing was recorded.`,
      'Name another file.',
    );
  } catch (error) {
    const why = `${file} cannot be read (${whyUnread(error)}). Nothing was recorded.`;
    throw new Fault('usage', why, 'Check its path and its permissions.', { cause: error });
  }
}

/** Ends the command while signatures are missing: writes this one to a file that goes to the next approver. */
async function toBeSigned(
  folder: string,
  own: PersonSigned,
  { has, needed, lines }: { readonly has: number; readonly needed: number; readonly lines: readonly string[] },
): Promise<RunEnd> {
  const { path: file } = await writeWholeText(path.join(folder, `approvers.${own.name}.signature.json`), 'page', [
    signedChangeText(own),
  ]);
  const fault = new Fault(
    'not-approved',
    `${counted(needed, 'approver has', 'approvers have')} to sign the change, and ${has} did. Nothing was recorded.`,
    'Send the signature to the next one, who runs: paybatch approver change --key FILE --signature FILE',
    { details: lines },
  );
  return { ...endedBy(fault), files: [{ kind: 'signature', path: file }] };
}

const noApprover = (name: string): Fault =>
  new Fault(
    'not-approved',
    `${name}, with this key, is not one of the approvers in force. Nothing was recorded.`,
    'One of the approvers that the configuration named before has to sign.',
  );

const changedMeanwhile = (): Fault =>
  new Fault(
    'not-approved',
    'The approvers have been changed in the meantime. Nothing was recorded.',
    'Look at them, and run it again.',
  );

export const approver = commandFamily('approver', {
  example: 'paybatch approver create jane --key jane.key',
  moreExamples: ['paybatch approver change --key jane.key', 'paybatch approver create mary --key mary.key --keychain'],
  children: [approverCreate, approverChange],
});
