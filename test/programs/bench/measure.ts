/** Takes the numbers: CPU under load, latency of one caller at a time, and memory with many streams open. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Asked, StreamAsked } from './asked.ts';
import type { Asking, Loaded, Running } from './child.ts';
import { Caller } from './load.ts';
import { say } from './servers.ts';
import { median, percentile } from './statistics.ts';

/** First calls of a caller, which pay for the connection. */
const unmeasured = 10;
/** The open streams are looked at from when all have begun. */
const settleMs = 400;
const sampleMs = 200;

export interface Load {
  /** CPU of the server in microseconds by request or, in a stream, by event. */
  readonly cpu: number;
  /** Requests or events a second. */
  readonly perSecond: number;
}

interface CountedLoad extends Load {
  /** Requests or events. */
  readonly units: number;
}

interface LoadOrder {
  /** Callers, or connections where there is a rate. */
  readonly concurrency: number;
  readonly loadMs: number;
  /** Calls that begin in a second, whatever becomes of those before them; left out: each caller asks again as soon as it has its answer. */
  readonly perSecond?: number | undefined;
}

export async function measureLoad(server: Loaded, asked: Asked, order: LoadOrder): Promise<CountedLoad> {
  const caller = new Caller(server, asked, order.concurrency);
  try {
    const before = await server.child.used();
    const startedAt = performance.now();
    const calls = order.perSecond === undefined ? await loop(caller, order) : (await flow(caller, order.perSecond, order.loadMs)).length;
    const seconds = (performance.now() - startedAt) / 1_000;
    const after = await server.child.used();
    const units = asked.kind === 'json' ? calls : caller.events;
    return { cpu: (after.cpuMicros - before.cpuMicros) / units, perSecond: units / seconds, units };
  } finally {
    await caller.close();
  }
}

/** On a slow machine, a governed call costs twice as much before the first 20,000 as after them. */
const WARM_UNITS = 20_000;
const MIN_WARM_MS = 5_000;
const MAX_WARM_MS = 25_000;
const WARM_STEP_MS = 1_000;

/** Until the compilers of a server are done. `parts`: how many such loads it gets together. */
export async function warmUp(server: Loaded, request: Asked, order: Omit<LoadOrder, 'loadMs'>, parts = 1): Promise<void> {
  for (let steps = 1, units = 0; ; steps++) {
    const { units: more } = await measureLoad(server, request, { ...order, loadMs: WARM_STEP_MS });
    units += more;
    const ms = steps * WARM_STEP_MS * parts;
    if (ms >= MAX_WARM_MS || (ms >= MIN_WARM_MS && units * parts >= WARM_UNITS)) return;
  }
}

async function loop(caller: Caller, { concurrency, loadMs }: LoadOrder): Promise<number> {
  const until = Date.now() + loadMs;
  let calls = 0;
  const work = async (): Promise<void> => {
    for (; Date.now() < until; calls++) await caller.call();
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return calls;
}

/** They come as strangers do: at gaps of any length, the same ones in each run. */
async function flow(caller: Caller, perSecond: number, loadMs: number): Promise<readonly number[]> {
  const calls: Promise<number>[] = [];
  const startedAt = performance.now();
  for (let at = 0, seed = 1; at < loadMs; ) {
    const now = performance.now() - startedAt;
    for (; at <= now && at < loadMs; seed = (seed * 48_271) % 2_147_483_647) {
      calls.push(caller.call());
      at += (-Math.log(seed / 2_147_483_647) * 1_000) / perSecond;
    }
    await Promise.race([pause(1), ...calls.slice(-1)]);
  }
  return Promise.all(calls);
}

export interface Latency {
  readonly p50: number;
  readonly p99: number;
}

export const toLatency = (times: readonly number[]): Latency => ({ p50: percentile(times, 0.5), p99: percentile(times, 0.99) });

/** Milliseconds of one caller who waits for each answer. */
export async function measureLatency(server: Asking, asked: Asked, samples: number): Promise<Latency> {
  const caller = new Caller(server, asked, 1);
  const times: number[] = [];
  try {
    for (let left = unmeasured; left > 0; left--) await caller.call();
    for (let left = samples; left > 0; left--) times.push(await caller.call());
  } finally {
    await caller.close();
  }
  return toLatency(times);
}

/** The same of callers who come at a rate, over connections that are open. */
export async function measureRate(server: Asking, request: Asked, order: Required<LoadOrder>): Promise<Latency> {
  const caller = new Caller(server, request, order.concurrency);
  try {
    await Promise.all(Array.from({ length: order.concurrency }, () => caller.call()));
    return toLatency(await flow(caller, order.perSecond ?? 1, order.loadMs));
  } finally {
    await caller.close();
  }
}

/** Bytes of resident memory above that of the idle server. Wants a server of its own, so that memory of other loads is not in the way. */
export async function measureOpenStreams(server: Running, asked: StreamAsked, streams: number): Promise<number> {
  const idle = (await server.child.settle()).rssBytes;
  const caller = new Caller(server, asked, streams);
  try {
    const all = beginAll(caller, streams);
    // Whoever waits for it hears of a failure; this keeps one that comes while nobody waits from ending the process.
    all.catch(() => undefined);
    await Promise.race([all, untilBegun(caller, streams)]);
    await pause(settleMs);
    const resident: number[] = [];
    // Ends well before the first stream does: an ending is no event.
    while (caller.events < streams * asked.events * 0.85) {
      await Promise.race([all, pause(sampleMs)]);
      resident.push((await server.child.used()).rssBytes);
    }
    if (resident.length === 0) say(`notice: this machine is too busy to read the memory of ${streams} streams before they end`);
    await all;
    return median(resident) - idle;
  } finally {
    await caller.close();
  }
}

/** So many begin at a time: a server that sheds load, or whose store has a time limit, would refuse thousands at once. */
const stepOfStreams = 500;

async function beginAll(caller: Caller, streams: number): Promise<unknown> {
  const calls: Promise<unknown>[] = [];
  while (calls.length < streams) {
    for (let left = Math.min(stepOfStreams, streams - calls.length); left > 0; left--) calls.push(caller.call());
    await Promise.race([Promise.all(calls), untilBegun(caller, calls.length)]);
  }
  return Promise.all(calls);
}

async function untilBegun(caller: Caller, streams: number): Promise<void> {
  while (caller.begun < streams) await pause(20);
}
