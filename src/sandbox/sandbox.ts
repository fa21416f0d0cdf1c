/**
 * The practice service: the whole interface over HTTP on this machine, with its own books and without real money. It reads
 * the specification independently of the client, so that a mistake of the client shows here.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Clock, Random } from '../domain/clock.ts';
import { currencyOf } from '../domain/currency.ts';
import { Fault } from '../domain/fault.ts';
import { parseAmount } from '../domain/money.ts';
import { isFromHere, newControlToken } from './admission.ts';
import { Bookkeeper, type Readers } from './books/bookkeeper.ts';
import { Journal } from './books/journal.ts';
import { type Books, statementOf } from './books/statement.ts';
import { Callbacks } from './callback-sender.ts';
import { type Controls, controlReply } from './control.ts';
import { keptRequests } from './operations/handlers.ts';
import { checkLinkUpdate } from './operations/payment-links.ts';
import { type PracticeRoute, practiceClient, practiceRoutes } from './practice-account.ts';
import { droppedReply, json, type Reply } from './reply.ts';
import { parseScenario, type Scenario } from './scenario.ts';
import { type Received, Service } from './service.ts';
import type { ServiceContext } from './service-context.ts';
import { Tokens } from './tokens.ts';

export type { Books } from './books/statement.ts';
export { parseScenario, type Scenario } from './scenario.ts';

export interface SandboxOptions {
  /** 0 or absent: any free port. */
  readonly port?: number;
  /** Folder in which the books survive a restart; if absent, they are only in memory. One process at a time. */
  readonly folder?: string;
  readonly clock: Clock;
  readonly random: Random;
  /** If absent, nothing goes wrong. */
  readonly scenario?: Scenario;
  /** Balances of new books, as plain decimals by currency code. */
  readonly openingBalances?: Readonly<Record<string, string>>;
  /**
   * Address to which the end of every payment order is reported: a setting of the service's dashboard, not of the order
   * (observed).
   */
  readonly orderCallbackUrl?: string;
}

export interface Sandbox extends AsyncDisposable {
  /** Base address of the interface and of the token service: `http://127.0.0.1:PORT`. */
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Token that `/__sandbox/…` needs as `Authorization: Bearer`. It changes at every start. */
  readonly controlToken: string;
  readonly routes: readonly PracticeRoute[];
  /** Returns the books as of now. */
  books(): Books;
  /** Plays another scenario from now on. */
  play(scenario: Scenario): void;
  /** Ends every connection, writes what is missing and frees port and folder. */
  close(): Promise<void>;
}

const LOOPBACK = '127.0.0.1';
const defaultBalances = { KES: '500000000.00', UGX: '10000000000', TZS: '5000000000.00' };
/**
 * How long idle connections are kept, in milliseconds: longer than the pauses of a polling client, so that its connections
 * are not closed under it.
 */
const KEEP_ALIVE_MS = 65_000;

/** Starts the practice service, and resolves once it listens. Throws a Fault if the port or the books cannot be used. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const journal = Journal.open(options.folder);
  try {
    return await openFor(options, journal);
  } catch (error) {
    journal.close();
    throw error;
  }
}

async function openFor(options: SandboxOptions, journal: Journal): Promise<Sandbox> {
  const { clock, random } = options;
  let scenario = options.scenario ?? parseScenario('');
  const books = openBooks(options, journal, scenario);
  let ownPort = 0;
  const token = newControlToken(random);
  const context: ServiceContext = {
    books,
    tokens: new Tokens(random),
    random,
    scenario: () => scenario,
    ...(options.orderCallbackUrl !== undefined && { orderCallbackUrl: options.orderCallbackUrl }),
  };
  const service = new Service(context);
  const controls: Controls = {
    books: () => statementOf(books, service),
    context,
    token,
    play: (next) => {
      books.advance();
      scenario = next;
      fundByScenario(books, next);
    },
  };
  const callbacks = new Callbacks(books, clock);
  const stop = new AbortController();
  const replyTo = (request: IncomingMessage, body: string | undefined): Reply => {
    const received = receivedOf(request, body ?? '');
    if (!isFromHere(received, ownPort)) return notFromHere;
    if (body === undefined) return service.tooLong();
    const reply = controlReply(received, controls) ?? service.answer(received);
    callbacks.attend();
    return reply;
  };
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    readBody(request, (body) => {
      const reply = replyTo(request, body);
      const slowMs = scenario.knobs.slow;
      // What a reply reports must be in the journal before the reply is sent.
      books.whenWritten((written) => {
        if (!written || slowMs === 0) send(response, written ? reply : droppedReply);
        else void clock.sleep(slowMs, stop.signal).then(() => send(response, reply));
      });
    });
  });
  ownPort = await listen(server, options.port ?? 0);
  callbacks.attend();
  const close = async (): Promise<void> => {
    stop.abort();
    await callbacks.close();
    await closeServer(server);
    journal.close();
  };
  return {
    url: `http://${LOOPBACK}:${ownPort}`,
    clientId: practiceClient.id,
    clientSecret: practiceClient.secret,
    controlToken: token,
    routes: practiceRoutes,
    books: controls.books,
    play: controls.play,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The answer to a request under another host name, or from a web page. */
