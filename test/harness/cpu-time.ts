/** Set-up of every lane: records the CPU time of each test file, with that of child processes that have ended, and its coverage if asked to. `closing-line.ts` reports the time. */
import { readFileSync } from 'node:fs';
import { takeCoverage } from 'node:v8';
import { afterAll } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** Of a file: CPU milliseconds since the file before it ended in the same worker, so that loading its modules counts. */
    cpuMs?: number;
  }
}

/** Linux counts in ticks of 10 ms. */
const msPerTick = 10;

function spentMs(): number {
  if (process.platform !== 'linux') return (process.cpuUsage().user + process.cpuUsage().system) / 1_000;
  // The name before the numbers is in parentheses and may have spaces. After it: user and system time, own and of ended children.
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * msPerTick, 0);
}

/** In the global object, because a worker runs this module again for each test file. */
const key = Symbol.for('modelgate.test.cpu-before');
// `as`: the global object has no type for this symbol.
const globals = globalThis as { [key]?: number };

// biome-ignore lint/correctness/noEmptyPattern: Vitest demands a pattern before the suite.
afterAll(({}, file) => {
  const now = spentMs();
  file.meta.cpuMs = now - (globals[key] ?? 0);
  globals[key] = now;
  // Vitest may end a worker before it writes what it covered.
  if (process.env.NODE_V8_COVERAGE !== undefined) takeCoverage();
});
