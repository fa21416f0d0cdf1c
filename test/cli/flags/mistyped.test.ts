import { describe, expect, test } from 'vitest';
import { allCommands } from '../../../src/cli/commands.ts';
import { openDesk } from '../../support/desk/command-line.ts';

const commands = await allCommands();

describe('a command that is typed wrongly ends with 2, and says what to type instead', () => {
  test.each([
    [['vaildate', 'x.csv'], 'There is no command "vaildate".', 'Did you mean validate?'],
    [['pay', 'x.csv'], 'There is no command "pay".', 'Did you mean run?'],
    [['constructor'], 'There is no command "constructor".', 'There are: template,'],
    [['x.csv'], 'There is no command "x.csv".', 'To check the sheet: paybatch validate x.csv'],
    [['run'], 'Which sheet?', 'For example: paybatch run november.xlsx'],
    [['validate', '--accept-fixes'], 'Which sheet?', 'For example: paybatch validate november.xlsx'],
    [['map'], 'Which sheet?', 'For example: paybatch map november.xlsx'],
    [['retry'], 'Which batch?', 'For example: paybatch retry salaries-2026-11'],
    [['status', 'a', 'b'], 'takes 1 name or file, and 2 were given', 'double quotes'],
    [['balance', 'a'], 'takes no name or file, and 1 was given', 'paybatch balance --help'],
    [['sandbox', 'rest'], 'There is no command "paybatch sandbox rest".', 'Did you mean reset?'],
    [['run', 'x.csv', '--wurksheet', 'May'], 'There is no option --wurksheet', 'Did you mean --worksheet?'],
    // What stands behind it may be a secret.
    [['login', '--client-secret=hunter-2'], 'no option --client-secret of paybatch login.', 'A value behind ='],
    // As a word processor or a phone makes of two hyphens.
    [['run', 'x.csv', '\u2014batch', 'pay-2026-11'], 'begins with a long dash', 'Type --batch with plain hyphens.'],
    [['status', '\u2013json'], '\u2013json begins with a long dash', 'Type --json with plain hyphens.'],
    [['\u2212q', 'balance'], 'begins with a long dash', 'Type -q with plain hyphens.'],
    [
      ['login', '\u2014client-secret=hunter-2'],
      '\u2014client-secret begins with a long dash',
      'Type --client-secret with',
    ],
    [['run', 'x.csv', '--worksheet'], '--worksheet needs a value', 'paybatch run --help'],
    [['run', 'x.csv', '--out', '--dry-run'], '"--dry-run" cannot be the value of --out.', 'give --out its value first'],
    [['run', 'x.csv', '--out', '-h'], '"-h" cannot be the value of --out.', 'It is an option itself'],
    [['run', 'x.csv', '--allow-duplicate', '--dry-run'], 'cannot be the value of --allow-duplicate.', 'itself'],
    [['--profile', '--no-input', 'run', 'x.csv'], '"--no-input" cannot be the value of --profile.', 'itself'],
    [['run', 'x.csv', '--out', ''], '"" cannot be the value of --out.', 'or leave it out'],
    [['resolve', 'x', '--row', 'abc'], '"abc" cannot be the value of --row.', 'It takes a whole number from 1.'],
    [['validate', 'x.csv', '--lang', 'sv'], '"sv" cannot be the value of --lang.', 'Did you mean sw?'],
    [['validate', 'x.csv', '--format', 'jsn'], '"jsn" is not a format.', 'Did you mean json?'],
    [['template', '--format', 'toString'], 'cannot be written as "toString"', 'Use one of: xlsx, csv.'],
    [['template', '-o', 'x.xls'], 'cannot be written as "xls"', 'Did you mean xlsx?'],
    [['template', '--type', 'walet'], 'There is no template "walet".', 'Did you mean wallet?'],
    [['schema', 'foo'], '"foo" is not one of settings, events, rows.', 'For example: paybatch schema settings'],
    [['schema', 'event'], '"event" is not one of settings, events, rows.', 'Did you mean events?'],
    [['schedule', 'export', 'crom'], '"crom" is not one of ', 'Did you mean cron?'],
    [['history', '--format', 'pdf'], '"pdf" cannot be the value of --format.', 'Use one of: csv.'],
    [['listen', '--port', '70000'], '"70000" cannot be the value of --port.', 'from 0 to 65535.'],
    [['charges', '--kind', 'walet'], '"walet" is not a way of paying.', 'Did you mean wallet?'],
    [['balance', '--currency', 'KSH'], '"KSH" is not a currency.', 'Did you mean KES?'],
    [['balance', '--profile', 'sandbocks'], 'There is no profile "sandbocks".', 'Did you mean sandbox?'],
    [['balance', '--currency', 'toString'], '"TOSTRING" is not a currency.', 'Use one of: KES,'],
    // Options that another one would leave without effect.
    [['run', 'x.csv', '--dry-run', '--jsonl', 'x.jsonl'], '--dry-run is not for use with --jsonl.', 'Leave out one'],
    [['report', '--out', 'there', '-o', 'x.xlsx'], '--output is not for use with --out.', 'Leave out one of the two.'],
    [['report', '--format', 'html', '--with', 'x.csv'], '--with works only with --format pack.', 'Leave it out, or'],
    [
      ['report', '-o', 'x.pack.zip', '--group-by', 'Team'],
      '--group-by works only with --format xlsx or html.',
      'Leave',
    ],
    [['report', '--format', 'csv', '--group-by', 'Team'], '--group-by works only with --format xlsx or html.', 'Leave'],
    [['report', '--row', '2'], '--row works only with --format evidence.', 'report --format evidence --row 12'],
    [['approve', 'p.json', '--page', 'p.html', '--rows'], '--rows is about signing with a key', 'or add the key.'],
    [['approve', 'p.json', '--page', 'p.html', '--expect-count', '99'], '--expect-count is about', '--key jane.key'],
    [['approve', 'p.json', '--page', 'p.html', '--keychain'], '--keychain is about', 'Leave it out'],
  ])('%j', async (argv, says, advice) => {
    const desk = await openDesk();
    const { exit, stdout, stderr } = await desk.say(argv);
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
    expect(stderr).toContain(says);
    expect(stderr).toContain(advice);
  });

  test('a long dash inside of a name, or behind --, is no option', async () => {
    const desk = await openDesk();
    await desk.write('pay \u2014 May.csv', 'Reference,Name,Phone,Amount\nE1,Jane Wanjiku,0712345678,100\n');
    expect((await desk.say(['validate', 'pay \u2014 May.csv'])).exit).toBe(0);
    expect((await desk.say(['validate', '--', '\u2014batch'])).stderr).toContain('There is no file');
  });

  test('a scenario that there is not', async () => {
    const desk = await openDesk();
    await desk.write('x.csv', 'Reference,Name,Phone,Amount\nE1,Jane Wanjiku,0712345678,100\n');
    const nope = await desk.say(['run', 'x.csv', '--scenario', 'nope']);
    expect(nope.stderr).toContain('There is no scenario "nope".\nNext      Try happy, mixed, flaky,');
    const near = await desk.say(['run', 'x.csv', '--scenario', 'flakey']);
    expect(near.stderr).toContain('Did you mean flaky?');
    const valued = await desk.say(['run', 'x.csv', '--scenario', 'down=1']);
    expect(valued.stderr).toContain('The scenario "down" takes no value.\nNext      Name it alone: --scenario down');
  });
});

test('every command that cannot do without something has an example that begins with its name', async () => {
  const desk = await openDesk();
  for (const { name, example } of commands) {
    if (example !== undefined) expect(example).toMatch(new RegExp(`^paybatch ${name}(?: \\S|$)`));
    const { stderr } = await desk.say([name, '--json', '--no-such-option']);
    expect(stderr).toBe('');
    const { stdout } = await desk.say([name, '--help']);
    if (/<sheet>| <batch>|^Usage.* (?:<(?:plan|text)>|\[topic)|^ +--older-than </m.test(stdout))
      expect(example).toBeDefined();
  }
});
