/** Many clients at once against the practice service in a process of its own, and its books held to the cent afterwards. */
import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Books } from '../../../src/sandbox/sandbox.ts';
import { chanceOf } from '../seeded-random.ts';
import { LoadClient, type LoadRequest, type Offer, type Promised } from './load-requests.ts';
import { type Accepted, type ChargeOf, minorOf, openIn, violationsIn } from './load-verdict.ts';
import { cpuSecondsOf, kill, type Service, startService } from './sandbox-process.ts';

/** Longest wait for the last movement to end after the load, milliseconds: a hundred times what one takes. */
const SETTLED_WITHIN_MS = 60_000;
export interface LoadChoice {
  readonly clients: number;
  readonly seconds: number;
  /** The load goes on for longer while it has not made so many requests, on a machine that is busy with others. */
  readonly atLeast?: number;
  readonly seed: number;
  /** An empty folder for the books and the home of the service. */
  readonly folder: string;
}

export interface LoadReport {
  readonly requests: number;
  readonly seconds: number;
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly slowestMs: number;
  /** Requests by name. */
  readonly counts: ReadonlyMap<string, number>;
  /** Processor time of the service during the load, seconds; undefined where it cannot be measured. */
  readonly cpuSeconds: number | undefined;
  readonly movements: number;
  readonly books: Books;
  readonly violations: readonly string[];
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Asks over connections that are kept alive. */
class Line {
  readonly #agent: Agent;
  readonly #url: string;
  readonly #controlToken: string;
  #token = '';

  constructor({ url, controlToken }: Service, connections: number) {
    this.#url = url;
    this.#controlToken = controlToken;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  async open({ clientId, clientSecret }: Service): Promise<void> {
    const form = { client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials' };
    const body = String(new URLSearchParams({ ...form, scope: 'service_api' }));
    const { text } = await this.#send('POST', '/connect/token', body, 'application/x-www-form-urlencoded');
    this.#token = JSON.parse(text).access_token;
  }

  ask({ method, path: at, body }: Pick<LoadRequest, 'method' | 'path' | 'body'>): Promise<Answer> {
    return this.#send(method, at, body && JSON.stringify(body), 'application/json');
  }

  // biome-ignore lint/suspicious/noExplicitAny: whatever came over the wire
  async read(at: string): Promise<any> {
    const { status, text } = await this.ask({ method: 'GET', path: at });
    if (status !== 200) throw new Error(`GET ${at} was answered ${status} ${text}`);
    return JSON.parse(text);
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(method: string, at: string, body: string | undefined, contentType: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${at.startsWith('/__sandbox/') ? this.#controlToken : this.#token}`,
        ...(body !== undefined && { 'content-type': contentType, 'content-length': Buffer.byteLength(body) }),
      };
      const request = httpRequest(this.#url + at, { method, headers, agent: this.#agent }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
        );
        response.on('error', reject);
      });
      request.on('error', reject);
      request.end(body);
    });
  }
}

async function offerOf(line: Line, { routes }: Service): Promise<Offer> {
  const wallets = routes.filter(({ description }) => description === 'Mobile wallet');
  const typeOf = async (category: RegExp): Promise<string> => {
    const { routes: all } = await line.read('/v1/transaction-routes/assigned-routes');
    const found = all.find(({ categoryDescription }: { categoryDescription: string }) =>
      category.test(categoryDescription),
    );
    return found.transactionTypeId;
  };
  const { billServiceGroup } = await line.read('/v1/bill-services');
  const [{ route, billServices }] = billServiceGroup;
  return {
    wallets,
    airtimeTypeId: await typeOf(/airtime/i),
    billTypeId: await typeOf(/bill/i),
    bill: { routeId: route, serviceId: billServices[0].id },
  };
}

/** Reads the charge records over the interface; every amount must lie in exactly one band. */
async function chargesOf(line: Line, { wallets, airtimeTypeId, billTypeId }: Offer): Promise<ChargeOf> {
  const types = new Set([...wallets.map(({ transactionTypeId }) => transactionTypeId), airtimeTypeId, billTypeId]);
  interface Band {
    readonly value: number;
    readonly rangeLowerLimit: number;
    readonly rangeUpperLimit: number;
  }
  const scales = new Map<string, readonly Band[]>();
  for (const id of types) {
    const record = await line.read(`/v1/charge/fetch-charges?transactionTypeId=${id}`);
    scales.set(id, record.graduatedScaleList);
  }
  const minorOfWire = (wire: number, currency: string): bigint =>
    minorOf(currency === 'UGX' ? String(wire) : wire.toFixed(2), currency);
  return (id, minor, currency) => {
    const bands = (scales.get(id) ?? []).filter(
      ({ rangeLowerLimit, rangeUpperLimit }) =>
        minor >= minorOfWire(rangeLowerLimit, currency) && minor <= minorOfWire(rangeUpperLimit, currency),
    );
    const [band] = bands;
    if (bands.length !== 1 || !band) throw new Error(`${minor} of ${currency} lies in ${bands.length} bands of ${id}.`);
    return minorOfWire(band.value, currency);
  };
}

