/** A reporter that writes what a run tried for each promise (`docs/promises.md`) when MODELGATE_PROMISES names a folder. Runs of other lanes into the same folder add up. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import type { AttemptRecord } from './record-attempts.ts';

/** One test that names a promise in its title or recorded attempts for one. */
interface Ran {
  readonly promises: readonly string[];
  readonly state: string;
  readonly attempts: readonly AttemptRecord[];
  readonly file: string;
}

interface Sum {
  readonly times: number;
  readonly lost: number;
}

export class PromiseReport implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const folder = process.env.MODELGATE_PROMISES;
    if (folder === undefined) return;
    mkdirSync(folder, { recursive: true });
    for (const [lane, run] of Map.groupBy(modules, ({ project }) => project.name)) {
      const tests = run.flatMap((module) => [...module.children.allTests()].map((test) => readTest(test, module)));
      const named = tests.filter(({ promises, attempts }) => promises.length > 0 || attempts.length > 0);
      writeFileSync(join(folder, `${lane}.json`), JSON.stringify(named));
    }
    const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
    // `as`: written above.
    const all = names.flatMap((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Ran[]);
    const lanes = names.map((name) => name.replace('.json', '')).join(', ');
    writeFileSync(join(folder, 'promises.md'), `# What was tried for each promise\n\nLanes: ${lanes}.\n\n${sectionsOf(all).join('\n')}`);
  }
}

/** `G3: …`, or `F29, G3: …`, at the start of a title. */
const numbered = /^([A-G]\d\d?(?:, [A-G]\d\d?)*)(?::|$)/;

function readTest(test: TestCase, { relativeModuleId }: TestModule): Ran {
  const titles = [test.name];
  for (let around = test.parent; around.type === 'suite'; around = around.parent) titles.push(around.name);
  const numbers = titles.flatMap((title) => numbered.exec(title)?.[1]?.split(', ') ?? []);
  return {
    promises: numbers.filter((number) => number.startsWith('G')),
    state: test.result().state,
    attempts: test.meta().tallies ?? [],
    file: relativeModuleId,
  };
}

function sectionsOf(tests: readonly Ran[]): string[] {
  const promises = new Set(tests.flatMap((test) => [...test.promises, ...test.attempts.map(({ promise }) => promise)]));
  const byNumber = (one: string, other: string): number => Number(one.slice(1)) - Number(other.slice(1));
  return [...promises].sort(byNumber).map((promise) => {
    const named = tests.filter((test) => test.promises.includes(promise));
    const passed = named.filter(({ state }) => state === 'passed');
    const sums = addUp(tests.flatMap(({ attempts }) => attempts.filter((attempt) => attempt.promise === promise)));
    const tried = [...sums].map(([what, { times, lost }]) => `- ${times.toLocaleString('en-US')} ${what}, ${lost} lost`);
    const files = [...new Set(named.map(({ file }) => file))].sort().map((file) => `- ${file}`);
    return [`## ${promise}\n`, `${passed.length} of ${named.length} tests passed.\n`, ...tried, ...files, ''].join('\n');
  });
}

function addUp(attempts: readonly AttemptRecord[]): ReadonlyMap<string, Sum> {
  const sums = new Map<string, Sum>();
  for (const { what, times, lost } of attempts) {
    const sum = sums.get(what) ?? { times: 0, lost: 0 };
    sums.set(what, { times: sum.times + times, lost: sum.lost + lost });
  }
  return sums;
}
