import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { CALLBACK_BYTES_MAX, Inbox } from '../../src/callbacks/inbox.ts';
import { openDurable } from '../../src/database/sqlite.ts';
import { openSqliteDatabase } from '../../src/database/sqlite-database.ts';
import type { CallbackMessage } from '../../src/domain/fact.ts';
import { temporaryPath } from '../ledger/builders.ts';
import { needsPosix } from '../support/needs.ts';

type Message = Omit<CallbackMessage, 'seq'>;

async function open(path = temporaryPath('callbacks.db')): Promise<Inbox> {
  const inbox = new Inbox(path);
  onTestFinished(() => inbox.close());
  return inbox;
}

function openRaw(path: string) {
  const raw = openDurable(path);
  onTestFinished(() => raw.close());
  return raw;
}

const message = (subject: string, body = `{"originatorConversationId":"${subject}"}`, topic = 'order'): Message => ({
  topic,
  subject,
  receivedAt: 1_795_000_000_000,
  body,
});

const subjectsIn = async (inbox: Inbox, after = 0): Promise<readonly string[]> =>
  (await inbox.since(after, 1000)).map(({ subject }) => subject);

describe('a message in the inbox', () => {
  test('comes back as it was, with its subject in lower case and its place in the order of arrival', async () => {
    const inbox = await open();
    const body = '{ "originatorConversationId": "AB-1",  "name": "Wanjikũ \\u0000 \u{1f600}" }';
    await inbox.add(message('AB-1', body));
    await inbox.add(message('ab-2'));
    expect(await inbox.since(0, 10)).toEqual([
      { ...message('ab-1', body), seq: 1 },
      { ...message('ab-2'), seq: 2 },
    ]);
    expect(await inbox.since(1, 10)).toEqual([{ ...message('ab-2'), seq: 2 }]);
    expect(await inbox.since(0, 1)).toHaveLength(1);
    expect(await inbox.about('AB-1')).toEqual([{ ...message('ab-1', body), seq: 1 }]);
  });

  test('is kept once, whatever the case of its subject; another body, topic or subject is another message', async () => {
    const inbox = await open();
    const answers = [];
    for (const one of [
      message('ab', '{}'),
      message('AB', '{}'),
      message('ab', '{ }'),
      message('ab', '{}', 'bill'),
      message('abc', '{}'),
      message('ab', '{}'),
    ]) {
      answers.push(await inbox.add(one));
    }
    expect(answers).toEqual(['new', 'known', 'new', 'new', 'new', 'known']);
    expect(await subjectsIn(inbox)).toEqual(['ab', 'ab', 'ab', 'abc']);
  });

  test('is kept once when it arrives several times at the same moment, among others', async () => {
    const inbox = await open();
    const all = Array.from({ length: 60 }, (_, index) => message(`id-${index % 40}`));
    const answers = await Promise.all(all.map((one) => inbox.add(one)));
    expect(answers.filter((answer) => answer === 'new')).toHaveLength(40);
    expect(await subjectsIn(inbox)).toEqual(Array.from({ length: 40 }, (_, index) => `id-${index}`));
  });

  test('may have the largest body, and a larger one is a bug of whoever took it in', async () => {
    const inbox = await open();
    const largest = 'é'.repeat(CALLBACK_BYTES_MAX / 2);
    expect(await inbox.add(message('a', largest))).toBe('new');
    expect((await inbox.about('a'))[0]?.body).toBe(largest);
    expect(() => inbox.add(message('a', `${largest}é`))).toThrow();
  });

  test('is on disk when it was added, and before the inbox is closed', async () => {
    const path = temporaryPath('callbacks.db');
    const inbox = await open(path);
    expect(openRaw(path).setting('synchronous')).toBe(2n);
    await inbox.add(message('first'));
    expect(openRaw(path).all('SELECT subject FROM callback')).toEqual([{ subject: 'first' }]);
    const late = inbox.add(message('late'));
    const reader = await open(path);
    await inbox.close();
    expect(await late).toBe('new');
    expect(await subjectsIn(reader)).toEqual(['first', 'late']);
  });
});

