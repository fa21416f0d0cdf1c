/** The files of the zip for Windows that can be looked at without Windows. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { allCommands } from '../src/cli/commands.ts';
import { COMMAND, CONSOLE, MAIN } from './support/windows/command-files.ts';

const ROOT = path.join(import.meta.dirname, '..');

describe('a file that is started on Windows', () => {
  test.each([
    ['paybatch.cmd', COMMAND],
    ['paybatch-console.cmd', CONSOLE],
  ])('%s is ASCII with the line ends of Windows, and finds its parts from a folder with blanks', (_, file) => {
    const text = file.toString('latin1');
    expect(text).toMatch(/^[\x20-\x7e\r\n]+$/);
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    // %~dp0 is the folder of the file, with a backslash at its end: in quotes, blanks in it part nothing.
    const [, program, main] = /^"%~dp0([^"]+)" "%~dp0([^"]+)" .*%\*$/m.exec(text.replaceAll('\r', '')) ?? [];
    expect([program, main]).toEqual(['node.exe', MAIN]);
  });

  test('starts what the package names as its program', () => {
    const { bin } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
    expect(MAIN).toBe(path.win32.join('app', bin.paybatch));
  });

  test('of the console opens a command that there is, in the user’s own folder, and keeps its window', async () => {
    const commands = await allCommands();
    const lines = CONSOLE.toString().split('\r\n');
    expect(commands.map(({ name }) => name)).toContain('console');
    expect(lines).toContain('cd /d "%USERPROFILE%"');
    expect(lines.some((line) => line.endsWith(' console %*'))).toBe(true);
    expect(lines.at(-2)).toBe('pause');
  });
});
