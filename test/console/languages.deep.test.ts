/** The pages in Swahili and French: nothing that we say is left in English. */
import { expect, test } from 'vitest';
import { quickWaits } from '../support/desk/account.ts';
import { openApprovalOffice } from '../support/desk/approval-desk.ts';
import { type Desk, openDesk } from '../support/desk/command-line.ts';
import { startConsole } from '../support/desk/console-desk.ts';
import { planOnly } from '../support/desk/live-office.ts';
import { csvOf, people, type SheetLine } from '../support/desk/payroll-sheet.ts';

/** Seven people: row 2 is paid; the others are rejected, time out, stay pending, are refused, fail, and are never final. */
const lines: readonly SheetLine[] = people(7).map((line, at) =>
  at === 0 ? line : { ...line, phone: `+2547120000${['', '01', '02', '03', '04', '08', '09'][at]}` },
);

async function practised(): Promise<{ desk: Desk; pages: readonly string[] }> {
  const desk = await openDesk();
  await desk.write('pay.csv', csvOf(lines));
  await desk.writeConfig({
    profiles: { sandbox: { ...quickWaits, polling: { firstMs: 20, maxMs: 100, deadlineMs: 500 } } },
  });
  const { end } = await desk.emit(['run', 'pay.csv', '--scenario', 'settle-min=10,settle-max=20']);
  const id = String(end.batch);
  const bad = people(12).map((line, row) =>
    row % 4 === 1 ? { ...line, phone: '12' } : row % 4 === 3 ? { ...line, amount: '1.500' } : line,
  );
  await desk.write('bad.csv', csvOf(bad));
  await desk.write('good.csv', csvOf(people(5).map((line, row) => ({ ...line, amount: `${2000 + row}.00` }))));
  await desk.write('twice.csv', csvOf([...people(2), ...people(1)].map(({ reference: _, ...line }) => line)));
  await desk.write(
    'held.csv',
    `${csvOf(people(3)).replace('Amount', 'Amount,Hold').replace(/25\n/g, '25,\n')},left the company\n`,
  );
  await desk.write('two.csv', 'name,phone,Salary,Payable\nJane,0712345655,5000,4000\nTom,0712345755,6000,5000\n');
  await desk.emit(['schedule', 'add', 'payroll', '--sheet', '{period}.csv', '--on', 'last weekday', '--at', '09:00']);
  await desk.write('empty/readme.txt', '');
  return {
    desk,
    pages: [
      ...[
        '',
        'check',
        'check?folder=empty',
        'check?file=bad.csv',
        'check?file=two.csv',
        'check?file=held.csv',
        'check?file=good.csv&show=all',
        'statement',
      ],
      ...[
        'statement?file=good.csv',
        'statement?file=bad.csv',
        'statement?file=twice.csv',
        'running',
        `running?id=${id}`,
      ],
      ...[
        'history',
        'history?search=Person',
        'history?search=nobody',
        `batch?id=${id}`,
        `verify?id=${id}`,
        `unpaid?id=${id}`,
      ],
      ...[2, 3, 4, 5, 6, 7, 8].map((row) => `unpaid/row?id=${id}&row=${row}`),
      `unpaid/retry?id=${id}&row=3&row=7`,
      ...['plans', 'plan/new?file=good.csv', 'settings', 'settings/doctor', 'nothing', 'batch?id=nothing'],
    ],
  };
}

async function paid(): Promise<{ desk: Desk; pages: readonly string[] }> {
  const office = await openApprovalOffice('1000000');
  const { desk } = office;
  await planOnly(desk, people(3));
  await desk.write(
    'next.csv',
    csvOf(people(3).map((line, row) => ({ ...line, amount: `${5000 + row}.00`, phone: line.phone }))),
  );
  await desk.emit(['plan', 'next.csv', '--batch', 'december', '--key', 'mary.key']);
  return {
    desk,
    pages: [
      '',
      'running?id=pay',
      'running',
      'statement?file=next.csv&batch=next',
      'plans',
      'plan?plan=next.december.plan.json',
      'plan/new?file=next.csv',
      'unpaid?id=pay',
    ],
  };
}

/** What a reader sees of a page in its own language, text by text; `marked`: what it says to be in English. */
function textsOf(html: string): { own: readonly string[]; marked: readonly string[] } {
  const body = html.slice(html.indexOf('<body>'));
  const labels = [...body.matchAll(/ aria-label="([^"]*)"/g)].map(([, label = '']) => label);
  const marked = [...body.matchAll(/<span lang="en">([^<]*)<\/span>/g)].map(([, text = '']) => text);
  const others =
    /<span lang="en">[^<]*<\/span>|<bdi>[^<]*<\/bdi>|<(code|pre)\b[^>]*>.*?<\/\1>|<(\w+)[^>]* lang="(?:sw|fr)"[^>]*>.*?<\/\2>/gs;
  const own = body.replace(others, '<').split(/<[^>]*>/);
  return { own: [...own, ...labels].map((text) => text.trim()).filter((text) => /\p{L}{2}/u.test(text)), marked };
}

/** Names, codes and units that are the same in every language; the French words that English has, too. */
const SAME =
  /^(?:SANDBOX|OK|Code|Total|Total KES.*|Pages|PB-[A-Z-]+ \(\d+\)|Page \d.*|Node\.js|Configuration|Ledger|Service|Routes|Plans|[\d.,]+ KES|(?:[A-Z]{3} [\d.,]+,? ?)+|Index|SHA-256)$/;

/** Pages that show what a command of the terminal says, which is English there as well. */
const FROM_COMMANDS = /^(?:settings|batch\?id=nothing)/;
/** Words of the service, and of who decided, are theirs. */
const SAID_BY_OTHERS =
  /^(?:Declined\.|HTTP \d+:|PhoneNumber:|The PhoneNumber field|Invalid credit account|Timed Out\.|Pending\.|On Hold\.|The practice service|[A-Z]\w+, .*\.)/;

const LANGUAGES = ['sw', 'fr'] as const;

test.each([
  ['a rehearsal', practised],
  ['real money', paid],
] as const)('no page of %s shows an English sentence that is ours', async (_, open) => {
  const { desk, pages } = await open();
  const english = await (await startConsole(desk)).enter();
  const before = new Map<string, ReadonlySet<string>>();
  for (const page of pages) before.set(page, new Set(textsOf((await english.ask(page)).text).own));
  for (const language of LANGUAGES) {
    const other = await (await startConsole(desk, { flags: ['--lang', language] })).enter();
    let read = 0;
    for (const page of pages) {
      const after = (await other.ask(page)).text;
      if (!after.startsWith('<!doctype')) continue;
      expect(after).toContain(`<html lang="${language}">`);
      const { own: said, marked } = textsOf(after);
      expect([page, said.filter((text) => before.get(page)?.has(text) && !SAME.test(text))]).toEqual([page, []]);
      const left = FROM_COMMANDS.test(page) ? [] : marked.filter((text) => !SAID_BY_OTHERS.test(text));
      expect([page, left]).toEqual([page, []]);
      read += said.length;
    }
    expect(read, language).toBeGreaterThan(200);
  }
});
