/** Workers of one gateway: one port, one set of metrics, and the promises of a single process when one dies, is replaced or reloads. */

import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parse, stringify } from 'yaml';
import { chatCompletion } from '../fakes/chat.ts';
import { json, stream } from '../fakes/delivery.ts';
import type { Script } from '../fakes/script.ts';
import { type Fake, openFake } from '../fakes/upstream.ts';
import { temporaryFolder } from '../harness/folder.ts';
import { freePort } from '../harness/free-port.ts';
import { hangLimitMs } from '../harness/hang-limit.ts';
import { launch } from '../harness/launch.ts';
import { calm } from '../harness/one-attempt.ts';
import { chat } from '../harness/protocols.ts';
import { postgresMissing, redisMissing } from '../harness/servers.ts';
import { type Cluster, startCluster } from '../programs/cluster/cluster.ts';

const missing = [postgresMissing, redisMissing].filter((reason) => reason !== null);
const WORKERS = 2;
const prices = { input: '0', output: '4' };
const body = { model: 'm', max_tokens: 100, messages: [{ role: 'user', content: 'hi' }] };
const hello = async (): Promise<Script> => json(chatCompletion({ text: 'hello' }));
/** The vendor's answer, which tests replace. */
let answering = hello;

const until = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: hangLimitMs, interval: 50 });

interface Line {
  readonly msg: string;
  readonly pid?: number;
}

