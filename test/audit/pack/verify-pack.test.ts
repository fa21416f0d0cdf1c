/** An evidence pack of a live batch that people approved: in the hands of an auditor, and before that in those of others. */
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { verifyPack } from '../../../src/audit/pack/verify-pack.ts';
import { approvedBatch, configure, makeKey } from '../../support/desk/approval-desk.ts';
import { type Desk, openDesk } from '../../support/desk/command-line.ts';
import { openOffice, passDays, pay } from '../../support/desk/live-office.ts';
import { people } from '../../support/desk/payroll-sheet.ts';
import {
  changed,
  listed,
  type PackFiles,
  packed,
  packFilesIn,
  partsOf,
  signedAnew,
} from '../../support/evidence-pack.ts';
import { needs } from '../../support/needs.ts';
import { zipBytes } from '../../support/sheets/xlsx-bytes.ts';

/** One of four is rejected by the practice service; an earlier batch of the ledger is somebody else's business. */
async function packedOffice() {
  const office = await openOffice();
  const { desk, service } = office;
  expect((await pay(desk, people(2), '--batch', 'october')).exit).toBe(0);
  passDays(office, 30);
  const [mary = '', jane = ''] = [await makeKey(office, 'mary'), await makeKey(office, 'jane')];
  await configure(office, { makerKey: true, tiers: [{ above: { KES: '0' }, required: 1 }], approvers: { mary, jane } });
  const rows = people(4).map((person, at) => (at === 2 ? { ...person, phone: '0712340001' } : person));
  const plan = await approvedBatch(office, rows);
  const paid = await desk.emit(['apply', plan]);
  const { end, exit } = await desk.emit(['report', 'november', '--format', 'pack']);
  const pack = end.files[0]?.path ?? '';
  return { desk, service, paid, exit, pack, workbook: paid.end.files[0]?.path ?? '' };
}

let made: Promise<{ readonly bytes: Buffer; readonly files: PackFiles }> | undefined;

/** The one pack that all tests change in their own way: paying takes longer than proving. */
function thePack(): NonNullable<typeof made> {
  made ??= packedOffice().then(async ({ pack }) => ({ bytes: await readFile(pack), files: await packFilesIn(pack) }));
  return made;
}

/** Proves a pack where there is neither ledger, key nor account. */
async function toldByAnAuditor(pack: string, ...flags: readonly string[]) {
  const auditor = await openDesk();
  const told = await auditor.emit(['verify', pack, ...flags]);
  const [event] = told.events;
  return { ...told, event, differences: (event?.['differences'] ?? []) as readonly string[] };
}

const jsonLinesIn = (bytes: Buffer | undefined): readonly Readonly<Record<string, unknown>>[] =>
  String(bytes ?? '')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

const written = async (desk: Desk, name: string, bytes: Buffer): Promise<string> => desk.write(name, bytes);

