/** What a client needs to know about the practice service, whether or not it runs. */
import { operations } from '../service/contract/index.ts';
import type { AnyOperation } from '../service/contract/operation.ts';
import { rails } from './catalogue.ts';

/** A rail for the configuration of a client. A route and its channel type belong together. */
export interface PracticeRoute {
  readonly routeId: string;
  readonly channelType: number;
  readonly transactionTypeId: string;
  readonly description: string;
  /** The only currency that the rail carries. */
  readonly currency: string;
}

/** The only credentials that the practice service accepts. They are fixed, so that every process knows them. */
export const practiceClient = { id: 'sandbox', secret: 'practice-secret-that-opens-no-real-account' } as const;

export const practiceRoutes: readonly PracticeRoute[] = rails.map((rail) => ({
  routeId: rail.routeId,
  channelType: rail.channelType,
  transactionTypeId: rail.scale.transactionTypeId,
  description: rail.description,
  currency: rail.scale.currency,
}));

/** Returns where an operation of unknown path is answered: a place that no real service has. */
export const practicePathOf = (name: string): string => `/practice/${name}`;

/** Paths of operations whose real path is unknown, by operation name, for the profile of a client that practises. */
export const practicePaths: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values<AnyOperation>(operations).flatMap(({ name, path }) => (path ? [] : [[name, practicePathOf(name)]])),
);
