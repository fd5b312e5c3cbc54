/** One caller who tries to stop everybody: how long `/livez` of a gateway on one core takes meanwhile, and how far its memory grows. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { openAccess } from '../../../server/access/access.ts';
import { issueKey } from '../../../server/access/issue-key.ts';
import { openDatabase } from '../../../server/store/sqlite/database.ts';
import type { Attack, Target } from './attacks-list.ts';
import { type RunningModelgate, startModelgate } from './modelgate.ts';
import { type Run, say } from './rounds.ts';
import { percentile } from './statistics.ts';

export interface AttackResult {
  readonly name: string;
  readonly title: string;
  /** Answers by status; 0 for none. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Milliseconds. */
  readonly livez: { readonly p50: number; readonly longest: number };
  /** Bytes that the process held at the most, above what it held when idle. */
  readonly memory: number;
  readonly seconds: number;
}

/** What was promised of every attack. */
export const attackBounds = { livezMs: 250, memoryBytes: 300e6 };
/** Memory that is given back later counts too. */
const afterMs = 1_000;

/** Each on a gateway of its own. */
export async function measureAttacks(attacks: readonly Attack[], run: Run): Promise<AttackResult[]> {
  const results: AttackResult[] = [];
  for (const attack of attacks) {
    say(`attack ${attack.name}: ${attack.title}`);
    results.push(await measure(attack, run));
  }
  return results;
}

async function measure(attack: Attack, { ground: { cores, vendorOrigin, profile } }: Run): Promise<AttackResult> {
  const setup = { vendorUrl: `${vendorOrigin}/v1`, isGoverned: true, core: cores?.server, profile };
  const gateway = await startModelgate(setup);
  try {
    const target: Target = { origin: gateway.origin, key: attack.isPoor ? await poorKey(gateway) : gateway.key };
    await attack.prepare?.(target);
    await gateway.child.settle();
    const idle = memoryOf(gateway, 'VmRSS');
    const probe = await startProbe(gateway.origin);
    const from = performance.now();
    const statuses = Object.fromEntries(await attack.run(target));
    const seconds = (performance.now() - from) / 1_000;
    await pause(afterMs);
    const times = await probe.stop();
    const livez = { p50: percentile(times, 0.5), longest: Math.max(...times) };
    return { name: attack.name, title: attack.title, statuses, livez, memory: memoryOf(gateway, 'VmHWM') - idle, seconds };
  } finally {
    await gateway.stop();
  }
}

/** Of an account without money, for one call at a time. */
async function poorKey({ data }: RunningModelgate): Promise<string> {
  const database = openDatabase({ folder: data, durability: 'relaxed' });
  try {
    const access = { ...(await openAccess(data, database)), now: Date.now };
    const limits = { requestsPerMinute: null, tokensPerMinute: null, concurrency: { limit: 1, mode: 'enforce' as const } };
    return (await issueKey({ accountName: 'poor', name: 'bench', limits }, access)).key;
  } finally {
    database.close();
  }
}

/** As Linux tells it: a process that is busy could not. */
function memoryOf({ child }: RunningModelgate, row: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return Number(new RegExp(`^${row}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1_024;
}

/** In a thread of its own, which the work of the attack does not hold up. */
async function startProbe(origin: string): Promise<{ stop(): Promise<number[]> }> {
  const thread = new Worker(new URL('./attacks-probe.ts', import.meta.url), { workerData: origin });
  await once(thread, 'message');
  return {
    async stop() {
      thread.postMessage('stop');
      const [times] = await once(thread, 'message');
      return times;
    },
  };
}
