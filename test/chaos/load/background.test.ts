/** A thousand responses in the background at once: each is complete and charged once, limits are exact, and memory is bounded (G11, G15). */
import { readFileSync } from 'node:fs';
import { Agent, request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { stream } from '../../fakes/delivery.ts';
import { responseFrames } from '../../fakes/responses.ts';
import { openFake } from '../../fakes/upstream.ts';
import { setUp } from '../../harness/gateway-process.ts';
import { recordAttempts } from '../../harness/record-attempts.ts';
import { readBooks } from '../crash-books.ts';

const RUNS = 1_000;
const LIMIT = 50;
/** Of one run, in bytes; a run that kept its events would need several times as much. */
const MAX_BYTES = 400_000;
const model = 'm';

async function open(limits: object) {
  const gate = Promise.withResolvers<void>();
  const frames = responseFrames({ model, text: Array.from({ length: 200 }, (_, index) => `word${index} `) });
  const fake = (await openFake()).always(() => stream([...frames.slice(0, 100), { until: gate.promise }, ...frames.slice(100)]));
  onTestFinished(() => fake.close());
  const upstreams = { provider: { kind: 'openai', baseUrl: fake.url, apiKey: 'sk-provider', maxConcurrentRequests: 2 * RUNS } };
  const models = [{ id: model, kind: 'text', maxOutputTokens: 100 }];
  const served = await setUp({ settings: { upstreams, models, limits, server: { overload: { loopDelayMs: 0 } } } });
  await served.run();
  const agent = new Agent({ connections: 100 });
  onTestFinished(() => agent.destroy());
  const send = async (method: 'GET' | 'POST', path: string, body?: object): Promise<{ status: number; value: Record<string, unknown> }> => {
    const answer = await request(`${served.origin}/v1/responses${path}`, {
      method,
      dispatcher: agent,
      headers: { authorization: `Bearer ${served.key}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
    return { status: answer.statusCode, value: (await answer.body.json()) as Record<string, unknown> };
  };
  const begin = () => send('POST', '', { model, input: 'Hello', background: true });
  return { fake, served, gate, send, begin };
}

const residentBytes = (pid: number): number => 1_024 * Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

test('completes a thousand at once, each charged once, in bounded memory', { timeout: 300_000 }, async () => {
  const { fake, served, gate, send, begin } = await open({});
  const before = residentBytes(served.pid);
  const started = await Promise.all(Array.from({ length: RUNS }, begin));
  expect(new Set(started.map(({ status }) => status))).toEqual(new Set([200]));
  await expect.poll(() => fake.requests.length, { timeout: 120_000 }).toBe(RUNS);
  const bytes = (residentBytes(served.pid) - before) / RUNS;
  gate.resolve();
  const ids = started.map(({ value }) => String(value.id));
  const statuses = async (): Promise<unknown[]> => {
    const found = await Promise.all(ids.map((id) => send('GET', `/${id}`)));
    return [...new Set(found.map(({ value }) => value.status))];
  };
  await expect.poll(statuses, { timeout: 120_000, interval: 1_000 }).toEqual(['completed']);
  await expect.poll(() => readBooks(served)).toMatchObject({ doubled: [], wrong: [], states: { posted: RUNS } });
  console.log(`${RUNS} responses in the background: ${Math.round(bytes / 1_000)} KB each`);
  expect(bytes).toBeLessThan(MAX_BYTES);
  recordAttempts(['G2', 'G15'], { what: 'responses in the background at once', times: RUNS });
});

test('admits exactly as many as the limit of concurrent requests', { timeout: 120_000 }, async () => {
  const { gate, begin } = await open({ perKey: { concurrency: LIMIT } });
  const started = await Promise.all(Array.from({ length: 4 * LIMIT }, begin));
  expect(started.filter(({ status }) => status === 200)).toHaveLength(LIMIT);
  expect(started.filter(({ status }) => status === 429)).toHaveLength(3 * LIMIT);
  gate.resolve();
  await expect.poll(async () => (await begin()).status).toBe(200);
  recordAttempts('G11', { what: 'responses in the background against a limit', times: 4 * LIMIT });
});
