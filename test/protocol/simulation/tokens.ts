/** The tokens of the simulated service, some of which end before their time. */
import type { Chance } from '../../support/seeded-random.ts';
import type { Timeline } from './timeline.ts';
import { type Answer, json } from './wire.ts';
import type { Witness } from './witness.ts';
import type { ServiceHabits } from './world.ts';

/** How long a token that ends before its time lives, in milliseconds. */
const EARLY_END_MS = 45_000;

export class Tokens {
  readonly #habits: ServiceHabits;
  readonly #deps: { readonly timeline: Timeline; readonly chance: Chance; readonly witness: Witness };
  readonly #ends = new Map<string, number>();

  constructor(
    habits: ServiceHabits,
    deps: { readonly timeline: Timeline; readonly chance: Chance; readonly witness: Witness },
  ) {
    this.#habits = habits;
    this.#deps = deps;
  }

  issue(calm: boolean): Answer {
    const { chance, timeline } = this.#deps;
    const { tokenLifeSeconds, tokenEndsEarly } = this.#habits;
    const value = `token-CANARY-${this.#ends.size + 1}`;
    const early = !calm && chance.below(1000) < tokenEndsEarly * 1000;
    this.#ends.set(value, timeline.nowMs + (early ? EARLY_END_MS : tokenLifeSeconds * 1000));
    return json(200, { access_token: value, expires_in: tokenLifeSeconds, token_type: 'Bearer', scope: 'service_api' });
  }

  /** The answer to a request whose token is of no use; undefined when it is good. */
  barred(authorization: string | undefined): Answer | undefined {
    const ends = this.#ends.get(authorization?.replace('Bearer ', '') ?? '');
    if (ends !== undefined && this.#deps.timeline.nowMs < ends) return undefined;
    this.#deps.witness.saw('token-expired');
    return { status: 401, body: '' };
  }
}
