/** The house rules as a test: who may import whom, where each package lives, what stays inside its folder. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { protocols } from '../src/domain/submission.ts';
import { kinds } from '../src/kinds/index.ts';
import type { OperationKey } from '../src/service/contract/index.ts';
import { wireNames, wireNamesOf } from './support/wire-names.ts';

const SRC = path.join(import.meta.dirname, '..', 'src');
/** The test must never pass because it read nothing. */
const IMPORTS_MIN = 300;
const FILES_MIN = 80;
const WIRE_NAMES_MIN = 100;

/** Folder or root file to what it may import besides itself. `src/README.md` lists the rooms in an order that follows from it. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  contract: ['domain'],
  files: ['domain'],
  texts: ['domain'],
  html: ['domain'],
  // Whoever listens has the same frame: limits, names and an end that waits for what has begun.
  server: ['domain'],
  sheet: ['domain', 'files', 'texts'],
  submissions: ['domain', 'contract'],
  kinds: ['domain', 'contract', 'submissions'],
  database: ['domain', 'files'],
  staging: ['domain', 'database'],
  ledger: ['domain', 'contract', 'files', 'database'],
  callbacks: ['domain', 'contract', 'database', 'files', 'server'],
  client: ['domain', 'contract'],
  // The books are replaced whole; nothing else of what others write with is shared.
  sandbox: ['domain', 'contract', 'files/durable-file.ts'],
  batch: ['domain', 'contract', 'submissions', 'kinds'],
  preflight: ['domain', 'contract', 'submissions', 'kinds', 'client', 'batch', 'ledger'],
  approval: ['domain', 'batch', 'files', 'ledger', 'html', 'results/html/statement-parts.ts'],
  dispatch: ['domain', 'contract', 'client', 'ledger', 'submissions'],
  schedule: ['domain'],
  notify: ['domain', 'client'],
  results: [
    'domain',
    'texts',
    'submissions',
    'files',
    'html',
    'ledger',
    'sheet/writing/workbook-writer.ts',
    'sheet/writing/csv-writer.ts',
  ],
  // The run calls every stage, and knows no face and no practice service.
  run: [
    'domain',
    'files',
    'contract',
    'submissions',
    'sheet',
    'kinds',
    'batch',
    'preflight',
    'approval',
    'staging',
    'ledger',
    'dispatch',
    'results',
    'client',
  ],
  worker: ['domain', 'database', 'ledger', 'dispatch', 'results', 'server'],
  verify: ['domain', 'sheet', 'kinds', 'ledger', 'results', 'run/report.ts'],
  pack: ['domain', 'files', 'kinds', 'approval', 'ledger', 'preflight/payees/paid-names.ts', 'results'],
  'system.ts': ['domain'],
  'require-node.ts': [],
  'library.ts': ['run', 'domain', 'client', 'ledger', 'sandbox'],
  'service-client.ts': ['domain', 'contract', 'client', 'system.ts'],
  cli: ['*'],
  console: ['*'],
  'index.ts': ['*'],
  'main.ts': ['cli/start.ts', 'require-node.ts'],
};

/** Packages and the one folder that imports each. */
const homes: Readonly<Record<string, readonly string[]>> = {
  'better-sqlite3': ['database'],
  pg: ['database'],
  'graphile-worker': ['worker'],
  undici: ['client'],
  'csv-parse': ['sheet'],
  'csv-stringify': ['sheet'],
  yauzl: ['files'],
  yazl: ['pack'],
  exceljs: ['sheet'],
  saxes: ['sheet'],
  'libphonenumber-js': ['domain'],
  canonicalize: ['domain'],
  'p-limit': ['dispatch', 'preflight', 'worker'],
  '@commander-js/extra-typings': ['cli'],
  '@clack/prompts': ['cli'],
  '@napi-rs/keyring': ['cli'],
  'env-paths': ['cli'],
  'jsonc-parser': ['cli'],
  pino: ['cli'],
  croner: ['schedule'],
  nodemailer: ['notify'],
  // Schemas stand at the edges that read what others wrote: the wire, the configuration, plans, approvals, packs and marks.
  zod: ['contract', 'cli', 'approval', 'pack', 'ledger'],
  '@resvg/resvg-js': ['results'],
  hono: ['console'],
  '@hono/node-server': ['console'],
};

