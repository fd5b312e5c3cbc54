/** A thousand callers open streams and hang up, a hundred a second if the machine can (with MODELGATE_CHURN=full sixty thousand, five hundred a second): nothing of them leaks. */
import { setTimeout as pause } from 'node:timers/promises';
import { Agent } from 'undici';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { reconcile } from '../../../server/money/reconcile.ts';
import { chatFrames } from '../../fakes/chat.ts';
import { stream } from '../../fakes/delivery.ts';
import { type Fake, openFake } from '../../fakes/upstream.ts';
import { withOneAttempt } from '../../harness/one-attempt.ts';
import { recordAttempts } from '../../harness/record-attempts.ts';
import { median } from '../../programs/bench/statistics.ts';
import { type GatewayUnderFuzz, startGatewayUnderFuzz } from '../../programs/fuzz/gateway-process.ts';
import { Crowd } from './crowd.ts';

const plans = {
  short: { streams: 400, aborts: 1_000, abortsPerTurn: 2 },
  full: { streams: 2_000, aborts: 60_000, abortsPerTurn: 10 },
} as const;
const turnMs = 20;
const plan = process.env.MODELGATE_CHURN === 'full' ? plans.full : plans.short;

/** A slot is given back a moment after its caller left, when the next caller may already be there. */
const concurrency = plan.streams * 1.25;
const limits = { requestsPerMinute: 1_000_000, tokensPerMinute: 10_000_000_000, concurrency };
const model = 'gpt-5.4';
const asked = { path: '/v1/chat/completions', body: { model, messages: [{ role: 'user', content: 'Go on and on.' }], stream: true } };
/** About 800 events a second over all streams: few enough that the load is opening and closing, not forwarding. */
const slowly = stream(chatFrames({ text: Array.from({ length: 400 }, (_, index) => `word ${index} `), model }), {
  gapMs: plan.streams / 0.8,
});

const mebibyte = 1024 * 1024;
/** Of the heap, for each stream that the gateway has open; on a busy machine some connections still wait to be accepted. */
const bytesOfStream = 30_000;
/** Of the heap after garbage collection. One leaked stream in three would exceed it. */
const maxGrowth = 4 * mebibyte;
/** The connection pool keeps about 2 KB for each connection of its peak. */
const maxLeft = mebibyte + concurrency * 2_048;
/** While the streams are open, some callers have read more than others: the same amount again for each 400. */
const maxSwing = (maxGrowth * plan.streams) / plans.short.streams;

let fake: Fake;
let gateway: GatewayUnderFuzz;
let agent: Agent;
beforeEach(async () => {
  agent = new Agent({ connections: null, pipelining: 1 });
  fake = (await openFake()).always(slowly);
  gateway = await startGatewayUnderFuzz(
    withOneAttempt({
      upstreams: { vendor: { kind: 'openai', baseUrl: fake.url, apiKey: 'sk-vendor', maxConcurrentRequests: 16_384 } },
      models: [{ id: model, kind: 'text', maxOutputTokens: 1_000, prices: { input: '1', output: '4' } }],
      limits: { perKey: limits, perAccount: limits },
      log: { level: 'warn' },
      admin: { enabled: false },
    }),
  );
});
afterEach(async () => {
  await agent.destroy();
  await gateway.close();
  await fake.close();
});

const crowd = (seed: number): Crowd => new Crowd({ origin: `http://127.0.0.1:${gateway.port}`, key: gateway.key, agent }, asked, seed);

const looks = 20;

/** Callers hang up, some at each turn, and new ones replace them. Returns 20 samples of the heap without the bytes of the open streams. */
async function churn(callers: Crowd, aborts: number): Promise<readonly number[]> {
  const before = callers.hungUp;
  const heaps: number[] = [];
  for (let count = 0; count < aborts; count = callers.hungUp - before) {
    callers.open(plan.streams - callers.size);
    if (count >= (heaps.length * aborts) / looks) heaps.push((await gateway.vitals()).heapBytes - fake.connections.open * bytesOfStream);
    await pause(turnMs);
    callers.hangUp(plan.abortsPerTurn);
  }
  return heaps;
}

