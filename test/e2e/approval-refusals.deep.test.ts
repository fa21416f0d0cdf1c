/** Every way in which a plan is no longer what was approved: each ends with 8, says then and now, and pays nobody. */
import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { readApproverKey } from '../../src/approval/approver-key.ts';
import { decisionText } from '../../src/approval/decision.ts';
import { readPlan } from '../../src/approval/plan.ts';
import { accountIn, paidTraces, play, quickProfile } from '../support/desk/account.ts';
import {
  type ApprovalOffice,
  approveBy,
  approvedBatch,
  configure,
  makePlan,
  openApprovalOffice,
} from '../support/desk/approval-desk.ts';
import type { Told } from '../support/desk/command-line.ts';
import { DAY_MS, totalsOf } from '../support/desk/live-office.ts';
import { passOn } from '../support/desk/pass-on.ts';
import { csvOf, people } from '../support/desk/payroll-sheet.ts';
import { serve } from '../support/loopback.ts';
import { messageNamed } from '../support/spec-messages.ts';

const ROWS = people(3);

const detailsOf = (told: Told): readonly string[] => (told.fault?.['details'] ?? []) as readonly string[];

/** Sets one byte of a file to another one. */
async function nudge(file: string, from: string, to: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  expect(text).toContain(from);
  await writeFile(file, text.replace(from, to));
}

interface Situation {
  readonly what: string;
  /** What happens between the approval and `apply`. */
  readonly meanwhile: (office: ApprovalOffice, plan: string) => Promise<void>;
  readonly code: string;
  /** What the refusal begins with. */
  readonly message?: RegExp;
  /** Lines that name both. */
  readonly says: readonly (string | RegExp)[];
  /** The command to go on with; a new plan when missing. */
  readonly fix?: RegExp;
}

const APPROVAL = /\.json$/;
const approvalOf = (plan: string): string => plan.replace(APPROVAL, '.jane.approval.json');
/** What is left when an approval does not count: another one. */
const OTHER_WORD = /paybatch approve \S+november\.plan\.json --key FILE$/;

/** Does to a text what a mail program may do. */
async function mail(file: string, change: (text: string) => string): Promise<void> {
  const text = await readFile(file, 'utf8');
  expect(change(text)).not.toBe(text);
  await writeFile(file, change(text));
}

/** The command that makes a new plan; of a file that is none nobody knows the sheet. */
const NEW_PLAN =
  /paybatch plan SHEET --batch NAME$|^Make a new plan, .*: paybatch plan \S+pay\.csv --batch november --key FILE(?: --profile other)?$/;

const walletOf = ({ service }: ApprovalOffice) => service.routes.filter(({ currency }) => currency === 'KES');