describe.skipIf(missing.length > 0)(`two workers${missing.map((reason) => `, LEFT OUT: ${reason}`).join('')}`, () => {
  let fake: Fake;
  let cluster: Cluster;
  let metricsPort: number;
  const gateway = () => {
    const [only] = cluster.gateways;
    if (!only) throw new Error('there is no gateway');
    return only;
  };
  const lines = (): Line[] =>
    readFileSync(gateway().logFile, 'utf8')
      .split('\n')
      .flatMap((line) => (line.startsWith('{') && line.endsWith('}') ? [JSON.parse(line) as Line] : []));
  const count = (msg: string): number => lines().filter((line) => line.msg === msg).length;
  const pids = (): number[] =>
    lines().flatMap(({ msg, pid }) => (msg === 'worker started' && pid !== undefined && isAlive(pid) ? [pid] : []));

  beforeAll(async () => {
    fake = await openFake();
    fake.always(() => answering());
    metricsPort = await freePort();
    const upstreams = { vendor: { kind: 'openai', baseUrl: fake.url } };
    const config = {
      server: { ...calm, workers: WORKERS, drainMs: 20_000 },
      admin: { port: 0 },
      // A reload writes prices: a busy machine must not refuse it.
      database: { timeoutMs: 60_000 },
      metrics: { enabled: true, port: metricsPort },
      upstreams,
      models: [{ id: 'm', kind: 'text', prices }],
    };
    cluster = await startCluster({ gateways: 1, config });
    await until(() => expect(pids()).toHaveLength(WORKERS));
  });
  afterAll(async () => {
    await cluster?.stop('SIGKILL');
    await fake?.close();
  });

  /** On a connection of its own, which any worker may accept. */
  async function ask(key = cluster.key, more: object = {}): Promise<{ status: number; text: string }> {
    const dispatcher = new Agent({ connections: 1, pipelining: 0 });
    try {
      const answer = await request(`${gateway().origin}/v1/chat/completions`, {
        dispatcher,
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...body, ...more }),
      });
      return { status: answer.statusCode, text: await answer.body.text() };
    } finally {
      await dispatcher.destroy();
    }
  }
  const askAll = (calls: number, key?: string) => Promise.all(Array.from({ length: calls }, () => ask(key)));
  const scrape = async (): Promise<string> => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const requestsIn = (text: string): number =>
    [...text.matchAll(/^modelgate_requests_total\{.*route="\/v1\/chat\/completions".*\} (\d+)$/gm)].reduce(
      (sum, [, found]) => sum + Number(found),
      0,
    );

  test('serves on one port, with the metrics of all of them', async () => {
    const before = requestsIn(await scrape());
    const answers = await askAll(40);
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 40 }, () => 200));
    await until(async () => expect(requestsIn(await scrape()) - before).toBe(40));
    const text = await scrape();
    expect(text.match(/^# TYPE modelgate_requests_total /gm)).toHaveLength(1);
    expect(new Set(lines().flatMap(({ msg, pid }) => (msg === 'worker started' ? [pid] : []))).size).toBe(WORKERS);
  });

  test('replaces a killed worker, while each new call gets a response or a reset', async () => {
    let [isKilling, waiting] = [true, 0];
    const ends: unknown[] = [];
    const caller = async (): Promise<void> => {
      while (isKilling) {
        waiting++;
        ends.push(
          await ask().then(
            ({ status }) => status,
            () => 'reset',
          ),
        );
        waiting--;
      }
    };
    const callers = Array.from({ length: 8 }, caller);
    for (let kills = 1; kills <= 4; kills++) {
      const [victim, survivor] = pids();
      if (victim === undefined || survivor === undefined) throw new Error('there are not two workers');
      process.kill(victim, 'SIGKILL');
      await until(() => expect(isAlive(victim)).toBe(false));
      const before = ends.length;
      await until(() => expect(ends.slice(before).filter((end) => end === 200).length).toBeGreaterThan(20));
      await until(() => expect(pids()).toHaveLength(WORKERS));
      expect(pids()).toContain(survivor);
      expect(count('worker exited; replacing it')).toBe(kills);
    }
    isKilling = false;
    await until(() => expect(waiting).toBe(0));
    await Promise.all(callers);
    expect(ends.filter((end) => end !== 200 && end !== 'reset')).toEqual([]);
  });

  test('reloads all of them on SIGHUP and on the reload of one', async () => {
    const file = join(cluster.folder, 'modelgate.yaml');
    const settings = parse(readFileSync(file, 'utf8'));
    const keyFile = join(cluster.folder, 'provider-key');
    settings.upstreams.vendor.apiKey = `\${file:provider-key}`;
    const withModel = (id: string) =>
      writeFileSync(file, stringify({ ...settings, models: [...settings.models, { id, kind: 'text', prices }] }));
    const reloads = () => count('configuration reloaded') + count('configuration unchanged');
    withModel('m2');
    writeFileSync(keyFile, 'first-key\n');
    process.kill(gateway().pid, 'SIGHUP');
    await until(() => expect(reloads()).toBe(WORKERS));
    expect(
      (await Promise.all(Array.from({ length: 10 }, () => ask(cluster.key, { model: 'm2' })))).map(({ status }) => status),
    ).not.toContain(404);
    withModel('m3');
    writeFileSync(keyFile, 'second-key');
    const admin = await cluster.command('admin-key', 'create', '--name', 'root');
    const key = /mga-\w+/.exec(admin)?.[0];
    const answer = await fetch(`${gateway().adminOrigin}/admin/v1/config/reload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
    });
    expect(answer.status).toBe(200);
    await until(() => expect(reloads()).toBe(2 * WORKERS));
    expect(
      (await Promise.all(Array.from({ length: 10 }, () => ask(cluster.key, { model: 'm3' })))).map(({ status }) => status),
    ).not.toContain(404);
    expect(fake.requests.slice(-10).map(({ headers }) => headers.authorization)).toEqual(Array(10).fill('Bearer second-key'));
  });

  test('finishes a stream in flight on SIGTERM, then all of them are gone', async () => {
    const workers = pids();
    answering = async () => stream(chat.frames, { gapMs: 100 });
    const begun = fake.requests.length;
    const streaming = ask(cluster.key, { stream: true });
    await until(() => expect(fake.requests.length).toBeGreaterThan(begun));
    const stopping = gateway().stop('SIGTERM');
    const { status, text } = await streaming;
    expect(status).toBe(200);
    expect(text).toMatch(/data: \[DONE\]\n\n$/);
    expect(await stopping).toBe(0);
    expect(workers.filter(isAlive)).toEqual([]);
  });

  test('workers whose supervisor is killed stop by themselves', async () => {
    await gateway().start();
    await until(() => expect(pids()).toHaveLength(WORKERS));
    const workers = pids();
    await gateway().stop('SIGKILL');
    await until(() => expect(workers.filter(isAlive)).toEqual([]));
  });
});

test.each([
  ['--workers', 'many', /from 1 to 256, or auto/],
  ['--workers', '0', /from 1 to 256, or auto/],
])('rejects serve %s %s with the reason, and starts nothing', async (flag, value, words) => {
  const folder = temporaryFolder();
  const env = { ...process.env, DATABASE_URL: '', REDIS_URL: '' };
  const failed = await promisify(execFile)(process.execPath, [launch, 'serve', '--port', '0', '--data', folder, flag, value], {
    env,
  }).catch((error) => error);
  expect(failed.code).toBeGreaterThan(0);
  expect(failed.stderr).toMatch(words);
  expect(failed.stdout).toBe('');
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
