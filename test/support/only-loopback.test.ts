/** The guard of a test run, in a process of its own: what is tried in this one would fail the run. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { inTemporaryFolder } from './temporary-folder.ts';

/** Bounds a process that hangs, in milliseconds. */
const LIMIT_MS = 50_000;

/** Runs a program under a guard of its own, and gives what it said and what the guard wrote down. */
const guarded = (program: string): Promise<{ readonly said: unknown; readonly told: readonly string[] }> =>
  inTemporaryFolder(async (folder) => {
    const told = path.join(folder, 'told');
    const guard = pathToFileURL(path.join(import.meta.dirname, 'only-loopback.ts'));
    guard.searchParams.set('told', told);
    const argv = ['--no-warnings', `--import=${guard.href}`, '--input-type=module', '-e', program];
    const env = { PATH: process.env['PATH'] ?? '' };
    const { stdout, stderr } = spawnSync(process.execPath, argv, { env, encoding: 'utf8', timeout: LIMIT_MS });
    expect(stderr).toBe('');
    const lines = existsSync(told) ? readFileSync(told, 'utf8').trim().split('\n') : [];
    return { said: JSON.parse(stdout), told: lines.map((line) => line.split(', by')[0] ?? '') };
  });

test('whatever would leave this machine fails at once, and is written down, but for names that nobody can have', async () => {
  const tried = {
    'pay.example.test': `asked('https://pay.example.test/')`,
    '192.0.2.1': `asked('http://192.0.2.1/')`,
    '2001:db8::1': `asked('http://[2001:db8::1]/')`,
    'mail.example.test': `socket(net.connect(25, 'mail.example.test'))`,
    '192.0.2.2': `socket(new net.Socket().connect({ port: 25, host: '192.0.2.2' }))`,
    'tls.example.test': `socket(tls.connect(465, 'tls.example.test'))`,
    'pay.invalid': `asked('https://pay.invalid/')`,
  };
  const { said, told } = await guarded(`
    import net from 'node:net';
    import tls from 'node:tls';
    const asked = (url) => fetch(url).catch(({ cause }) => cause.code);
    const socket = (one) => new Promise((resolve) => one.once('error', ({ code }) => resolve(code)));
    const codes = await Promise.all([${Object.values(tried).join(', ')}]);
    console.log(JSON.stringify(codes));`);
  expect(said).toEqual([...Array.from({ length: 6 }, () => 'ENETUNREACH'), 'ENOTFOUND']);
  expect(told.toSorted()).toEqual(Object.keys(tried).slice(0, 6).toSorted());
});

test('what stays on this machine is connected', async () => {
  const hosts = [`port`, `port, '127.0.0.1'`, `{ port, host: 'localhost' }`, `{ port, host: '127.0.0.2' }`];
  const { said, told } = await guarded(`
    import net from 'node:net';
    const server = net.createServer().listen(0, '0.0.0.0');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address();
    const ends = [${hosts.map((host) => `net.connect(${host})`).join(', ')}];
    await Promise.all(ends.map((end) => new Promise((resolve) => end.once('connect', resolve))));
    console.log(JSON.stringify(ends.length));
    server.close();
    for (const end of ends) end.destroy();`);
  expect([said, told]).toEqual([hosts.length, []]);
});