describe('a pack of a live batch', () => {
  test('is proven without ledger, key and account, and agrees with the books of the service', async () => {
    const { pack, paid, exit, service, workbook, desk } = await packedOffice();
    expect(paid).toMatchObject({ exit: 6, end: { rows: { total: 4, completed: 3, rejected: 1 } } });
    expect(exit).toBe(0);
    expect(path.basename(pack)).toBe('pay.november.pack.zip');
    const { event, differences, lines, exit: verified } = await toldByAnAuditor(pack, '--results', workbook);
    expect({ differences, verified, notes: event?.['notes'] }).toEqual({ differences: [], verified: 0, notes: [] });
    expect(lines).toHaveLength(2);

    const files = await packFilesIn(pack);
    made ??= Promise.resolve({ bytes: await readFile(pack), files });
    const summary = JSON.parse(String(files.get('summary.json')));
    const ids = jsonLinesIn(files.get('orders.jsonl')).map(({ id }) => id);
    const records = service
      .books()
      .orders.filter(({ id }) => ids.includes(id))
      .flatMap(({ lines: all }) => all);
    const minor = records.filter(({ status }) => status === 4).reduce((sum, { amount }) => sum + Number(amount), 0);
    expect(Number(summary.outcomes.completed.amount)).toBe(minor);
    expect(summary.outcomes).toMatchObject({ completed: { rows: 3 }, rejected: { rows: 1 } });
    expect(summary.tiesOut.every(({ ties }: { ties: boolean }) => ties)).toBe(true);
    expect(files.get('sheet.csv')?.equals(await readFile(desk.path('pay.csv')))).toBe(true);
    expect([...files.keys()]).toContain('plan.json');
    // Of the other batch there is its name, and no order.
    expect(String(files.get('chains.jsonl'))).toContain('"batch":"october"');
    const others = service.books().orders.filter(({ id }) => !ids.includes(id));
    expect(others).toHaveLength(2);
    for (const { id } of others) for (const bytes of files.values()) expect(bytes.includes(id)).toBe(false);

    // The same bytes again, wherever the clock stands.
    await desk.emit(['report', 'november', '--format', 'pack', '-o', 'again.pack.zip'], { env: { TZ: 'Asia/Tokyo' } });
    expect((await readFile(desk.path('again.pack.zip'))).equals(await readFile(pack))).toBe(true);
  });

  test('is checked by hand with what its page says', async (context) => {
    needs(hasTools(), 'python3, sha256sum and OpenSSL 3')(context);
    const { files } = await thePack();
    const folder = await openDesk().then(({ folder: own }) => own);
    for (const [name, bytes] of files) await writeFile(path.join(folder, name), bytes);
    const page = String(files.get('HOW-TO-CHECK.md'));
    const [, script = ''] = /```python\n(.*?)\n```/s.exec(page) ?? [];
    await writeFile(path.join(folder, 'check.py'), script);
    const run = (command: string): string => execFileSync('sh', ['-c', command], { cwd: folder, encoding: 'utf8' });
    expect(run('python3 check.py')).toMatch(/^\d\d facts, 4 requests: all as the facts say\n$/);
    expect(run('sha256sum -c SHA256SUMS')).not.toMatch(/FAILED/);
    for (const [command = ''] of page.matchAll(/^openssl .*$/gm)) expect(run(command)).toContain('Verified Success');
    // What people signed, in the form that any program of RFC 8785 makes: Python's is the same for names and whole numbers.
    const signatures = `import base64, json
def canonical(value): return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
def kept(name, bytes, signature):
    open(name + ".txt", "wb").write(bytes)
    open(name + ".sig", "wb").write(base64.urlsafe_b64decode(signature + "=="))
approval = json.load(open("approvals.json"))["approvals"][0]
assert canonical(json.loads(approval["text"])) == approval["text"].encode()
open("approver.pem", "w").write(approval["publicKey"])
kept("approval", approval["text"].encode(), approval["signature"])
`;
    await writeFile(path.join(folder, 'signatures.py'), signatures);
    run('python3 signatures.py');
    const verified = 'openssl pkeyutl -verify -pubin -inkey approver.pem -rawin -in approval.txt -sigfile approval.sig';
    expect(run(verified)).toContain('Verified Success');

    const rows = String(files.get('rows.jsonl')).replace('Person', 'Persxn');
    await writeFile(path.join(folder, 'rows.jsonl'), rows === String(files.get('rows.jsonl')) ? `${rows}x` : rows);
    expect(() => run('python3 check.py 2>/dev/null')).toThrow();
  });
});

const hasTools = (): boolean => {
  try {
    execFileSync('sh', ['-c', 'python3 --version && sha256sum --version && openssl version | grep "OpenSSL 3"']);
    return true;
  } catch {
    return false;
  }
};

