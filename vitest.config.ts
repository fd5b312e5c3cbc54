import { availableParallelism } from 'node:os';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { ClosingLine } from './test/harness/closing-line.ts';
import { compileCache } from './test/harness/compile-cache.ts';
import { hangLimitMs } from './test/harness/hang-limit.ts';
import { PromiseReport } from './test/harness/promise-report.ts';
import { postgresMissing, redisMissing } from './test/harness/servers.ts';

const hasServers = postgresMissing === null && redisMissing === null;

/** One PostgreSQL and one Redis for the whole run, started before the first test of these lanes. */
const withServers = { globalSetup: ['test/harness/shared-servers.ts'] };

/** The same, and the gateway as a bundle, which starts sooner. */
const withBundle = { globalSetup: ['test/harness/shared-servers.ts', 'test/harness/bundled-gateway.ts'] };

/** Pages are built again before the first test of these lanes. */
const pagesBuilt = { globalSetup: ['test/console/built-pages.ts'] };

/** A group of its own, with as many workers as there are cores. */
const alone = { maxWorkers: availableParallelism(), sequence: { groupOrder: 1 } };

function lane(name: string, test: TestProjectInlineConfiguration['test']): TestProjectInlineConfiguration {
  return {
    extends: true,
    test: { name, include: [`test/${name}/**/*.test.ts`], provide: { overSharedStores: false, isThorough: false }, ...test },
  };
}

const sharedStores = { overSharedStores: true, isThorough: false };
/** More steps beside a model. */
const thorough = { overSharedStores: false, isThorough: true };

const lanes = [
  lane('unit', {}),
  lane('contract', {}),
  lane('stores', {
    ...withServers,
    // Suites that write money, keys or history say in their name that they are tried on both sets of stores. They run here again, over PostgreSQL and Redis.
    include: ['test/stores/**/*.test.ts', ...(hasServers ? ['test/{contract,e2e}/**/*.both-stores.test.ts'] : [])],
    provide: sharedStores,
  }),
  lane('e2e', withServers),
  lane('meta', {}),
  // Gateways as processes (workers, clusters, releases), commands, and the programs of others around them.
  lane('processes', withBundle),
  // The samples of the documentation, each a program or two.
  lane('samples', { maxConcurrency: 2 }),
  // Pages in Chromium.
  lane('console', pagesBuilt),
  lane('packages', { globalSetup: ['test/packages/packed.ts'] }),
  // Programs of other languages and their compilers.
  lane('generators', {}),
  // After the others: what is done around a kill takes as much of the machine as it has.
  lane('chaos', {
    ...withBundle,
    ...alone,
    // With more steps and runs than in their own lanes.
    include: [
      'test/chaos/**/*.test.ts',
      'test/stores/money/{model,holds-together}.test.ts',
      'test/unit/protocols/{cut-streams,events-round-trip,hostile-events,split-streams}.test.ts',
    ],
    provide: thorough,
  }),
  ...(hasServers
    ? [lane('chaos-shared', { ...withBundle, ...alone, include: ['test/chaos/**/*.both-stores.test.ts'], provide: sharedStores })]
    : []),
];

export default defineConfig({
  test: {
    // These protect from a test that hangs. No test is meant to come near them, not even on a busy machine.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: hangLimitMs } },
    // Node runs the sources as the product does, and each worker loads them once.
    isolate: false,
    setupFiles: ['test/harness/cpu-time.ts'],
    // One more than there are cores: a test waits for a quarter of its time, for a process, a timer or a server.
    maxWorkers: availableParallelism() + 1,
    experimental: { viteModuleRunner: false },
    // What one worker compiled the next one reads.
    env: compileCache,
    reporters: [
      'default',
      new ClosingLine({ budgeted: ['unit', 'contract', 'stores', 'e2e', 'meta'], needsServers: process.env.CI !== undefined }),
      new PromiseReport(),
    ],
    projects: lanes,
  },
});
