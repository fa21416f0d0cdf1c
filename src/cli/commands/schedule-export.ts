import path from 'node:path';
import { Argument } from '@commander-js/extra-typings';
import { writeWholeFile } from '../../files/whole-file.ts';
import { type Calling, cron, type Exported, k8s, systemd, windows } from '../../schedule/export.ts';
import { subcommand } from '../command.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import { answered } from '../screens/answered.ts';
import type { Shell } from '../shell.ts';
import { userName } from '../state/system.ts';

const systems = { systemd, cron, windows, k8s } as const satisfies Record<string, (calling: Calling) => Exported>;
type System = keyof typeof systems;

/** Below `paybatch schedule`. */
export const scheduleExport = subcommand({
  name: 'export',
  summary: 'write the unit or file that starts `schedule run-due` every few minutes',
  example: 'paybatch schedule export systemd',
  moreExamples: ['paybatch schedule export windows', 'paybatch schedule export cron --profile live'],
  declare(command) {
    return command
      .addArgument(new Argument('<system>', 'what starts it').choices(Object.keys(systems) as System[])) // its own names
      .option('--out <folder>', 'folder for the files; default: this one');
  },
  async run(shell, [system], { out = '.' }) {
    const { files, todo } = systems[system](callingFor(shell, shell.config()));
    const folder = path.resolve(shell.cwd, out);
    const written = [];
    for (const { name, content, encoding = 'utf8' } of files) {
      const { path: file } = await writeWholeFile(path.join(folder, name), 'page', async ({ stream }) => {
        stream.write(Buffer.from(content, encoding));
      });
      written.push({ kind: system, path: file });
    }
    for (const line of todo) shell.reporter.tell({ type: 'notice', level: 'info', message: line });
    return answered(shell, { type: 'schedule-export', system, todo }, [], written);
  },
});

/** This very program, with the settings that it has now. */
function callingFor({ cwd, version }: Shell, { profileName, home, keysFolder, file }: LoadedConfig): Calling {
  const [node, main = ''] = process.argv;
  return {
    argv: [node ?? 'node', main, 'schedule', 'run-due', '--profile', profileName],
    env: { PAYBATCH_HOME: home, PAYBATCH_KEYS: keysFolder, ...(file !== undefined && { PAYBATCH_CONFIG: file }) },
    profile: profileName,
    user: userName() ?? String(process.geteuid?.()),
    folder: cwd,
    version,
  };
}
