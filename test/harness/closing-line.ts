/** A reporter that prints the numbers of passed, failed and skipped tests as the last line of a run, for scripts. */
import type { Reporter, TestModule } from 'vitest/node';

export class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0 };
    for (const module of modules) {
      // A file that cannot be loaded has no tests, so it counts as one failure.
      if (module.errors().length > 0) counts.failed++;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state !== 'pending') counts[state]++;
      }
    }
    // Prints after all other reporters.
    process.once('exit', () => process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`));
  }
}
