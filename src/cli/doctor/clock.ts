/**
 * The clock of this machine: against the service's own, as far as answers say it, and against the clock that never
 * jumps. Nothing is decided by either; but records, schedules and results carry the time.
 */
import { findOrder } from '../../contract/payment-order.ts';
import { isoTime } from '../../domain/clock.ts';
import { Fault } from '../../domain/fault.ts';
import { type Check, ok, warning } from './check.ts';
import type { DoctorContext, TokenGiven } from './doctor-context.ts';
import type { TimeHeard } from './service-times.ts';

/** A difference that people would notice between the provider's records and ours. */
const APART_MS = 60_000;

/** Both clocks count the same seconds; corrections by a time service are far smaller while the checks run. */
const JUMP_MS = 2000;

const SET_IT = 'Let the system set its clock from the network (NTP).';

export const clock: Check = {
  name: 'clock',
  title: 'Clock',
  async look(context) {
    const heard = await serviceTime(context);
    const now = context.shell.clock.now();
    const jumpMs = Math.round(
      now - context.startedAt.wall - (context.shell.clock.monotonicMs() - context.startedAt.monotonic),
    );
    const apartMs = heard && apart(heard);
    const figures = { jumpMs, apartMs: apartMs ?? null };
    if (Math.abs(jumpMs) > JUMP_MS) {
      return warning(`It was moved by ${jumpMs / 1000} s while the checks ran, or the machine slept.`, SET_IT, figures);
    }
    if (apartMs !== undefined && Math.abs(apartMs) > APART_MS) {
      const way = apartMs > 0 ? 'ahead of' : 'behind';
      return warning(`It is ${Math.round(Math.abs(apartMs) / 1000)} s ${way} the service's.`, SET_IT, figures);
    }
    const latest = await latestPlan(context);
    if (latest !== undefined && latest > now + APART_MS) {
      return warning(`It says ${isoTime(now)}, but the ledger has a batch of ${isoTime(latest)}.`, SET_IT, figures);
    }
    if (apartMs === undefined) return ok("No jump was seen; the service's time is not known.", figures);
    return ok("It goes with the service's, and no jump was seen.", figures);
  },
};

/** Milliseconds by which our clock is ahead; negative: behind. 0 while the answer's way explains the difference. */
export function apart({ service, before, after }: TimeHeard): number {
  if (service < before) return before - service;
  return service > after ? after - service : 0;
}

/** The last time that an answer carried, or else the one that the token was issued at. */
async function serviceTime(context: DoctorContext): Promise<TimeHeard | undefined> {
  try {
    const { times } = context.serviceTimes;
    // Documented to be refused with the time in its body. Spec: "Errors" 3.
    const query = { IdType: 'OriginatorConversationId' as const, Id: '' };
    if (times.length === 0) {
      await context.ask((client) => client.call(findOrder, { query, signal: context.signal }));
    }
    return times.at(-1) ?? timeOfToken(await context.token());
  } catch (error) {
    if (error instanceof Fault) return undefined; // told by the checks of the service
    throw error;
  }
}

/**
 * The time of a token that says when it expires (`exp` of a JWT, RFC 7519), less the life that it was given with. Both
 * are whole seconds; undefined for any other token.
 */
export function timeOfToken({ text, lifeSeconds, before, after }: TokenGiven): TimeHeard | undefined {
  const payload = text.split('.').length === 3 ? text.split('.')[1] : undefined;
  if (payload === undefined || lifeSeconds === undefined) return undefined;
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    if (typeof claims !== 'object' || claims === null || !('exp' in claims) || typeof claims.exp !== 'number') {
      return undefined;
    }
    return { service: (claims.exp - lifeSeconds) * 1000, before, after };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

async function latestPlan(context: DoctorContext): Promise<number | undefined> {
  try {
    return (await (await context.ledger()).latestBatch())?.plannedAt;
  } catch (error) {
    if (error instanceof Fault) return undefined; // told by the checks of the ledger
    throw error;
  }
}
