import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Calling, cron, type Exported, k8s, systemd, windows } from '../../src/schedule/export.ts';
import { needs } from '../support/needs.ts';
import { inTemporaryFolder } from '../support/temporary-folder.ts';

const GOLDEN = path.join(import.meta.dirname, '..', 'fixtures', 'schedule-export');

/** Folders with what each system reads in its own way. */
const calling: Calling = {
  argv: ['/opt/node 24/bin/node', "/srv/acme's/main.js", 'schedule', 'run-due', '--profile', 'live_KE'],
  env: { PAYBATCH_HOME: '/srv/100% "ours"/state', PAYBATCH_CONFIG: '/srv/$HOME/paybatch.config.json' },
  profile: 'live_KE',
  user: 'payer',
  folder: '/srv/sheets',
  out: '/srv/my units',
  version: '1.2.3',
};

const golden = (name: string): Promise<string> => readFile(path.join(GOLDEN, name), 'utf8');

describe('the files that start run-due', () => {
  test.each([
    ['systemd', systemd],
    ['cron', cron],
    ['windows', windows],
    ['k8s', k8s],
  ] as const)('are for %s as they were looked at', async (_, exported) => {
    const { files, todo }: Exported = exported(calling);
    expect(todo.length).toBeGreaterThan(0);
    for (const { name, content } of files) {
      if (process.env['WRITE_GOLDEN'] === '1') {
        await mkdir(GOLDEN, { recursive: true });
        await writeFile(path.join(GOLDEN, name), content);
      }
      expect(content).toBe(await golden(name));
    }
  });

  test.each([
    [
      'systemd',
      systemd,
      'As root: cp "/srv/my units/NAME.service" "/srv/my units/NAME.timer" /etc/systemd/system/ && ',
    ],
    ['cron', cron, 'crontab -l | cat - "/srv/my units/NAME.crontab" | crontab -'],
    ['windows', windows, '/xml "/srv/my units/NAME.xml"'],
  ] as const)('are put in place for %s by a command that names where they were written', (_, exported, typed) => {
    const { files, todo } = exported(calling);
    const name = path.parse(files[0]?.name ?? '').name;
    expect(todo[0]).toContain(typed.replaceAll('NAME', name));
  });

  test('make the line of cron start the program with its words and its environment as they are', async () => {
    await inTemporaryFolder(async (folder) => {
      const script = 'process.stdout.write(JSON.stringify([process.argv.slice(1), process.env.ODD]))';
      const odd = `it's 100% "$HOME" \\ here`;
      const [file] = cron({
        ...calling,
        argv: [process.execPath, '-e', script, '--', odd],
        env: { ODD: odd },
        folder,
      }).files;
      const [, command = ''] = /\* \* \* \* (.*) --no-color --quiet\n$/s.exec(file?.content ?? '') ?? [];
      // cron itself takes the backslash before a percent sign away.
      const said = execFileSync('/bin/sh', ['-c', command.replaceAll('\\%', '%')], { encoding: 'utf8' });
      expect(JSON.parse(said)).toEqual([[odd], odd]);
    });
  });

  test('double the dollars and percent signs that systemd would replace, each once', () => {
    const [service] = systemd({ ...calling, argv: ['/srv/$HOME/100%/node', '$1'] }).files;
    expect(service?.content).toContain('\nExecStart="/srv/$$HOME/100%%/node" "$$1"\n');
  });

  test('are units that systemd takes', async (context) => {
    needs(spawnSync('systemd-analyze', ['--version']).status === 0, 'systemd-analyze')(context);
    await inTemporaryFolder(async (folder) => {
      const real = { ...calling, argv: [process.execPath, ...calling.argv.slice(1)], user: 'root', folder: '/' };
      const { files } = systemd(real);
      for (const { name, content } of files) await writeFile(path.join(folder, name), content);
      const { status, stdout, stderr } = spawnSync(
        'systemd-analyze',
        ['verify', ...files.map(({ name }) => path.join(folder, name))],
        { encoding: 'utf8' },
      );
      expect(stdout + stderr).toBe('');
      expect(status).toBe(0);
    });
  });
});
