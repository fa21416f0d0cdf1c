import { userInfo } from 'node:os';
import { describe, expect, test } from 'vitest';
import { postgresAddress, shownAddress } from '../../src/database/postgres/address.ts';
import { numberedText, readerOf, tableText } from '../../src/database/postgres/dialect.ts';

describe('the address of a ledger on PostgreSQL', () => {
  test.each([
    ['postgres://pay@db.example.com/acme', 'verified'],
    ['postgresql://pay@db.example.com:6432/acme?schema=branch', 'verified'],
    ['postgres://pay@localhost/acme', 'off'],
    ['postgres://pay@127.0.0.1/acme?sslmode=verify-full', 'verified'],
    ['postgres://pay@[::1]:5433/acme', 'off'],
    ['postgres://pay@/acme?host=/run/postgresql', 'off'],
  ])('%s reaches its server with TLS %s', (text, tls) => {
    const address = postgresAddress(text);
    expect(address).toMatchObject({ user: 'pay', database: 'acme', tls });
    expect(shownAddress(address).replace('postgres:', '')).toBe(
      text.replace(/^postgres(ql)?:|[?&]sslmode=verify-full/g, ''),
    );
  });

  test('takes the user of the system where it names none', () => {
    expect(postgresAddress('postgres:///acme?host=/run/postgresql').user).toBe(userInfo().username);
  });

  test.each([
    ['mysql://pay:s3cret@db/acme', 'does not begin with postgres://'],
    ['postgres://pay:s3cret@db:port/acme', 'cannot be read'],
    ['postgres://pay:s3cret@/acme', 'names no host'],
    ['postgres://pay:s3cret@db', 'names no database'],
    ['postgres://pay:s3%cret@db/acme', 'a % that does not begin the code of a character'],
    ['postgres://pay:s3cret@db/acme?sslmod=disable', '"sslmod", which is not known'],
    ['postgres://pay:s3cret@db/acme?sslmode=disable', 'turns TLS off'],
    ['postgres://pay:s3cret@localhost/acme?sslmode=require', 'does not verify the server'],
    ['postgres://pay:s3cret@db/acme?sslcert=a.crt', 'one of sslcert and sslkey'],
    ['postgres://pay:s3cret@localhost/acme?sslcert=a.crt&sslkey=a.key', 'uses no TLS'],
    ['postgres://pay:s3cret@db/acme?schema=a"b', 'small letters'],
    ['postgres://pay:s3cret@db/acme?schema=pg_catalog', 'small letters'],
  ])('is refused as %s, without being shown', (text, why) => {
    const read = (): unknown => postgresAddress(text);
    expect(read).toThrow(expect.objectContaining({ code: 'configuration', message: expect.stringContaining(why) }));
    expect(read).not.toThrow(/s3cret/);
  });

  test('is shown without its password, whatever that is made of', () => {
    const address = postgresAddress('postgres://pay:p%40ss%2Fw%3Ard@db/acme');
    expect(address.password).toBe('p@ss/w:rd');
    expect(shownAddress(address)).toBe('postgres://pay@db/acme');
  });
});

describe('the SQL of PostgreSQL', () => {
  test('numbers values, and leaves question marks in texts alone', () => {
    expect(numberedText(`SELECT '?', 'it''s ?' FROM t WHERE a = ? AND b LIKE '%?%' AND c IN (?, ?)`)).toBe(
      `SELECT '?', 'it''s ?' FROM t WHERE a = $1 AND b LIKE '%?%' AND c IN ($2, $3)`,
    );
  });

  test.each([
    ['\\x00615cff', 'as digits'],
    ['\\000a\\\\\\377', 'as characters'],
  ])('gives back the bytes of %s, %s', (sent) => {
    expect([...(readerOf(17)(sent) as Uint8Array)]).toEqual([0x00, 0x61, 0x5c, 0xff]);
  });

  test('says in its own words what the digits of bytes are', () => {
    expect(numberedText('SELECT lower(hex(hash)) AS hash FROM fact WHERE seq = ?')).toBe(
      `SELECT encode(hash, 'hex') AS hash FROM fact WHERE seq = $1`,
    );
  });

  test('gives every integer 64 bits, and every text the order of its bytes', () => {
    expect(tableText('CREATE TABLE t (id INTEGER PRIMARY KEY, at BIGINT, name TEXT NOT NULL)')).toBe(
      'CREATE TABLE t (id BIGINT PRIMARY KEY, at BIGINT, name TEXT COLLATE "C" NOT NULL)',
    );
  });
});