const notFromHere = json(403, {
  message: 'The practice service answers only programs on this machine, at its own address.',
});

/** Readers of the bodies in the journal: the operations that accepted them. */
const readers: Readers = {
  request: (kind, body) => keptRequests[kind].read(body),
  linkChange: checkLinkUpdate,
};

/** Opens the books of the journal. New books get their opening balances, and all books the balance that the scenario sets. */
function openBooks(options: SandboxOptions, journal: Journal, scenario: Scenario): Bookkeeper {
  const books = new Bookkeeper(journal, options.clock, readers);
  books.advance();
  if (books.isNew) fund(books, options.openingBalances ?? defaultBalances);
  fundByScenario(books, scenario);
  return books;
}

function fund(books: Bookkeeper, balances: Readonly<Record<string, string>>): void {
  for (const [code, balance] of Object.entries(balances)) {
    const currency = currencyOf(code);
    const amount = currency && parseAmount(balance, currency);
    if (!currency || !amount?.ok) {
      throw new Fault(
        'usage',
        `"${balance}" is not a balance in ${code}.`,
        'Give a plain decimal and an ISO 4217 code.',
      );
    }
    books.fund(currency.code, amount.money.minor);
  }
}

/**
 * Gives every wallet the balance that the scenario sets. A scenario that sets none gives the usual balance back to a wallet whose
 * balance an earlier one set, because nobody can top up a practice wallet.
 */
function fundByScenario(books: Bookkeeper, scenario: Scenario): void {
  const { balance } = scenario.knobs;
  const wallets = [...books.wallets()];
  if (balance < 0) {
    for (const { currency, given, usual } of wallets) if (given !== usual) books.fund(currency, usual);
    return;
  }
  fund(books, Object.fromEntries(wallets.map(({ currency }) => [currency, String(Math.floor(balance))])));
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    // Once the server listens, an error is that of a connection for which there was no file handle: its client will come again.
    server.on('error', (error) => {
      const remedy = 'Choose another port, or 0 for any free one.';
      reject(new Fault('usage', `The practice service cannot listen on port ${port}.`, remedy, { cause: error }));
    });
    server.listen(port, LOOPBACK, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** Largest body that is read, in bytes: about a thousand order lines. */
const MOST_BODY_BYTES = 1_048_576;

/** Passes on the whole body, or `undefined` as soon as it is too long. A request that is cut off passes on nothing. */
function readBody(request: IncomingMessage, done: (body: string | undefined) => void): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const read = (chunk: Buffer): void => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes <= MOST_BODY_BYTES) return;
    request.off('data', read).off('end', end).resume();
    done(undefined);
  };
  const end = (): void => done(Buffer.concat(chunks).toString('utf8'));
  request.on('data', read).on('end', end);
}

function receivedOf(request: IncomingMessage, body: string): Received {
  const url = request.url ?? '/';
  const mark = url.indexOf('?');
  return {
    method: request.method ?? 'GET',
    path: mark < 0 ? url : url.slice(0, mark),
    search: mark < 0 ? '' : url.slice(mark + 1),
    authorization: request.headers.authorization,
    contentType: request.headers['content-type'],
    host: request.headers.host,
    origin: request.headers.origin,
    body,
  };
}

function send(response: ServerResponse, reply: Reply): void {
  if (reply.dropped) {
    response.socket?.destroy();
    return;
  }
  const { status, body, contentType = 'application/json; charset=utf-8', headers } = reply;
  const length = Buffer.byteLength(body);
  response.writeHead(status, {
    ...(length > 0 && { 'content-type': contentType }),
    'content-length': length,
    ...headers,
  });
  response.end(body);
}
