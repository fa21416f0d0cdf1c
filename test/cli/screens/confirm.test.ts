import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { confirmAmount, confirmTotals } from '../../../src/cli/screens/confirm.ts';
import type { Shell } from '../../../src/cli/shell.ts';
import type { MoneyStatement } from '../../../src/domain/event.ts';
import { Fault } from '../../../src/domain/fault.ts';
import type { ExpectedTotals } from '../../../src/preflight/control-totals.ts';
import { amountIn } from '../../support/amounts.ts';
import { openPage } from '../../support/desk/page.ts';

const statement = {
  count: 12,
  people: 11,
  total: amountIn('1300.10'),
  needed: amountIn('1360.10'),
} as MoneyStatement;

interface Person {
  /** What is typed at a question; nothing: nobody sits there. */
  readonly types?: string;
  /** The command is stopped while it waits. */
  readonly leaves?: true;
}

/** As much of a shell as confirming needs, and what was asked in it. */
function open({ types, leaves }: Person) {
  const page = openPage(types !== undefined || leaves);
  const [stdin, stderr] = [new PassThrough(), new PassThrough()];
  const signal = leaves ? AbortSignal.abort('SIGINT') : new AbortController().signal;
  const shell = { terminal: page.terminal, streams: { stdin, stderr }, signal } as unknown as Shell;
  if (types !== undefined) setImmediate(() => stdin.write(`${types}\r`));
  return { shell, says: page.says, asked: () => String(stderr.read() ?? '') };
}

const faultOf = (doing: Promise<unknown>): Promise<unknown> =>
  doing.then(
    () => 'no fault',
    (error: unknown) => (error instanceof Fault ? [error.code, error.message, error.remedy] : error),
  );

describe('the control totals', () => {
  const confirm = (expected: ExpectedTotals, sandbox = false, person: Person = {}): Promise<string> =>
    confirmTotals(statement, expected, { sandbox, shell: open(person).shell });
  const both = 'flags: 12 payments, KES 1,300.10';

  test('are confirmed by both flags', async () => {
    expect(await confirm({ count: 12, total: '1300.10' })).toBe(both);
  });

  test.each(['1,300.10', ' KES 1 300.10 ', '1300.1', 'kes\t1300.1', 'KSh 1,300.10', 'Kshs. 1300.10', 'KES1300.10'])(
    'are confirmed by a total written %j',
    async (total) => {
      expect(await confirm({ count: 12, total })).toBe(both);
    },
  );

  test('need no flags in the practice service, and are held against those that are given', async () => {
    expect(await confirm({}, true)).toBe('sandbox: not asked');
    expect(await confirm({ count: 12 }, true)).toBe(both);
    expect(await confirm({ total: '1300.10' }, true)).toBe(both);
    expect(await faultOf(confirm({ count: 11 }, true))).toContain('totals-differ');
  });

  test.each<[ExpectedTotals, string]>([
    [{ count: 11, total: '1300.10' }, '11 payments, KES 1,300.10'],
    [{ count: 1, total: '1300.10' }, '1 payment, KES 1,300.10'],
    [{ count: 12, total: '1300.11' }, '12 payments, KES 1,300.11'],
    [{ count: 13 }, '13 payments'],
    [{ total: '13001' }, 'KES 13,001.00'],
  ])('are refused where %j is not what the sheet makes', async (expected, said) => {
    expect(await faultOf(confirm(expected))).toEqual([
      'totals-differ',
      `The control totals differ: the sheet makes 12 payments, KES 1,300.10; expected ${said}. Nothing was sent.`,
      'Find out which is right before running it again.',
    ]);
  });

  test('are refused with the charges in them, and it is said that they are', async () => {
    expect(await faultOf(confirm({ total: '1360.10' }))).toEqual([
      'totals-differ',
      expect.stringContaining('expected KES 1,360.10. Nothing was sent.'),
      'That is the total with charges. Give the total of the payments, without charges.',
    ]);
  });

  test.each(['USD 1300.10', 'ugx 1,300.10', '$1300.10', 'USh 1300.10', 'Rand 1300.10', 'USD 1300.101'])(
    'are refused in another currency: %j',
    async (total) => {
      expect(await faultOf(confirm({ total }))).toEqual([
        'totals-differ',
        `The control totals differ: the sheet makes 12 payments, KES 1,300.10; expected ${total}. Nothing was sent.`,
        'Find out which is right before running it again.',
      ]);
      expect(await faultOf(confirm({}, false, { types: total }))).toContain('totals-differ');
    },
  );

  test.each(['', 'all', 'KES', '13.00.10', '1300.101', 'KSHS 1300.101', '1300.10 KES', '13KES 00.10'])(
    'are refused for the total %j',
    async (total) => {
      expect(await faultOf(confirm({ total }))).toEqual([
        'usage',
        `"${total}" is not an amount. Nothing was sent.`,
        'Give it like 1300.10.',
      ]);
    },
  );

  test.each<[string, ExpectedTotals]>([
    ['no flag', {}],
    ['the count alone', { count: 12 }],
    ['the total alone', { total: '1300.10' }],
  ])('are not confirmed without a terminal by %s', async (_, expected) => {
    expect(await faultOf(confirm(expected))).toEqual([
      'usage',
      'A live run without a terminal needs both control totals. Nothing was sent.',
      'After checking them yourself, add: --expect-count 12 --expect-total 1300.10',
    ]);
  });

  test('are typed by a person, who is told what is about to happen', async () => {
    const { shell, says, asked } = open({ types: '1,300.10' });
    const paidFrom = 'From the account acme at pay.example.';
    expect(await confirmTotals(statement, {}, { sandbox: false, shell, paidFrom })).toBe('typed: KES 1,300.10');
    expect(says()).toEqual([
      paidFrom,
      'This sends real money: 12 payments to 11 people.',
      'Type the total, without charges, to continue, or press Ctrl-C to stop.',
    ]);
    expect(asked()).toContain('Total KES');
  });

  test('are asked of a person who gave the count alone', async () => {
    expect(await confirm({ count: 12 }, false, { types: '1300.10' })).toBe('typed: KES 1,300.10');
  });

  test('are refused when a person types others, or a word', async () => {
    expect(await faultOf(confirm({}, false, { types: '1300' }))).toContain('totals-differ');
    expect(await faultOf(confirm({}, false, { types: 'yes' }))).toContain('usage');
  });

  test('are declined by a person who leaves', async () => {
    expect(await faultOf(confirm({}, false, { leaves: true }))).toEqual([
      'declined',
      'Declined. Nothing was sent.',
      'Run it again when the totals are right.',
    ]);
  });
});