describe('an inbox that is open twice', () => {
  test('takes the messages of both, numbers them once, and keeps one message of both once', async () => {
    const path = temporaryPath('callbacks.db');
    const [one, other] = [await open(path), await open(path)];
    const answers = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => [
        await one.add(message(`id-${index}`)),
        await other.add(message(`id-${index + 25}`)),
      ]),
    );
    expect(answers.flat().filter((answer) => answer === 'new')).toHaveLength(75);
    const kept = await other.since(0, 1000);
    expect(kept.map(({ seq }) => seq)).toEqual(Array.from({ length: 75 }, (_, index) => index + 1));
    expect(await one.since(0, 1000)).toEqual(kept);
  });

  test('shows a reader what the other has added since', async () => {
    const path = temporaryPath('callbacks.db');
    const [listener, run] = [await open(path), await open(path)];
    await listener.add(message('a'));
    expect(await subjectsIn(run)).toEqual(['a']);
    await listener.add(message('b'));
    expect(await subjectsIn(run, 1)).toEqual(['b']);
  });
});

describe('an inbox whose folder was cleared', () => {
  beforeEach(needsPosix);

  test('is made anew by the next message, so that others find it', async () => {
    const file = temporaryPath('callbacks.db');
    const listener = await open(file);
    await listener.add(message('before'));
    rmSync(path.dirname(file), { recursive: true });
    expect(await listener.add(message('after'))).toBe('new');
    expect(await listener.add(message('before'))).toBe('new');
    expect(await subjectsIn(await open(file))).toEqual(['after', 'before']);
  });
});

describe('what an inbox keeps', () => {
  test('about one subject is its first hundred messages: who floods it is refused, and pushes nothing out', async () => {
    const inbox = await open();
    const bodyAt = (index: number): string => `{"n":${index}}`;
    const added = Array.from({ length: 130 }, (_, index) => inbox.add(message('one', bodyAt(index))));
    const refused = (await Promise.allSettled(added)).flatMap(({ status }, index) =>
      status === 'rejected' ? [index] : [],
    );
    expect(refused).toEqual(Array.from({ length: 30 }, (_, index) => index + 100));
    await expect(inbox.add(message('one', 'late'))).rejects.toMatchObject({
      code: 'ledger-held',
      message: '100 different callbacks about one request are kept, and no more are accepted about it.',
    });
    // What is kept is acknowledged again, and others find room.
    expect(await inbox.add(message('one', bodyAt(7)))).toBe('known');
    expect(await inbox.add(message('other'))).toBe('new');
    expect((await inbox.about('one')).map(({ body }) => body)).toEqual(
      Array.from({ length: 100 }, (_, at) => bodyAt(at)),
    );
  });

  test('waits for the disk within bounds', async () => {
    const inbox = await open();
    const added = Array.from({ length: 600 }, (_, index) => inbox.add(message(`s-${index}`)));
    const settled = await Promise.allSettled(added);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(512);
    expect(settled.at(-1)).toMatchObject({ reason: { code: 'ledger-held' } });
    expect(await inbox.add(message('s-599'))).toBe('new');
  });

  test('in all is its first 500,000 messages; a further one is refused with what to do', async () => {
    const path = temporaryPath('callbacks.db');
    const inbox = await open(path);
    await Promise.all([message('oldest'), message('second'), message('newest')].map((one) => inbox.add(one)));
    openRaw(path).run(`UPDATE callback SET seq = 499999 WHERE subject = 'newest'`, []);
    expect(await inbox.add(message('last'))).toBe('new');
    await expect(inbox.add(message('next'))).rejects.toMatchObject({
      message: '500000 callbacks are kept, and no more are accepted.',
      remedy: expect.stringContaining(path),
    });
    expect(await inbox.add(message('oldest'))).toBe('known');
    expect((await inbox.since(0, 10)).map(({ subject }) => subject)).toEqual(['oldest', 'second', 'newest', 'last']);
  });
});

