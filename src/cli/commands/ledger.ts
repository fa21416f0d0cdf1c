/** `paybatch ledger …`: commands that look after the ledger itself. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { shownAddress } from '../../database/postgres/address.ts';
import { isoTime } from '../../domain/clock.ts';
import { Fault } from '../../domain/fault.ts';
import { givenText } from '../../domain/given-text.ts';
import { comparedBatchName } from '../../domain/ids.ts';
import { shown } from '../../domain/shown-text.ts';
import { typedPath } from '../../domain/typed-path.ts';
import { isInside } from '../../files/inside.ts';
import { makeOwnFolder, useOwnFolder } from '../../files/own-folder.ts';
import { writePublicPart } from '../../ledger/key-folder.ts';
import type { Upgraded } from '../../ledger/ledger.ts';
import type { MoveStep } from '../../ledger/move-ledger.ts';
import { answered, commandFamily, subcommand } from '../command.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import { moveTo, restoreFrom } from '../resources.ts';
import { openRecords, upgradedText } from '../session.ts';
import { keepStatement, profilesThatPay } from '../state/other-ledgers.ts';
import { ledgerFile, ledgerKeys, stateFolder } from '../state/state-files.ts';
import { makerName } from '../state/system.ts';

/** Lists what the ledger relies on. Anything that makes a ledger unsafe has already stopped it from opening. */
const ledgerCheck = subcommand({
  name: 'check',
  summary: 'show what the ledger relies on so that no payment is forgotten, and whether that holds; sends nothing',
  example: 'paybatch ledger check',
  moreExamples: ['paybatch ledger check --profile live'],
  declare: (command) => command,
  async run(shell) {
    await using records = await openRecords(shell);
    const { loaded, deps } = records;
    const place = loaded.ledger ? shownAddress(loaded.ledger.address) : ledgerFile(loaded);
    const relied = await deps.ledger.relied();
    const lines = relied.map(({ what, holds, found, remedy }) =>
      holds ? `holds    ${what}: ${found}` : `WARNING  ${what}: ${found}. ${remedy}`,
    );
    const event = {
      type: 'ledger-check',
      place,
      relied: relied.map(({ what, holds, found, remedy }) => ({
        what,
        holds,
        found,
        remedy: holds ? undefined : remedy,
      })),
    };
    return answered(shell, event, [`The ledger is ${shown(place)}. It relies on:`, ...lines]);
  },
});

const ledgerBackup = subcommand({
  name: 'backup',
  summary: 'write a verified copy of the ledger to one file, even while a run is in progress; sends nothing',
  example: 'paybatch ledger backup /backups/paybatch-2026-11-30.db',
  declare: (command) =>
    command
      .argument('<file>', 'the backup; outside of the state folder')
      .option('--replace', 'replace an older file of that name'),
  async run(shell, [named], options) {
    const target = path.resolve(shell.cwd, named);
    await using records = await openRecords(shell);
    requireOutside(target, records.loaded.home);
    const isThere = existsSync(target);
    const older = options.replace === true ? 'replaced' : 'kept';
    const { bytes, head } = await records.deps.ledger.backUp(target, older);
    const keys = records.loaded.account ? ledgerKeys(records.loaded).place : null;
    const event = { type: 'ledger-backup', path: target, bytes, replaced: isThere, head: head ?? null, keys };
    const lines = [
      `The ledger is in ${shown(target)} (${bytes} bytes). The copy was verified, and only you can read it.`,
      head ? `It ends with fact ${head.seq}, ${head.hash}` : 'Nothing was paid by this ledger yet.',
      `It holds names, phones, accounts and amounts. Keep it on another disk than ${shown(records.loaded.home)}.`,
      ...(keys !== null ? [`The signing key is not in it. Keep that apart: ${shown(keys)}.`] : []),
      `To restore it: paybatch ledger restore ${typedPath(target)}   Then every payment since is looked up before anything is sent.`,
    ];
    return answered(shell, event, lines, [{ kind: 'backup', path: target }]);
  },
});

/** Throws a Fault `usage` for a backup inside the state folder: losing the folder would lose the backup too. */
function requireOutside(target: string, home: string): void {
  if (!isInside(home, target)) return;
  throw new Fault(
    'usage',
    `${target} is in the state folder itself, so both would be lost together. No backup was written.`,
    'Name a file in another place, on another disk if there is one.',
  );
}