const situations: readonly Situation[] = [
  {
    what: 'a cell that is not right any more',
    meanwhile: async ({ desk }) => void (await desk.write('pay.csv', csvOf(ROWS).replace('1001.25', '1.001,25.3'))),
    code: 'plan-stale',
    says: [/^The file of the sheet: SHA-256 \w+ then, SHA-256 \w+ now\.$/, /^What it would end with now: /],
  },
  {
    what: 'a row that was left out',
    meanwhile: async ({ desk }) => void (await desk.write('pay.csv', csvOf(ROWS.slice(0, 2)))),
    code: 'plan-stale',
    says: [
      'The payments: 3, KES 3,003.75 then, 2, KES 2,001.50 now.',
      'Row 4: Person 3, +254710000255, KES 1,002.25, charge KES 5.00 then, nothing now.',
    ],
  },
  {
    what: 'a column that is only carried along',
    meanwhile: async ({ desk }) => void (await desk.write('pay.csv', `${csvOf(ROWS)}\n`)),
    code: 'plan-stale',
    says: [/^The file of the sheet: /],
  },
  {
    what: 'another route',
    async meanwhile(office) {
      const [, other] = walletOf(office);
      const route = {
        routeId: other?.routeId ?? '',
        channelType: 1,
        transactionTypeId: other?.transactionTypeId ?? '',
      };
      await configure(office, office.approval, { profile: { routes: { wallet: route } } });
    },
    code: 'plan-stale',
    says: [/^The setting routes\.wallet\.routeId: \S+ then, \S+ now\.$/],
  },
  {
    what: 'a setting of the profile',
    meanwhile: (office) =>
      configure(office, office.approval, { profile: { sending: { linesPerOrder: 2, requestTimeoutMs: 500 } } }),
    code: 'plan-stale',
    says: [
      'The setting sending.linesPerOrder: 1 then, 2 now.',
      /^What is sent for row 3: order \S+ body \w+ then, order /,
    ],
  },
  {
    what: 'another organisation',
    meanwhile: (office) => configure(office, office.approval, { config: { organisation: 'Acme Ltd' } }),
    code: 'plan-stale',
    says: ['The setting organisation: My organisation then, Acme Ltd now.'],
  },
  {
    what: 'a limit that is lower',
    meanwhile: (office) => configure(office, office.approval, { config: { limits: { perBatch: { KES: '3000' } } } }),
    code: 'plan-stale',
    says: ['The setting limits.perBatch.KES: nothing then, 3000 now.', /more than the limit of KES 3,000\.00/],
  },
  {
    what: 'a limit that is higher',
    meanwhile: (office) => configure(office, office.approval, { config: { limits: { perBatch: { KES: '9000' } } } }),
    code: 'plan-stale',
    says: ['The setting limits.perBatch.KES: nothing then, 9000 now.'],
  },
  {
    what: 'a byte of the approval',
    meanwhile: (_, plan) => nudge(approvalOf(plan), '"signature": "', '"signature": "x'),
    code: 'plan-stale',
    says: [/jane\.approval\.json: is not as it was signed\./],
    fix: OTHER_WORD,
  },
  {
    what: 'a space in the approval',
    meanwhile: (_, plan) => nudge(approvalOf(plan), '"v": 1', '"v":  1'),
    code: 'plan-stale',
    says: [/jane\.approval\.json: is not as it was signed\./],
    fix: OTHER_WORD,
  },
  {
    what: 'line ends of the approval that a mail program changed',
    meanwhile: (_, plan) => mail(approvalOf(plan), (text) => text.replaceAll('\n', '\r\n')),
    code: 'plan-stale',
    says: [/jane\.approval\.json: is not as it was signed: its line ends were changed on its way \(CRLF\)\./],
    fix: OTHER_WORD,
  },
  {
    what: 'an approval of another plan of the same batch',
    async meanwhile(office, plan) {
      const other = await makePlan(office, people(2), '--key', 'mary.key', '--out', office.desk.path('other'));
      await writeFile(approvalOf(plan), await readFile(await approveBy(office, 'jane', other)));
      await office.desk.write('pay.csv', csvOf(ROWS));
    },
    code: 'plan-stale',
    says: [/jane saw another plan, SHA-256 \w+ then, \w+ now\./],
    fix: OTHER_WORD,
  },
  {
    what: 'line ends of the plan that a mail program changed',
    meanwhile: (_, plan) => mail(plan, (text) => text.replaceAll('\n', '\r\n')),
    code: 'plan-refused',
    says: [],
    fix: /^Have it sent again, inside a ZIP file\./,
  },
  {
    what: 'a program that wrote the plan with other spaces',
    meanwhile: (_, plan) => mail(plan, (text) => JSON.stringify(JSON.parse(text), undefined, 2)),
    code: 'plan-refused',
    says: [],
  },
  {
    what: 'a file that would take all memory in the place of the plan',
    meanwhile: (_, plan) => writeFile(plan, '['.repeat(60_000_000)),
    code: 'plan-refused',
    says: [],
  },
  {
    what: 'a byte of the plan',
    meanwhile: (_, plan) => nudge(plan, '"notice": "This', '"notice": "Thus'),
    code: 'plan-refused',
    says: [],
  },
  {
    what: 'a version that nobody knows',
    meanwhile: (_, plan) => nudge(plan, '"v": 1', '"v": 2'),
    code: 'plan-refused',
    says: [],
  },
  {
    what: 'seven days',
    meanwhile: async ({ clock }) => clock.pass(7 * DAY_MS),
    code: 'plan-stale',
    says: [/^The plan has expired: it was valid until \S+, and it is \S+ now\.$/],
  },
  {
    what: 'an approver who was removed',
    async meanwhile(office) {
      const { ali = '' } = office.keys;
      await configure(office, { ...office.approval, approvers: { ali } });
    },
    code: 'plan-stale',
    message: /^Something next to the plan does not count as an approval\./,
    says: [/jane approved it at \S+ with the key \S+ then, and is not an approver now\./],
    fix: OTHER_WORD,
  },
  {
    what: 'an approver who has another key',
    async meanwhile(office) {
      const { ali = '', mary = '' } = office.keys;
      await configure(office, { ...office.approval, approvers: { ali, jane: mary } });
    },
    code: 'plan-stale',
    says: [/jane approved it at \S+ with the key \S+ then, and has the key \S+ now\./],
    fix: OTHER_WORD,
  },
  {
    what: 'a person who declined it',
    async meanwhile({ desk }, plan) {
      const no = ['decline', plan, '--key', 'ali.key', '--reason', 'Person 2 has left'];
      expect((await desk.emit(no)).exit).toBe(0);
    },
    code: 'plan-stale',
    message: /^This plan was declined\./,
    says: [/ali declined it at \S+: Person 2 has left\./],
  },
];

