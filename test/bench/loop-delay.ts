/** Loaded into a gateway (`--import`): how long its event loop was held up, and by what, told over IPC. */
import { closeSync, openSync, readSync } from 'node:fs';
import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';

/** Milliseconds. */
export interface LoopDelay {
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
  /** The longest collection of garbage, which holds the loop up whatever else is done. */
  readonly longestCollection: number;
  /** The longest time within one turn in which the thread neither worked nor waited for a core: it waited for a disk or a lock. Null where the system does not tell. */
  readonly longestBlock: number | null;
}

const delay = monitorEventLoopDelay({ resolution: 1 });
let longestCollection = 0;
let longestBlock: number | null = null;

/** Time in nanoseconds that this thread had a core, and waited for one; Linux alone tells. */
function openSchedule(): (() => number) | null {
  try {
    const file = openSync('/proc/thread-self/schedstat', 'r');
    process.on('exit', () => closeSync(file));
    const bytes = Buffer.alloc(64);
    return () => {
      const [worked = 0, waited = 0] = bytes
        .toString('latin1', 0, readSync(file, bytes, 0, bytes.length, 0))
        .split(' ')
        .map(Number);
      return (worked + waited) / 1e6;
    };
  } catch {
    return null;
  }
}

const schedule = openSchedule();
let last = { at: performance.now(), spent: schedule?.() ?? 0 };
/** A turn that began later than it should was held up in between; time spent in the loop's own waiting is told apart by the timer being due. */
function look(): void {
  const now = { at: performance.now(), spent: schedule?.() ?? 0 };
  const late = now.at - last.at - dueMs;
  const blocked = Math.min(late, now.at - last.at - (now.spent - last.spent));
  if (late > dueMs && schedule) longestBlock = Math.max(longestBlock ?? 0, blocked);
  last = now;
}
const dueMs = 2;

process.on('message', (message) => {
  if (message === 'watch') {
    [longestCollection, longestBlock] = [0, schedule ? 0 : null];
    last = { at: performance.now(), spent: schedule?.() ?? 0 };
    setInterval(look, dueMs).unref();
    delay.reset();
    delay.enable();
  }
  if (message === 'tell') {
    const at = (percentile: number): number => delay.percentile(percentile) / 1e6;
    const told: LoopDelay = { p50: at(50), p99: at(99), p999: at(99.9), max: delay.max / 1e6, longestCollection, longestBlock };
    process.send?.({ delay: told });
  }
});
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) longestCollection = Math.max(longestCollection, duration);
}).observe({ entryTypes: ['gc'] });
process.on('disconnect', () => process.exit());
process.channel?.unref();