/** What the clients saw together. */
class Tally {
  readonly latencies: number[] = [];
  readonly counts = new Map<string, number>();
  readonly accepted: { readonly [Key in keyof Accepted]: Map<string, readonly Promised[]> } = {
    'submit-order': new Map(),
    'buy-airtime': new Map(),
    'pay-bill': new Map(),
    'request-deposit': new Map(),
  };
  readonly violations: string[] = [];
  movements = 0;

  see({ name, path: at, submits }: LoadRequest, { status, text }: Answer, ms: number): void {
    this.latencies.push(ms);
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
    if (status !== 200) this.violations.push(`${name} ${submits?.id ?? at} was answered ${status} ${text}`);
    else if (submits) {
      this.accepted[submits.operation].set(submits.id, submits.movements);
      this.movements += submits.movements.length;
    }
  }
}

async function playClient(client: LoadClient, line: Line, tally: Tally, goesOn: () => boolean): Promise<void> {
  while (goesOn()) {
    const request = client.next();
    const began = performance.now();
    const answer = await line.ask(request);
    tally.see(request, answer, performance.now() - began);
    if (answer.status === 200) client.remember(request);
  }
}

async function settledBooks(line: Line): Promise<Books> {
  const until = performance.now() + SETTLED_WITHIN_MS;
  for (;;) {
    const books: Books = await line.read('/__sandbox/books');
    if (openIn(books) === 0 || performance.now() > until) return books;
    await pause(200);
  }
}

/** What the books hold, without what a process counts for itself. */
const lasting = ({ requests: _, tokenRequests: _tokens, faults: _faults, ...books }: Books): string =>
  JSON.stringify(books);

/** Runs the load, waits until everything has ended, kills the service, and reads the books again from its folder. */
export async function loadSandbox({ clients, seconds, atLeast = 0, seed, folder }: LoadChoice): Promise<LoadReport> {
  const service = await startService(folder);
  const line = new Line(service, clients);
  try {
    await line.open(service);
    const offer = await offerOf(line, service);
    const chargeOf = await chargesOf(line, offer);
    const tally = new Tally();
    const cpuBefore = cpuSecondsOf(service.process.pid);
    const began = performance.now();
    const goesOn = (): boolean => performance.now() < began + seconds * 1000 || tally.latencies.length < atLeast;
    const players = Array.from({ length: clients }, (_, index) => {
      const client = new LoadClient(`load-${seed}-${index}`, chanceOf(seed, index), offer);
      return playClient(client, line, tally, goesOn);
    });
    await Promise.all(players);
    const took = (performance.now() - began) / 1000;
    const cpuAfter = cpuSecondsOf(service.process.pid);
    const books = await settledBooks(line);
    const violations = [...tally.violations, ...violationsIn(books, tally.accepted, chargeOf)];
    if (openIn(books) > 0) violations.push(`${openIn(books)} movements have not ended`);
    await kill(service);
    if (!(await isKept(folder, books))) violations.push('the books were not the same after the service was killed');
    const sorted = tally.latencies.toSorted((a, b) => a - b);
    const quantile = (share: number): number =>
      sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
    return {
      requests: sorted.length,
      seconds: took,
      perSecond: sorted.length / took,
      p50Ms: quantile(0.5),
      p99Ms: quantile(0.99),
      slowestMs: quantile(1),
      counts: tally.counts,
      cpuSeconds: cpuBefore === undefined || cpuAfter === undefined ? undefined : cpuAfter - cpuBefore,
      movements: tally.movements,
      books,
      violations,
    };
  } finally {
    line.close();
    await kill(service);
  }
}

/** Whether a service that begins anew in the folder has the same books. */
async function isKept(folder: string, books: Books): Promise<boolean> {
  const again = await startService(folder);
  const line = new Line(again, 1);
  try {
    return lasting(await line.read('/__sandbox/books')) === lasting(books);
  } finally {
    line.close();
    await kill(again);
  }
}
