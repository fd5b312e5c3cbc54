/** Loaded into the gateway that is fuzzed (`--import`): how long its event loop was kept busy, and what memory it holds, told over IPC. */
import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export interface Vitals {
  /** The longest stretch of CPU time between two turns of the event loop: other processes on the machine do not count. */
  readonly busyMs: number;
  /** The same by the clock on the wall, for the report. */
  readonly blockedMs: number;
  /** What is in use after a collection of garbage. */
  readonly heapBytes: number;
  readonly rssBytes: number;
}

const TICK_MS = 5;
/** Of this thread alone, where Node can tell. */
const used = 'threadCpuUsage' in process ? () => process.threadCpuUsage() : () => process.cpuUsage();

function cpuMs(): number {
  const { user, system } = used();
  return (user + system) / 1000;
}

let wall = performance.now();
let cpu = cpuMs();
let busyMs = 0;
let blockedMs = 0;

const timer = setInterval(() => {
  const [wallNow, cpuNow] = [performance.now(), cpuMs()];
  busyMs = Math.max(busyMs, Math.min(cpuNow - cpu, wallNow - wall));
  blockedMs = Math.max(blockedMs, wallNow - wall - TICK_MS);
  wall = wallNow;
  cpu = cpuNow;
}, TICK_MS);
timer.unref();

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

process.on('message', (message) => {
  if (message !== 'vitals') return;
  const told = { busyMs, blockedMs };
  collectGarbage();
  const { heapUsed, external, rss } = process.memoryUsage();
  process.send?.({ vitals: { ...told, heapBytes: heapUsed + external, rssBytes: rss } satisfies Vitals });
  // The collection itself is not the gateway's doing.
  busyMs = 0;
  blockedMs = 0;
  wall = performance.now();
  cpu = cpuMs();
});
process.on('disconnect', () => process.exit());
process.channel?.unref();