const ledgerRestore = subcommand({
  name: 'restore',
  summary: 'replace a lost or damaged ledger with a backup; sends nothing',
  example: 'paybatch ledger restore /backups/paybatch-2026-11-30.db',
  declare: (command) => command.argument('<file>', 'what `paybatch ledger backup` wrote'),
  async run(shell, [named]) {
    const from = path.resolve(shell.cwd, named);
    const loaded = shell.config();
    makeOwnFolder(stateFolder(loaded));
    const { head, setAside } = await restoreFrom(from, shell, loaded);
    const event = { type: 'ledger-restored', from, setAside: setAside ?? null, head: head ?? null };
    const lines = [
      `The ledger was restored from ${shown(from)}${head ? `, up to fact ${head.seq}` : ''}.`,
      ...(setAside === undefined
        ? []
        : [
            `The previous ledger was set aside, with the personal data in it; remove it once everything is settled: ${shown(setAside)}`,
          ]),
      'It is in recovery now: it may not know of payments that were sent after the backup. Before anything is sent, every payment is looked up at the service.',
      'Next: paybatch verify   Then, for a batch that was under way: paybatch resume BATCH   For a batch that it does not know: run the same sheet again, unchanged, under the same name.',
    ];
    return answered(shell, event, lines);
  },
});

const ledgerMove = subcommand({
  name: 'move',
  summary: 'move the ledger from its file to PostgreSQL, and lock the file; sends nothing',
  example: 'paybatch ledger move --to postgres://paybatch@db.example.com/paybatch --profile live',
  declare: (command) =>
    command.requiredOption('--to <address>', 'PostgreSQL that has no ledger there yet; never with a password'),
  async run(shell, _, { to: typed }) {
    const loaded = shell.config();
    const file = ledgerFile(loaded);
    const target = loaded.ledgerAt(typed);
    requireMovable(loaded, file);
    if (/^\w+:\/\/[^@/]*:[^@]*@/.test(typed)) throw passwordTyped();
    const to = shownAddress(target.address);
    if (loaded.ledger && shownAddress(loaded.ledger.address) !== to) throw namedElsewhere(loaded.ledger.address);
    shell.secrets.add(target.password());
    useOwnFolder(stateFolder(loaded));
    const onStep = (step: MoveStep): void => {
      const message = stepTexts[step];
      if (message !== undefined) shell.reporter.emit({ type: 'notice', level: 'info', message });
    };
    const { head, before } = await moveTo(target, shell, loaded, { by: makerName(), onStep });
    const lines = [
      before ? `The ledger was already moved to ${shown(to)}.` : `The ledger is ${shown(to)} from now on.`,
      `Both places end with fact ${head.seq}, ${head.hash}, and the whole new ledger was verified.`,
      `The file ${shown(file)} is locked: it can be read, and nothing is recorded in it. It still holds names, phones and accounts, and purge no longer reaches them: remove it and its backups when you no longer need them.`,
      loaded.ledger
        ? 'The profile names the new place already.'
        : `Now name the new place in the profile, "ledger": "${to}", or in PAYBATCH_LEDGER, on every computer that pays.`,
      'Next: paybatch verify   Then, for a batch that was under way: paybatch resume BATCH',
    ];
    return answered(shell, { type: 'ledger-moved', from: file, to, before, head }, lines);
  },
});

/** Notices for the steps of a move that take time or cannot be undone. */
const stepTexts: Readonly<Partial<Record<MoveStep, string>>> = {
  copied: 'Copied. Verifying the copy.',
  proven: 'The copy is whole, and ends as the file does.',
  locked: 'The file is locked.',
};

function requireMovable({ account, profileName }: LoadedConfig, file: string): void {
  if (!account) {
    throw new Fault(
      'usage',
      'The ledger of a rehearsal stays in a file. Nothing was moved.',
      'Name the account with --profile.',
    );
  }
  if (existsSync(file)) return;
  throw new Fault(
    'usage',
    `The profile ${profileName} has no ledger in a file (${file}), so there is nothing to move.`,
    'Name another profile with --profile, or the state folder that has it in PAYBATCH_HOME.',
  );
}

/** The Fault for a password on the command line, where other users of this computer see it and shells keep it. */
const passwordTyped = (): Fault =>
  new Fault(
    'usage',
    'The address in --to has a password. Nothing was moved.',
    'Put it in a file that only you can read (~/.pgpass or PGPASSFILE), or in PGPASSWORD.',
  );

