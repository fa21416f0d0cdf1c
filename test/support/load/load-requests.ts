/** What the clients of a load ask of the practice service, and what must come of it by the endings of its phones. */
import type { Chance } from '../seeded-random.ts';

/** One movement of money that the service took upon itself. */
export interface Promised {
  /** Trace number of a line; empty where there is none. */
  readonly trace: string;
  readonly payee: string;
  readonly currency: string;
  /** Minor units. */
  readonly minor: bigint;
  /** Transaction type that its charge goes by; missing for money that comes in. */
  readonly transactionTypeId?: string;
  /** Status in which it must end. */
  readonly status: number;
}

export type LoadOperation = 'submit-order' | 'buy-airtime' | 'pay-bill' | 'request-deposit';

export interface LoadRequest {
  /** Missing for what only reads. */
  readonly submits?: {
    readonly operation: LoadOperation;
    readonly id: string;
    readonly movements: readonly Promised[];
  };
  /** What latencies are grouped by. */
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
}

/** A way to pay, as Find Transaction Routes shows it. */
export interface LoadRoute {
  readonly routeId: string;
  readonly channelType: number;
  readonly transactionTypeId: string;
  readonly description: string;
  readonly currency: string;
}

/** What a client must know of the service before it can ask. */
export interface Offer {
  readonly wallets: readonly LoadRoute[];
  readonly airtimeTypeId: string;
  readonly billTypeId: string;
  readonly bill: { readonly routeId: string; readonly serviceId: string };
}

const MOST_LINES = 5;
const numericCodes: Readonly<Record<string, number>> = { KES: 404, UGX: 800, TZS: 834 };
/** Digits after the point. */
export const exponents: Readonly<Record<string, number>> = { KES: 2, UGX: 0, TZS: 2 };

/** Last four digits of a payee, and the status in which its payment ends. Most are ordinary. */
const endings: readonly (readonly [digits: string, status: number])[] = [
  ['0777', 4],
  ['1234', 4],
  ['4321', 4],
  ['9010', 4],
  ['0001', 7],
  ['0002', 8],
  ['0008', 5],
];

/** Minor units as the number that goes over the wire: exact, because both fit into a double by far. */
const wireOf = (minor: bigint, currency: string): number => Number(minor) / 10 ** (exponents[currency] ?? 0);

/** One client: what it asks next depends on its chance and on what it asked before. */
export class LoadClient {
  readonly #chance: Chance;
  readonly #offer: Offer;
  readonly #name: string;
  readonly #accepted: string[] = [];
  #asked = 0;

  constructor(name: string, chance: Chance, offer: Offer) {
    this.#name = name;
    this.#chance = chance;
    this.#offer = offer;
  }

  next(): LoadRequest {
    const id = `${this.#name}-${this.#asked++}`;
    const draw = this.#chance.below(100);
    if (draw < 35) return this.#order(id);
    if (draw < 65) return this.#lookUp();
    if (draw < 80) return { name: 'balance', method: 'GET', path: this.#balancePath() };
    if (draw < 88) return this.#airtime(id);
    if (draw < 94) return this.#bill(id);
    return this.#deposit(id);
  }

  /** An order was answered 200: it can be looked up from now on. */
  remember(request: LoadRequest): void {
    if (request.submits?.operation === 'submit-order') this.#accepted.push(request.submits.id);
  }

  #balancePath(): string {
    const ccy = this.#chance.pick(Object.values(numericCodes));
    return `/v1/customer-accounts/get-wallet-balance?ccy=${ccy}`;
  }