describe('an inbox that cannot be written', () => {
  test('rejects every message that waits, and takes them once it can be written again', async () => {
    const path = temporaryPath('callbacks.db');
    const inbox = await open(path);
    await inbox.add(message('before'));
    const raw = openRaw(path);
    raw.exec(`CREATE TRIGGER broken BEFORE INSERT ON callback BEGIN SELECT RAISE(ABORT, 'broken'); END`);
    const unsafe = { code: 'ledger-unsafe' };
    for (let turn = 0; turn < 2; turn++) {
      const answers = await Promise.allSettled([inbox.add(message('a')), inbox.add(message('b'))]);
      expect(answers).toMatchObject([
        { status: 'rejected', reason: unsafe },
        { status: 'rejected', reason: unsafe },
      ]);
    }
    raw.exec('DROP TRIGGER broken');
    expect(await Promise.all([inbox.add(message('a')), inbox.add(message('before'))])).toEqual(['new', 'known']);
    expect(await subjectsIn(inbox)).toEqual(['before', 'a']);
  });

  test('because the disk is full loses nothing that it has said to be kept', async () => {
    const path = temporaryPath('callbacks.db');
    const inbox = await open(path);
    const large = (index: number): Message => message(`id-${index}`, `"${'x'.repeat(60_000)}"`);
    await inbox.add(large(0));
    // The trigger is what a full disk looks like from within one connection: the statement fails, the file is whole.
    openRaw(path).exec(
      `CREATE TRIGGER full BEFORE INSERT ON callback WHEN (SELECT COUNT(*) FROM callback) >= 3
       BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END`,
    );
    const answers = [];
    for (let index = 1; index < 6; index++) {
      answers.push(await inbox.add(large(index)).catch((error: Error) => error.message));
    }
    expect(answers.slice(0, 2)).toEqual(['new', 'new']);
    expect(answers[2]).toContain('disk is full');
    // Opened again, it is refused for the trigger.
    for (const said of answers.slice(3)) expect(said).toContain('tables');
    expect(await subjectsIn(inbox)).toEqual(['id-0', 'id-1', 'id-2']);
  });

  test('because another process writes all the time says so, and takes the next message', async () => {
    const path = temporaryPath('callbacks.db');
    const inbox = await open(path);
    const raw = openRaw(path);
    raw.exec('BEGIN IMMEDIATE');
    await expect(inbox.add(message('a'))).rejects.toMatchObject({ code: 'ledger-held' });
    raw.exec('ROLLBACK');
    expect(await inbox.add(message('a'))).toBe('new');
  });

  test('is refused when it is a database of something else', async () => {
    const path = temporaryPath('callbacks.db');
    await openSqliteDatabase(path, {
      version: 7,
      statements: ['CREATE TABLE note (id INTEGER)'],
      migrations: [],
    }).close();
    expect(() => new Inbox(path)).toThrow(expect.objectContaining({ code: 'ledger-version' }));
  });
});

describe('a body that is forgotten', () => {
  const phone = '254711223355';

  test('is in no byte of the file any more, and its message keeps its place, its time and its subject', async () => {
    const path = temporaryPath('callbacks.db');
    const inbox = await open(path);
    for (const subject of ['a', 'b', 'a']) await inbox.add(message(subject, `{"msisdn":"${phone}","n":"${subject}"}`));
    await inbox.add(message('a', `{"msisdn":"${phone}","n":2}`));
    const asked: unknown[] = [];
    const forgotten = await inbox.forget(async (subject, at) => {
      asked.push([subject, at]);
      return subject === 'a';
    });
    expect(forgotten).toBe(2);
    expect(asked).toEqual(['a', 'b'].map((subject) => [subject, message('').receivedAt]));
    expect((await inbox.since(0, 10)).map(({ seq, subject, body }) => [seq, subject, body !== ''])).toEqual([
      [1, 'a', false],
      [2, 'b', true],
      [3, 'a', false],
    ]);
    expect(await inbox.forget(async () => true)).toBe(1);
    await inbox.close();
    for (const end of ['', '-wal', '-shm']) expect(readFileSync(path + end).includes(phone), end).toBe(false);
  });

  test('is none of a message that came while it was decided', async () => {
    const inbox = await open();
    await inbox.add(message('a', '{"n":1}'));
    const forgotten = await inbox.forget(async () => {
      await inbox.add(message('a', '{"n":2}'));
      return true;
    });
    expect(forgotten).toBe(1);
    expect((await inbox.about('a')).map(({ body }) => body)).toEqual(['', '{"n":2}']);
  });

  test('does not keep the next message from its own place', async () => {
    const inbox = await open();
    await inbox.add(message('a'));
    await inbox.forget(async () => true);
    expect(await inbox.add(message('a'))).toBe('new');
    expect((await inbox.about('a')).map(({ seq }) => seq)).toEqual([1, 2]);
  });
});
