/** A run of vitest as somebody starts it who has an account: what the tests start must never ask it anything. */
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { sendJson, serve } from './loopback.ts';
import { inTemporaryFolder } from './temporary-folder.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');
const VITEST = path.join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
const STARTERS = 'test/support/nobodys-account.test.ts';

/** The configuration of the tests, without what keeps the user away from them. */
const BARE = `
import config from ${JSON.stringify(path.join(ROOT, 'vitest.config.ts'))};
export default { ...config, root: ${JSON.stringify(ROOT)}, test: { ...config.test, globalSetup: [] } };`;

/** Runs tests that start paybatch, in the home of somebody with a live account, and gives what its service was asked. */
async function asked(folder: string, flags: readonly string[], names: Readonly<Record<string, string>> = {}) {
  const service = await serve((_, response) => sendJson(response, 503, {}));
  const own = path.join(folder, '.config', 'paybatch');
  await mkdir(own, { recursive: true, mode: 0o700 });
  const live = { baseUrl: service.url, clientId: 'acme', clientSecretFile: path.join(own, 'secret') };
  const settings = { organisation: 'Acme Ltd', defaultProfile: 'live', profiles: { live } };
  await writeFile(path.join(own, 'config.json'), JSON.stringify(settings), { mode: 0o600 });
  await writeFile(path.join(own, 'secret'), 'the secret of this account', { mode: 0o600 });
  const folders = { HOME: folder, XDG_CONFIG_HOME: path.join(folder, '.config'), APPDATA: own, LOCALAPPDATA: own };
  const argv = [VITEST, 'run', '--project', 'quick', '--reporter', 'dot', ...flags, STARTERS];
  // Not the environment of this run: it has been cleared already.
  const env = { PATH: process.env['PATH'] ?? '', ...folders, ...names };
  const ended = await promisify(execFile)(process.execPath, argv, { cwd: ROOT, env }).then(
    () => 'passed',
    ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) => `${stdout}\n${stderr}`,
  );
  return { ended, paths: service.arrived.map((request) => request.path) };
}

test('whoever runs the tests, the service of that account is asked nothing', async () => {
  await inTemporaryFolder(async (folder) => {
    const names = {
      PAYBATCH_PROFILE: 'live',
      PAYBATCH_CONFIG: path.join(folder, '.config', 'paybatch', 'config.json'),
    };
    expect(await asked(folder, [], names)).toEqual({ ended: 'passed', paths: [] });
  });
});

test('without the set-up of the run it would be asked: this test can fail', async () => {
  await inTemporaryFolder(async (folder) => {
    await writeFile(path.join(folder, 'vitest.config.mjs'), BARE);
    const { ended, paths } = await asked(folder, ['--config', path.join(folder, 'vitest.config.mjs')]);
    expect(ended).toContain('2 failed');
    expect(paths.length).toBeGreaterThan(1);
  });
});
