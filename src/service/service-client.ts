/**
 * The service as a library: one typed method for each operation of the table, on top of the client that the command line
 * uses. What goes in and what comes out is checked against the operation's shapes.
 */

import { Fault } from '../domain/fault.ts';
import { systemClock, systemRandom } from '../system.ts';
import { checkedAddress } from './client/address.ts';
import { type Client, type ClientDeps, type ClientSettings, openClient } from './client/client.ts';
import type { Reply } from './client/reply.ts';
import { openTransport } from './client/transport.ts';
import { operations } from './contract/index.ts';
import type { AnyOperation, BodyOf, QueryOf, ValueOf } from './contract/operation.ts';

/** Default time limit for an answer, in milliseconds: submissions were seen to take seven seconds. */
const REQUEST_TIMEOUT_MS = 30_000;
/** Default number of connections to each host: as many as a run of the command line opens. */
const CONNECTIONS = 20;

/** Which service to use, with which credentials, and how fast. */
export interface ServiceClientSettings
  extends Pick<ClientSettings, 'baseUrl' | 'clientId' | 'clientSecret'>,
    Partial<Omit<ClientSettings, 'baseUrl' | 'clientId' | 'clientSecret'>> {
  /** Connections to each host, and so requests at the same time; 20 if absent. */
  readonly connections?: number;
}

export interface CallOptions {
  /**
   * Ends the wait for the request's turn; the reply is then `not-sent`. A request that has left still lands, within the time
   * limit, because abandoning a submission would not undo it.
   */
  readonly signal?: AbortSignal;
}

/** The table of all operations, by method name. */
export type Operations = typeof operations;
/** Name of an operation, as a method is called: `submitOrder`. */
export type OperationName = keyof Operations;
/** Query of an operation: `OperationQuery<'findOrder'>`; `unknown` if it takes none. */
export type OperationQuery<Name extends OperationName> = QueryOf<Operations[Name]>;
/** Body of an operation: `OperationBody<'submitOrder'>`; `unknown` if it takes none. */
export type OperationBody<Name extends OperationName> = BodyOf<Operations[Name]>;
/** Value of an accepted answer of an operation: `OperationValue<'findOrder'>`. */
export type OperationValue<Name extends OperationName> = ValueOf<Operations[Name]>;

/** Input of an operation: `query`, `body`, both or neither. */
export type OperationInput<O extends AnyOperation> = (unknown extends QueryOf<O>
  ? unknown
  : { readonly query: QueryOf<O> }) &
  (unknown extends BodyOf<O> ? unknown : { readonly body: BodyOf<O> });

/** One operation as a method. An operation without input takes only the options. */
export type OperationMethod<O extends AnyOperation> =
  unknown extends OperationInput<O>
    ? (options?: CallOptions) => Promise<Reply<ValueOf<O>>>
    : (input: OperationInput<O>, options?: CallOptions) => Promise<Reply<ValueOf<O>>>;

/**
 * A method for each operation. Everything that the service and the network do comes back as a Reply; switch on its tag. A method
 * rejects only for wrong input (`InputFault`, with every field), for an operation whose path is not known (`Fault`; set it in
 * `paths`) and for bugs, and then nothing was sent. A submission is never sent twice automatically.
 *
 * The methods are written out, although a mapped type would do, because editors show these comments and lose those of mapped
 * types. A test compares each comment with its operation.
 */
