/** Makes the files that follow from the facts again, and compares them byte for byte. */
import { RESULTS_SCHEMA } from '../../results/made-text.ts';
import type { DerivedFile } from './derived.ts';
import { member, type Pack } from './members.ts';
import type { OpenPack } from './open-pack.ts';

/**
 * Yields the first difference between a file of the pack and the same file made from the facts. Results of another schema are
 * not compared; `note` is called with a sentence that says so.
 */
export async function* derivedDifferences(
  pack: OpenPack,
  { name, pieces }: DerivedFile,
  { resultsSchema }: Pack,
  note: (note: string) => void,
): AsyncGenerator<string> {
  const isResults = name === member.csv || name === member.lines;
  if (isResults && resultsSchema !== RESULTS_SCHEMA) {
    note(
      `${name} has the schema of results ${resultsSchema}, and was not made again: this paybatch knows ${RESULTS_SCHEMA}.`,
    );
    return;
  }
  const theirs = pack.bytes(name);
  let left: Buffer = Buffer.alloc(0);
  let number = 0;
  for await (const piece of pieces()) {
    number += 1;
    const ours = Buffer.from(piece);
    while (left.length < ours.length) {
      const next = await theirs.next();
      if (next.done) break;
      left = Buffer.concat([left, next.value]);
    }
    if (!left.subarray(0, ours.length).equals(ours)) {
      yield `${name}: does not follow from the facts (piece ${number})`;
      return;
    }
    left = left.subarray(ours.length);
  }
  if (left.length > 0 || !(await theirs.next()).done) yield `${name}: says more than follows from the facts`;
}
