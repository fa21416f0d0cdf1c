/** Keys of ledgers at the command line: where they are kept, what happens without them, and how one takes the place of another. */
import { existsSync } from 'node:fs';
import { chmod, chown, lchown, mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { newKey, publicPem } from '../../../src/ledger/signing.ts';
import { paidTraces } from '../../support/desk/account.ts';
import { openDesk } from '../../support/desk/command-line.ts';
import { openOffice, pay, planOnly, totalsOf } from '../../support/desk/live-office.ts';
import { csvOf, people } from '../../support/desk/payroll-sheet.ts';
import { NOBODY, needsRoot } from '../../support/needs.ts';

describe('the key of a ledger', () => {
  test('is a file outside of the state folder that only its owner can read, without which nothing is believed and nothing is damaged', async () => {
    const { desk, service } = await openOffice();
    await planOnly(desk, people(3));
    const [name = '', ...more] = await readdir(desk.path('keys'));
    expect({ name, more }).toEqual({ name: expect.stringMatching(/^[0-9a-f-]{36}\.1\.pem$/), more: [] });

    if (process.platform !== 'win32') {
      await chmod(desk.path('keys', name), 0o644);
      const told = await desk.emit(['resume']);
      expect(told).toMatchObject({ exit: 2, fault: { code: 'configuration' } });
      expect(told.fault?.['fix']).toContain('chmod 600');
      await chmod(desk.path('keys', name), 0o600);
    }

    await rename(desk.path('keys'), desk.path('elsewhere'));
    for (const command of ['resume', 'status', 'verify', 'report']) {
      const told = await desk.emit([command]);
      expect(told, command).toMatchObject({ exit: 2, fault: { code: 'configuration' } });
      expect(told.fault?.['message'], command).toContain(desk.path('keys'));
    }
    expect(service.books().orders).toEqual([]);

    const env = { PAYBATCH_KEYS: desk.path('elsewhere') };
    expect((await desk.emit(['resume'], { env })).exit).toBe(0);
    expect(paidTraces(service.books())).toHaveLength(3);
  });

  test('is read as the administrator mounts it: through links of his, by a group of the process', async (context) => {
    needsRoot(context);
    const { desk, service } = await openOffice();
    await planOnly(desk, people(2));
    const [name = ''] = await readdir(desk.path('keys'));
    const folder = desk.path('keys', '..2026');
    await mkdir(folder);
    await rename(desk.path('keys', name), `${folder}/${name}`);
    await symlink('..2026', desk.path('keys', '..data'));
    await symlink(`..data/${name}`, desk.path('keys', name));
    const mount = async (mode: number, group: number): Promise<void> => {
      await chown(`${folder}/${name}`, 0, group);
      await chmod(`${folder}/${name}`, mode);
    };
    for (const [mode, group, why] of [
      [0o444, 0, 'everyone on this machine can read it'],
      // The group of root is root alone; to read as another user takes a process of its own.
      [0o440, NOBODY, 'its group can read it'],
      [0o460, 0, 'its group can write to it'],
    ] as const) {
      await mount(mode, group);
      const { exit, stderr } = await desk.say(['resume']);
      expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringContaining(why) });
      expect(stderr).toContain('defaultMode 0440 with fsGroup');
    }
    expect(service.books().orders).toEqual([]);
    await lchown(desk.path('keys', name), NOBODY, NOBODY);
    await mount(0o440, 0);
    expect((await desk.say(['resume'])).stderr).toContain("is another user's");
    await lchown(desk.path('keys', name), 0, 0);
    expect((await desk.emit(['resume'])).exit).toBe(0);
  });

  test('can be read with its public part and without the client secret, and nothing can be recorded then', async () => {
    const { desk, service } = await openOffice();
    await pay(desk, people(3));
    const folder = desk.path('auditor');
    const written = await desk.emit(['ledger', 'public-key', '--out', folder]);
    expect(written.exit).toBe(0);
    const [name = '', ...more] = await readdir(folder);
    expect({ name, more }).toEqual({ name: expect.stringMatching(/^[0-9a-f-]{36}\.1\.public\.pem$/), more: [] });
    expect(await desk.emit(['ledger', 'public-key', '--out', folder])).toMatchObject({ exit: 2 });

    const env = { PAYBATCH_KEYS: folder, PAYBATCH_CLIENT_SECRET: '', PAYBATCH_CLIENT_SECRET_FILE: '' };
    for (const command of ['verify', 'history', 'report', 'status', 'find'] as const) {
      const told = await desk.emit([command, ...(command === 'find' ? ['Person'] : [])], { env });
      expect({ command, exit: told.exit }).toEqual({ command, exit: 0 });
    }
    expect((await desk.say(['status'], { env })).stderr).toContain('the service was not asked');
    // Neither pays, and nothing of what records does.
    await desk.write('more.csv', csvOf(people(5).slice(3)));
    const payment = ['run', 'more.csv', '--batch', 'more', ...totalsOf(people(5).slice(3))];
    expect(await desk.say(payment, { env })).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('no client secret'),
    });
    const unsecret = { PAYBATCH_KEYS: folder };
    expect(await desk.say(payment, { env: unsecret })).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('nothing can be recorded'),
    });
    expect(await readdir(folder)).toEqual([name]);
    expect(paidTraces(service.books())).toHaveLength(3);

    // A new key is not vouched for by the public part of the one before.
    expect((await desk.emit(['ledger', 'new-key', '--reason', 'Brian has left'])).exit).toBe(0);
    expect(await desk.emit(['verify'], { env })).toMatchObject({ exit: 2, fault: { code: 'configuration' } });
    await rm(`${folder}/${name}`);
    expect((await desk.emit(['ledger', 'public-key', '--out', folder])).exit).toBe(0);
    expect((await desk.emit(['verify'], { env })).exit).toBe(0);

    // Nor is a public part believed that others could have put there, or that is of no key of this ledger.
    const [part = ''] = await readdir(folder);
    if (process.platform !== 'win32') {
      await chmod(`${folder}/${part}`, 0o644);
      expect((await desk.emit(['verify'], { env })).exit).toBe(0);
      await chmod(`${folder}/${part}`, 0o664);
      expect(await desk.say(['verify'], { env })).toMatchObject({
        exit: 2,
        stderr: expect.stringContaining('its group can write'),
      });
      await chmod(`${folder}/${part}`, 0o600);
    }
    await writeFile(`${folder}/${part}`, publicPem(newKey().key.name));
    expect((await desk.emit(['verify'], { env })).exit).toBe(10);
    await writeFile(`${folder}/${part}`, 'no key');
    expect(await desk.emit(['verify'], { env })).toMatchObject({ exit: 2, fault: { code: 'configuration' } });
  });

  test('takes the place of another one, whose workbooks stay proven', async () => {
    const { desk } = await openOffice();
    await pay(desk, people(2));
    const changed = await desk.emit(['ledger', 'new-key', '--reason', 'a new year']);
    expect(changed.exit).toBe(0);
    expect(await readdir(desk.path('keys'))).toHaveLength(2);
    const verified = await desk.emit(['verify']);
    expect(verified.exit).toBe(0);
    expect(verified.events.find(({ type }) => type === 'verify')).toMatchObject({ differences: [], older: {} });
    const next = await pay(desk, people(5).slice(2), '--batch', 'next');
    expect(next.exit).toBe(0);
    const { to } = changed.events.find(({ type }) => type === 'signing-key-changed') ?? {};
    expect(next.events.find(({ type }) => type === 'ledger.head')).toMatchObject({ key: to });
    expect((await desk.emit(['verify'])).exit).toBe(0);
  });

  test('follows from the client secret where no folder can be written, and has no other one then', async () => {
    const { desk, service } = await openOffice();
    await writeFile(desk.path('keys'), 'a file has this name');
    expect((await pay(desk, people(2))).exit).toBe(0);
    expect((await desk.emit(['verify'])).exit).toBe(0);
    const changed = await desk.emit(['ledger', 'new-key', '--reason', 'a new year']);
    expect(changed).toMatchObject({ exit: 2, fault: { fix: expect.stringContaining('PAYBATCH_KEYS') } });

    await rm(desk.path('keys'));
    await mkdir(desk.path('keys'));
    expect((await desk.emit(['ledger', 'new-key', '--reason', 'a folder of its own'])).exit).toBe(0);
    expect((await desk.emit(['verify'])).exit).toBe(0);
    expect(paidTraces(service.books())).toHaveLength(2);
  });

  test('is never kept in the state folder', async () => {
    const { desk } = await openOffice();
    const env = { PAYBATCH_KEYS: desk.path('home', 'keys') };
    expect(await desk.emit(['history'], { env })).toMatchObject({ exit: 2, fault: { code: 'configuration' } });
  });

  test('of a rehearsal leaves no file anywhere', async () => {
    const desk = await openDesk();
    await desk.takeSamples();
    expect((await desk.emit(['run', 'all-kinds.csv', '--dry-run'])).exit).toBe(0);
    expect(existsSync(desk.path('keys'))).toBe(false);
  });
});
