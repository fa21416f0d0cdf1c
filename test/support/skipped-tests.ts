/**
 * A reporter of vitest that names every test that was skipped, and why. On CI none may be: a program that is missing there would take
 * its tests away without anybody noticing.
 */
import type { Reporter, TestModule, Vitest } from 'vitest/node';

/** Needs no other reporter, and says nothing where nothing was skipped. */
export class SkippedTests implements Reporter {
  /** Tests that were not asked for are no matter of the machine. */
  #isSelection = false;

  onInit({ config }: Vitest): void {
    this.#isSelection = config.testNamePattern !== undefined;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (this.#isSelection) return;
    const skipped = modules.flatMap((module) =>
      [...module.children.allTests('skipped')].map((test) => {
        const { note } = test.result() as { readonly note?: string };
        return `  ${module.relativeModuleId} > ${test.fullName}: ${note ?? 'no reason is given'}`;
      }),
    );
    if (skipped.length === 0) return;
    const onCi = process.env['CI'] !== undefined;
    if (onCi) process.exitCode = 1;
    const verdict = onCi ? ', and on CI none may be' : '';
    process.stderr.write(`Skipped tests: ${skipped.length}${verdict}.\n${skipped.join('\n')}\n`);
  }
}