/** The rooms that speak as the service does. Everybody else has words of ours. */
const wireRooms = ['contract', 'kinds', 'submissions', 'sandbox'];

/** Questions that submit nothing are read where they are asked: each file with the operations whose names it may use. */
const wireReaders: Readonly<Record<string, readonly OperationKey[]>> = {
  'preflight/bill-services.ts': ['findBillServices'],
  'preflight/charge.ts': ['fetchCharges'],
  'preflight/read-service.ts': ['findBillServices', 'getWalletBalance'],
  'preflight/route-offers.ts': ['findRoutes'],
  'preflight/routes.ts': ['findRoutes'],
  'preflight/payees/ask-holder.ts': ['validateAccount', 'findAccountValidation'],
};

/** Words that mean something else in a file, or that it says to people. */
const otherMeanings: Readonly<Record<string, readonly string[]>> = {
  'results/columns.ts': ['originatorConversationId', 'systemConversationId'], // a note says what to ask the provider about
};

interface Import {
  readonly file: string;
  readonly room: string;
  readonly target: string;
}

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.split(path.sep).join('/'));
const textOf = (file: string): string => readFileSync(path.join(SRC, file), 'utf8');
/** `service/` and `audit/` are houses of rooms: each of their folders has a row of its own in the table. */
const roomOf = (file: string): string => file.replace(/^(?:service|audit)\//, '').split('/')[0] ?? file;

/** Import and export statements at the beginning of a line, and dynamic imports: not text that looks like one. */
const SPECIFIER = /^(?:import|export)\s[^;'"]*?from\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)/gm;

const imports: readonly Import[] = files.flatMap((file) =>
  [...textOf(file).matchAll(SPECIFIER)].map(([, first, second, third]) => {
    const specifier = first ?? second ?? third ?? '';
    const target = specifier.startsWith('.') ? path.posix.join(path.posix.dirname(file), specifier) : specifier;
    return { file, room: roomOf(file), target };
  }),
);
const ours = imports.filter(({ target }) => files.includes(target));
const packages = imports.filter(({ target }) => !target.startsWith('node:') && !files.includes(target));

/** Code without comments and blank lines, for rules about what the code says. */
const codeOf = (file: string): string => textOf(file).replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');

describe('the house', () => {
  test('was read at all', () => {
    expect(files.length).toBeGreaterThan(FILES_MIN);
    expect(imports.length).toBeGreaterThan(IMPORTS_MIN);
    expect(imports.filter(({ target }) => target.startsWith('.'))).toEqual([]);
  });

  test('has no room that the import table does not know', () => {
    expect([...new Set(files.map(roomOf))].filter((room) => !(room in mayImport))).toEqual([]);
  });

  test('imports only along the table', () => {
    const wrong = ours.filter(({ room, target }) => {
      const allowed = mayImport[room] ?? [];
      const theirs = roomOf(target);
      return theirs !== room && !allowed.some((entry) => entry === '*' || entry === theirs || entry === target);
    });
    expect(wrong.map(({ file, target }) => `${file} must not import ${target}`)).toEqual([]);
  });

  test('keeps each package in its own folder', () => {
    const nameOf = (target: string): string =>
      target
        .split('/')
        .slice(0, target.startsWith('@') ? 2 : 1)
        .join('/');
    const wrong = packages.filter(({ room, target }) => !homes[nameOf(target)]?.includes(room));
    expect(wrong.map(({ file, target }) => `${file} must not import ${target}`)).toEqual([]);
    const unused = Object.keys(homes).filter((name) => !packages.some(({ target }) => nameOf(target) === name));
    expect(unused).toEqual([]);
  });

  test('has no import cycle', () => {
    const graph = new Map<string, string[]>();
    for (const { file, target } of ours) graph.set(file, [...(graph.get(file) ?? []), target]);
    const done = new Set<string>();
    const cycles: string[] = [];
    const visit = (file: string, trail: readonly string[]): void => {
      if (trail.includes(file)) cycles.push([...trail.slice(trail.indexOf(file)), file].join(' → '));
      if (done.has(file) || trail.includes(file)) return;
      for (const next of graph.get(file) ?? []) visit(next, [...trail, file]);
      done.add(file);
    };
    for (const file of files) visit(file, []);
    expect(cycles).toEqual([]);
  });

  test('names no kind outside kinds/', () => {
    // The contract's submissions have names of their own, and one of them is called like its kind.
    const names = kinds.filter(({ name }) => !(name in protocols)).map(({ name }) => `'${name}'`);
    const wrong = files
      .filter((file) => roomOf(file) !== 'kinds')
      .flatMap((file) => names.filter((name) => codeOf(file).includes(name)).map((name) => `${file} names ${name}`));
    expect(names.length).toBeGreaterThan(2);
    expect(wrong).toEqual([]);
  });

  test('names the fields of the service only where orders are written and read', () => {
    const excused = { ...wireReaders, ...otherMeanings };
    const namesIn = (file: string): readonly string[] =>
      [...new Set(codeOf(file).match(/\w+/g))].filter((word) => wireNames.has(word));
    const named = files
      .filter((file) => !wireRooms.includes(roomOf(file)))
      .map((file) => [file, namesIn(file)] as const);
    const wrong = named.flatMap(([file, names]) => {
      const known = [...(wireReaders[file] ?? []).flatMap(wireNamesOf), ...(otherMeanings[file] ?? [])];
      return names.filter((name) => !known.includes(name)).map((name) => `${file} names ${name}`);
    });
    expect(wireNames.size).toBeGreaterThan(WIRE_NAMES_MIN);
    expect(wrong).toEqual([]);
    const used = named.filter(([, names]) => names.length > 0).map(([file]) => file);
    expect(Object.keys(excused).filter((file) => !used.includes(file))).toEqual([]);
  });

  test('reads the environment and writes the streams only in cli/ and main.ts', () => {
    const edge = /\bprocess\.(?:env|stdout|stderr|stdin|argv|exit|exitCode)\b|\bconsole\.\w/;
    const wrong = files.filter((file) => !['cli', 'main.ts'].includes(roomOf(file)) && edge.test(codeOf(file)));
    expect(wrong).toEqual([]);
  });

  // No room may import system.ts either (see the table): what decides about money is given its time and chance.
  test('asks the machine for time and chance only at its edges', () => {
    const ambient =
      /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bsetTimeout\(|\bsetInterval\(|\bAbortSignal\.timeout\(/;
    // What waits for a real network is an edge, too: a simulated one has a transport of its own.
    const edges = ['service/client/transport.ts', 'database/postgres/connection.ts', 'sandbox/callback-sender.ts'];
    const isEdge = (file: string): boolean => ['cli', 'system.ts'].includes(roomOf(file)) || edges.includes(file);
    expect(files.filter((file) => !isEdge(file) && ambient.test(codeOf(file)))).toEqual([]);
  });

  test('opens ledger, client and practice service of the command line in one place', () => {
    const opening = /\b(?:openLedger|openClient|startSandbox)\(/;
    const opened = files.filter((file) => roomOf(file) === 'cli' && opening.test(codeOf(file)));
    expect(opened).toEqual(['cli/resources.ts']);
  });

  test('has two faces that never import each other, but for the command that starts the page', () => {
    const between = ours.filter(
      ({ room, target }) =>
        (room === 'console' && ['cli', 'main.ts'].includes(roomOf(target))) ||
        (roomOf(target) === 'console' && room !== 'console'),
    );
    expect([...new Set(between.map(({ file }) => file))]).toEqual(['cli/commands/console.ts']);
  });

  test('takes a text for HTML only where it is a style, a plot, or a page in another language', () => {
    const taking = files.filter((file) => /\brawHtml\(|\bnew Html\(/.test(codeOf(file)));
    expect(taking).toEqual(['console/frame.ts', 'html/html-page.ts', 'html/html.ts', 'results/html/report-page.ts']);
  });

  test('has no bags and no default exports', () => {
    expect(files.filter((file) => /(?:^|\/)(?:utils?|common|helpers?)(?:\/|\.ts$)/.test(file))).toEqual([]);
    expect(files.filter((file) => /\bexport default\b/.test(codeOf(file)))).toEqual([]);
  });
});
