import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { openKeychain } from '../../../src/cli/keychain/keychain.ts';
import type { Fault } from '../../../src/domain/fault.ts';
import { needsKeychain, needsNoKeychain, openKeychainSession } from '../../support/desk/keychain-session.ts';
import { needsPosix } from '../../support/needs.ts';

/** Long enough for a keychain that answers, on a machine with much to do. */
const LIMIT_MS = 20_000;
const ACCOUNT = 'acme at https://pay.example';
const SECRET = 'Z k–a+n/a"r\\i\u00e9=';

/** The Fault that asking ends with. */
function faultOf(ask: () => unknown): Partial<Fault> {
  try {
    return { message: `no fault: ${String(ask())}` };
  } catch (error) {
    return error as Fault;
  }
}

describe('the keychain of the system', () => {
  test.for([
    ['SIGTERM', 'terminated', 143],
    ['SIGINT', 'declined', 8],
  ] as const)('asked when %s comes ends with %s: %i', ([signal, code, exit], context) => {
    needsPosix(context);
    // The process that asks gets the signal, as it does when it is sent to all processes of a service or a terminal.
    const env = { NODE_OPTIONS: `--import=data:text/javascript,process.kill(process.pid,%22${signal}%22)` };
    expect(faultOf(() => openKeychain({ env, limitMs: LIMIT_MS }).read(ACCOUNT))).toMatchObject({ code, exit });
  });

  test('keeps a secret to the last character, under its own name alone, and gives it back until it is removed', async (context) => {
    needsKeychain(context);
    const { env, folder } = await openKeychainSession();
    const open = () => openKeychain({ env, limitMs: LIMIT_MS });
    expect(open().read(ACCOUNT)).toBeUndefined();
    open().keep(ACCOUNT, SECRET);
    expect(open().read(ACCOUNT)).toBe(SECRET);
    expect(open().read('acme at https://other.example')).toBeUndefined();
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true });
    const kept = files.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
    expect(kept.filter((file) => readFileSync(file).includes(SECRET))).toEqual([]);
    expect([open().remove(ACCOUNT), open().read(ACCOUNT), open().remove(ACCOUNT)]).toEqual([true, undefined, false]);
  });

  test('that is locked or hangs is no keychain, and one that waits for a person is not waited for without end', async (context) => {
    needsKeychain(context);
    const { env, begin } = await openKeychainSession();
    openKeychain({ env, limitMs: LIMIT_MS }).keep(ACCOUNT, SECRET);
    await begin('locked');
    expect(faultOf(() => openKeychain({ env, limitMs: LIMIT_MS }).read(ACCOUNT))).toMatchObject({
      code: 'configuration',
      message: expect.stringContaining('it is locked, and nobody unlocked it'),
    });
    await begin('frozen');
    expect(faultOf(() => openKeychain({ env, limitMs: LIMIT_MS }).read(ACCOUNT))).toMatchObject({
      code: 'configuration',
      message: expect.stringContaining('it was asked, and gave no answer'),
    });
    await begin('waits for a person');
    expect(faultOf(() => openKeychain({ env, limitMs: 1500 }).read(ACCOUNT))).toMatchObject({
      code: 'configuration',
      message: expect.stringContaining('it did not answer within 1.5 s'),
    });
  });

  test('where there is none is not replaced by the memory of the kernel, and the way on is a file', (context) => {
    needsNoKeychain(context);
    const none = openKeychain({ env: { PATH: '/usr/bin' }, limitMs: LIMIT_MS });
    for (const ask of [() => none.read(ACCOUNT), () => none.keep(ACCOUNT, SECRET)]) {
      const fault = faultOf(ask);
      expect(fault).toMatchObject({
        code: 'configuration',
        message: expect.stringContaining('cannot be used: none is running for this user'),
        remedy: expect.stringContaining('clientSecretFile'),
      });
      expect(`${fault.message} ${fault.remedy}`).not.toContain(SECRET);
    }
  });
});