describe('apply, once something is not as it was approved:', () => {
  test.each(situations.map((one) => [one.what, one] as const))(
    '%s',
    async (_, { meanwhile, code, message = /./, says, fix = NEW_PLAN }) => {
      const office = await openApprovalOffice();
      const plan = await approvedBatch(office, ROWS);
      await meanwhile(office, plan);
      const told = await office.desk.emit(['apply', plan]);
      expect(told).toMatchObject({
        exit: 8,
        fault: { code, message: expect.stringMatching(message), fix: expect.stringMatching(fix) },
      });
      const details = detailsOf(told);
      for (const line of says) {
        expect(details).toContainEqual(typeof line === 'string' ? line : expect.stringMatching(line));
      }
      expect(office.service.books().orders).toEqual([]);
      expect((await office.desk.emit(['history'])).stdout).not.toContain('november');
    },
  );

  test('a charge of the service', async () => {
    const office = await openApprovalOffice();
    const { desk, service } = office;
    let factor = 1;
    const dearer = (answer: string): string =>
      answer.replace(
        /"(value|minimumCharge|maximumCharge)":(\d+)/g,
        (_, name, fee) => `"${name}":${Number(fee) * factor}`,
      );
    const { url } = await serve((request, response) =>
      passOn(service.url, request, response, request.path.includes('charge') ? dearer : undefined),
    );
    desk.payBy(accountIn({ ...service, url }));
    const plan = await approvedBatch(office, ROWS);
    factor = 3;
    const told = await desk.emit(['apply', plan]);
    expect(told).toMatchObject({ exit: 8, fault: { code: 'plan-stale' } });
    expect(detailsOf(told)).toContain(
      'Row 2: Person 1, +254710000055, KES 1,000.25, charge KES 5.00 then, Person 1, +254710000055, KES 1,000.25, charge KES 15.00 now.',
    );
    expect(service.books().orders).toEqual([]);
    factor = 1;
    expect((await desk.emit(['apply', plan])).exit).toBe(0);
  });

  test('the profile that it is applied under', async () => {
    const office = await openApprovalOffice();
    const { desk, service, approval } = office;
    const plan = await approvedBatch(office, ROWS);
    const secretFile = await desk.write('client-secret', service.clientSecret);
    const profile = { ...quickProfile(service.routes, 40_000), approval };
    const account = { baseUrl: service.url, clientId: service.clientId, clientSecretFile: secretFile };
    await desk.writeConfig({ profiles: { other: { ...profile, ...account } } });
    for (const name of Object.keys(accountIn(service))) delete desk.env[name];
    const told = await desk.emit(['apply', plan, '--profile', 'other']);
    expect(told).toMatchObject({ exit: 8, fault: { code: 'plan-stale', fix: expect.stringMatching(NEW_PLAN) } });
    expect(detailsOf(told)).toContain('The setting profile: env then, other now.');
    const practised = await desk.emit(['apply', plan, '--profile', 'sandbox']);
    expect(practised).toMatchObject({ exit: 8, fault: { code: 'plan-stale' } });
    expect(detailsOf(practised)).toContain('The setting profile: env then, sandbox now.');
    expect(service.books().orders).toEqual([]);
  });

  test('a row that another batch has paid since', async () => {
    const office = await openApprovalOffice('1500');
    const { desk, service } = office;
    const many = people(40);
    const plan = await approvedBatch(office, many);
    await desk.write('one.csv', csvOf(many.slice(0, 1).map(({ reference: _, ...row }) => row)));
    const paid = await desk.emit(['run', 'one.csv', '--batch', 'advance', ...totalsOf(many.slice(0, 1))]);
    expect(paid.exit).toBe(0);
    const told = await desk.emit(['apply', plan]);
    expect(told).toMatchObject({ exit: 8, fault: { code: 'plan-stale' } });
    expect(detailsOf(told)).toContainEqual(
      expect.stringMatching(/^Payments that batch advance holds: nothing then, 1 \(row \d+, Person 1\) now\.$/),
    );
    expect(service.books().orders).toHaveLength(1);
  });
});

