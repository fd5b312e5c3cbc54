/** Takes the numbers: CPU under load, latency of one caller at a time, and memory with many streams open. */
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Asking, Child, Loaded, Running } from './child.ts';
import { Caller, WrongAnswer } from './load.ts';
import { type Asked, keptFields, type StreamAsked } from './scenarios.ts';
import { median, percentile } from './statistics.ts';

/** Callers of the plain scenarios at a time. */
export const usualConcurrency = 16;
/** First calls of a caller, which pay for the connection. */
const unmeasured = 10;
/** The open streams are looked at from when all have begun. */
const settleMs = 400;
const sampleMs = 200;

/** One call whose request is looked at where it arrives: every field that was sent has to be there, unchanged. Translated ones are only answered right. */
export async function verify(server: Asking, vendor: Child, scenario: Asked): Promise<void> {
  const caller = new Caller(server, scenario, 1);
  try {
    await caller.call();
  } finally {
    await caller.close();
  }
  if (scenario.isTranslated) return;
  // `as`: the vendor answers only to a JSON object.
  const arrived = (await vendor.lastBody()) as Record<string, unknown>;
  for (const [name, value] of Object.entries(scenario.body)) {
    const isKept = arrived[name] === undefined && keptFields.includes(name);
    if (!isKept && !isDeepStrictEqual(withoutIds(arrived[name]), withoutIds(value)))
      throw new WrongAnswer(`the field ${name} did not arrive as sent`);
  }
}

/** Ids of items mean something to their maker alone: a gateway whose upstreams keep nothing may leave them out. */
function withoutIds(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((item: unknown) => {
    if (typeof item !== 'object' || item === null || !('id' in item)) return item;
    const { id: _, ...rest } = item;
    return rest;
  });
}

export interface Load {
  /** CPU of the server in microseconds by request or, in a stream, by event. */
  readonly cpu: number;
  /** Requests or events a second. */
  readonly perSecond: number;
}

/** What a server does under load: each caller asks again as soon as it has its answer, or calls come at a rate. */
export async function measureLoad(server: Loaded, scenario: Asked, order: LoadOrder): Promise<Load> {
  const caller = new Caller(server, scenario, order.concurrency);
  try {
    const before = await server.child.used();
    const startedAt = performance.now();
    const calls = await loop(caller, order);
    const seconds = (performance.now() - startedAt) / 1_000;
    const after = await server.child.used();
    const units = scenario.kind === 'json' ? calls : caller.events;
    return { cpu: (after.cpuMicros - before.cpuMicros) / units, perSecond: units / seconds };
  } finally {
    await caller.close();
  }
}

/** The longest that the server's event loop was kept from its next turn under load, in milliseconds. */
export async function measureBlocked(server: Running, scenario: Asked, order: LoadOrder): Promise<number> {
  const caller = new Caller(server, scenario, order.concurrency);
  try {
    server.child.watch(true);
    await loop(caller, order);
    return (await server.child.used()).blockedMs;
  } finally {
    server.child.watch(false);
    await caller.close();
  }
}

export interface LoadOrder {
  /** Callers, or connections where there is a rate. */
  readonly concurrency: number;
  readonly loadMs: number;
  /** Calls that begin in a second, whatever becomes of those before them. */
  readonly perSecond?: number | undefined;
}

async function loop(caller: Caller, order: LoadOrder): Promise<number> {
  const { concurrency, loadMs, perSecond } = order;
  if (perSecond !== undefined) return flow(caller, perSecond, loadMs);
  const until = Date.now() + loadMs;
  let calls = 0;
  const work = async (): Promise<void> => {
    for (; Date.now() < until; calls++) await caller.call();
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return calls;
}

/** They come as strangers do: at gaps of any length, the same ones in each run. */
async function flow(caller: Caller, perSecond: number, loadMs: number): Promise<number> {
  const calls: Promise<unknown>[] = [];
  const startedAt = performance.now();
  for (let at = 0, seed = 1; at < loadMs; ) {
    const now = performance.now() - startedAt;
    for (; at <= now && at < loadMs; seed = (seed * 48_271) % 2_147_483_647) {
      calls.push(caller.call());
      at += (-Math.log(seed / 2_147_483_647) * 1_000) / perSecond;
    }
    await Promise.race([pause(1), ...calls.slice(-1)]);
  }
  return (await Promise.all(calls)).length;
}

export interface Latency {
  readonly p50: number;
  readonly p99: number;
}

/** Milliseconds of one caller who waits for each answer. */
export async function measureLatency(server: Asking, scenario: Asked, samples: number): Promise<Latency> {
  const caller = new Caller(server, scenario, 1);
  const times: number[] = [];
  try {
    for (let left = unmeasured; left > 0; left--) await caller.call();
    for (let left = samples; left > 0; left--) times.push((await caller.call()).ms);
  } finally {
    await caller.close();
  }
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
}

export interface OpenStreams {
  readonly cpuMicros: number;
  /** Resident memory above that of the idle server, in bytes. */
  readonly memory: number;
}

/** Wants a server of its own, so that memory of other loads is not in the way. */
export async function measureOpenStreams(server: Running, scenario: StreamAsked, streams: number): Promise<OpenStreams> {
  const idle = (await server.child.settle()).rssBytes;
  const caller = new Caller(server, scenario, streams);
  try {
    const all = beginAll(caller, streams);
    // Whoever waits for it hears of a failure; this keeps one that comes while nobody waits from ending the process.
    all.catch(() => undefined);
    await Promise.race([all, untilBegun(caller, streams)]);
    await pause(settleMs);
    const before = { ...(await server.child.used()), events: caller.events };
    const resident: number[] = [];
    // Ends well before the first stream does: an ending is no event.
    while (caller.events < streams * scenario.events * 0.85) {
      await Promise.race([all, pause(sampleMs)]);
      resident.push((await server.child.used()).rssBytes);
    }
    const after = { ...(await server.child.used()), events: caller.events };
    await all;
    return { cpuMicros: (after.cpuMicros - before.cpuMicros) / (after.events - before.events), memory: median(resident) - idle };
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
