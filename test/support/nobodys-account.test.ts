/** Whoever runs the tests, what they start knows no account: `own-user.deep.test.ts` runs this file for somebody who has one. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { openDesk } from './desk/command-line.ts';
import { paybatchCommand, programEnv } from './desk/program.ts';

const PRACTISES = /^Service +SANDBOX/m;

test('a command in this process rehearses', async () => {
  const desk = await openDesk();
  expect((await desk.say(['whoami'])).stdout).toMatch(PRACTISES);
  expect(await desk.say(['balance'])).toMatchObject({ exit: 0 });
});

test('a command that is started as a program rehearses, with nothing but what all of them inherit', async () => {
  const desk = await openDesk();
  const [node = '', ...args] = paybatchCommand;
  const env = { ...programEnv, PAYBATCH_HOME: desk.home };
  const { stdout } = await promisify(execFile)(node, [...args, 'whoami'], { cwd: desk.folder, env });
  expect(stdout).toMatch(PRACTISES);
});
