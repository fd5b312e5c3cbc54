/** A reporter for the end of a run: what was not tried, the ten most expensive files, and, as the last line, the numbers of passed, failed and skipped tests. */
import type { Reporter, TestModule } from 'vitest/node';
import { postgresMissing, redisMissing } from './servers.ts';

/**
 * The share of a whole run's CPU time that one file may take; a file that needs more belongs in a lane for processes, browsers or load.
 * A share, because the same work takes two or three times the seconds on a slower or busier machine: of 600 CPU seconds it is 15.
 */
const MAX_SHARE = 0.025;
/** A run of fewer files is a part of the suite, in which a file's share says nothing. */
const WHOLE_RUN = 300;
const SHOWN = 10;

export interface ClosingLineOptions {
  /** Names of the lanes whose files have a CPU budget. */
  readonly budgeted: readonly string[];
  /** Whether PostgreSQL and Redis must be here. */
  readonly needsServers: boolean;
}

export class ClosingLine implements Reporter {
  readonly #options: ClosingLineOptions;

  constructor(options: ClosingLineOptions) {
    this.#options = options;
  }

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
    const faults = [...this.#missingServers(), ...this.#overBudget(modules)];
    counts.failed += faults.length;
    if (faults.length > 0) process.exitCode = 1;
    const lines = [...expensive(modules), ...notTried(modules), ...faults.map((fault) => `FAILED: ${fault}`)];
    // Prints after all other reporters.
    process.once('exit', () => {
      process.stdout.write(`\n${lines.join('\n')}\n\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`);
    });
  }

  #missingServers(): string[] {
    return this.#options.needsServers ? [postgresMissing, redisMissing].filter((reason) => reason !== null) : [];
  }

  #overBudget(modules: readonly TestModule[]): string[] {
    if (modules.length < WHOLE_RUN) return [];
    const most = totalSeconds(modules) * MAX_SHARE;
    return modules
      .filter((module) => this.#options.budgeted.includes(module.project.name) && cpuSeconds(module) > most)
      .map((module) => `${module.relativeModuleId} took ${cpuSeconds(module).toFixed(1)} CPU seconds of at most ${most.toFixed(1)}`);
  }
}

const cpuSeconds = (module: TestModule): number => (module.meta().cpuMs ?? 0) / 1_000;
const totalSeconds = (modules: readonly TestModule[]): number => modules.reduce((sum, module) => sum + cpuSeconds(module), 0);

function expensive(modules: readonly TestModule[]): string[] {
  const most = modules.toSorted((one, other) => cpuSeconds(other) - cpuSeconds(one)).slice(0, SHOWN);
  const rows = most.map((module) => `${cpuSeconds(module).toFixed(1).padStart(7)}  ${module.relativeModuleId} (${module.project.name})`);
  return [`${totalSeconds(modules).toFixed(0)} CPU seconds in ${modules.length} test files. The most expensive:`, ...rows];
}

/** Why tests were skipped: the reason that a title gives after LEFT OUT, otherwise the title. */
function notTried(modules: readonly TestModule[]): string[] {
  const reasons = new Map<string, number>();
  for (const module of modules) {
    for (const test of module.children.allTests('skipped')) {
      const [, reason = test.fullName] = /LEFT OUT: (.*?)(?= > |$)/.exec(test.fullName) ?? [];
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    }
  }
  const rows = [...reasons].map(([reason, count]) => `  ${count} × ${reason}`);
  return rows.length === 0 ? [] : ['Not tried here:', ...rows];
}