/** Open holds, running upstream requests and open connections; null when there are none. */
function leftovers(): Record<string, unknown> | null {
  const ledger = gateway.openLedger();
  try {
    const held = Number(ledger.prepare("SELECT count(*) AS number FROM charges WHERE state = 'held'").get()?.number);
    const busy = fake.requests.filter(({ endedAt, closedAt }) => endedAt === null && closedAt === null).length;
    const { open } = fake.connections;
    return held + busy + open === 0 ? null : { held, busy, open };
  } finally {
    ledger.close();
  }
}

test('G6, G7: leaves no hold, slot, upstream request or memory behind when clients disconnect at any moment', {
  timeout: 600_000 + plan.aborts * 10,
}, async ({ annotate }) => {
  const callers = crowd(6);
  // Code and caches that the first callers fill are not growth.
  await churn(callers, plan.aborts * 0.3);
  await callers.leave();
  await expect.poll(leftovers).toBeNull();
  const idle = await gateway.vitals();

  const heaps = await churn(callers, plan.aborts);
  const crowded = await gateway.vitals();
  await callers.leave();
  await expect.poll(leftovers).toBeNull();
  const left = async (): Promise<number> => (await gateway.vitals()).heapBytes - idle.heapBytes;

  const third = Math.ceil(heaps.length / 3);
  const [early, late] = [median(heaps.slice(0, third)), median(heaps.slice(-third))];
  const inMebibytes = (bytes: number): string => (bytes / mebibyte).toFixed(1);
  await annotate(
    `${callers.opened} streams, ${callers.hungUp} hung up; heap ${inMebibytes(idle.heapBytes)} idle, ${inMebibytes(early)} early, ` +
      `${inMebibytes(late)} late beside ${plan.streams} streams, ${inMebibytes(await left())} left; RSS ${inMebibytes(idle.rssBytes)} idle, ` +
      `${inMebibytes(crowded.rssBytes)} crowded MiB`,
  );
  expect(heaps).toHaveLength(looks);
  expect([Object.keys(callers.statuses), [...new Set(callers.ended)]]).toEqual([['200'], []]);
  expect(late - early, 'growth while they come and go').toBeLessThan(maxSwing);
  // A timer may keep some memory for a while; a leak stays.
  await expect.poll(left, { timeout: 60_000, message: 'what is left of them' }).toBeLessThan(maxLeft);
  expectSoundBooks();
  await expectEverySlot();
  expect(gateway.log).toBe('');
  recordAttempts(['G6', 'G7'], { what: `callers who hung up, of ${plan.streams} at once`, times: callers.hungUp });
});

/** Each request that reached the vendor has one charge, and none is left to expire. */
function expectSoundBooks(): void {
  const ledger = gateway.openLedger();
  ledger.exec('BEGIN');
  const states = ledger.prepare('SELECT state, count(*) AS number FROM charges GROUP BY state').all();
  const doubled = ledger.prepare("SELECT transfer FROM entries WHERE kind = 'charge' GROUP BY transfer HAVING count(*) <> 2").all();
  const found = reconcile(ledger);
  ledger.close();
  expect(states.map(({ state }) => state).filter((state) => state !== 'posted' && state !== 'voided')).toEqual([]);
  expect(states.reduce((sum, { number }) => sum + Number(number), 0)).toBeGreaterThanOrEqual(fake.requests.length);
  expect({ doubled, ...found }).toMatchObject({ doubled: [], differences: [], unbalanced: [], contradictions: [] });
}

/** The concurrency limit admits its full number of calls and refuses one more. */
async function expectEverySlot(): Promise<void> {
  const full = crowd(7);
  full.open(concurrency);
  await expect.poll(() => full.statuses).toEqual({ 200: concurrency });
  full.open(1);
  await expect.poll(() => full.statuses).toEqual({ 200: concurrency, 429: 1 });
  await full.leave();
  await expect.poll(leftovers).toBeNull();
}
