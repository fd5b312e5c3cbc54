/** Expects that two gateways on the same stores act as one, whatever their versions (promises G2, G3 and G11). */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { GatewayProcess } from '../../programs/cluster/gateway-process.ts';
import { askAt, HOLD, type Stage, statusesOf } from './stage.ts';

export type Pair = readonly [GatewayProcess, GatewayProcess];

/** Calls that go to both gateways in turn. */
const calls = (stage: Stage, pair: Pair, count: number, key: string, headers: Record<string, string> = {}) =>
  Array.from({ length: count }, (_, index) => stage.ask(index % 2 === 0 ? pair[0] : pair[1], key, headers));

export async function expectOneGateway(stage: Stage, pair: Pair): Promise<void> {
  await spendOnce(stage, pair);
  await spendIncluded(stage, pair);
  await answerOnce(stage, pair);
  await limitOnce(stage, pair);
  await remember(stage, pair);
  await stage.expectSound();
}

/** With a balance for seven calls, seven are admitted. */
async function spendOnce(stage: Stage, pair: Pair): Promise<void> {
  const { key, accountId } = await stage.issue(7n * HOLD);
  let release = (): void => {};
  stage.holdAnswers(
    new Promise<void>((resolve) => {
      release = resolve;
    }),
  );
  const answers = calls(stage, pair, 60, key);
  let ended = 0;
  await new Promise<void>((resolve) => {
    for (const answer of answers) void answer.then(() => ++ended === 53 && resolve());
  });
  release();
  expect(await statusesOf(answers)).toEqual({ 200: 7, 403: 53 });
  expect(await stage.charges(accountId)).toBe(7);
}

/** Calls at both gateways are paid from the subscription. */
async function spendIncluded(stage: Stage, pair: Pair): Promise<void> {
  const { key, accountId } = await stage.issue(HOLD);
  const sold = await stage.subscribe(accountId, 1_000_000n);
  expect(await stage.subscriptions(accountId)).toEqual([sold]);
  expect(await statusesOf(calls(stage, pair, 4, key))).toEqual({ 200: 4 });
  expect(await stage.sources(accountId)).toEqual(Array.from({ length: 4 }, () => `sub:${sold.id}`));
}

/** With one idempotency key the vendor gets one request, and both gateways replay the answer. */
async function answerOnce(stage: Stage, pair: Pair): Promise<void> {
  const { key, accountId } = await stage.issue(1_000_000n);
  const before = stage.fake.requests.length;
  const headers = { 'idempotency-key': randomUUID() };
  const counts = await statusesOf(calls(stage, pair, 30, key, headers));
  expect(Object.keys(counts).filter((status) => status !== '200' && status !== '409')).toEqual([]);
  for (const answer of await Promise.all(calls(stage, pair, 2, key, headers))) {
    expect([answer.status, answer.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
  }
  expect(stage.fake.requests.length - before).toBe(1);
  expect(await stage.charges(accountId)).toBe(1);
}

async function limitOnce(stage: Stage, pair: Pair): Promise<void> {
  const limits = { requestsPerMinute: { limit: 20, mode: 'enforce' as const }, tokensPerMinute: null, concurrency: null };
  const { key } = await stage.issue(1_000_000n, { limits });
  const began = performance.now();
  const counts = await statusesOf(calls(stage, pair, 60, key));
  // The requests that the limit frees while they run.
  const back = Math.ceil(((performance.now() - began) * 20) / 60_000);
  expect(Object.keys(counts)).toEqual(['200', '429']);
  expect(counts[200]).toBeGreaterThanOrEqual(20);
  // Each process may admit one more (G11).
  expect(counts[200]).toBeLessThanOrEqual(20 + 2 + back);
}

/** A response that one gateway stored is read by the other, in both directions. */
async function remember(stage: Stage, pair: Pair): Promise<void> {
  const { key } = await stage.issue(1_000_000n);
  for (const [writer, reader] of [pair, pair.toReversed()]) {
    const made = await askAt(writer?.origin ?? '', key, {}, 'responses');
    expect(made.status).toBe(200);
    const { id } = (await made.json()) as { readonly id: string };
    const found = await fetch(`${reader?.origin}/v1/responses/${id}`, { headers: { authorization: `Bearer ${key}` } });
    expect([found.status, ((await found.json()) as { readonly id: string }).id]).toEqual([200, id]);
  }
}
