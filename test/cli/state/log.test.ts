import { existsSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import pino, { type Logger } from 'pino';
import { describe, expect, test, vi } from 'vitest';
import { jsonable } from '../../../src/cli/events/jsonable.ts';
import { openLog } from '../../../src/cli/state/log.ts';
import { loggedText } from '../../../src/domain/msisdn.ts';
import { Secrets } from '../../../src/domain/secrets.ts';
import { kes } from '../../ledger/builders.ts';
import { needs } from '../../support/needs.ts';
import { inTemporaryFolder } from '../../support/temporary-folder.ts';

const NOON = Date.UTC(2026, 10, 20, 12);
const FILE = 'paybatch-20261120.log';

/** What stands in the log of a folder after something was written to it. */
async function logged(home: string, write: (log: Logger) => void): Promise<readonly Record<string, unknown>[]> {
  const log = openLog(home, NOON, new Secrets()).log;
  write(log);
  const file = path.join(home, 'logs', FILE);
  const lines = () => readFileSync(file, 'utf8').split('\n').slice(0, -1);
  await vi.waitFor(() => {
    log.flush();
    expect(lines().length).toBeGreaterThan(0);
  });
  return lines().map((line) => JSON.parse(line));
}

describe('the log', () => {
  test.each(['clientSecret', 'client_secret', 'access_token', 'authorization', 'token'])(
    'never holds a %s, wherever an event has it',
    (name) =>
      inTemporaryFolder(async (home) => {
        const [line] = await logged(home, (log) =>
          log.info({ [name]: 's3cret', account: { [name]: 's3cret', clientId: 'acme' }, type: 'start' }),
        );
        expect(line).toMatchObject({
          [name]: '[secret]',
          account: { [name]: '[secret]', clientId: 'acme' },
          type: 'start',
        });
        expect(readFileSync(path.join(home, 'logs', FILE), 'utf8')).not.toContain('s3cret');
      }),
  );

  test('is one file for each day, named by it, for its owner alone, and says which process wrote', () =>
    inTemporaryFolder(async (home) => {
      const [line] = await logged(home, (log) => log.info({ type: 'start' }));
      expect(line).toMatchObject({ pid: process.pid });
      expect(line).not.toHaveProperty('hostname');
      expect(readdirSync(path.join(home, 'logs'))).toEqual([FILE]);
      if (process.platform === 'win32') return;
      expect(statSync(path.join(home, 'logs')).mode & 0o777).toBe(0o700);
      expect(statSync(path.join(home, 'logs', FILE)).mode & 0o777).toBe(0o600);
    }));

  test('is none where no folder can be made, and whoever writes to it goes on', () =>
    inTemporaryFolder(async (home) => {
      const log = openLog(path.join(home, 'a\0b'), NOON, new Secrets()).log;
      expect(() => log.info({ type: 'start' })).not.toThrow();
      expect(readdirSync(home)).toEqual([]);
      expect(log.level).toBe('silent');
    }));

  test('makes the folders that it needs', () =>
    inTemporaryFolder(async (home) => {
      const inside = path.join(home, 'not', 'there');
      await logged(inside, (log) => log.info({ type: 'start' }));
      expect(readdirSync(path.join(inside, 'logs'))).toEqual([FILE]);
    }));

  test('hides no bug behind its silence', () =>
    inTemporaryFolder(async (home) => {
      expect(() => openLog(home, Number.NaN, new Secrets())).toThrow(RangeError);
    }));

  test('is given up on a full disk, and whoever writes to it goes on', (context) => {
    needs(existsSync('/dev/full'), 'a disk that is always full (/dev/full)')(context);
    return inTemporaryFolder(async (home) => {
      const { log } = openLog(home, NOON, new Secrets(), () => openSync('/dev/full', 'w'));
      const destination = (log as unknown as Record<symbol, { destroyed: boolean }>)[pino.symbols.streamSym];
      log.info({ type: 'start' });
      await vi.waitFor(() => expect(destination?.destroyed).toBe(true));
      expect(() => log.info({ type: 'end' })).not.toThrow();
    });
  });
});

describe('a value for JSON lines', () => {
  const event = {
    phone: '+254712345678',
    amounts: [kes(150_050n), { count: 2n }],
    at: NOON,
    done: true,
    nothing: null,
  };

  test('has money as decimal text with its currency, and other whole numbers as text', () => {
    expect(jsonable(event)).toEqual({
      phone: '+254712345678',
      amounts: [{ amount: '1500.50', currency: 'KES' }, { count: '2' }],
      at: NOON,
      done: true,
      nothing: null,
    });
  });

  test('has numbers of people masked wherever they stand, as the log keeps it', () => {
    expect(jsonable({ ...event, people: [{ phone: '0733000111' }] }, loggedText)).toMatchObject({
      phone: '+2547•••••678',
      people: [{ phone: '0733•••111' }],
      amounts: [{ amount: '1500.50', currency: 'KES' }, { count: '2' }],
    });
  });

  test('says of a row which it is and how much, and nothing that tells whose, as the log keeps it', () => {
    const largest = [{ row: 10, cell: 'K10', name: 'Jane Wanjiku', to: 'Till 512345', amount: kes(150_050n) }];
    const issue = { code: 'PB-NAME', row: 2, value: '0712 345 678', parameters: { heading: 'Name', sent: 'Ali' } };
    expect(jsonable({ largest, issue }, loggedText)).toEqual({
      largest: [
        {
          row: 10,
          cell: 'K10',
          name: 'J••• W••••••',
          to: 'T••• •••345',
          amount: { amount: '1500.50', currency: 'KES' },
        },
      ],
      issue: { code: 'PB-NAME', row: 2, value: '•••• ••• •••', parameters: { heading: 'Name', sent: 'A••' } },
    });
  });

  test('has its evidence whole, though half of all hashes hold a number as long as that of a phone', () => {
    const head = { type: 'ledger.head', seq: 14, hash: 'ab0712345678cd', key: '0712345678', signature: '0712345678' };
    expect(jsonable(head, loggedText)).toEqual(head);
  });

  test('holds an object with a text called minor as it is', () => {
    expect(jsonable({ minor: 'yes' })).toEqual({ minor: 'yes' });
  });
});
