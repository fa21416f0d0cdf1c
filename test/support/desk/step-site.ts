/**
 * Two real processes that begin with one sheet in the same moment, each with a state folder and keys of its own, at a service behind a gate
 * that counts what arrives. What is paid twice is what the service acts on twice.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { openSite, type Site } from './process-site.ts';

/**
 * What the service makes of a repetition. `refused`: a 400. `echoed`: it carries it out, answers word for word as the first time, and goes
 * on showing one record. `executed`: it carries it out and shows both lines.
 */
export const repetitions = ['refused', 'echoed', 'executed'] as const;
export type Repetition = (typeof repetitions)[number];

const scenarios: Readonly<Record<Repetition, string>> = {
  refused: 'duplicates=refuse',
  // The gate keeps repetitions to itself.
  echoed: 'duplicates=refuse',
  executed: 'duplicates=execute',
};

export interface TogetherEnd {
  readonly paidTwice: number;
  /** Submissions that arrived. */
  readonly posts: number;
  readonly exits: readonly number[];
}

interface Gate {
  readonly posts: Map<string, number>;
  /** Is told of each submission that arrives. */
  onPost: () => void;
  open(url: string): Promise<string>;
  close(): void;
}

function gateFor(repetition: Repetition): Gate {
  const answers = new Map<string, Promise<Passed>>();
  let server: Server | undefined;
  const gate: Gate = {
    posts: new Map(),
    onPost: () => undefined,
    async open(url) {
      const answerTo = async (request: IncomingMessage): Promise<Passed> => {
        const body = await text(request);
        if (!request.url?.includes('/payment-order/new-order')) return passOn(url, request, body);
        const id: string = JSON.parse(body).originatorConversationId;
        gate.posts.set(id, (gate.posts.get(id) ?? 0) + 1);
        gate.onPost();
        const known = repetition === 'echoed' ? answers.get(id) : undefined;
        const answer = known ?? passOn(url, request, body);
        answers.set(id, answer);
        return answer;
      };
      server = createServer(async (request, response) => {
        const { status, body } = await answerTo(request);
        response.writeHead(status, { 'content-type': 'application/json' }).end(body);
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo; // it listens
      return `http://127.0.0.1:${port}`;
    },
    close() {
      server?.close();
      server?.closeAllConnections();
    },
  };
  return gate;
}

interface Passed {
  readonly status: number;
  readonly body: string;
}

async function passOn(
  url: string,
  { method = 'GET', url: path, headers }: IncomingMessage,
  body: string,
): Promise<Passed> {
  const { authorization = '', 'content-type': type = '' } = headers;
  const passed = await fetch(`${url}${path}`, {
    method,
    headers: { authorization, 'content-type': type },
    ...(method === 'POST' && { body }),
  });
  return { status: passed.status, body: await passed.text() };
}

const HOMES = ['one', 'two'] as const;

/** The program that gives a process a state folder, keys and a machine of its own. */
const apart = ({ folder }: Site, name: string): readonly string[] => [
  'env',
  `PAYBATCH_HOME=${path.join(folder, name)}`,
  `PAYBATCH_KEYS=${path.join(folder, `keys of ${name}`)}`,
  `PAYBATCH_MACHINE=${name}`,
];

async function endOf(child: ChildProcess): Promise<number> {
  child.stdout?.resume();
  child.stderr?.resume();
  const [code] = await once(child, 'close');
  return typeof code === 'number' ? code : -1;
}

/** Starts both at once; `isCopied`: with two copies of the folder of a run that was interrupted in the middle. */
export async function startTogether(repetition: Repetition, rows: number, isCopied = false): Promise<TogetherEnd> {
  const gate = gateFor(repetition);
  const scenario = `${scenarios[repetition]},settle-min=20,settle-max=80`;
  const site = await openSite({ rows, scenario, deadlineMs: 60_000, gate: gate.open });
  try {
    let command = site.run;
    if (isCopied) {
      await interrupted(site, gate, rows);
      command = ['resume'];
    }
    const exits = await Promise.all(HOMES.map((name) => endOf(site.start(command, apart(site, name)))));
    const counts = [...gate.posts.values()];
    const { orders } = await site.books();
    const inBooks = new Set(orders.flatMap(({ lines }) => lines.map(({ trace }) => trace))).size;
    const lines = orders.flatMap((order) => order.lines).length;
    const paidTwice = repetition === 'refused' ? lines - inBooks : counts.filter((count) => count > 1).length;
    return { paidTwice, posts: counts.reduce((sum, count) => sum + count, 0), exits };
  } finally {
    await site.close();
    gate.close();
  }
}

/** Two folders that know of the same half of a batch. */
async function interrupted(site: Site, gate: Gate, rows: number): Promise<void> {
  const child = site.start(site.run, apart(site, 'first'));
  gate.onPost = () => {
    if (gate.posts.size < rows / 2) return;
    // A second time would end it before it has saved anything.
    gate.onPost = () => undefined;
    child.kill('SIGINT');
  };
  await endOf(child);
  for (const name of HOMES) {
    await cp(path.join(site.folder, 'first'), path.join(site.folder, name), { recursive: true });
    await cp(path.join(site.folder, 'keys of first'), path.join(site.folder, `keys of ${name}`), { recursive: true });
  }
  gate.posts.clear();
}
