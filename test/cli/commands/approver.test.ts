import { chmod, readFile, stat } from 'node:fs/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { openDesk } from '../../support/desk/command-line.ts';
import { needsPseudoTerminal, onTerminal } from '../../support/desk/pseudo-terminal.ts';

const PASSPHRASE = 'correct horse battery';

describe('approver create', () => {
  test('keeps a key for its owner alone, under a passphrase, and prints the public part', async () => {
    const desk = await openDesk();
    const passphrase = await desk.write('passphrase', `${PASSPHRASE}\n`);
    const said = await desk.say(['approver', 'create', 'jane', '--key', 'jane.key', '--passphrase-file', passphrase]);
    expect(said.exit).toBe(0);
    expect(said.stdout).toMatch(/^[A-Za-z0-9_-]{43}\n$/);
    expect(said.stderr).toContain(`"approvers": { "jane": "${said.lines[0]}" }`);
    expect((await stat(desk.path('jane.key'))).mode & 0o777).toBe(0o600);
    const kept = await readFile(desk.path('jane.key'), 'utf8');
    expect(kept).toContain('ENCRYPTED PRIVATE KEY');
    expect(said.stdout + said.stderr + kept).not.toContain(PASSPHRASE);
  });

  test('without a terminal makes no key that lies open, unless that is said', async () => {
    const desk = await openDesk();
    const refused = await desk.emit(['approver', 'create', 'jane', '--key', 'jane.key']);
    expect(refused).toMatchObject({ exit: 2, fault: { code: 'usage' } });
    await expect(stat(desk.path('jane.key'))).rejects.toThrow('ENOENT');
    const open = await desk.emit(['approver', 'create', 'jane', '--key', 'jane.key', '--no-passphrase']);
    expect(open).toMatchObject({ exit: 0, events: [{ type: 'approver', name: 'jane' }, { type: 'end' }] });
  });

  test('makes no key that lies open when a passphrase was given for it', async () => {
    const desk = await openDesk();
    const passphrase = await desk.write('passphrase', `${PASSPHRASE}\n`);
    const create = ['approver', 'create', 'jane', '--key', 'jane.key', '--no-passphrase'];
    const refused = await desk.emit([...create, '--passphrase-file', passphrase]);
    expect(refused).toMatchObject({
      exit: 2,
      fault: { fix: 'Leave one of --passphrase-file and --no-passphrase out.' },
    });
    await expect(stat(desk.path('jane.key'))).rejects.toThrow('ENOENT');
  });

  test('leaves a key that is there as it is', async () => {
    const desk = await openDesk();
    await desk.say(['approver', 'create', 'jane', '--key', 'jane.key', '--no-passphrase']);
    const kept = await readFile(desk.path('jane.key'), 'utf8');
    const again = await desk.emit(['approver', 'create', 'ali', '--key', 'jane.key', '--no-passphrase']);
    expect(again).toMatchObject({ exit: 2, fault: { code: 'file-unwritten' } });
    expect(await readFile(desk.path('jane.key'), 'utf8')).toBe(kept);
  });

  test.each([
    ['a name that leads out of its folder', ['../jane', '--no-passphrase'], 'cannot name an approver'],
    ['a short passphrase', ['jane', '--passphrase-file', 'short'], 'shorter than 12'],
    ['a passphrase that others can read', ['jane', '--passphrase-file', 'passwd'], 'passwd is not private to you'],
  ])('refuses %s', async (_, words, why) => {
    const desk = await openDesk();
    await desk.write('short', 'secret');
    await chmod(await desk.write('passwd', PASSPHRASE), 0o644);
    const told = await desk.emit(['approver', 'create', ...words, '--key', 'a.key']);
    expect(told.exit).toBe(2);
    expect(told.fault?.['message']).toContain(why);
  });
});

describe('approver create on a terminal', () => {
  beforeEach(needsPseudoTerminal);

  test('asks for the passphrase twice, and shows none of it', async () => {
    const desk = await openDesk();
    const { exit, screen } = await onTerminal(
      desk,
      ['approver', 'create', 'jane', '--key', 'jane.key'],
      [
        ['New passphrase', `${PASSPHRASE}\r`],
        ['Repeat the passphrase', `${PASSPHRASE}\r`],
      ],
    );
    expect(exit).toBe(0);
    expect(await readFile(desk.path('jane.key'), 'utf8')).toContain('ENCRYPTED PRIVATE KEY');
    for (const word of PASSPHRASE.split(' ')) expect(screen).not.toContain(word);
    expect(screen).not.toMatch(/[▪•*]{5}/);
  });
});
