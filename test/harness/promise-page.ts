/** Writes the page of promises at the end of a test run that was asked for it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';
import { type Ran, writePage } from '../meta/promises/page.ts';

const file = join(import.meta.dirname, '../../docs/promises.md');

export class PromisePage implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    if (process.env.MODELGATE_PROMISES !== 'write' || !this.#vitest) return;
    const all = new Set((await this.#vitest.globTestSpecifications([])).map(({ moduleId }) => moduleId)).size;
    const page = writePage({
      tests: modules.flatMap((module) => [...module.children.allTests()].map((test) => readTest(test, module))),
      date: new Date().toISOString().slice(0, 10),
      files: { run: modules.length, all },
    });
    writeFileSync(file, page);
  }
}

function readTest(test: TestCase, { relativeModuleId }: TestModule): Ran {
  const titles = [test.name];
  for (let around = test.parent; around.type === 'suite'; around = around.parent) titles.unshift(around.name);
  return { titles, state: test.result().state, tallies: test.meta().tallies ?? [], file: relativeModuleId };
}
