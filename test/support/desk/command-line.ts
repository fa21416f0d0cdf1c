/** The command line in this process: a desk with its own folder, state and environment, and what a command said there. */

import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { runCli } from '../../../src/cli/cli.ts';
import { trust } from '../../../src/cli/config/belief.ts';
import { readConfigFile } from '../../../src/cli/config/config-file.ts';
import { eventMistake } from '../../../src/cli/events/event-schema.ts';
import type { Streams } from '../../../src/cli/screens/terminal.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import { systemClock, systemRandom } from '../../../src/system.ts';
import { Remembering } from './page.ts';

export const SAMPLES = path.join(import.meta.dirname, '..', '..', '..', 'samples');

/** The sheets among them, by name: what somebody keeps in that folder is no sample. */
export const sampleSheets = ['all-kinds.csv', 'payroll.xlsx', 'suppliers.csv'] as const;

/** One line of `--json`. */
export type JsonLine = Readonly<Record<string, unknown>>;

export interface Said {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Lines of stdout, without the empty one at its end. */
  readonly lines: readonly string[];
}

export interface Choice {
  readonly env?: Readonly<Record<string, string>>;
  /** Folder below the desk's own that the command is called in. */
  readonly cwd?: string;
  readonly signal?: AbortSignal;
  /** What stands on stdin; nothing when missing. */
  readonly input?: string;
  /** Output streams that say they are terminals; nobody can be asked all the same. */
  readonly animated?: boolean;
  /** Sees every text as it is written to stdout. */
  readonly onOutput?: (text: string) => void;
}

/** Stops a run, as Ctrl-C does, when everything is recorded and nothing is sent. */
export function stoppedOncePlanned(): Pick<Choice, 'signal' | 'onOutput'> {
  const stop = new AbortController();
  return {
    signal: stop.signal,
    onOutput: (text) => text.includes('"batch.planned"') && stop.abort('SIGINT'),
  };
}

export class Desk {
  readonly folder: string;
  /** State folder: ledgers, practice books, logs. It does not exist until a command makes it. */
  readonly home: string;
  readonly env: Record<string, string>;
  readonly #clock: Clock;
  /** Given by every run that gives no name itself. */
  #batch: string | undefined;

  constructor(folder: string, clock: Clock) {
    this.folder = folder;
    this.#clock = clock;
    this.home = path.join(folder, 'home');
    this.env = { PAYBATCH_HOME: this.home, PAYBATCH_KEYS: path.join(folder, 'keys') };
  }

  path(...names: string[]): string {
    return path.join(this.folder, ...names);
  }

  async write(name: string, content: string | Uint8Array): Promise<string> {
    const file = this.path(name);
    await mkdir(path.dirname(file), { recursive: true });
    // Whatever the umask of who runs the tests: nobody else may write to what is to be believed, or read a secret.
    await writeFile(file, content, { mode: 0o600 });
    return file;
  }

  /** Writes a configuration that counts from now on, as an operator names his own: it is believed without being trusted first. */
  async writeConfig(config: object): Promise<string> {
    const file = await this.write('paybatch.config.json', JSON.stringify(config));
    this.env['PAYBATCH_CONFIG'] = file;
    return file;
  }

  /** Writes one that lies in a folder for whoever comes along, and trusts it through the real store. */
  async layConfig(config: object, folder = ''): Promise<string> {
    const file = await this.write(path.join(folder, 'paybatch.config.json'), JSON.stringify(config));
    const { sha256 } = readConfigFile({ path: file, by: 'found' });
    trust(this.home, { file, sha256, at: '2026-11-02T08:00:00.000Z', by: 'finance' });
    return file;
  }

  /** From now on the commands pay by the account of this environment, and a run that gives no name gives the batch `pay`: a live one needs a name. */
  payBy(account: Readonly<Record<string, string>>): void {
    Object.assign(this.env, account);
    this.#batch = 'pay';
  }

  /** What is typed here for a command. */
  typed(argv: readonly string[]): readonly string[] {
    const isNameless = argv[0] === 'run' && !argv.includes('--batch');
    return isNameless && this.#batch !== undefined ? [...argv, '--batch', this.#batch] : argv;
  }

  /** Copies the sample sheets beside the desk's other files. */
  async takeSamples(): Promise<void> {
    for (const name of sampleSheets) await cp(path.join(SAMPLES, name), this.path(name));
  }

  /** Runs one command in this process. */
  async say(argv: readonly string[], choice: Choice = {}): Promise<Said> {
    const stdout = new Remembering(choice.animated === true, choice.onOutput);
    const stderr = new Remembering(choice.animated === true);
    // The command line asks of its streams no more than these have.
    const stdin = Object.assign(Readable.from([choice.input ?? '']), { isTTY: false });
    const streams = { stdin, stdout, stderr } as unknown as Streams;
    const exit = await runCli({
      argv: this.typed(argv),
      env: { ...this.env, ...choice.env },
      cwd: this.path(choice.cwd ?? ''),
      streams,
      clock: this.#clock,
      random: systemRandom,
      signal: choice.signal ?? new AbortController().signal,
      version: '0.0.0-test',
    });
    return saidOf(exit, stdout.text, stderr.text);
  }

  /** Runs one command with `--json`; every line must parse, and carry the version. */
  async emit(argv: readonly string[], choice: Choice = {}): Promise<Told> {
    return toldOf(await this.say([...argv, '--json'], choice));
  }
}

export interface Told extends Said {
  readonly events: readonly JsonLine[];
  readonly end: EndLine;
  /** The fault, when one was told. */
  readonly fault: JsonLine | undefined;
}

/** The last line of `--json`. */
export interface EndLine extends JsonLine {
  readonly exit: number;
  readonly batch: string | null;
  readonly rows: Readonly<Record<string, number>>;
  readonly amounts: readonly Readonly<Record<string, string>>[];
  readonly files: readonly { readonly kind: string; readonly path: string }[];
}

export const saidOf = (exit: number, stdout: string, stderr: string): Said => ({
  exit,
  stdout,
  stderr,
  lines: stdout === '' ? [] : stdout.replace(/\n$/, '').split('\n'),
});

export function toldOf(said: Said): Told {
  const events = said.lines.map((line) => JSON.parse(line) as JsonLine);
  // Whatever a test is about: each line is as the schema says that programs rely on.
  const mistakes = new Set(events.map(eventMistake).filter((mistake) => mistake !== undefined));
  if (mistakes.size > 0) throw new Error(`not as the schema of events says:\n${[...mistakes].join('\n')}`);
  return {
    ...said,
    events,
    end: events.at(-1) as EndLine,
    fault: events.find(({ type }) => type === 'fault'),
  };
}

/** A desk of the test's own, cleared away after it. The clock is that of the commands in this process. */
export async function openDesk(clock: Clock = systemClock): Promise<Desk> {
  const folder = await mkdtemp(path.join(tmpdir(), 'paybatch-desk-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  return new Desk(folder, clock);
}
