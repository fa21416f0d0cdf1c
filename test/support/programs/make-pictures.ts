/**
 * Makes the pictures of the documentation from real runs in a terminal of 80 columns and 24 lines: `npm run pictures`. It needs tmux.
 * The account is a practice service of its own process. Of what is shown, three things are written otherwise: the address of
 * that service, which has another port each time, the name of the account, and the folder.
 */
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { terminalSvg } from '../pages/terminal-svg.ts';

const ROOT = path.join(import.meta.dirname, '..', '..', '..');
const PICTURES = path.join(ROOT, 'src', 'docs', 'pictures');
const [COLUMNS, ROWS] = [80, 24];
const LONGEST_MS = 40_000;
/** The shell waits for the next command. */
const PROMPT = /\n\$\s*$/;
const END = /\nNext [\s\S]*\n\$\s*$/;

/** A short path, as people have: a long one would fold where theirs does not. */
const folder = mkdtempSync('/tmp/pb-');
const desk = path.join(folder, 'Payroll');
mkdirSync(desk);
const own = path.join(folder, 'own');
mkdirSync(own, { mode: 0o700 });
writeFileSync(
  path.join(own, 'paybatch'),
  `#!/bin/sh\nexec '${process.execPath}' '${path.join(ROOT, 'src/main.ts')}' "$@"\n`,
  {
    mode: 0o755,
  },
);
const env = {
  PATH: `${own}:/usr/bin:/bin`,
  HOME: folder,
  TERM: 'xterm-256color',
  LANG: 'C.UTF-8',
  PAYBATCH_HOME: path.join(folder, 'state'),
  PAYBATCH_KEYS: path.join(folder, 'keys'),
  PAYBATCH_CONFIG: path.join(own, 'config.json'),
};

interface Provider {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A practice service that nobody in the terminal knows to be one. */
const service = spawn(
  path.join(own, 'paybatch'),
  ['sandbox', '--port', '0', '--json', '--scenario', 'slow=150,settle-max=4000'],
  {
    env: { ...env, PAYBATCH_HOME: path.join(folder, 'provider') },
    stdio: ['ignore', 'pipe', 'inherit'],
  },
);
const provider = await new Promise<Provider>((resolve) => {
  let told = '';
  service.stdout.setEncoding('utf8').on('data', (text: string) => {
    told += text;
    if (told.includes('\n')) resolve(JSON.parse(told.split('\n')[0] ?? '') as Provider);
  });
});

const socket = path.join(folder, 'tmux');
const tmux = (...words: readonly string[]): string =>
  execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...words], { env, encoding: 'utf8' });
const screen = (): string => tmux('capture-pane', '-p', '-t', 'desk');
const enter = (text: string): void => {
  tmux('send-keys', '-t', 'desk', '-l', text);
  tmux('send-keys', '-t', 'desk', 'Enter');
};

async function until(pattern: RegExp): Promise<void> {
  const end = performance.now() + LONGEST_MS;
  while (!pattern.test(screen())) {
    if (performance.now() > end) throw new Error(`never seen: ${pattern}\n${screen()}`);
    await later(50);
  }
}

/** The account, its port and the folder are those of this program alone. */
const lasting = (text: string): string =>
  text
    .replaceAll(provider.url, 'https://pay.example')
    .replaceAll(new URL(provider.url).host, 'pay.example')
    .replaceAll(`the account ${provider.clientId} at`, 'the account kilimo-bora at')
    .replaceAll(folder, '/home/amina');

function picture(name: string, title: string): void {
  const shown = lasting(tmux('capture-pane', '-p', '-e', '-t', 'desk'));
  writeFileSync(path.join(PICTURES, `${name}.svg`), terminalSvg(shown, { columns: COLUMNS, rows: ROWS, title }));
}

/** A clean screen, a command, and what it shows in the end. */
async function run(command: string, shows: RegExp): Promise<void> {
  tmux('send-keys', '-t', 'desk', 'C-l');
  await later(200);
  tmux('clear-history', '-t', 'desk');
  enter(command);
  await until(shows);
}