describe('apply of what was paid already', () => {
  test('refuses the same plan, a copy of it, and another plan of the batch, and says which command tells more', async () => {
    const office = await openApprovalOffice();
    const { desk, service } = office;
    const plan = await approvedBatch(office, ROWS);
    office.clock.pass(1000);
    const other = await makePlan(office, ROWS, '--key', 'mary.key');
    await approveBy(office, 'ali', other);
    expect(await readFile(other, 'utf8')).not.toBe(await readFile(plan, 'utf8'));
    const copy = desk.path('copy', 'november.plan.json');
    await desk.write('copy/november.plan.json', await readFile(plan));
    await desk.write('copy/november.plan.jane.approval.json', await readFile(approvalOf(plan)));
    expect((await desk.emit(['apply', plan])).exit).toBe(0);
    for (const again of [plan, copy, other]) {
      const told = await desk.emit(['apply', again]);
      expect(told).toMatchObject({ exit: 8, fault: { code: 'already-paid' } });
      expect(told.fault?.['fix']).toContain('paybatch status november');
    }
    expect(service.books().orders.map(({ posts }) => posts)).toEqual(ROWS.map(() => 1));
  });
});

describe('apply without a right approval', () => {
  test('by the maker’s own key under another name', async () => {
    const office = await openApprovalOffice();
    const { desk, service } = office;
    const plan = await makePlan(office, ROWS, '--key', 'jane.key');
    // The command refuses it, so the file is made by hand: jane's own key signs as jane.
    expect(await desk.emit(['approve', plan, '--key', 'jane.key'])).toMatchObject({ fault: { code: 'not-approved' } });
    const jane = readApproverKey(await readFile(desk.path('jane.key'), 'utf8'), undefined);
    if (typeof jane === 'string') throw new Error(jane);
    const forged = decisionText(readPlan(await readFile(plan)), jane, { decision: 'approved', now: Date.now() });
    await desk.write('jane.approval.json', forged);
    const told = await desk.emit(['apply', plan, '--approval', 'jane.approval.json']);
    expect(told).toMatchObject({ exit: 8, fault: { code: 'plan-stale' } });
    expect(detailsOf(told)[0]).toContain('jane approved it, and made it with the same key');
    expect(service.books().orders).toEqual([]);
  });

  test('by nobody, by a stranger, or of a plan that nobody signed', async () => {
    const office = await openApprovalOffice();
    const { desk, service } = office;
    const plan = await makePlan(office, ROWS, '--key', 'mary.key');
    expect(await desk.emit(['apply', plan])).toMatchObject({ exit: 8, fault: { code: 'not-approved' } });
    await desk.say(['approver', 'create', 'jane', '--key', 'stranger.key', '--no-passphrase']);
    await desk.emit(['approve', plan, '--key', 'stranger.key']);
    expect(await desk.emit(['apply', plan])).toMatchObject({ exit: 8, fault: { code: 'plan-stale' } });
    // Made where the profile does not say so: here, no such plan is made.
    await configure(office, { ...office.approval, makerKey: false });
    const unsigned = await makePlan(office, ROWS, '--out', desk.path('elsewhere'));
    await configure(office, office.approval);
    await approveBy(office, 'jane', unsigned);
    const told = await desk.emit(['apply', unsigned]);
    expect(told).toMatchObject({ exit: 8, fault: { code: 'not-approved' } });
    expect(told.fault?.['message']).toContain('pays only plans that their maker has signed');
    expect(service.books().orders).toEqual([]);
  });

  test('two at once pay it once', async () => {
    const office = await openApprovalOffice();
    const plan = await approvedBatch(office, ROWS);
    const both = await Promise.all([1, 2].map(() => office.desk.emit(['apply', plan])));
    const exits = both.map(({ exit }) => exit).toSorted((a, b) => a - b);
    expect(exits[0]).toBe(0);
    expect([8, 75]).toContain(exits[1]);
    expect(office.service.books().orders).toHaveLength(ROWS.length);
  });
});