describe('a pack that somebody changed', () => {
  test('by one byte in a file names that file, and nothing else', async () => {
    const { files } = await thePack();
    const desk = await openDesk();
    const names = [...files.keys()].filter((name) => name !== 'SHA256SUMS' && name !== 'SHA256SUMS.sig');
    expect(names.length).toBeGreaterThan(13);
    for (const name of names) {
      const edited = new Map(files);
      const bytes = Buffer.from(files.get(name) ?? '');
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
      edited.set(name, bytes);
      const { differences } = await verifyPack(await written(desk, 'changed.zip', packed(edited)));
      expect(differences).toEqual([`${name}: was changed (its SHA-256 is not that of SHA256SUMS)`]);
    }
    // The list itself, and the list made to fit: it is signed.
    for (const edited of [
      changed(files, 'SHA256SUMS.sig', (text) => `${text.startsWith('x') ? 'y' : 'x'}${text.slice(1)}`),
      listed(changed(files, 'results.csv', (text) => text.replace('Completed', 'Complated'))),
    ]) {
      const { differences } = await verifyPack(await written(desk, 'changed.zip', packed(edited)));
      expect(differences[0]).toMatch(/^SHA256SUMS: its signature is not that of the key/);
    }
  });

  test('by one byte of the zip never passes', async () => {
    const { bytes, files } = await thePack();
    const desk = await openDesk();
    let named = 0;
    for (let at = 0; at < bytes.length; at += 1201) {
      const edited = Buffer.from(bytes);
      edited[at] = (edited[at] ?? 0) ^ 0x10;
      const file = await written(desk, 'changed.zip', edited);
      const { differences } = await verifyPack(file);
      if (differences.length > 0) named += 1;
      // Dates and the like are looked at by nobody: every file is still what it was.
      else expect(await packFilesIn(file), `byte ${at}`).toEqual(files);
    }
    expect(named).toBeGreaterThan(9);
  });

  test('and signed anew with another key is named by what it says, or by its key', async () => {
    const { files } = await thePack();
    const desk = await openDesk();
    const cases: readonly (readonly [file: string, from: RegExp, to: string, says: RegExp])[] = [
      ['facts.jsonl', /\\"status\\":4/, String.raw`\"status\":7`, /^fact \d+: was changed \(its hash differs\)$/],
      ['facts.jsonl', /"text":"\{/, '"text":"{ ', /^fact \d+: its text was changed$/],
      ['facts.jsonl', /[^\n]+\n$/, '', /^facts\.jsonl: has \d+ facts, and the ledger had \d+ of this batch$/],
      ['facts.jsonl', /\n[^\n]+\n/, '\n', /does not follow the fact before it in batch november$/],
      ['orders.jsonl', /254/, '255', /^orders\.jsonl: its line 1 is not as paybatch writes it$/],
      ['orders.jsonl', /"salt":"[^0]/, '"salt":"0', /differs from its facts in body$/],
      ['orders.jsonl', /^[^\n]+\n/, '', /is missing, but has facts$/],
      ['rows.jsonl', /EMP-/, 'EMQ-', /^row \d+ of batch november: what the sheet said about it was changed$/],
      ['rows.jsonl', /^[^\n]+\n/, '', /^row \d+ of batch november: is missing, but has facts$/],
      ['chains.jsonl', /"hash":"[0-9a-f]/, '"hash":"z', /^chains\.jsonl: its line 1 is not as paybatch writes it$/],
      ['chains.jsonl', /october/, 'octobre', /^chains\.jsonl: the head of the ledger does not follow from it$/],
      ['approvals.json', /jane/, 'joan', /^approvals\.json: does not follow from the facts/],
      ['summary.json', /"rows": 4/, '"rows": 5', /^summary\.json: does not follow from the facts/],
      ['results.csv', /Completed/, 'Complated', /^results\.csv: does not follow from the facts/],
      ['results.jsonl', /\n$/, '\n\n', /^results\.jsonl: says more than follows from the facts$/],
      ['plan.json', /jane|"v": 1/, '"v": 2', /^plan\.json: is not the plan that was approved$/],
      ['sheet.csv', /0712/, '0722', /^sheet\.csv: is not the sheet of the batch$/],
      ['pack.json', /"sandbox": false/, '"sandbox": true', /^pack\.json: says in sandbox what the facts do not say$/],
      ['pack.json', /"facts": \d+/, '"facts": 7', /^pack\.json: says 7 facts, and there are \d+$/],
      ['pack.json', /\{/, '{ ', /^pack\.json: is not as paybatch writes it$/],
    ];
    for (const [file, from, to, says] of cases) {
      const forged = signedAnew(changed(files, file, (text) => text.replace(from, to)));
      const { differences } = await verifyPack(await written(desk, 'forged.zip', packed(forged.files)));
      expect(differences, `${file} ${from}`).toContainEqual(expect.stringMatching(says));
    }
    const other = await packedOffice();
    const foreign = await packFilesIn(other.pack);
    const borrowed = new Map(files);
    for (const name of ['pack.json', 'head.txt', 'head.sig', 'ledger-key.pem', 'chains.jsonl', 'SHA256SUMS.sig'])
      borrowed.set(name, foreign.get(name) ?? Buffer.alloc(0));
    const ofAnother = await verifyPack(await written(desk, 'borrowed.zip', packed(listed(borrowed))));
    expect(ofAnother.differences.join('\n')).toMatch(
      /SHA256SUMS: its signature is not .*\n[\s\S]*fact \d+: was changed/,
    );
    const whole = await written(desk, 'whole.zip', packed(files));
    const besideOther = await toldByAnAuditor(whole, '--results', other.workbook);
    expect(besideOther.differences).toEqual([
      expect.stringMatching(/^the workbook .*: its head does not belong to this ledger$/),
    ]);
    // Nothing was changed, and a stranger vouches for it.
    const strange = await written(desk, 'strange.zip', packed(signedAnew(foreign).files));
    const besideOwn = await toldByAnAuditor(strange, '--results', other.workbook);
    expect(besideOwn.differences).toEqual([
      expect.stringMatching(/no fact of the batch says that the key was changed$/),
    ]);

    const forged = signedAnew(files);
    const file = await written(desk, 'forged.zip', packed(forged.files));
    expect((await verifyPack(file)).differences).toEqual([]);
    const { key } = JSON.parse(String(files.get('pack.json'))).head;
    const { differences, exit } = await toldByAnAuditor(file, '--key', key);
    expect(differences).toEqual([`the pack: was signed with the key ${forged.key}, and not with ${key}`]);
    expect(exit).toBe(10);
  });
});

describe('a file that is no pack as paybatch writes it', () => {
  test('is told in a sentence: cut off, a bomb, a file too many, one too few, one twice, a newer version', async () => {
    const { bytes, files } = await thePack();
    const desk = await openDesk();
    const parts = partsOf(files);
    const without = new Map(files);
    without.delete('rows.jsonl');
    const bomb = parts.map((part) =>
      part.name === 'facts.jsonl' ? { ...part, content: Buffer.alloc(32 * 1024 * 1024) } : part,
    );
    const cases: readonly (readonly [bytes: Buffer, says: readonly string[]])[] = [
      [bytes.subarray(0, bytes.length - 30), ['the pack: is not a zip, or was cut off']],
      [bytes.subarray(0, bytes.length >> 1), ['the pack: is not a zip, or was cut off']],
      [Buffer.from('no zip at all'), ['the pack: is not a zip, or was cut off']],
      [Buffer.alloc(0), ['the pack: is not a zip, or was cut off']],
      [zipBytes(bomb), ['facts.jsonl: unpacks to more than 200 times its size, which only a hostile file does']],
      [zipBytes([...parts, { name: 'more.txt', content: 'x' }]), ['more.txt: does not belong in an evidence pack']],
      [packed(without), ['rows.jsonl: is missing in the pack']],
      [zipBytes([...parts, ...parts.slice(3, 4)]), ['head.sig: is in the pack twice']],
      [
        packed(changed(files, 'SHA256SUMS', (text) => text.replace('pack 1', 'pack 2'))),
        [expect.stringMatching(/^the pack: it has version 2, and this paybatch knows another one/)],
      ],
      [
        zipBytes(Array.from({ length: 40 }, (_, at) => ({ name: `${at}`, content: '' }))),
        [expect.stringMatching(/^the pack: holds more than \d+ files/)],
      ],
      [zipBytes([{ name: '../../etc/passwd', content: 'x' }]), ['the pack: is not a zip, or was cut off']],
    ];
    for (const [content, says] of cases) {
      const { differences } = await verifyPack(await written(desk, 'other.zip', content));
      expect(differences).toEqual(says);
    }
    expect(await toldByAnAuditor(desk.path('nowhere.zip'))).toMatchObject({ exit: 2, fault: { code: 'usage' } });
    expect(await toldByAnAuditor('november', '--key', 'k')).toMatchObject({ exit: 2, fault: { code: 'usage' } });
  });
});
