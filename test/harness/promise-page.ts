/** Writes the page of promises at the end of a test run that was asked for it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';
import { shrunkSince } from '../meta/promises/counts.ts';
import { type Ran, writePage } from '../meta/promises/page.ts';

const file = join(import.meta.dirname, '../../docs/promises.md');

export class PromisePage implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    if (process.env.MODELGATE_PROMISES !== 'write' || !this.#vitest) return;
    const all = (await this.#vitest.globTestSpecifications([])).length;
    const page = writePage({
      tests: modules.flatMap((module) => [...module.children.allTests()].map((test) => readTest(test, module))),
      date: new Date().toISOString().slice(0, 10),
      files: { run: modules.length, all },
    });
    const shrunk = shrunkSince(readFileSync(file, 'utf8'), page);
    if (shrunk.length > 0) console.warn(`Less was tried for a promise than on the page before:\n${shrunk.join('\n')}`);
    writeFileSync(file, page);
  }
}

function readTest(test: TestCase, { relativeModuleId, project }: TestModule): Ran {
  const titles = [test.name];
  for (let around = test.parent; around.type === 'suite'; around = around.parent) titles.unshift(around.name);
  return { titles, state: test.result().state, tallies: test.meta().tallies ?? [], file: relativeModuleId, lane: project.name };
}
