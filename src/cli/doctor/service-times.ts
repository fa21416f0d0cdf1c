/** Listens to the answers that pass, for the service's own time: some bodies carry a `timestamp`. Spec: "Errors". */
import type { Transport } from '../../client/transport.ts';
import type { Clock } from '../../domain/clock.ts';

/** A time that the service said, and the times of this machine's clock between which it was said. */
export interface TimeHeard {
  readonly service: number;
  readonly before: number;
  readonly after: number;
}

export interface ServiceTimes {
  readonly transport: Transport;
  readonly times: readonly TimeHeard[];
  /** Answers of any kind so far. */
  readonly answers: () => number;
}

/** Answers say it at the end or in a `message`; whatever else has a time in it calls it by another name. */
const TIMESTAMP = /"timestamp"\s*:\s*"([^"]{1,40})"/i;

/** A transport that is the given one, and remembers what it heard. */
export function withServiceTimes(transport: Transport, clock: Clock): ServiceTimes {
  const times: TimeHeard[] = [];
  let answers = 0;
  return {
    times,
    answers: () => answers,
    transport: {
      async exchange(request) {
        const before = clock.now();
        const answer = await transport.exchange(request);
        if (answer.tag !== 'answered') return answer;
        answers += 1;
        const service = utcTime(TIMESTAMP.exec(answer.body)?.[1] ?? '');
        if (service !== undefined) times.push({ service, before, after: clock.now() });
        return answer;
      },
      close: () => transport.close(),
    },
  };
}

/** ISO 8601 with or without a zone; the specification says that all times are UTC. */
function utcTime(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?$/.test(text)) return undefined;
  const time = Date.parse(/(?:Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`);
  return Number.isNaN(time) ? undefined : time;
}