const namedElsewhere = (address: Parameters<typeof shownAddress>[0]): Fault =>
  new Fault(
    'usage',
    `The profile keeps its ledger at ${shownAddress(address)}, and --to names another place. Nothing was moved.`,
    'Name the same place in both, or take "ledger" from the profile and PAYBATCH_LEDGER from the environment.',
  );

/** Upgrades the tables of an older ledger. For a ledger in a file, a command that pays does this automatically. */
const ledgerUpgrade = subcommand({
  name: 'upgrade',
  summary: 'bring the tables of an older ledger up to date, and keep a copy of it as it was; sends nothing',
  example: 'paybatch ledger upgrade',
  moreExamples: ['paybatch ledger upgrade --backed-up --profile live'],
  declare: (command) => command.option('--backed-up', 'you have backed up the server that has the ledger'),
  async run(shell, _, options) {
    const done: Upgraded[] = [];
    await using records = await openRecords(shell, {
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

/** Prints SQL without asking a server. */
const ledgerGrants = subcommand({
  name: 'grants',
  summary: 'print the SQL that gives roles of PostgreSQL the least privileges on the ledger; changes nothing by itself',
  example: 'paybatch ledger grants --pay amina,payroll_server --read auditor --profile live | psql paybatch',
  declare: (command) =>
    command
      .option('--pay <roles>', 'who may plan, approve and pay; several with commas between them')
      .option('--read <roles>', 'who may only read'),
  async run(shell, _, options) {
    const { ledger } = shell.profile();
    if (!ledger) {
      throw new Fault(
        'usage',
        'The ledger of this profile is a file: anyone who can read and write the file can read and write the ledger.',
        'Name a profile with "ledger", or give its address in PAYBATCH_LEDGER.',
      );
    }
    const [pay, read] = [namesIn(options.pay), namesIn(options.read)];
    if (pay.length + read.length === 0) {
      throw new Fault('usage', 'No role is named.', 'Name who may pay with --pay, and who may only read with --read.');
    }
    const { schema } = ledger.address;
    const [{ grantsText }, { ledgerSchema }] = await Promise.all([
      import('../../database/postgres/rights.ts'),
      import('../../ledger/schema.ts'),
    ]);
    const script = grantsText(schema, ledgerSchema, { pay, read });
    return answered(shell, { type: 'ledger-grants', schema, pay, read, script }, script.split('\n'));
  },
});

const namesIn = (typed = ''): readonly string[] =>
  typed
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

const sameAccount = subcommand({
  name: 'same-account',
  summary: 'record that the account of the ledger has a new client id, the one in the profile; sends nothing',
  example: 'paybatch ledger same-account --reason "the provider rotated our credentials on 1 December"',
  declare: (command) => command.requiredOption('--reason <text>', 'how you know that it is the same account'),
  async run(shell, _, options) {
    const reason = givenText('--reason', options.reason);
    const { account } = shell.config();
    if (!account) {
      throw new Fault(
        'usage',
        'The practice service has one account. Nothing was recorded.',
        'Choose another --profile.',
      );
    }
    await using records = await openRecords(shell);
    const { ledger } = records.deps;
    await ledger.takeLease();
    const { baseUrl: service, tokenUrl, clientId } = account;
    const { from, to } = await ledger.renewClient({ service, tokenUrl, clientId }, { by: makerName(), reason });
    const line = `The ledger now has the client id ${shown(to)}, instead of ${shown(from)}: ${shown(reason)}.`;
    return answered(shell, { type: 'client-id-changed', from, to, reason }, [line]);
  },
});

export const separate = subcommand({
  name: 'separate',
  summary:
    'record that this profile has its own ledger, although another profile pays with the same client id; sends nothing',
  example: 'paybatch ledger separate --reason "the branch keeps its own books" --profile branch',
  declare: (command) => command.requiredOption('--reason <text>', 'why nobody is paid from both'),
  async run(shell, _, options) {
    const reason = givenText('--reason', options.reason);
    const loaded = shell.config();
    const others = profilesThatPay(loaded);
    if (!loaded.account || others.length === 0) {
      throw new Fault(
        'usage',
        'No other ledger here pays with the client id of this profile. Nothing was recorded.',
        'Nothing to do.',
      );
    }
    const { clientId } = loaded.account;
    const [by, at] = [makerName(), isoTime(shell.clock.now())];
    keepStatement(loaded, { clientId, reason, by, at });
    const line = `The profile ${loaded.profileName} may have its own ledger, separate from that of ${others.join(', ')}: ${shown(reason)}.`;
    return answered(shell, { type: 'ledger-separate', profile: loaded.profileName, others, clientId, reason }, [line]);
  },
});

const EXAMPLE =
  'paybatch ledger close-lost salaries-2026-10 --reason "paid in full, see the statement of the provider"';

export const closeLost = subcommand({
  name: 'close-lost',
  summary: 'record that a batch of a lost ledger no longer needs to be looked up; sends nothing',
  example: EXAMPLE,
  declare: (command) =>
    command
      .argument('<batch>', 'a batch that was begun here and that the ledger does not have')
      .requiredOption('--reason <text>', 'how you know that none of its payments is open'),
  async run(shell, [named], options) {
    const reason = givenText('--reason', options.reason);
    await using records = await openRecords(shell);
    const { ledger, clock } = records.deps;
    await ledger.takeLease();
    const lost = (await ledger.lostBatches()).map(({ id }) => id);
    const batch = lost.find((id) => comparedBatchName(id) === comparedBatchName(named));
    if (batch === undefined) throw notLost(named, lost);
    await ledger.closeLost({ id: batch, reason, by: makerName(), at: clock.now() });
    const left = lost.filter((id) => id !== batch);
    const lines = [
      `Closed ${shown(batch)}: it no longer needs to be looked up.`,
      left.length === 0 ? 'No other batch of the lost ledger is open.' : `Still open: ${left.length}.`,
    ];
    return answered(shell, { type: 'lost-batch-closed', batch, reason, left }, lines);
  },
});

const notLost = (named: string, lost: readonly string[]): Fault =>
  new Fault(
    'usage',
    `${shown(named)} is not a batch of a lost ledger. Nothing was recorded.`,
    lost.length === 0 ? 'This ledger has lost no batch.' : `These are: ${lost.map((id) => shown(id)).join(', ')}.`,
  );

const newKey = subcommand({
  name: 'new-key',
  summary: 'sign the ledger with a new key from now on; the previous key signs the change; sends nothing',
  example: 'paybatch ledger new-key --reason "Brian has left, and had access to the key"',
  declare: (command) => command.requiredOption('--reason <text>', 'why there is a new key'),
  async run(shell, _, options) {
    const reason = givenText('--reason', options.reason);
    await using records = await openRecords(shell);
    const { ledger } = records.deps;
    await ledger.takeLease();
    // A run in progress would continue with the old key, so every lease is taken.
    await ledger.takeEveryLease();
    const { from, to } = await ledger.changeKey({ by: makerName(), reason });
    const line = `The ledger is signed with the key ${to} from now on, in place of ${from}: ${shown(reason)}. The old key stays where it is: it proves earlier workbooks.`;
    return answered(shell, { type: 'signing-key-changed', from, to, reason }, [line]);
  },
});

/** Writes the public part of the signing key. A person who has it can prove the ledger, but sign nothing. */
const publicKey = subcommand({
  name: 'public-key',
  summary: 'write the public part of the ledger key, for people who read the ledger and do not pay; sends nothing',
  example: 'paybatch ledger public-key --out /media/auditor --profile live',
  declare: (command) => command.option('--out <folder>', 'where the file is written; default: this folder'),
  async run(shell, _, options) {
    await using records = await openRecords(shell);
    const signed = await records.deps.ledger.signedBy();
    if (!signed) {
      throw new Fault('usage', 'Nothing was signed yet. Nothing was written.', 'The first batch chooses the key.');
    }
    const file = writePublicPart(path.resolve(shell.cwd, options.out ?? '.'), signed.ledger, signed.key);
    const line = `The public part of the key is in ${shown(file)}. It is not secret. A person who only reads the ledger puts it, under this name, into ledger-keys of the configuration folder, or in the folder that PAYBATCH_KEYS names.`;
    return answered(shell, { type: 'ledger-public-key', ...signed, file }, [line]);
  },
});

export const ledger = commandFamily('ledger', {
  example: ledgerBackup.example ?? '',
  moreExamples: [ledgerRestore, closeLost].map(({ example = '' }) => example),
  children: [
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
  ],
});
