/**
 * From nothing to a first live payment, at a practice service that runs apart as a provider's does: by a person at a terminal of 80
 * columns, and by a program. What had to be typed is counted.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import ExcelJS from 'exceljs';
import { describe, expect, test } from 'vitest';
import { booksOf, paidTraces, quickWaits } from '../support/desk/account.ts';
import { Child } from '../support/desk/child.ts';
import { openDesk } from '../support/desk/command-line.ts';
import { type KeychainSession, needsKeychain, openKeychainSession } from '../support/desk/keychain-session.ts';
import { needsPseudoTerminal, onTerminal, type Step } from '../support/desk/pseudo-terminal.ts';
import { ENTER, ownFile } from '../support/desk/set-up.ts';

const COLUMNS = 80;
const DOWN = '\u001b[B';

interface Provider {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly controlToken: string;
}

/** A practice service on a port of its own, in a process of its own. */
async function openProvider(): Promise<Provider> {
  const child = new Child(await openDesk(), ['sandbox', '--port', '0', '--json']);
  await child.until(/\n/);
  return JSON.parse(child.stdout.split('\n')[0] ?? '') as Provider;
}

/** Types a first row into the template that was made. */
async function fillIn(file: string): Promise<void> {
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(file);
  const sheet = book.getWorksheet('Payouts');
  const row: Readonly<Record<string, string | number>> = { Name: 'Amina Otieno', Phone: '0712345655', Amount: 10 };
  sheet?.getRow(1).eachCell((cell, column) => {
    const typed = row[cell.text];
    if (typed !== undefined) sheet.getRow(2).getCell(column).value = typed;
  });
  await book.xlsx.writeFile(file);
}

/** A ledger that is new waits for two minutes before the first payment; nobody here does. */
function waitShortly(config: string): void {
  const written = JSON.parse(readFileSync(config, 'utf8'));
  Object.assign(written.profiles.live, quickWaits, { polling: { firstMs: 30, maxMs: 200 } });
  writeFileSync(config, JSON.stringify(written));
}

