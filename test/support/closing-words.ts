/**
 * A reporter of vitest that has the last word of a run: the counts as a line for machines, and every test that was skipped,
 * with its reason. On CI none may be: a program that is missing there would take its tests away without anybody noticing.
 */
import type { Reporter, TestModule, Vitest } from 'vitest/node';

/** Needs no other reporter. Says nothing beyond CI where nothing was skipped. */
export class ClosingWords implements Reporter {
  /** Tests that were not asked for are no matter of the machine. */
  #isSelection = false;

  onInit({ config }: Vitest): void {
    this.#isSelection = config.testNamePattern !== undefined;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const onCi = process.env['CI'] !== undefined;
    if (onCi) process.stdout.write(`${countsOf(modules)}\n`);
    if (this.#isSelection) return;
    const skipped = modules.flatMap(skippedIn);
    if (skipped.length === 0) return;
    if (onCi) process.exitCode = 1;
    const verdict = onCi ? ', and on CI none may be' : '';
    process.stderr.write(`Skipped tests: ${skipped.length}${verdict}.\n${skipped.join('\n')}\n`);
  }
}

function countsOf(modules: readonly TestModule[]): string {
  const count = (state: 'passed' | 'failed' | 'skipped'): string =>
    `${modules.reduce((sum, { children }) => sum + [...children.allTests(state)].length, 0)} ${state}`;
  return `tests: ${count('passed')}, ${count('failed')}, ${count('skipped')}`;
}

const skippedIn = ({ children, relativeModuleId }: TestModule): readonly string[] =>
  [...children.allTests('skipped')].map((test) => {
    const { note } = test.result() as { readonly note?: string };
    return `  ${relativeModuleId} > ${test.fullName}: ${note ?? 'no reason is given'}`;
  });
