/** Where the practice service answers operations whose path nobody knows: a place that no real service has. */
import { operations } from '../contract/index.ts';
import type { AnyOperation } from '../contract/operation.ts';

export const practicePathOf = (name: string): string => `/practice/${name}`;

/** Paths by operation name, for the profile of a client that practises. */
export const practicePaths: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values<AnyOperation>(operations).flatMap(({ name, path }) => (path ? [] : [[name, practicePathOf(name)]])),
);
