/** Goals about memory: what each open stream, idle WebSocket, and background run under way adds to a governed gateway. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { backgroundRun, pacedStream, quietStream, small, smallResponse } from './asked.ts';
import type { Asking } from './child.ts';
import type { GoalResult } from './goals.ts';
import { Caller } from './load.ts';
import { measureLatency, measureOpenStreams } from './measure.ts';
import { type RunningModelgate, startModelgate } from './modelgate.ts';
import { type Run, say, setupOn } from './servers.ts';
import { median } from './statistics.ts';

const QUICK_PART = 5;
/** Threads start with the first call, and their memory is not that of streams. */
const THREADS_MS = 8_000;
const FEW_STREAMS = 1_000;
const MANY_STREAMS = 10_000;
const SOCKETS = 5_000;
const RUNS = 1_000;
const AT_ONCE = 50;
const WARM_TURNS = 100;
const SAMPLES = 20;
const SAMPLE_MS = 250;

/** A gateway that takes whatever comes at once: shedding load is not what is measured. */
async function withGateway<T>({ ground, isQuick }: Run, work: (gateway: RunningModelgate) => Promise<T>): Promise<T> {
  const gateway = await startModelgate({ ...setupOn(ground), takesAll: true });
  try {
    await measureLatency(gateway, small, 20);
    await pause(isQuick ? 0 : THREADS_MS);
    return await work(gateway);
  } finally {
    await gateway.stop();
  }
}

const getCount = ({ isQuick }: Run, full: number): number => (isQuick ? full / QUICK_PART : full);
const createRow = (row: string, goal: number, bytes: number): GoalResult => ({ row, unit: 'KB', goal, found: bytes / 1e3 });

export async function measureStreamMemory(run: Run): Promise<GoalResult[]> {
  const results: GoalResult[] = [];
  for (const [stream, full] of [[pacedStream, FEW_STREAMS] as const, [quietStream, MANY_STREAMS] as const]) {
    const streams = Math.min(getCount(run, full), maxStreams());
    if (streams < getCount(run, full))
      say(`notice: ${full} streams need more open files than this machine allows; ${streams} are measured`);
    say(`memory of ${streams} governed streams`);
    const bytes = await withGateway(run, (gateway) => measureOpenStreams(gateway, stream, streams));
    results.push(createRow(`memory per open stream, governed, of ${streams.toLocaleString('en')}`, 60, bytes / streams));
  }
  return results;
}

/** Each stream has a connection on both sides of the gateway. */
function maxStreams(): number {
  const files = Number(/^Max open files +\d+ +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? Number.POSITIVE_INFINITY);
  return Math.floor(files / 2) - 200;
}

export async function measureSocketMemory(run: Run): Promise<GoalResult[]> {
  const count = getCount(run, SOCKETS);
  say(`memory of ${count} idle WebSockets`);
  const sockets: WebSocket[] = [];
  const bytes = await withGateway(run, async (gateway) => {
    const open = async (): Promise<void> => {
      const socket = await openSocket(gateway);
      sockets.push(socket);
      await completeTurn(socket);
    };
    await open();
    for (let turns = WARM_TURNS; turns > 0; turns--) for (const socket of sockets) await completeTurn(socket);
    const idle = (await gateway.child.settle()).rssBytes;
    for (let left = count; left > 0; left -= AT_ONCE) await Promise.all(Array.from({ length: AT_ONCE }, open));
    await pause(run.isQuick ? 0 : THREADS_MS);
    const used = (await gateway.child.settle()).rssBytes - idle;
    for (const socket of sockets) socket.terminate();
    return used;
  });
  return [createRow('memory per idle WebSocket, after one turn', 25, bytes / count)];
}

async function openSocket({ origin, key }: Asking): Promise<WebSocket> {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/v1/responses`, { headers: { authorization: `Bearer ${key}` } });
  await once(socket, 'open');
  return socket;
}

async function completeTurn(socket: WebSocket): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const read = (data: WebSocket.RawData): void => {
    const { type }: { readonly type: string } = JSON.parse(String(data));
    if (type === 'response.completed') resolve();
    if (type === 'error' || type === 'response.failed') reject(new Error(`a WebSocket's turn failed: ${String(data).slice(0, 400)}`));
  };
  socket.on('message', read);
  socket.send(JSON.stringify({ type: 'response.create', ...smallResponse }));
  try {
    await promise;
  } finally {
    socket.off('message', read);
  }
}

export async function measureRunMemory(run: Run): Promise<GoalResult[]> {
  const count = getCount(run, RUNS);
  say(`memory of ${count} background runs`);
  const bytes = await withGateway(run, async (gateway) => {
    const caller = new Caller(gateway, backgroundRun, AT_ONCE);
    const begin = () => Promise.all(Array.from({ length: AT_ONCE }, () => caller.call()));
    // The first ones compile code, and are under way until the end.
    await begin();
    const idle = (await gateway.child.settle()).rssBytes;
    for (let left = count; left > 0; left -= AT_ONCE) await begin();
    await caller.close();
    const resident: number[] = [];
    for (let sample = 0; sample < SAMPLES; sample++) {
      await pause(SAMPLE_MS);
      resident.push((await gateway.child.used()).rssBytes);
    }
    return median(resident) - idle;
  });
  return [createRow('memory per background run under way', 20, bytes / count)];
}
