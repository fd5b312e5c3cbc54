/** A gateway stops with 500 streams open: those that end in time are complete, the others end with an error, and all are settled (G9). */
import { Agent, request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { stream } from '../../fakes/delivery.ts';
import { type Fake, openFake } from '../../fakes/upstream.ts';
import { behind } from '../../harness/gateway.ts';
import { type GatewayProcess, setUp } from '../../harness/gateway-process.ts';
import { chat, type Protocol, responses } from '../../harness/protocols.ts';
import { recordAttempts } from '../../harness/record-attempts.ts';
import { readBooks } from '../crash-books.ts';

/** Events from the first that is sent to the first with text. */
const wordsIn = 3;
const models = [{ id: 'gpt-5.4', kind: 'text', maxOutputTokens: 1_000 }];

interface Stage {
  readonly fake: Fake;
  readonly served: GatewayProcess;
  /** Streams that have begun; without `until` they never end by themselves. */
  open(protocol: Protocol, count: number, until?: Promise<unknown>): Promise<readonly Reading[]>;
  /** By SIGTERM; resolves when the gateway has said that it stops. */
  stop(): Promise<Stopping>;
}

async function openStage(server: object): Promise<Stage> {
  const fake = await openFake();
  onTestFinished(() => fake.close());
  const agent = new Agent({ connections: null, pipelining: 1 });
  onTestFinished(() => agent.destroy());
  const settings = { ...behind(fake.url, { maxConcurrentRequests: 16_384 }), models, server, log: { level: 'info' } };
  const served = await setUp({ settings });
  await served.run();
  return {
    fake,
    served,
    async open(protocol, count, until = new Promise(() => undefined)) {
      // Up to the first text, so that the stream has to be charged.
      const { path, frames, opening } = protocol;
      const [begun, rest] = [frames.slice(0, opening + wordsIn), frames.slice(opening + wordsIn)];
      fake.next(stream([...begun, { until }, ...rest]), { path: `/v1${path}`, times: count });
      return Promise.all(Array.from({ length: count }, () => begin(protocol, served, agent)));
    },
    async stop() {
      const exitCode = served.stop();
      await expect.poll(() => served.logged('stopping').length, { interval: 20 }).toBe(1);
      return { exitCode };
    },
  };
}

interface Stopping {
  readonly exitCode: Promise<number | null>;
}

interface Reading {
  /** All that came, whether it ended or broke. */
  readonly text: Promise<string>;
}

/** Resolves when the first bytes have come. */
async function begin({ path, ask, streamed }: Protocol, { origin, key }: GatewayProcess, dispatcher: Agent): Promise<Reading> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const asked = { method: 'POST', headers, body: JSON.stringify({ ...ask, ...streamed }), dispatcher } as const;
  const { statusCode, body } = await request(`${origin}/v1${path}`, asked);
  expect(statusCode).toBe(200);
  const { promise: begun, resolve } = Promise.withResolvers<void>();
  const read = async (): Promise<string> => {
    let said = '';
    try {
      for await (const piece of body) {
        said += piece;
        resolve();
      }
      return said;
    } catch (error) {
      return `${said}BROKEN: ${String(error)}`;
    }
  };
  const text = read();
  await begun;
  return { text };
}

const textsOf = (readings: readonly Reading[]): Promise<string[]> => Promise.all(readings.map(({ text }) => text));

async function outcomeOf(origin: string, path: string): Promise<number | 'rejected'> {
  try {
    const answer = await fetch(`${origin}${path}`);
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return 'rejected';
  }
}

test('F56, G9: completes the streams that end within the drain, ends others with an error, and charges all 500', async ({ annotate }) => {
  // Much longer than 480 streams take to end, also on a busy machine. The last two seconds are for the error events of the others.
  const drainMs = 20_000;
  const { fake, served, open, stop } = await openStage({ drainMs });
  const { promise: gate, resolve: release } = Promise.withResolvers<void>();
  const inTime = [await open(chat, 240, gate), await open(responses, 240, gate)] as const;
  const tooLong = [await open(chat, 10), await open(responses, 10)] as const;

  const from = performance.now();
  const { exitCode } = await stop();
  expect([503, 'rejected']).toContain(await outcomeOf(served.origin, '/readyz'));
  expect([503, 'rejected']).toContain(await outcomeOf(served.origin, '/v1/models'));
  release();
  for (const text of await textsOf(inTime[0])) chat.expectWhole(text);
  for (const text of await textsOf(inTime[1])) responses.expectWhole(text);
  const wholeMs = performance.now() - from;
  const codes = [
    ...(await textsOf(tooLong[0])).map((text) => chat.expectBroken(text).code),
    ...(await textsOf(tooLong[1])).map((text) => responses.expectBroken(text).code),
  ];
  const toldMs = performance.now() - from;
  expect(codes).toEqual(codes.map(() => 'overloaded'));
  // No stream was cut before the last two seconds of the drain.
  expect(toldMs).toBeGreaterThan(drainMs - 2_500);

  // The exit code says that some streams did not end by themselves.
  expect(await exitCode).toBe(1);
  await annotate(
    `${codes.length} told ${toldMs.toFixed()} ms after the signal (drain ${drainMs} ms), 480 whole after ${wholeMs.toFixed()} ms`,
  );
  expect(readBooks(served)).toMatchObject({ states: { posted: 500 }, expired: [], doubled: [], wrong: [] });
  expect(fake.requests.filter(({ endedAt, closedAt }) => endedAt === null && closedAt === null)).toEqual([]);

  await served.run();
  expect(await served.stop()).toBe(0);
  expect(served.logged('hold of a dead process expired')).toEqual([]);
  recordAttempts(['G2', 'G9'], { what: 'streams that a stop met', times: 500 });
});
