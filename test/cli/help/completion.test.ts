import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { allCommands } from '../../../src/cli/commands.ts';
import { paymentMagic } from '../../../src/sandbox/settle.ts';
import { openDesk } from '../../support/desk/command-line.ts';
import { needs } from '../../support/needs.ts';

const commands = await allCommands();

const hasBash = spawnSync('bash', ['-c', 'complete -p; compgen -W x']).status === 0;
const needsBash = needs(hasBash, 'bash with its completion');

/** What a real bash proposes after these words, the last of which is being typed. */
function proposed(script: string, ...words: readonly string[]): readonly string[] {
  const ask =
    'eval "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _paybatch paybatch "$' +
    '{@: -1}"; echo "$' +
    '{COMPREPLY[@]}"';
  const { stdout, stderr } = spawnSync('bash', ['-c', ask, 'bash', script, 'paybatch', ...words], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.trim().split(' ').filter(Boolean);
}

describe('the completion script', () => {
  const scriptOf = async (shell: string): Promise<string> =>
    (await (await openDesk()).say(['completion', shell])).stdout;

  test('proposes every command, and those below a command', async (context) => {
    needsBash(context);
    const script = await scriptOf('bash');
    expect(proposed(script, '')).toEqual(commands.map(({ name }) => name));
    expect(proposed(script, 'sta')).toEqual(['status']);
    expect(proposed(script, 'config', '')).toEqual(['check', 'show', 'trust']);
  });

  test('proposes the options of the command that was typed', async (context) => {
    needsBash(context);
    const script = await scriptOf('bash');
    expect(proposed(script, 'run', 'pay.csv', '--dry')).toEqual(['--dry-run']);
    expect(proposed(script, 'run', '--batch', 'november', '--json')).toEqual(['--jsonl', '--json']);
    expect(proposed(script, 'status', '--dry')).toEqual([]);
  });

  test('leaves the name of a sheet to the shell', async (context) => {
    needsBash(context);
    const script = await scriptOf('bash');
    expect(proposed(script, 'run', '')).toEqual([]);
  });

  test.each(['zsh', 'fish'])('is there for %s as well, with every command', async (shell) => {
    const stdout = await scriptOf(shell);
    for (const { name } of commands) expect(stdout).toContain(name);
    expect(stdout).toContain('dry-run');
  });

  test('is a program of PowerShell in ASCII, with every text in quotes that end where they should', async () => {
    const script = await scriptOf('powershell');
    expect(script).toMatch(/^[\x20-\x7e\n]+$/);
    // Without the texts, where a quote is written twice, no brace and no quote is left open.
    const bare = script.replace(/'(?:[^'\n]|'')*'/g, '');
    expect(bare).not.toContain("'");
    for (const [open, close] of ['{}', '()', '[]'].map((pair) => [...pair])) {
      expect(bare.split(open ?? '').length).toBe(bare.split(close ?? '').length);
    }
    // A text that is empty could not be shown beside its word.
    expect(script).not.toMatch(/ = '' ?[;}]/);
  });

  test('of PowerShell has the words of each command under its own', async () => {
    const script = await scriptOf('powershell');
    const tables = script.split(/^ {2}\$(?:below|flags) = @\{$/m).slice(1);
    const [below = '', flags = ''] = tables.map((table) => table.split(/^ {2}\}$/m)[0] ?? '');
    const wordsAt = (table: string, at: string): readonly string[] => {
      const line = table.split('\n').find((one) => one.startsWith(`    '${at}' = `)) ?? '';
      const [, inner = ''] = /\[ordered\]@\{ (.*) \}$/.exec(line) ?? [];
      return [...inner.matchAll(/(?:^|; )'((?:[^']|'')+)' = '(?:[^']|'')+'/g)].map(([, word = '']) => word);
    };
    expect(wordsAt(below, '')).toEqual(commands.map(({ name }) => name));
    expect(wordsAt(below, 'config')).toEqual(['check', 'show', 'trust']);
    expect(wordsAt(flags, 'run')).toContain('--dry-run');
    expect(wordsAt(flags, 'status')).not.toContain('--dry-run');
    expect(wordsAt(flags, 'config show')).toContain('--help');
  });
});

test('the help of every command stands in 80 columns, with three examples at most', async () => {
  const desk = await openDesk();
  const paths = commands.flatMap(({ name, children = [] }) => [[name], ...children.map((child) => [name, child.name])]);
  for (const path of [[], ...paths]) {
    const { stdout, exit } = await desk.say([...path, '--help']);
    expect([path, exit]).toEqual([path, 0]);
    expect([path, stdout.split('\n').filter((line) => line.length > 80)]).toEqual([path, []]);
    const [, examples = ''] = stdout.split(/^Examples?:\n/m);
    expect(examples.match(/^ {2}paybatch /gm)?.length ?? 0).toBeLessThanOrEqual(3);
  }
});

test('the help and the samples name every ending that decides what happens to a practice payment', async () => {
  const { stdout } = await (await openDesk()).say(['sandbox', '--help']);
  const samples = await readFile(new URL('../../../samples/README.md', import.meta.url), 'utf8');
  const named = (text: string, pattern: RegExp): readonly string[] =>
    [...text.matchAll(pattern)].map(([, ending = '']) => ending).sort();
  const endings = Object.keys(paymentMagic);
  expect(endings.length).toBeGreaterThan(5);
  expect(named(stdout, / {2}(\d{4}) {2}/g)).toEqual(endings);
  expect(named(samples, /^- (\d{4}):/gm)).toEqual(endings);
});

test('--quiet says what needs somebody, and how it ended', async () => {
  const desk = await openDesk();
  await desk.write('pay.csv', 'Reference,Name,Phone,Amount\nE1,Jane Wanjiku,0712345678,1500\n');
  const loud = await desk.say(['run', 'pay.csv', '--dry-run']);
  const quiet = await desk.say(['run', 'pay.csv', '--dry-run', '--quiet']);
  expect(loud.stderr).toMatch(/^Reading /m);
  expect(quiet.stderr).not.toMatch(/^(?:Reading|Columns|Checking) /m);
  expect(quiet.stderr).toMatch(/SANDBOX/);
  expect(quiet.stderr).toMatch(/^Next {6}Nothing was sent\. To pay: paybatch run pay\.csv --quiet$/m);
  await desk.write('bad.csv', 'Reference,Name,Phone,Amount\nE1,Jane Wanjiku,07x,1500\n');
  expect((await desk.say(['run', 'bad.csv', '-q'])).stderr).toMatch(/^ERROR {5}C2 /m);
});
