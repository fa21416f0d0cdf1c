/** Containers, mounts and `sudo`: what is there is another user's, and each command works or says the way on. */
import { chmod, chown, mkdir, readdir, stat, symlink } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { accountIn, openService, quickProfile } from '../support/desk/account.ts';
import { type Desk, openDesk } from '../support/desk/command-line.ts';
import { nameless, needsOtherUsers, sayAs, toldAs } from '../support/desk/other-user.ts';
import { needsOwnMounts, onDisk } from '../support/desk/own-mounts.ts';

/** A desk that other users may look into. */
async function openContainer(): Promise<Desk> {
  const desk = await openDesk();
  await chmod(desk.folder, 0o755);
  return desk;
}

describe('a user of a container, whose number has no name', () => {
  beforeEach(needsOtherUsers);

  test('keeps his state in a volume of his group for himself, and pays with what the administrator mounts', async () => {
    const [desk, service] = [await openContainer(), await openService()];
    // As Kubernetes mounts a volume with fsGroup 64200, a ConfigMap, and a secret with defaultMode 0440.
    await mkdir(desk.home);
    await chown(desk.home, 0, nameless.group);
    await chmod(desk.home, 0o2775);
    const { PAYBATCH_CLIENT_SECRET: secret = '', PAYBATCH_BASE_URL: baseUrl, ...account } = accountIn(service);
    const profile = { ...quickProfile(service.routes), baseUrl, clientId: account['PAYBATCH_CLIENT_ID'] };
    const named = { ...profile, clientSecretFile: desk.path('mount', 'secret') };
    const files = { secret, 'config.json': JSON.stringify({ defaultProfile: 'live', profiles: { live: named } }) };
    for (const [name, content] of Object.entries(files)) {
      const file = await desk.write(`mount/..2026/${name}`, content);
      await chown(file, 0, nameless.group);
      await chmod(file, name === 'secret' ? 0o440 : 0o644);
      await symlink(`..data/${name}`, desk.path('mount', name));
    }
    await symlink('..2026', desk.path('mount', '..data'));
    const env = { PAYBATCH_CONFIG: desk.path('mount', 'config.json'), HOME: '/' };

    const { exit, stdout, stderr } = await sayAs(desk, nameless, ['balance'], env);
    expect({ exit, stdout, stderr }).toMatchObject({ exit: 0, stdout: expect.stringMatching(/^KES /) });
    for (const one of await readdir(desk.home)) {
      const { mode, uid } = await stat(path.join(desk.home, one));
      expect([one, mode & 0o777, uid]).toEqual([one, 0o700, nameless.uid]);
    }
  });

  test('is told to name a folder where he has none', async () => {
    const desk = await openContainer();
    await mkdir(desk.path('root'), { mode: 0o700 });
    for (const folder of [desk.path('none', 'live'), desk.path('root', 'none', 'live')]) {
      const told = await toldAs(desk, nameless, folder);
      expect(told).toContain(`${folder} cannot be used: EACCES. Nothing was sent.`);
      expect(told).toContain('in a container, to a mounted one');
      expect(told).not.toContain('chown');
    }
  });
});

test('a user whose state an earlier sudo made is told how he gets it back', async (context) => {
  needsOtherUsers(context);
  const desk = await openContainer();
  await mkdir(desk.path('user', '.local', 'share'), { recursive: true });
  await chmod(desk.path('user', '.local'), 0o700);
  await chown(desk.path('user'), nameless.uid, nameless.uid);
  const told = await toldAs(desk, nameless, desk.path('user', '.local', 'share', 'paybatch', 'live'));
  expect(told).toContain(`sudo chown -R ${nameless.uid} ${desk.path('user', '.local')}.`);
});

test('a file that the folder does not take says so, and blames no other program', async (context) => {
  needsOtherUsers(context);
  const desk = await openContainer();
  await mkdir(desk.home);
  await chown(desk.home, nameless.uid, nameless.group);
  const file = desk.path('first.xlsx');
  const { exit, stderr } = await sayAs(desk, nameless, ['template', '-o', file], {});
  expect({ exit, stderr }).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining('you have no right to write there'),
  });
  expect(stderr).not.toMatch(/EACCES|\.tmp|Close the file/);
});

test('paybatch on a disk from which no program may run says so, and blames no ledger', async (context) => {
  needsOwnMounts(context);
  const folder = path.join(import.meta.dirname, '..', '..', 'node_modules', 'better-sqlite3');
  const said = await onDisk(await openDesk(), { folder, option: 'noexec' }, ['history']);
  expect(said).toMatchObject({ exit: 2, stderr: expect.stringContaining('not mounted noexec') });
});
