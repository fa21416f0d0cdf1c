import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { present } from '../../domain/present.ts';
import { requireOwnFolder, useOwnFolder } from '../../files/own-folder.ts';
import { parseScenario } from '../../sandbox/sandbox.ts';
import { answered, cliCommand, subcommand } from '../command.ts';
import { type LoadedConfig, SANDBOX_PROFILE } from '../config/load-config.ts';
import { portNumber } from '../flags/options.ts';
import { openLedgerFor, startPractice } from '../resources.ts';
import type { Shell } from '../shell.ts';
import { ledgerPlaces, stateFolder } from '../state/state-files.ts';

/** Returns the practice profile, whichever profile was asked for. */
function practiceOf(shell: Shell): LoadedConfig {
  const { account: _, ...unaccounted } = shell.config();
  return { ...unaccounted, profileName: SANDBOX_PROFILE };
}

/**
 * Returns the state folder of the practice profile. It is checked before it is used or deleted, because a link in its place
 * would lead to files that are not paybatch's.
 */
function embeddedFolder(practice: LoadedConfig): string {
  const folder = stateFolder(practice);
  requireOwnFolder(folder);
  return folder;
}

const reset = subcommand({
  name: 'reset',
  summary: 'forget every practice run: the books of the embedded sandbox and its ledger',
  declare: (command) => command,
  async run(shell) {
    const practice = practiceOf(shell);
    const folder = embeddedFolder(practice);
    const places = ledgerPlaces(practice);
    if (existsSync(places.path)) {
      // A practice run in progress keeps its books: its lease cannot be taken.
      await using ledger = await openLedgerFor(shell, practice, places);
      await ledger.takeLease();
      await ledger.takeEveryLease();
    }
    rmSync(folder, { recursive: true, force: true });
    // The ledger is deleted on purpose, so no checkpoint may report that it was lost.
    rmSync(places.checkpointPath, { force: true });
    return answered(shell, { type: 'sandbox.reset' }, ['The sandbox was reset: full wallet, no orders, no batches.']);
  },
});

const books = subcommand({
  name: 'books',
  summary: 'show the books of the embedded sandbox as JSON',
  declare: (command) => command,
  async run(shell) {
    await using service = await startPractice(shell, { folder: useOwnFolder(embeddedFolder(practiceOf(shell))) });
    const statement = service.books();
    return answered(shell, { type: 'sandbox.books', books: statement }, { document: statement });
  },
});

/** What a newcomer tries in a sheet: numbers whose endings decide (`paymentMagic`). */
const ENDINGS = `
In the sandbox, the last digits of a phone or account number decide what happens
to a payment, also with paybatch run:
  0001  rejected                    0006  the connection is lost before it was
  0002  timed out                         taken
  0003  pending for two minutes     0007  rejected with a code that decides
  0004  refused                           nothing
  0005  the answer is lost after    0008  failed
        the order was taken         0009  an unknown status`;

export const sandbox = cliCommand({
  example: 'paybatch sandbox',
  moreExamples: ['paybatch sandbox --port 8080 --scenario flaky', 'paybatch sandbox reset'],
  declare: (command) =>
    command
      .option('--port <n>', 'port on 127.0.0.1; 0: any free one', portNumber, 0)
      .option('--folder <folder>', 'folder that keeps its books over a restart; default: in memory only')
      .option('--scenario <name>', 'how it behaves: happy, mixed, flaky, slow, …, or faults like lost-answer=0.05')
      .addHelpText('after', ENDINGS),
  async run(shell, _, options) {
    const { folder, scenario } = options;
    const given = {
      port: options.port,
      folder: folder === undefined ? undefined : path.resolve(shell.cwd, folder),
      scenario: scenario === undefined ? undefined : parseScenario(scenario),
    };
    await using service = await startPractice(shell, present(given));
    const { url, clientId, clientSecret, controlToken, routes } = service;
    const names = { url, clientId, clientSecret, controlToken };
    const { terminal } = shell;
    if (!shell.flags.json)
      terminal.say(terminal.paint('practice', 'SANDBOX: the practice service is running; Ctrl-C stops it.'));
    const lines = Object.entries(names).map(([name, value]) => `${name.padEnd(14)}${value}`);
    const end = answered(shell, { type: 'sandbox', ...names, routes }, lines);
    if (!shell.signal.aborted) await once(shell.signal, 'abort');
    return end;
  },
  children: [reset, books],
});
