/**
 * The way between a process and the service. A request, once it has left, goes its own way: it may arrive although its
 * process died, long after its client gave up, twice, or never; and its answer may be lost or be somebody else's.
 */
import type { Exchange, HttpRequest, Transport } from '../../../src/service/client/transport.ts';
import type { Chance } from '../../support/seeded-random.ts';
import { type NetworkFault, networkFaults } from './fault-kinds.ts';
import { never, type SimulatedProcess } from './machine.ts';
import { failureOf, type Passage, passages, undisturbed } from './passages.ts';
import type { Service } from './service.ts';
import type { Timeline } from './timeline.ts';
import type { Call, Traffic } from './traffic.ts';
import type { Answer } from './wire.ts';
import type { Witness } from './witness.ts';
import type { World } from './world.ts';

/** Longest way in one direction when all is calm: well below every time limit, in milliseconds. */
const CALM_LATENCY_MS = 15;

export interface NetworkDeps {
  readonly world: World;
  readonly timeline: Timeline;
  readonly chance: Chance;
  readonly witness: Witness;
  readonly service: Service;
  readonly traffic: Traffic;
}

export class Network {
  readonly #deps: NetworkDeps;
  /** Submissions on their way to the service, by their ids. */
  readonly #underWay = new Map<string, number>();
  /** How long the line will be down from the next exchange on. */
  #cutMs = 0;
  #downUntilMs = 0;
  /** From now on nothing goes wrong; what is under way stays so. */
  calm = false;

  constructor(deps: NetworkDeps) {
    this.#deps = deps;
  }

  /** Whether the service may still get a submission of an order that has left. */
  mayArrive(order: string): boolean {
    return (this.#underWay.get(order) ?? 0) > 0;
  }

  /** The line is down for so long, from the next exchange on. */
  cut(forMs: number): void {
    this.#cutMs = forMs;
  }

  /** The network as one process uses it. */
  attach(process: SimulatedProcess): Transport {
    return {
      exchange: (request) => {
        if (process.gone('exchange:before')) return never();
        return new Promise((resolve) => this.#send(process, request, resolve));
      },
      close: () => Promise.resolve(),
    };
  }

  #send(process: SimulatedProcess, request: HttpRequest, resolve: (exchange: Exchange) => void): void {
    const { traffic, witness, timeline, chance, world } = this.#deps;
    const call = callOf(request);
    const number = traffic.leaves(process, call, request.body);
    let ended = false;
    const end = (delayMs: number, exchange: Exchange, unsent: boolean, means?: Answer['means']): void =>
      process.reach(delayMs, () => {
        if (ended || process.gone('exchange:after')) return;
        ended = true;
        traffic.ends(number, exchange, { unsent, means });
        resolve(exchange);
      });
    const answer = (delayMs: number, { status, body, means }: Answer, retryAfter?: string): void => {
      const given = { tag: 'answered', status, body, oversized: false, ...(retryAfter && { retryAfter }) } as const;
      end(delayMs, given, false, means);
    };
    const passage: Passage = {
      chance,
      timeoutMs: request.timeoutMs,
      lateMaxMs: world.network.lateMaxMs,
      thereMs: this.#latency(),
      backMs: () => this.#latency(),
      arrive: (delayMs, change, slowMs = 0) => {
        this.#countUnderWay(call, 1);
        timeline.after(delayMs, () => {
          this.#countUnderWay(call, -1);
          traffic.arrives(number);
          const made = this.#serve(call, request);
          if (change) answer(this.#latency() + (slowMs > 0 ? chance.below(slowMs) : 0), change(made));
        });
      },
      answer,
      fail: (delayMs, failure, unsent) => end(delayMs, failureOf(failure), unsent),
    };
    const fault = this.#draw(call);
    if (fault) {
      witness.saw(fault);
      witness.log(process.name, `#${number} meets ${fault}`);
    }
    (fault ? passages[fault] : undisturbed)(passage);
    // Whatever happens on the way, the client waits no longer than this.
    end(request.timeoutMs, failureOf(['UND_ERR_HEADERS_TIMEOUT', '']), false);
  }

  #serve(call: Call, { headers, body }: HttpRequest): Answer {
    const { service } = this.#deps;
    const { authorization } = headers;
    switch (call.type) {
      case 'token':
        return service.token();
      case 'submit':
        return service.submit(authorization, body ?? '');
      case 'charges':
        return service.charges(authorization);
      case 'balance':
        return service.balance(authorization);
      case 'reject':
        return service.reject(authorization, call.id);
      default:
        return service.find(authorization, call.id);
    }
  }

  #countUnderWay(call: Call, by: number): void {
    if (call.type === 'submit') this.#underWay.set(call.id, (this.#underWay.get(call.id) ?? 0) + by);
  }

  #latency(): number {
    const { chance, world } = this.#deps;
    return 1 + chance.below(this.calm ? CALM_LATENCY_MS : world.network.latencyMs);
  }

  #draw({ type }: Call): NetworkFault | undefined {
    if (this.calm) return undefined;
    if (this.#isDown()) return 'outage';
    const { world, chance } = this.#deps;
    const { rates } = world.network;
    let left = chance.below(1_000_000) / 1_000_000;
    for (const kind of networkFaults) {
      if (kind === 'token-error' ? type !== 'token' : kind === 'other-refusal' && type !== 'find') continue;
      left -= rates[kind] ?? 0;
      if (left < 0) return kind;
    }
    return undefined;
  }

  #isDown(): boolean {
    const { world, timeline } = this.#deps;
    const now = timeline.nowMs;
    if (this.#cutMs > 0) this.#downUntilMs = now + this.#cutMs;
    this.#cutMs = 0;
    return now < this.#downUntilMs || world.network.outages.some(({ fromMs, toMs }) => fromMs <= now && now < toMs);
  }
}

function callOf({ method, origin, path, body }: HttpRequest): Call {
  const url = new URL(path, origin);
  if (url.pathname.endsWith('/connect/token')) return { type: 'token' };
  if (url.pathname.endsWith('/fetch-charges')) return { type: 'charges' };
  if (url.pathname.endsWith('/get-wallet-balance')) return { type: 'balance' };
  if (url.pathname.endsWith('/reject-order')) {
    return { type: 'reject', id: url.searchParams.get('OriginatorConversationId') ?? '' };
  }
  if (method === 'GET') return { type: 'find', id: url.searchParams.get('Id') ?? '' };
  return { type: 'submit', id: JSON.parse(body ?? '{}').originatorConversationId ?? '' };
}