/** Lines that are wider than the terminal, but for those that one word fills: a path is never broken. */
const tooWide = (screen: string): readonly string[] =>
  screen
    // Colours take no room, and whatever else steers a terminal begins to draw anew.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: both begin with one
    .replace(/\u001b\[[\d;]*m/g, '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the same
    .split(/[\r\n]+|\u001b\[[\d;?]*[A-Za-z]/)
    .filter((line) => line.length > COLUMNS && line.trim().includes(' '));

const answersAt = ({ url, clientId, clientSecret }: Provider): readonly Step[] => [
  ['Name of the organisation', `Acme Ltd${ENTER}`],
  ['Country', ENTER],
  ['Currency', ENTER],
  ['Address of the service', url + ENTER],
  ['Address that issues tokens', ENTER],
  ['Client id', clientId + ENTER],
  ['Scope', ENTER],
  ['Client secret', clientSecret + ENTER],
  ['Pay by these routes?', ENTER],
];
const ofThePayer: readonly Step[] = [
  ['Name of the payer', ENTER],
  ['Phone number of the payer', `0712345678${ENTER}`],
  ['Source of the funds', ENTER],
  ['What the organisation does', ENTER],
];

/** How many answers were typed, and how many were taken as they stood. */
const counted = (steps: readonly Step[]): { readonly typed: number; readonly taken: number } => ({
  typed: steps.filter(([, answer]) => answer !== ENTER).length,
  taken: steps.filter(([, answer]) => answer === ENTER).length,
});

/** Four commands, each in a process of its own: longer than usual on a busy machine. */
const LIMIT_MS = 180_000;

describe('a first day', { timeout: LIMIT_MS }, () => {
  test('at a terminal of 80 columns: six answers typed, nine taken as they stand, four commands, and one person is paid', async (context) => {
    needsPseudoTerminal(context);
    const [desk, provider] = [await openDesk(), await openProvider()];
    const at = (argv: readonly string[], steps: readonly Step[]) => onTerminal(desk, argv, steps, {}, COLUMNS);
    const setUp = [...answersAt(provider), ...ofThePayer];
    const init = await at(['init'], setUp);
    expect({ exit: init.exit, wide: tooWide(init.screen) }).toEqual({ exit: 0, wide: [] });
    expect(init.screen).toContain('paybatch run first.xlsx --profile sandbox');
    waitShortly(ownFile(desk, 'config.json'));

    const template = await at(['template', '--type', 'wallet', '-o', 'first.xlsx'], []);
    await fillIn(desk.path('first.xlsx'));
    const rehearsal = await at(['run', 'first.xlsx', '--profile', 'sandbox'], []);
    expect([rehearsal.exit, rehearsal.screen]).toEqual([0, expect.stringContaining('no real money moves')]);
    const paying: readonly Step[] = [
      ['Name of the batch', ENTER],
      ['Total KES', `10${ENTER}`],
    ];
    const live = await at(['run', 'first.xlsx'], paying);
    expect([live.exit, live.screen]).toEqual([0, expect.stringContaining('KES 10.00 of KES 10.00')]);
    for (const { screen } of [template, rehearsal, live]) expect(tooWide(screen)).toEqual([]);
    expect(counted([...setUp, ...paying])).toEqual({ typed: 6, taken: 9 });
    expect(paidTraces(await booksOf(provider))).toHaveLength(1);
  });

  test('for a screen reader: the same answers, in lines that are never drawn again', async (context) => {
    needsPseudoTerminal(context);
    const [desk, provider] = [await openDesk(), await openProvider()];
    const secret = 'practice-secret';
    const steps = [...answersAt(provider), ...ofThePayer];
    const { exit, screen } = await onTerminal(desk, ['init'], steps, { PAYBATCH_ACCESSIBLE: '1' }, COLUMNS);
    expect({ exit, screen }).toEqual({ exit: 0, screen: expect.stringContaining('paybatch run first.xlsx') });
    expect(screen).not.toContain(secret);
    // Colours are heard by nobody; whatever else steers a terminal moves the cursor.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it begins with one
    expect(screen.replaceAll(/\u001b\[[\d;]*m/g, '')).not.toMatch(/\u001b|[│◇◆→·█]/);
  });

  test('without a terminal: the same by four commands', async () => {
    const [desk, provider] = [await openDesk(), await openProvider()];
    const config = desk.path('own', 'config.json');
    desk.env['PAYBATCH_CONFIG'] = config;
    const account = ['--organisation', 'Acme Ltd', '--country', 'KE', '--base-url', provider.url];
    const init = ['init', ...account, '--client-id', provider.clientId, '--secret-stdin'];
    const secretFile = ['--secret-file', desk.path('own', 'secret')];
    expect((await desk.say([...init, ...secretFile], { input: provider.clientSecret })).exit).toBe(0);
    waitShortly(config);
    expect((await desk.say(['template', '--type', 'wallet', '-o', 'first.xlsx'])).exit).toBe(0);
    await fillIn(desk.path('first.xlsx'));
    expect((await desk.say(['run', 'first.xlsx', '--profile', 'sandbox'])).exit).toBe(0);
    const totals = ['--expect-count', '1', '--expect-total', '10.00'];
    expect((await desk.say(['run', 'first.xlsx', '--batch', 'first', ...totals])).exit).toBe(0);
    expect(paidTraces(await booksOf(provider))).toHaveLength(1);
  });

  test('with a keychain: it is offered, and no file holds the secret', async (context) => {
    needsPseudoTerminal(context);
    needsKeychain(context);
    const [desk, provider, keychain] = [await openDesk(), await openProvider(), await openKeychainSession()];
    const at = (argv: readonly string[], steps: readonly Step[]) =>
      onTerminal(desk, argv, steps, busOf(keychain.env), COLUMNS);
    const { exit, screen } = await at(
      ['init'],
      [...answersAt(provider), ...ofThePayer, ['Where should the secret be kept?', DOWN + ENTER]],
    );
    expect({ exit, wide: tooWide(screen) }).toEqual({ exit: 0, wide: [] });
    expect(screen.replace(/\s+/g, ' ')).toContain(`the keychain of this system, as paybatch: ${provider.clientId} at`);
    const { live } = JSON.parse(readFileSync(ownFile(desk, 'config.json'), 'utf8')).profiles;
    expect([live.clientSecretKeychain, live.clientSecretFile]).toEqual([true, undefined]);
    expect((await at(['balance'], [])).exit).toBe(0);
    await keychain.begin('locked');
    const locked = await at(['balance'], []);
    expect([locked.exit, locked.screen.replace(/\s+/g, ' ')]).toEqual([2, expect.stringContaining('it is locked')]);
  });
});

/** All that leads to the keychain, without the home of its own. */
const busOf = ({ HOME: _, ...env }: KeychainSession['env']): Readonly<Record<string, string>> => env;
