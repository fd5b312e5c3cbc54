/** Two workers over the embedded database and without Redis keep the promises of a single process (promises G2, G3, G11). */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { stringify } from 'yaml';
import { issueKey } from '../../server/access/issue-key.ts';
import type { LimitSettings } from '../../server/access/limit-settings.ts';
import { openEmbedded } from '../../server/gateway/stores/embedded.ts';
import type { Stores } from '../../server/gateway/stores/stores.ts';
import { chatCompletion } from '../fakes/chat.ts';
import { json } from '../fakes/delivery.ts';
import type { Script } from '../fakes/script.ts';
import { type Fake, openFake } from '../fakes/upstream.ts';
import { hangLimitMs } from '../harness/hang-limit.ts';
import { calm } from '../harness/one-attempt.ts';
import { type GatewayProcess, gatewayProcess } from '../programs/cluster/gateway-process.ts';

const WORKERS = 2;
const prices = { input: '0', output: '4' };
const body = { model: 'm', max_tokens: 100, messages: [{ role: 'user', content: 'hi' }] };
/** Of 100 output tokens at 4 dollars a million, in millionths of a dollar. */
const HOLD = 400n;
const UNLIMITED = { requestsPerMinute: null, tokensPerMinute: null, concurrency: null };
const enforced = (limit: number) => ({ limit, mode: 'enforce' as const });

const until = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: hangLimitMs, interval: 50 });
const hello = async (): Promise<Script> => json(chatCompletion({ text: 'hello' }));
/** The vendor's answer, which tests replace. */
let answering = hello;
let letGo = (): void => undefined;

/** The vendor keeps its answers back until `go`. */
function holdAnswers(): { readonly admitted: () => number; readonly go: () => void } {
  let admitted = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  answering = async () => {
    admitted++;
    await promise;
    return await hello();
  };
  letGo = () => {
    answering = hello;
    resolve();
  };
  return { admitted: () => admitted, go: letGo };
}

