/** Whether commits hold up the event loop: 200 paid streams and a hundred short calls a second, with and without money, relaxed and strict. `node test/programs/bench/commits.ts` */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Agent, request } from 'undici';
import type { LoopDelay } from './loop-delay.ts';
import { pacedMark } from './payloads.ts';

const streams = 200;
const callsPerSecond = 100;
const warmUpMs = 3_000;
const watchMs = 10_000;
const model = 'gpt-5.4';

const modes = {
  'no money': { billing: 'off', durability: 'relaxed' },
  'money, relaxed': { billing: 'enforce', durability: 'relaxed' },
  'money, strict': { billing: 'enforce', durability: 'strict' },
} as const;

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

interface Door {
  readonly url: string;
  readonly key: string;
  readonly agent: Agent;
}

async function call({ url, key, agent }: Door, body: Readonly<Record<string, unknown>>): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const answer = await request(`${url}/chat/completions`, { method: 'POST', headers, body: JSON.stringify(body), dispatcher: agent });
  const answered = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${answered}`);
}

const streamed = { model, stream: true, messages: [{ role: 'user', content: `Tell me something long. ${pacedMark}` }] };
const short = { model, messages: [{ role: 'user', content: 'Hello.' }] };

/** Runs until it is told to stop; gives how many calls ended. */
function load(door: Door): () => Promise<number> {
  let isOver = false;
  let ended = 0;
  const note = (): void => void ended++;
  const keepStreaming = async (index: number): Promise<void> => {
    // Not all at the same moment.
    await pause(index * 10);
    while (!isOver) await call(door, streamed).then(note);
  };
  const running = [...Array(streams).keys()].map(keepStreaming);
  const timer = setInterval(() => running.push(call(door, short).then(note)), 1_000 / callsPerSecond);
  return async () => {
    isOver = true;
    clearInterval(timer);
    await Promise.all(running);
    return ended;
  };
}

async function start(
  vendor: number,
  settings: Readonly<Record<string, unknown>>,
  data: string,
): Promise<{ child: ChildProcess; door: Door }> {
  const file = join(data, 'modelgate.yaml');
  const upstreams = {
    vendor: { kind: 'openai', baseUrl: `http://127.0.0.1:${vendor}/v1`, apiKey: 'sk-bench', maxConcurrentRequests: 1_024 },
  };
  const models = [{ id: model, kind: 'text', maxOutputTokens: 1_000, prices: { input: '0.01', output: '0.01' } }];
  // JSON is YAML.
  writeFileSync(file, JSON.stringify({ ...settings, data: join(data, 'data'), upstreams, models, log: { level: 'warn' } }));
  const execArgv = ['--import', new URL('./loop-delay.ts', import.meta.url).href];
  const child = fork(here('../../../server/operate/cli.ts'), ['serve', '--config', file, '--port', '0'], {
    execArgv,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  let banner = '';
  for await (const piece of child.stdout ?? []) {
    banner += piece;
    const [url, key] = [/Base URL +(\S+)/.exec(banner)?.[1], /API key +(mg-\S+)/.exec(banner)?.[1]];
    if (url !== undefined && key !== undefined) return { child, door: { url, key, agent: new Agent({ connections: 1_024 }) } };
  }
  throw new Error(`the gateway did not start: ${banner}${child.stderr ? await text(child.stderr) : ''}`);
}

async function measure(name: keyof typeof modes, vendor: number): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'modelgate-bench-'));
  const { child, door } = await start(vendor, modes[name], data);
  try {
    const stop = load(door);
    await pause(warmUpMs);
    child.send('watch');
    await pause(watchMs);
    const told = once(child, 'message');
    child.send('tell');
    const [message] = await told;
    // `as`: the preload sends nothing else.
    const { p50, p99, p999, max, maxCollection } = (message as { delay: LoopDelay }).delay;
    const calls = await stop();
    const row = [p50, p99, p999, max, maxCollection].map((ms) => ms.toFixed(1).padStart(8));
    process.stdout.write(`${name.padEnd(16)}${row.join('')}${String(calls).padStart(8)}\n`);
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
    rmSync(data, { recursive: true, force: true });
  }
}

const vendor = fork(here('./vendor.ts'), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
const [announced] = await once(vendor, 'message');
process.stdout.write('Delay of the event loop, ms; the timer that measures it takes 1 of them.\n');
process.stdout.write('Where it is long without money, too, other programs had the cores.\n');
process.stdout.write(`${' '.repeat(16)}${['p50', 'p99', 'p99.9', 'max', 'gc max', 'calls'].map((title) => title.padStart(8)).join('')}\n`);
try {
  // `as`: the vendor announces its port first.
  for (const name of Object.keys(modes) as (keyof typeof modes)[]) await measure(name, (announced as { port: number }).port);
} finally {
  vendor.kill();
}
process.exit();
