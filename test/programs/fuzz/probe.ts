/** Loaded into the gateway that is fuzzed (`--import`): how long its event loop was kept busy, and what memory it holds, told over IPC. */
import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { MAX_VALUES } from '../../../server/api/http/value-limit.ts';

export interface Vitals {
  /** The longest stretch of CPU time between two turns of the event loop: other processes on the machine do not count. */
  readonly busyMs: number;
  /** The same by the clock on the wall, for the report. */
  readonly blockedMs: number;
  /** What is in use after as many collections of garbage as free something. */
  readonly heapBytes: number;
  readonly rssBytes: number;
}

const TICK_MS = 5;
const SETTLED_BYTES = 65_536;
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

/** What is held weakly, or is freed by its finalizer, is gone one turn and one collection after what held it. */
async function bytesAtRest(before = Number.POSITIVE_INFINITY): Promise<number> {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  const now = heapUsed + external;
  if (before - now < SETTLED_BYTES) return now;
  await nextTurn();
  return bytesAtRest(now);
}

/** The object that costs the parser most of all that is let in. */
const costliest = (): Buffer =>
  Buffer.from(`{${Array.from({ length: MAX_VALUES }, (_, index) => `"k${index}${'x'.repeat(150)}":1`).join()}}`);

/** What it costs this thread, on this machine and beside whatever else it does now, to read that once and to write it again. */
function measureYardstick(): number {
  const bytes = costliest();
  const before = cpuMs();
  JSON.stringify(JSON.parse(bytes.toString()));
  return cpuMs() - before;
}

function beginAnew(): void {
  busyMs = 0;
  blockedMs = 0;
  wall = performance.now();
  cpu = cpuMs();
}

process.on('message', async (message) => {
  if (message === 'yardstick') process.send?.({ yardstickMs: measureYardstick() });
  // Neither that nor the collection of garbage is the gateway's doing.
  if (message === 'yardstick') beginAnew();
  if (message !== 'vitals') return;
  const told = { busyMs, blockedMs };
  const heapBytes = await bytesAtRest();
  process.send?.({ vitals: { ...told, heapBytes, rssBytes: process.memoryUsage.rss() } satisfies Vitals });
  beginAnew();
});
process.on('disconnect', () => process.exit());
process.channel?.unref();
