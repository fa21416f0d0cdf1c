/** A range of seeds in which no rule may be broken; a rule that is says which seed to look at. */
import { availableParallelism } from 'node:os';
import { expect } from 'vitest';
import type { BrokenRule, SeedTally } from './tally.ts';
import { tallyInWorkers } from './tally-in-workers.ts';

const rules = new Map([
  ['BUG', 'no run ends as a bug would end it'],
  ['M1', 'nobody is paid twice'],
  ['M2', 'every payment is the planned one'],
  ['M3', 'nobody is paid who is not in the plan'],
  ['M4', 'nothing unpaid reads completed, and no contradiction goes unnoticed'],
  ['M5', 'nothing that is paid, or may be, reads as if it could be paid again'],
  ['M6', 'every row stands once in the report, and the sums agree'],
  ['M7', 'nothing is submitted without a claim of its own on the disk'],
  ['M8', 'an id is always submitted with the same bytes'],
  ['M9', 'no row is tried again while an earlier attempt has paid it, or may'],
  ['M10', 'nothing is submitted after a stop, an alarm, a failed write or a lost lease'],
  ['M11', 'no more is in flight than allowed, and silence is kept when the service asks for it'],
  ['M12', 'what was completed stays completed'],
  ['M13', 'a run of a finished batch asks and sends nothing'],
  ['M14', 'the exit code follows from the rows and the alarms'],
  ['M15', 'no secret stands in the ledger'],
  ['M16', 'the fees are those of the books'],
  ['M17', 'the chain of facts holds, and the ledger agrees with it'],
  ['M18', 'every run comes to its end, and every row to the end that the service gave it'],
  ['M20', 'an id is submitted again only after the proof that the rule asks for'],
  ['M21', 'no id is ever made that was not planned'],
  ['M22', 'a crash leaves no more orders to be found out than two blocks'],
  ['M23', 'the facts of every order follow each other as the protocol allows'],
  ['M24', 'of several processes each is told who else is at work, and none has the epoch of another'],
  ['T12', 'only what somebody meant to stop is stopped'],
]);

const toldOf = ({ seed, rule, what }: BrokenRule): string =>
  `${what} (${rule}: ${rules.get(rule)}; see node test/campaigns/simulate.ts --seed ${seed})`;

export function expectUnbroken({ broken, brokenSeeds }: SeedTally): void {
  expect(broken.map(toldOf)).toEqual([]);
  expect(brokenSeeds).toEqual([]);
}

/** Plays the seeds on several threads, and expects every rule to hold in each. */
export async function tallyUnbroken(from: number, to: number): Promise<SeedTally> {
  const tally = await tallyInWorkers({
    from,
    seeds: to - from + 1,
    workers: Math.min(4, availableParallelism()),
    without: new Set(),
  });
  expectUnbroken(tally);
  return tally;
}
