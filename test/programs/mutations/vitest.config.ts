/** The tests of a mutation run: in the order of the job, one after the other in one process, with short time limits. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { compileCache } from '../../harness/compile-cache.ts';
import type { Job } from './job.ts';

const root = join(import.meta.dirname, '../../..');
// Written by the program that started this one.
const job = JSON.parse(readFileSync(process.env.MODELGATE_MUTATION_JOB ?? '', 'utf8')) as Job;

class InOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => job.tests.findIndex((test) => moduleId.endsWith(test));
    return files.toSorted((one, other) => place(one) - place(other));
  }
}

export default defineConfig({
  root,
  test: {
    include: [...job.tests],
    isolate: false,
    fileParallelism: false,
    experimental: { viteModuleRunner: false },
    runner: join(import.meta.dirname, 'runner.ts'),
    sequence: { sequencer: InOrder },
    globalSetup: job.tests.some((test) => test.includes('/stores/')) ? ['test/harness/shared-servers.ts'] : [],
    provide: { overSharedStores: false, isThorough: false },
    env: compileCache,
    testTimeout: 120_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 3_000 } },
    // A mutant may leave a promise that nobody awaits.
    dangerouslyIgnoreUnhandledErrors: true,
    disableConsoleIntercept: true,
    reporters: [{}],
  },
});
