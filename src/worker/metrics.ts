/** The tally of a worker in the text format of Prometheus (version 0.0.4). It names no person, batch or organisation. */
import { isSetAside, isSettled, outcomes } from '../domain/outcome.ts';
import type { Tally } from './tally.ts';

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

type Sample = readonly [labels: string, value: number];

interface Metric {
  readonly name: string;
  readonly type: 'counter' | 'gauge';
  readonly help: string;
  readonly samples: (tally: Tally) => readonly Sample[];
}

const one = (value: number | boolean): readonly Sample[] => [['', Number(value)]];

const metrics: readonly Metric[] = [
  {
    name: 'paybatch_worker_ready',
    type: 'gauge',
    help: 'Whether the worker may claim: 1 where /ready answers 200.',
    samples: (tally) => one(tally.isReady),
  },
  {
    name: 'paybatch_worker_batches',
    type: 'gauge',
    help: 'Batches that are worked on now.',
    samples: ({ batches }) => one(batches),
  },
  {
    name: 'paybatch_worker_rows_open',
    type: 'gauge',
    help: 'Rows of these batches that were sent and have no final outcome.',
    samples: ({ open }) => one(open),
  },
  {
    name: 'paybatch_worker_batches_left',
    type: 'gauge',
    help: 'Batches that wait for a person, as far as this worker knows.',
    samples: ({ left }) => one(left),
  },
  {
    name: 'paybatch_worker_rows_total',
    type: 'counter',
    help: 'Rows that came to an outcome while this worker had their batch.',
    samples: ({ rows }) =>
      outcomes
        .filter((outcome) => isSettled(outcome) && !isSetAside(outcome))
        .map((outcome) => [`{outcome="${outcome}"}`, rows[outcome]]),
  },
  {
    name: 'paybatch_worker_exits_total',
    type: 'counter',
    help: 'Ends of work on a batch, by the exit code of `paybatch resume`.',
    samples: ({ exits }) => [...exits].sort(([a], [b]) => a - b).map(([exit, count]) => [`{exit="${exit}"}`, count]),
  },
  {
    name: 'paybatch_worker_last_completed_seconds',
    type: 'gauge',
    help: 'Unix time at which a row was last completed; 0: none was since the start.',
    samples: ({ completedAt }) => one(completedAt),
  },
];

export const metricsText = (tally: Tally): string =>
  metrics
    .flatMap(({ name, type, help, samples }) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} ${type}`,
      ...samples(tally).map(([labels, value]) => `${name}${labels} ${value}`),
    ])
    .map((line) => `${line}\n`)
    .join('');
