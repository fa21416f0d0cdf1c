/** The sample in plain curl against the practice service in a process of its own: a client that shares no code with us. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { Child } from '../support/desk/child.ts';
import { type Desk, openDesk, SAMPLES, type Said, saidOf } from '../support/desk/command-line.ts';
import { needs } from '../support/needs.ts';

const SCRIPT = path.join(SAMPLES, 'curl.sh');
const missing = ['bash', 'curl'].filter((name) => spawnSync(name, ['--version']).status !== 0);

interface Service {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

async function startService(desk: Desk, ...flags: readonly string[]): Promise<Service> {
  const child = new Child(desk, ['sandbox', '--json', ...flags]);
  await child.until(/\n/);
  return JSON.parse(child.stdout.split('\n')[0] ?? '') as Service; // the line that the command promises
}

/** Runs the script in an environment that holds nothing but where programs are. */
async function runScript(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Said> {
  const script = spawn('bash', [SCRIPT, ...args], { env: { PATH: process.env['PATH'] ?? '', ...env } });
  let [stdout, stderr] = ['', ''];
  script.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  script.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const [code] = await once(script, 'close');
  return saidOf(Number(code ?? -1), stdout, stderr);
}

const stepsIn = ({ lines }: Said): readonly string[] => lines.flatMap((line) => /^ ?(\d+) {2}\S/.exec(line)?.[1] ?? []);

describe('the sample in curl', () => {
  beforeEach(needs(missing.length === 0, missing.join(', ')));

  test('goes through the whole service twice, and every step is answered as it should be', async () => {
    const desk = await openDesk();
    const { url, clientId, clientSecret } = await startService(desk);
    const first = await runScript([url, clientId, clientSecret]);
    expect(first.stderr).toBe('');
    expect(first.exit).toBe(0);
    const steps = stepsIn(first);
    expect(steps).toEqual(Array.from({ length: steps.length }, (_, index) => String(index + 1)));
    expect(steps.length).toBeGreaterThan(20);
    expect(first.lines.at(-1)).toBe(`All ${steps.length} steps were answered as they should be.`);

    const environment = { PAYBATCH_BASE_URL: url, PAYBATCH_CLIENT_ID: clientId, PAYBATCH_CLIENT_SECRET: clientSecret };
    const second = await runScript([], environment);
    expect(second.exit).toBe(0);
    expect(second.lines.at(-1)).toBe(first.lines.at(-1));
  });

  test('stops with 1 at the first step that is answered otherwise, and shows the answer', async () => {
    const desk = await openDesk();
    const { url, clientId } = await startService(desk);
    const { exit, stdout, stderr } = await runScript([url, clientId, 'another secret']);
    expect(exit).toBe(1);
    expect(stderr).toContain('expected HTTP 200');
    expect(stderr).toContain('HTTP 401');
    expect(stderr).toContain('invalid_client');
    expect(stdout).not.toContain('as they should be');
  });

  test('stops with 1 when a payment does not come to its end', async () => {
    const desk = await openDesk();
    const { url, clientId, clientSecret } = await startService(desk, '--scenario', 'reject=1');
    const { exit, stderr } = await runScript([url, clientId, clientSecret], { PATIENCE: '2' });
    expect(exit).toBe(1);
    expect(stderr).toContain('did not become Completed');
  });

  test('asks for what it needs', async () => {
    const { exit, stdout, stderr } = await runScript([]);
    expect(exit).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^usage: /);
  });
});