  #lookUp(): LoadRequest {
    if (this.#accepted.length === 0) return { name: 'balance', method: 'GET', path: this.#balancePath() };
    const query = new URLSearchParams({ IdType: 'OriginatorConversationId', Id: this.#chance.pick(this.#accepted) });
    return { name: 'look-up', method: 'GET', path: `/v1/payment-order/check-status?${query}` };
  }

  #payee(): { readonly payee: string; readonly status: number } {
    const [digits, status] = this.#chance.pick(endings);
    return { payee: `+25471${this.#chance.between(100, 999)}${digits}`, status };
  }

  #order(id: string): LoadRequest {
    const route = this.#chance.pick(this.#offer.wallets);
    const { currency, transactionTypeId } = route;
    const movements = Array.from({ length: this.#chance.between(1, MOST_LINES) }, (_, index): Promised => {
      // Small enough that no wallet runs dry, however fast the machine: an order that fails for that would be judged as lost.
      const minor = BigInt(this.#chance.between(100, 30_000));
      return { trace: `${id}.${index}`, currency, minor, transactionTypeId, ...this.#payee() };
    });
    const body = {
      originatorConversationId: id,
      paymentNotes: 'Load',
      paymentOrderLines: movements.map(({ trace, payee, minor }) => ({
        recipient: {
          name: 'Amina Otieno',
          primaryAccountNumber: payee,
          mccmnc: '63902',
          ccy: numericCodes[currency],
          purpose: 'Salary',
        },
        transaction: {
          routeId: route.routeId,
          channelType: route.channelType,
          amount: wireOf(minor, currency),
          reference: trace,
          systemTraceAuditNumber: trace,
        },
      })),
    };
    return posting('submit-order', '/v1/payment-order/new-order', id, movements, body);
  }

  #airtime(id: string): LoadRequest {
    const movements = Array.from({ length: this.#chance.between(1, 3) }, (): Promised => {
      const whole = BigInt(this.#chance.between(5, 1_500));
      return {
        trace: '',
        currency: 'KES',
        minor: whole * 100n,
        transactionTypeId: this.#offer.airtimeTypeId,
        ...this.#payee(),
      };
    });
    const recipients = movements.map(({ payee, minor }) => ({
      currencyCode: 'KES',
      phoneNumber: payee,
      amount: wireOf(minor, 'KES'),
      name: 'Amina Otieno',
    }));
    const body = { originatorConversationId: id, callbackURL: NOBODY, recipients };
    return posting('buy-airtime', '/v1/airtime-purchase', id, movements, body);
  }

  #bill(id: string): LoadRequest {
    const whole = this.#chance.between(100, 900);
    const account = `37${this.#chance.between(1000, 9999)}0777`;
    const { routeId, serviceId } = this.#offer.bill;
    const movement: Promised = {
      trace: '',
      payee: account,
      currency: 'KES',
      minor: BigInt(whole) * 100n,
      status: 4,
      transactionTypeId: this.#offer.billTypeId,
    };
    const body = {
      routeId,
      serviceId,
      accountNumber: account,
      transactionType: 2,
      msisdn: '254712000777',
      transactionDesc: 'Load',
      originatorConversationId: id,
      amount: whole,
      customerNames: 'Amina Otieno',
      countryCode: 'KE',
      currencyCode: 'KES',
      saveBillerNumber: false,
      callBackUrl: NOBODY,
    };
    return posting('pay-bill', '/v1/bill-payments', id, [movement], body);
  }

  #deposit(id: string): LoadRequest {
    const minor = BigInt(this.#chance.between(100, 500_000));
    const cents = String(minor % 100n).padStart(2, '0');
    const movement: Promised = { trace: '', currency: 'KES', minor, ...this.#payee() };
    const body = {
      ...{ ShortCode: '600111', Amount: `${minor / 100n}.${cents}`, PhoneNumber: movement.payee },
      TransactionDesc: 'Load',
      OriginatorConversationId: id,
      CallBackUrl: NOBODY,
    };
    return posting('request-deposit', '/v1/express-deposit', id, [movement], body);
  }
}

/** Outside this machine, where the practice service never calls: callbacks are no part of the load. */
const NOBODY = 'https://callbacks.example.test/';

const posting = (
  operation: LoadOperation,
  path: string,
  id: string,
  movements: readonly Promised[],
  body: object,
): LoadRequest => ({ name: operation, method: 'POST', path, body, submits: { operation, id, movements } });
