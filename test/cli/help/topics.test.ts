import { describe, expect, test } from 'vitest';
import { explanationOf, topicNames } from '../../../src/cli/help/help.ts';
import { issueLevels } from '../../../src/domain/issue.ts';
import { outcomes } from '../../../src/domain/outcome.ts';
import { openDesk } from '../../support/desk/command-line.ts';
import { fastClock } from '../../support/fast-clock.ts';

describe('what is explained', () => {
  test('is every code of a problem, every outcome and every exit code, each with what to do', () => {
    expect(topicNames).toEqual(
      expect.arrayContaining([...Object.keys(issueLevels), ...outcomes, '7', '143', 'exit-codes']),
    );
    for (const name of topicNames) expect(explanationOf(name)?.join('\n'), name).toMatch(/What to do: \S/);
  });

  test('has no place of a value left open', () => {
    for (const language of ['en', 'sw', 'fr'] as const) {
      for (const name of topicNames) expect(explanationOf(name, language)?.join('\n'), name).not.toMatch(/[{}]/);
    }
    expect(explanationOf('PB-HIDDEN-COUNT')?.[1]).toBe(
      '  The table has … rows that are hidden or struck through, not ….',
    );
  });

  test('is found in any case, and in the language of the sheet', () => {
    expect(explanationOf('pb-till')).toEqual(explanationOf('PB-TILL'));
    expect(explanationOf('PB-TILL', 'sw')?.[1]).toContain('Namba ya till');
    expect(explanationOf('In-Doubt')).toEqual([
      expect.stringMatching(/^CHECK In doubt is an outcome of a row\./),
      expect.stringMatching(/Do not pay this row again/),
      '  Pay it again? Not until someone has found out: it may have been paid.',
    ]);
  });

  test('says of a problem whether the sheet can be sent with it', () => {
    expect(explanationOf('PB-TILL')?.at(-1)).toBe('  Nothing of the sheet is sent until it is corrected.');
    expect(explanationOf('PB-NETWORK-DIFFERS')?.at(-1)).toBe('  The row is paid all the same.');
  });

  test('leads from the code of a fault to its exit code', () => {
    expect(explanationOf('ledger-held')?.slice(0, 2)).toEqual([
      'ledger-held ends a command with exit code 75.',
      'Exit 75: another run works on this batch, or is planning.',
    ]);
  });

  test('is nothing that nobody knows', () => {
    expect(explanationOf('')).toBeUndefined();
    expect(explanationOf('76')).toBeUndefined();
  });
});

describe('help', () => {
  const say = async (...argv: readonly string[]) => (await openDesk(fastClock())).say(argv);

  test.each([
    [['help', 'run'], /^Usage: paybatch run /],
    [['help', 'sandbox', 'reset'], /^Usage: paybatch sandbox reset/],
    [['help', 'all'], /^Usage: paybatch .*Exit codes.*143/s],
    [['help', 'retry'], /Examples:\n {2}paybatch retry/],
    [['help', '7'], /^Exit 7: some rows in doubt/],
    [['help', 'scheduling'], /^EVERY MONTH\n.*schedule add/s],
    [['help', 'in-doubt'], /^CHECK In doubt is an outcome.*A ROW READS CHECK\n/s],
    [['help', 'Pay-Day'], /^PAY DAY\n/],
    [['help', 'PB-TILL', '--lang', 'fr'], /numéro de till/],
  ])('%j explains it on stdout, and exits 0', async (argv, starts) => {
    const { exit, stdout, stderr } = await say(...argv);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    expect(stdout).toMatch(starts);
  });

  test('explains a problem in the language of the person, without a configuration that can be used', async () => {
    const desk = await openDesk(fastClock());
    const explain = async (env: Record<string, string>, ...more: readonly string[]) =>
      (await desk.say(['help', 'PB-TILL', ...more], { env })).stdout;
    expect(await explain({ PAYBATCH_LANG: 'fr' })).toMatch(/numéro de till/);
    expect(await explain({ PAYBATCH_LANG: 'fr' }, '--json')).not.toMatch(/numéro/);
    expect(await explain({ PAYBATCH_LANG: 'fr', PAYBATCH_CONFIG: 'no.json' })).toMatch(/PB-TILL is an error/);
  });

  test('of what nobody knows exits 2 and proposes the nearest', async () => {
    expect((await say('help', 'exit-code')).stderr).toContain('Did you mean exit-codes?');
    const { exit, stdout, stderr } = await say('help', 'zebra\u202e');
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
    expect(stderr).toContain('zebra<U+202E>');
  });

  test('is an event for programs', async () => {
    const { events } = await (await openDesk(fastClock())).emit(['help', '75']);
    expect(events[0]).toMatchObject({ type: 'help', topic: '75', text: expect.stringMatching(/^Exit 75/) });
  });
});