describe('the amount of one row', () => {
  const amount = amountIn('1300.10');
  const confirm = (given: string | undefined, sandbox = false, person: Person = {}): Promise<void> =>
    confirmAmount(amount, given, { sandbox, shell: open(person).shell });

  test('is confirmed by its flag, and needs none in the practice service', async () => {
    expect(await confirm('1,300.10')).toBeUndefined();
    expect(await confirm(undefined, true)).toBeUndefined();
  });

  test('is held against the flag also in the practice service', async () => {
    const fault = [
      'totals-differ',
      'The row has another amount: KES 1,300.10. Nothing was recorded.',
      'Make sure that it is the right row.',
    ];
    expect(await faultOf(confirm('1300.11', true))).toEqual(fault);
    expect(await faultOf(confirm('1300.11'))).toEqual(fault);
    expect(await faultOf(confirm('USD 1300.10'))).toEqual(fault);
    expect(await faultOf(confirm('lots'))).toEqual([
      'usage',
      '"lots" is not an amount. Nothing was recorded.',
      'Give it like 1300.10.',
    ]);
  });

  test('is needed as a flag without a terminal', async () => {
    expect(await faultOf(confirm(undefined))).toEqual([
      'usage',
      'Without a terminal, the amount of the row is needed on a live account. Nothing was recorded.',
      'After checking it yourself, add: --amount 1300.10',
    ]);
  });

  test('is typed by a person, who is told that it stays', async () => {
    const { shell, says, asked } = open({ types: '1300.10' });
    await confirmAmount(amount, undefined, { sandbox: false, shell });
    expect(says()).toEqual([
      'Your answer is recorded in the ledger permanently. Type the amount of the row to continue.',
    ]);
    expect(asked()).toContain('Amount KES');
    expect(await faultOf(confirm(undefined, false, { types: '1' }))).toContain('totals-differ');
  });

  test('is not asked of a person who gave it', async () => {
    const { shell, says } = open({ types: '' });
    await confirmAmount(amount, '1300.10', { sandbox: false, shell });
    expect(says()).toEqual([]);
  });

  test('is declined by a person who leaves', async () => {
    expect(await faultOf(confirm(undefined, false, { leaves: true }))).toEqual([
      'declined',
      'Declined. Nothing was recorded.',
      'Run it again when you are sure.',
    ]);
  });
});