describe('two workers over the embedded database', () => {
  const folder = mkdtempSync(join(tmpdir(), 'modelgate-test-'));
  const data = join(folder, 'data');
  let fake: Fake;
  let gateway: GatewayProcess;
  let stores: Stores;

  beforeAll(async () => {
    fake = await openFake();
    fake.always(() => answering());
    const upstreams = { vendor: { kind: 'openai', baseUrl: fake.url } };
    const server = { ...calm, workers: WORKERS, drainMs: 20_000 };
    const file = join(folder, 'modelgate.yaml');
    writeFileSync(file, stringify({ server, admin: { port: 0 }, upstreams, models: [{ id: 'm', kind: 'text', prices }] }));
    const env = { ...process.env, DATABASE_URL: '', REDIS_URL: '' };
    gateway = gatewayProcess({ name: 'gateway', file, data, folder, env });
    await gateway.start();
    await until(() => expect(pids()).toHaveLength(WORKERS));
    stores = await openEmbedded({ data, durability: 'relaxed' }, { isCalled: () => true });
  });
  afterAll(async () => {
    await gateway?.stop('SIGKILL');
    await stores?.close();
    await fake?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  // A test that fails leaves no call waiting for the vendor.
  afterEach(() => letGo());

  /** Of the workers that run. */
  function pids(): number[] {
    const lines = readFileSync(gateway.logFile, 'utf8').split('\n');
    const started = lines.filter((line) => line.includes('"worker started"')).map((line) => JSON.parse(line).pid as number);
    return started.filter(isAlive);
  }

  async function newKey(balance: bigint, limits: Partial<LimitSettings> = {}) {
    const { key, accountId } = await issueKey(
      { accountName: randomUUID(), name: 'test', limits: { ...UNLIMITED, ...limits } },
      { ...stores.access, now: Date.now },
    );
    await stores.ledger.adjust({ accountId, transfer: randomUUID(), kind: 'top_up', amount: balance, note: null, at: Date.now() });
    const books = async () => (await stores.ledger.getBalance(accountId)) ?? expect.fail('no account');
    return { key, accountId, books };
  }

  /** Each call is on a connection of its own, so that the supervisor chooses a worker for it. The status is 0 when the connection is lost. */
  async function ask(key: string, headers: Record<string, string> = {}): Promise<number> {
    const dispatcher = new Agent({ connections: 1, pipelining: 0 });
    try {
      const answer = await request(`${gateway.origin}/v1/chat/completions`, {
        dispatcher,
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
      await answer.body.text();
      return answer.statusCode;
    } catch {
      return 0;
    } finally {
      await dispatcher.destroy();
    }
  }

  /** Sends the calls at once; `ended` are the statuses of those that have an answer. */
  function rush(calls: number, key: string, headers?: Record<string, string>) {
    const ended: number[] = [];
    const all = Promise.all(Array.from({ length: calls }, async () => ended.push(await ask(key, headers))));
    return { ended, all };
  }
  const countOf = (statuses: readonly number[], status: number): number => statuses.filter((one) => one === status).length;

  test('G3: admits exactly 7 of 200 concurrent calls with a balance for 7, and charges each once', async () => {
    const { key, accountId, books } = await newKey(7n * HOLD);
    const vendor = holdAnswers();
    const { ended, all } = rush(200, key);
    await until(() => expect([vendor.admitted(), ended.length]).toEqual([7, 193]));
    expect(await books()).toMatchObject({ balance: 7n * HOLD, held: 7n * HOLD });
    vendor.go();
    await all;
    expect([countOf(ended, 200), countOf(ended, 403)]).toEqual([7, 193]);
    const charges = await stores.ledger.listCharges({ accountId, limit: 100 });
    const posted = charges.filter(({ state }) => state === 'posted');
    expect(posted).toHaveLength(7);
    const spent = posted.reduce((sum, { charged }) => sum + charged, 0n);
    expect(await books()).toMatchObject({ balance: 7n * HOLD - spent, held: 0n });
  });

  test.each([
    ['concurrency', { concurrency: enforced(7) }],
    ['requestsPerMinute', { requestsPerMinute: enforced(7) }],
  ])('G11: admits under a limit of 7 (%s) exactly 7 of 60 concurrent calls', async (_, limits: Partial<LimitSettings>) => {
    const { key } = await newKey(1_000n * HOLD, limits);
    const vendor = holdAnswers();
    const { ended, all } = rush(60, key);
    await until(() => expect([vendor.admitted(), ended.length]).toEqual([7, 53]));
    vendor.go();
    await all;
    expect([countOf(ended, 200), countOf(ended, 429)]).toEqual([7, 53]);
  });

  test('F40: sends one of 20 concurrent calls with one idempotency key upstream', async () => {
    const { key } = await newKey(1_000n * HOLD);
    const vendor = holdAnswers();
    const headers = { 'idempotency-key': randomUUID() };
    const { ended, all } = rush(20, key, headers);
    await until(() => expect([vendor.admitted(), ended.length]).toEqual([1, 19]));
    vendor.go();
    await all;
    expect([countOf(ended, 200), countOf(ended, 409)]).toEqual([1, 19]);
    expect(await ask(key, headers)).toBe(200);
    expect(vendor.admitted()).toBe(1);
  });

  test('G2: charges and keeps nothing of a killed worker, and charges the calls of the other one once', async () => {
    const CALLS = 40;
    const { key, accountId, books } = await newKey(1_000n * HOLD, { concurrency: enforced(CALLS) });
    const vendor = holdAnswers();
    const { ended, all } = rush(CALLS, key);
    await until(() => expect(vendor.admitted()).toBe(CALLS));
    // On a busy machine, one worker can accept all connections. Then the other one is killed without effect.
    for (const [index, victim] of pids().entries()) {
      if (countOf(ended, 0) > 0) break;
      process.kill(victim, 'SIGKILL');
      await until(() => expect(readFileSync(gateway.logFile, 'utf8').split('"worker exited; replacing it"')).toHaveLength(index + 2));
    }
    // Its slots are free at once, and no others are.
    const more = rush(CALLS, key);
    await until(() => expect(vendor.admitted() + countOf(more.ended, 429)).toBe(2 * CALLS));
    await until(() => expect(countOf(ended, 0)).toBe(vendor.admitted() - CALLS));
    const killed = countOf(ended, 0);
    expect(killed).toBeGreaterThan(0);
    vendor.go();
    await Promise.all([all, more.all]);
    expect([countOf(ended, 200), countOf(more.ended, 200), countOf(more.ended, 429)]).toEqual([CALLS - killed, killed, CALLS - killed]);
    // Its holds expire when its heartbeat has been missing for long enough.
    await until(async () => expect((await books()).held).toBe(0n));
    const charges = await stores.ledger.listCharges({ accountId, limit: 200 });
    const posted = charges.filter(({ state }) => state === 'posted');
    expect(posted).toHaveLength(CALLS);
    expect((await books()).balance).toBe(1_000n * HOLD - posted.reduce((sum, { charged }) => sum + charged, 0n));
    await until(() => expect(pids()).toHaveLength(WORKERS));
  });

  test('replaces all of them on SIGUSR2 without a failed call', async () => {
    const { key } = await newKey(1_000n * HOLD);
    const before = pids();
    let isRolling = true;
    const statuses: number[] = [];
    const caller = (async () => {
      while (isRolling) statuses.push(await ask(key));
    })();
    process.kill(gateway.pid, 'SIGUSR2');
    await until(() => {
      expect(pids()).toHaveLength(WORKERS);
      expect(pids().some((pid) => before.includes(pid))).toBe(false);
    });
    isRolling = false;
    await caller;
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  test('serves calls on idle connections of a replaced worker, and requests to close them', async () => {
    const { key } = await newKey(1_000n * HOLD);
    const { port } = new URL(gateway.origin);
    const text = JSON.stringify(body);
    const call = [
      'POST /v1/chat/completions HTTP/1.1',
      'host: 127.0.0.1',
      `authorization: Bearer ${key}`,
      'content-type: application/json',
      `content-length: ${text.length}`,
      '',
      text,
    ].join('\r\n');
    const sockets = Array.from({ length: 16 }, () => connect(Number(port), '127.0.0.1'));
    const send = async (socket: Socket): Promise<string> => {
      let said = '';
      socket.write(call);
      for await (const bytes of socket.iterator({ destroyOnReturn: false })) {
        said += bytes;
        if (/\r\n\r\n.*\}$/s.test(said)) return said;
      }
      return said;
    };
    const replaced = pids();
    const count = () => readFileSync(gateway.logFile, 'utf8').split('"msg":"stopping"').length;
    for (const socket of sockets) expect(await send(socket)).toMatch(/^HTTP\/1\.1 200 /);
    const before = count();
    process.kill(gateway.pid, 'SIGUSR2');
    await until(() => expect(count()).toBeGreaterThan(before));
    const answers = await Promise.all(sockets.map(send));
    expect(new Set(answers.map((answer) => answer.slice(0, 12)))).toEqual(new Set(['HTTP/1.1 200']));
    expect(answers.filter((answer) => /^connection: close\r$/im.test(answer)).length).toBeGreaterThan(0);
    for (const socket of sockets) socket.destroy();
    await until(() => {
      expect(pids()).toHaveLength(WORKERS);
      expect(pids().some((pid) => replaced.includes(pid))).toBe(false);
    });
  });

  test('ends with a sound ledger, and all of them exit on SIGTERM', async () => {
    expect(await stores.ledger.reconcile()).toMatchObject({ differences: [], unbalanced: [], contradictions: [], overrun: 0n });
    const workers = pids();
    expect(await gateway.stop('SIGTERM')).toBe(0);
    expect(workers.filter(isAlive)).toEqual([]);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