/** Months of `payments-2026-11` would move with the day on which the pictures are made, so the name is typed. */
async function answer(question: RegExp, text: string): Promise<void> {
  await until(question);
  await later(150);
  tmux('send-keys', '-t', 'desk', 'C-u');
  enter(text);
}

const heading = 'Staff No,Name,Phone,Amount';
const faulty = [
  'KB0101,Jane Wanjiku,0712345678,15000',
  'KB0102,Ali Hassan,07123456,12500.50',
  'KB0103,Ann Atieno,0722000111,1.500',
  'KB0104,Peter Otieno,0733000111,9000',
];
const failing = [
  'KB0201,Amina Barasa,0712345678,15000',
  'KB0202,Zawadi Mwende,0712340001,12500.50',
  'KB0203,Baraka Simiyu,0722000008,8200',
  'KB0204,Neema Wafula,0733000002,9000',
];
writeFileSync(path.join(desk, 'first-try.csv'), [heading, ...faulty, ''].join('\n'));
writeFileSync(path.join(desk, 'december.csv'), [heading, ...failing, ''].join('\n'));
cpSync(path.join(ROOT, 'samples', 'payroll.xlsx'), path.join(desk, 'november.xlsx'));
writeFileSync(path.join(own, 'secret'), provider.clientSecret, { mode: 0o600 });

try {
  mkdirSync(PICTURES, { recursive: true });
  tmux('new-session', '-d', '-s', 'desk', '-x', String(COLUMNS), '-y', String(ROWS), '-c', desk, 'bash --norc');
  tmux('set', '-g', 'status', 'off');
  tmux('resize-window', '-t', 'desk', '-x', String(COLUMNS), '-y', String(ROWS));
  enter("PS1='$ '; clear");
  await until(/^\$\s*$/);

  await run('paybatch --help | more', /--More--/);
  tmux('send-keys', '-t', 'desk', 'Space');
  await until(/See what became of it/);
  picture('help', 'The commands in paybatch --help');
  tmux('send-keys', '-t', 'desk', 'q');
  await until(PROMPT);

  const account = `--base-url ${provider.url} --client-id ${provider.clientId} --secret-stdin < ${own}/secret`;
  const remitter = '--remitter-name "Kilimo Bora Ltd" --remitter-phone 0712345678';
  await run(
    `paybatch init --organisation "Kilimo Bora Ltd" --country KE ${remitter} ${account}`,
    /paybatch run first.xlsx\n/,
  );
  picture('set-up', 'The end of paybatch init');

  await run('paybatch validate first-try.csv', END);
  picture('check', 'The check of a sheet with two mistakes');

  // A ledger that is new asks for two minutes before it sends; the picture needs a part of them.
  await run('paybatch run november.xlsx', /Name of the batch/);
  await answer(/Name of the batch/, 'payments-2026-11');
  await until(/Total KES/);
  await later(300);
  picture('confirm', 'The question for the total, before anything is sent');
  tmux('send-keys', '-t', 'desk', 'C-c');
  await until(/Declined/);

  const config = JSON.parse(readFileSync(env.PAYBATCH_CONFIG, 'utf8'));
  Object.assign(config.profiles.live, {
    inDoubt: { unknownGapMs: 100, quietMs: 2000 },
    polling: { firstMs: 300, maxMs: 1500, deadlineMs: 20_000 },
    sending: { requestTimeoutMs: 1000, concurrency: 4 },
  });

  writeFileSync(env.PAYBATCH_CONFIG, JSON.stringify(config));

  await run('paybatch run november.xlsx --batch payments-2026-11', /Total KES/);
  await answer(/Total KES/, '2368857.25');
  await until(/ [34]\d of 50[\s\S]*waiting for \d+ rows/);
  picture('waiting', 'A run that waits for the last payments');
  await until(END);
  picture('paid', 'The end of a run in which everybody was paid');

  await run('paybatch run december.csv --batch payments-2026-12', /Total KES/);
  await answer(/Total KES/, '44700.50');
  await until(END);
  picture('failures', 'The end of a run with failures');
} finally {
  tmux('kill-server');
  service.kill();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