export interface ServiceClient extends Client, AsyncDisposable {
  /** Exchanges client id and secret for a bearer token. Spec: "Token request". */
  readonly requestToken: OperationMethod<Operations['requestToken']>;
  /**
   * Submits a payment order of one or more lines. Accepted means taken: no money has moved. Spec: "Payment order
   * submission".
   */
  readonly submitOrder: OperationMethod<Operations['submitOrder']>;
  /** Looks up the state of an order and of each of its lines. Spec: "Find payment order". */
  readonly findOrder: OperationMethod<Operations['findOrder']>;
  /** Asks the service to stop an order; only lines that are pending or queued can be stopped. Spec: "Reject order". */
  readonly rejectOrder: OperationMethod<Operations['rejectOrder']>;
  /** Opens a card checkout and gives the address where the payer pays. Spec: "Checkout order". */
  readonly createCheckout: OperationMethod<Operations['createCheckout']>;
  /** Looks up the state of a checkout. Spec: "Operations that appear in the menu without shape". */
  readonly queryCheckout: OperationMethod<Operations['queryCheckout']>;
  /** Buys airtime for one or more phones; the result comes to the callback address. Spec: "Airtime purchase". */
  readonly buyAirtime: OperationMethod<Operations['buyAirtime']>;
  /**
   * Finds airtime purchases by their originatorConversationId. The path is not known. Spec: "Operations that appear
   * in the menu without shape".
   */
  readonly findAirtime: OperationMethod<Operations['findAirtime']>;
  /** Lists the bills that can be paid, with the route and the limits of each. Spec: "Bill services". */
  readonly findBillServices: OperationMethod<Operations['findBillServices']>;
  /** Saves an account of a bill service, and says whose it is. Spec: "Bill number save". */
  readonly saveBillNumber: OperationMethod<Operations['saveBillNumber']>;
  /**
   * Finds a saved bill number by service and account. Spec: "Operations that appear in the menu without shape".
   */
  readonly findBillNumber: OperationMethod<Operations['findBillNumber']>;
  /** Asks what the account of a bill owes. Spec: "Bill payment". */
  readonly queryBill: OperationMethod<Operations['queryBill']>;
  /** Asks whether a bill can be paid. Spec: "Operations that appear in the menu without shape". */
  readonly validateBill: OperationMethod<Operations['validateBill']>;
  /** Pays a bill; the result comes to the callback address. Spec: "Bill payment". */
  readonly payBill: OperationMethod<Operations['payBill']>;
  /** Finds a bill payment by its originatorConversationId. Spec: "Operations that appear in the menu without shape". */
  readonly findBillPayment: OperationMethod<Operations['findBillPayment']>;
  /** Reads the charges of a transaction type by amount. Spec: "Charges". */
  readonly fetchCharges: OperationMethod<Operations['fetchCharges']>;
  /** Reads what the wallet of a currency holds. Spec: "Wallet balance". */
  readonly getWalletBalance: OperationMethod<Operations['getWalletBalance']>;
  /** Asks for the validation of a person by name and national identity number. Spec: "KYC validation". */
  readonly validateKyc: OperationMethod<Operations['validateKyc']>;
  /** Asks for the result of the validation of a person. Spec: "KYC validation". */
  readonly findKyc: OperationMethod<Operations['findKyc']>;
  /** Asks who holds a wallet or bank account. Spec: "Operations that appear in the menu without shape". */
  readonly validateAccount: OperationMethod<Operations['validateAccount']>;
  /** Asks for the result of the validation of an account. Spec: "Account validation status". */
  readonly findAccountValidation: OperationMethod<Operations['findAccountValidation']>;
  /** Creates a link through which somebody can pay in. Spec: "Operations that appear in the menu without shape". */
  readonly createPaymentLink: OperationMethod<Operations['createPaymentLink']>;
  /** Finds a payment link by its identifier. Spec: "Operations that appear in the menu without shape". */
  readonly findPaymentLink: OperationMethod<Operations['findPaymentLink']>;
  /** Changes a payment link. Spec: "Update payment link". */
  readonly updatePaymentLink: OperationMethod<Operations['updatePaymentLink']>;
  /** Asks a payer's phone for a deposit into the wallet. Spec: "Operations that appear in the menu without shape". */
  readonly requestDeposit: OperationMethod<Operations['requestDeposit']>;
  /** Asks for the result of a deposit. Spec: "Operations that appear in the menu without shape". */
  readonly findDeposit: OperationMethod<Operations['findDeposit']>;
  /**
   * Lists the routes of this client with their channel types and transaction types. Spec: "Operations that appear in
   * the menu without shape".
   */
  readonly findRoutes: OperationMethod<Operations['findRoutes']>;
  /**
   * Asks whether the service is up; it answers in plain text. Spec: "Operations that appear in the menu without
   * shape".
   */
  readonly checkHealth: OperationMethod<Operations['checkHealth']>;
}

/**
 * Creates a client of the service. Nothing is sent until the first call, which fetches a token. All calls share the token and
 * its renewals, and when the service asks to wait, every call waits.
 *
 * @param settings Address and credentials are required; the token address is that of the specification by default.
 * @param deps For tests: another transport, clock or source of randomness.
 * @throws Fault if an address is missing, is not https (http is allowed to this machine only), or holds credentials.
 */
export function createClient(settings: ServiceClientSettings, deps: Partial<ClientDeps> = {}): ServiceClient {
  const {
    transport = openTransport(settings.connections ?? CONNECTIONS),
    clock = systemClock,
    random = systemRandom,
  } = deps;
  const client = openClient(wholeSettings(settings), { transport, clock, random });
  const methods = Object.entries<AnyOperation>(operations).map(([name, operation]) => {
    const takesInput = operation.query !== undefined || operation.body !== undefined;
    const method = (...args: readonly object[]): Promise<Reply<unknown>> => {
      const { query, body }: { query?: unknown; body?: unknown } = (takesInput && args[0]) || {};
      const { signal }: CallOptions = args[takesInput ? 1 : 0] ?? {};
      return client.call(operation, { query, body, ...(signal && { signal }) });
    };
    return [name, method] as const;
  });
  // The table gives every name its method, and the mapped type gives every method its types.
  const typed = Object.fromEntries(methods) as unknown as {
    [Name in OperationName]: OperationMethod<Operations[Name]>;
  };
  return { ...typed, ...client, [Symbol.asyncDispose]: () => client.close() };
}

function wholeSettings(settings: ServiceClientSettings): ClientSettings {
  for (const name of ['baseUrl', 'clientId', 'clientSecret'] as const) {
    // A value from an environment is often missing, even if its type says otherwise.
    if (settings[name]) continue;
    throw new Fault('configuration', `The client has no ${name}.`, 'It needs baseUrl, clientId and clientSecret.');
  }
  const { requestTimeoutMs = REQUEST_TIMEOUT_MS, ratePerSecond = 0, scope = 'service_api', paths = {} } = settings;
  const baseUrl = checkedAddress(settings.baseUrl);
  const tokenUrl = checkedAddress(settings.tokenUrl ?? `${baseUrl}${operations.requestToken.path}`);
  const { clientId, clientSecret } = settings;
  return { baseUrl, tokenUrl, clientId, clientSecret, scope, requestTimeoutMs, ratePerSecond, paths };
}
