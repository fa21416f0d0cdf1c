/** The order of test files. One that waits for a minute and begins last keeps every other core idle until it ends. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Whole runs in processes of their own, whole worlds, a year of pay days and the largest workbook: a minute each, or more. Without
 * durations of an earlier run nothing shows it.
 */
const LONG = /\/test\/(?:(?:e2e|protocol)\/|(?:schedule\/pay-days|results\/large-workbook)\.)/;

/** As vitest has it, but what is known to be long comes first. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const order = await super.sort(files);
    const { true: long = [], false: short = [] } = Object.groupBy(order, ({ moduleId }) => `${LONG.test(moduleId)}`);
    return [...long, ...short];
  }
}