describe('ways around a plan', () => {
  test('are neither another attempt at what failed, nor a single call', async () => {
    const office = await openApprovalOffice();
    const { desk, service } = office;
    const plan = await approvedBatch(office, ROWS);
    await play(service, 'reject=1,settle-min=20,settle-max=80');
    expect(await desk.emit(['apply', plan])).toMatchObject({ exit: 6, end: { rows: { rejected: 3 } } });
    await play(service, 'settle-min=20,settle-max=80');
    const retried = await desk.emit(['retry', 'november', ...totalsOf(ROWS)]);
    expect(retried).toMatchObject({ exit: 8, fault: { code: 'not-approved' } });
    expect(retried.fault?.['fix']).toContain('paybatch plan SHEET');
    const input = JSON.stringify(messageNamed('new-order-wallet').request.body);
    const call = ['api', 'submit-order', '--data', '-', '--confirm', 'submit-order'];
    const called = await desk.emit(call, { input });
    expect(called).toMatchObject({ exit: 8, fault: { code: 'not-approved' } });
    expect(service.books().orders).toHaveLength(ROWS.length);
    expect(paidTraces(service.books())).toEqual([]);
  });
});

describe('other approvers than those in force', () => {
  async function changed(): Promise<ApprovalOffice> {
    const office = await openApprovalOffice();
    expect((await office.desk.emit(['apply', await approvedBatch(office, ROWS)])).exit).toBe(0);
    const { mary = '' } = office.keys;
    await configure(office, { tiers: [{ above: { KES: '1000000' }, required: 1 }], approvers: { mary } });
    return office;
  }

  test('pay nothing, until one of before has signed', async () => {
    const office = await changed();
    const { desk, service } = office;
    const more = people(5).slice(4);
    await desk.write('more.csv', csvOf(more));
    const run = ['run', 'more.csv', '--batch', 'more', ...totalsOf(more)];
    const refused = await desk.emit(run);
    expect(refused).toMatchObject({ exit: 8, fault: { code: 'not-approved' } });
    expect(detailsOf(refused)).toContainEqual(
      expect.stringMatching(/^approval\.approvers\.jane: \S+ then, nothing now\.$/),
    );
    expect(await desk.emit(['approver', 'change', '--key', 'mary.key'])).toMatchObject({ exit: 8 });
    expect((await desk.emit(run)).exit).toBe(8);
    expect(service.books().orders).toHaveLength(ROWS.length);
    expect(await desk.emit(['approver', 'change', '--key', 'jane.key'])).toMatchObject({ exit: 0 });
    expect((await desk.emit(run)).exit).toBe(0);
    expect((await desk.say(['verify'])).exit).toBe(0);
  });

  test('or none at all, are no way around them', async () => {
    const office = await changed();
    await configure(office, undefined);
    const more = people(5).slice(4);
    await office.desk.write('more.csv', csvOf(more));
    const told = await office.desk.emit(['run', 'more.csv', '--batch', 'more', ...totalsOf(more)]);
    expect(told).toMatchObject({ exit: 8, fault: { code: 'not-approved' } });
    expect(office.service.books().orders).toHaveLength(ROWS.length);
  });

  test('need as many signatures as the largest sum does', async () => {
    const office = await openApprovalOffice();
    const { desk, keys } = office;
    const two = { ...office.approval, tiers: [{ above: { KES: '0' }, required: 2 }] };
    await configure(office, two);
    const plan = await approvedBatch(office, ROWS);
    await approveBy(office, 'ali', plan);
    expect((await desk.emit(['apply', plan])).exit).toBe(0);
    await configure(office, { ...two, approvers: { jane: keys['jane'], ali: keys['ali'], mary: keys['mary'] } });
    const first = await desk.emit(['approver', 'change', '--key', 'jane.key']);
    expect(first).toMatchObject({ exit: 8, end: { files: [{ kind: 'signature' }] } });
    const own = first.end.files[0]?.path ?? '';
    expect(await desk.emit(['approver', 'change', '--key', 'jane.key', '--signature', own])).toMatchObject({ exit: 8 });
    const second = await desk.emit(['approver', 'change', '--key', 'ali.key', '--signature', own]);
    expect(second).toMatchObject({ exit: 0, events: [{ type: 'approvers-changed', by: ['jane', 'ali'] }, {}] });
  });
});
