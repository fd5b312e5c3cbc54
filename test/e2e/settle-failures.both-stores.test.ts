/** Failures at the end of a call, such as a response that cannot be stored or a gateway that stops: holds and slots are settled (F30, F38, promises G2 and G9). */
import { request as send } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MAX_LEVELS } from '../../contract/shared/bounds.ts';
import type { ChargeRecord, LedgerStore } from '../../server/money/store.ts';
import { chatCompletion, chatFrames } from '../fakes/chat.ts';
import { json, stream } from '../fakes/delivery.ts';
import { response, responseFrames } from '../fakes/responses.ts';
import { type Fake, openFake } from '../fakes/upstream.ts';
import { failStep } from '../harness/blocked-store.ts';
import { endedCharge } from '../harness/ended-charge.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';
import { expectRefusal } from '../harness/refusal.ts';
import { openSecondConnection, type SecondConnection } from '../harness/second-connection.ts';
import { expectBrokenResponses, readResponses } from '../harness/transcript.ts';

const ask = { model: 'gpt-5.4', input: 'hello', stream: true };
const cost = 21n;
const usage = { input_tokens: 5, output_tokens: 4, total_tokens: 9 };

let fake: Fake;
let gateway: TestGateway;
let ledger: LedgerStore;
let isClosed = false;
beforeEach(async () => {
  fake = await openFake();
  isClosed = false;
  gateway = await startGateway({
    validateResponses: false,
    upstreams: { vendor: { kind: 'openai', baseUrl: fake.url } },
    limits: { perKey: { concurrency: 3 } },
    models: [{ id: 'gpt-5.4', kind: 'text', prices: { input: '1', output: '4' } }],
  });
  ledger = gateway.gateway.money?.ledger ?? expect.fail('billing is off');
});
afterEach(async () => {
  if (!isClosed) await gateway.close();
  await fake.close();
});

const chargeOf = (requestId: string): Promise<ChargeRecord> => endedCharge(ledger, requestId);

test.each([false, true])(
  'G2, G4: estimates the charge of the deepest allowed nesting when the provider reports no usage (stream: %s)',
  async (isStream) => {
    // The body, the list and the message are levels, too.
    const deep = '['.repeat(MAX_LEVELS - 3) + ']'.repeat(MAX_LEVELS - 3);
    const body = `{"model":"gpt-5.4","messages":[{"role":"user","content":"hello","x":${deep}}],"stream":${isStream}}`;
    // More calls than there are slots.
    for (const _ of [1, 2, 3, 4]) {
      fake.next(
        isStream ? stream(chatFrames({ text: ['hello ', 'you'] })) : json({ ...chatCompletion({ text: 'hello you' }), usage: undefined }),
      );
      const answer = await gateway.call('/chat/completions', { body, headers: { 'content-type': 'application/json' } });
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('you')]);
      const charge = await chargeOf(answer.headers.get('x-request-id') ?? '');
      expect(charge).toMatchObject({ state: 'posted', isEstimated: true, metered: { input: 3, output: 2 } });
    }
  },
);

describe("F30, F38, G2: a response that can't be stored", () => {
  const renamed = { begin: 'ALTER TABLE responses RENAME TO responses_gone', end: 'ALTER TABLE responses_gone RENAME TO responses' };
  /** SQLite is written by a thread that starts with the first call and needs the table. */
  const refusing = {
    begin: "CREATE TRIGGER refusing BEFORE INSERT ON responses BEGIN SELECT RAISE(ABORT, 'no room'); END",
    end: 'DROP TRIGGER refusing',
  };
  let database: SecondConnection;
  let broken: typeof renamed;
  beforeEach(async () => {
    const { config } = gateway.gateway;
    database = openSecondConnection(config);
    broken = config.database.url === undefined ? refusing : renamed;
    await database.rows(broken.begin);
  });
  afterEach(async () => {
    await database.rows(broken.end);
    await database.close();
    expect(await ledger.reconcile()).toMatchObject({ differences: [], unbalanced: [], contradictions: [] });
  });
  const frames = responseFrames({ text: ['hello ', 'you'], usage });
  test.each([
    ['event by event', (until: Promise<unknown>) => stream([...frames.slice(0, 5), { until }, ...frames.slice(5)])],
    [
      'in two pieces',
      (until: Promise<unknown>) => stream([...frames.slice(0, 5), { until }, ...frames.slice(5)], { chunkBytes: 1_000_000 }),
    ],
  ])('ends with an error after it was streamed %s, is charged, and frees its slot', async (_how, script) => {
    for (const _ of often) {
      const { promise, resolve } = Promise.withResolvers<void>();
      fake.next(script(promise));
      const answer = await gateway.call('/responses', { json: ask });
      resolve();
      const transcript = await answer.text();
      expect(expectBrokenResponses(transcript)).toMatchObject({ code: 'overloaded' });
      const { events, text } = readResponses(transcript);
      expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_event, index) => index));
      expect(text).toBe('hello you');
      expect(await chargeOf(String(answer.headers.get('x-request-id')))).toMatchObject({
        state: 'posted',
        charged: cost,
        isEstimated: false,
      });
    }
  });

  test.each([false, true])('returns a status before any output, and costs nothing (stream: %s)', async (isStream) => {
    for (const _ of often) {
      fake.next(isStream ? stream(frames, { chunkBytes: 1_000_000 }) : json(response({ text: 'hello you', usage })));
      const answer = await gateway.call('/responses', { json: { ...ask, stream: isStream } });
      await expectRefusal(answer, { code: 'overloaded' });
      expect(await chargeOf(String(answer.headers.get('x-request-id')))).toMatchObject({ state: 'voided', charged: 0n });
    }
  });
});

/** More calls than there are slots. */
const often = [1, 2, 3, 4, 5];
const hello = { model: 'gpt-5.4', messages: [{ role: 'user', content: 'hello' }] };

test('G2, F38: sends a response and frees its slot when the ledger fails, and keeps the charge in the outbox', async () => {
  failStep(ledger, 'post');
  for (const calls of often) {
    fake.next(json(chatCompletion({ text: 'hello you' })));
    const answer = await gateway.call('/chat/completions', { json: hello });
    expect([answer.status, answer.headers.get('x-modelgate-cost')]).toEqual([200, expect.stringMatching(/^0\.0000[1-9]/)]);
    expect(gateway.gateway.money?.outbox.size).toBe(calls);
  }
});

test("G2, F38: sends and charges nothing for a response whose usage can't be counted, and frees its slot", async () => {
  failStep(gateway.gateway.estimator, 'count');
  for (const _ of often) {
    fake.next(json({ ...chatCompletion({ text: 'hello you' }), usage: undefined }));
    const answer = await gateway.call('/chat/completions', { json: hello });
    expect(answer.status).toBe(500);
    expect(await chargeOf(answer.headers.get('x-request-id') ?? '')).toMatchObject({ state: 'voided', outcome: 'unsettled' });
  }
});

test('G11: logs a limiter that fails when a caller disconnects in the middle of the body, and serves other calls', async () => {
  const limits = { requestsPerMinute: { limit: 10, mode: 'enforce' }, tokensPerMinute: null, concurrency: null } as const;
  const { key } = await gateway.newKey({ account: 'limited', limits });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'content-length': 1_000 };
  const calling = send(`${gateway.baseURL}/chat/completions`, { method: 'POST', headers });
  calling.on('error', () => undefined);
  await new Promise((sent) => calling.write('{"model":', sent));
  // A whole call on another connection: by then the gateway has read what was sent on this one.
  await (await gateway.call('/models')).text();
  const mend = failStep(gateway.gateway.limits, 'acquire');
  calling.destroy();
  await gateway.lineWhere(({ msg }) => msg === 'updating rate limit failed');
  mend();
  expect((await gateway.call('/models', { key })).status).toBe(200);
});

describe('F33: a response that has failed at the provider, with its usage in it', () => {
  const failed = (told: unknown) => ({
    ...response({ status: 'failed', usage: told }),
    output: [],
    error: { code: 'server_error', message: 'no' },
  });
  const event = (told: unknown) => ({
    event: 'response.failed',
    data: { type: 'response.failed', sequence_number: 0, response: failed(told) },
  });

  test.each([false, true])('gets rejected and charged, and costs nothing without usage (stream: %s)', async (isStream) => {
    for (const told of [usage, null]) {
      fake.next(isStream ? stream([event(told)]) : json(failed(told)));
      const answer = await gateway.call('/responses', { json: { ...ask, stream: isStream } });
      await expectRefusal(answer, { code: 'upstream_error' });
      const charge = await chargeOf(answer.headers.get('x-request-id') ?? '');
      expect(charge).toMatchObject({ state: told ? 'posted' : 'voided', outcome: 'failed', charged: told ? cost : 0n });
    }
  });
});

describe('G9: a gateway that stops', () => {
  const half = responseFrames({ text: ['hello ', 'there ', 'everyone'], usage }).slice(0, 6);

  /** Begins a stream and reads some output. */
  async function begin(signal?: AbortSignal): Promise<{ readonly requestId: string; readonly rest: Promise<string> }> {
    fake.next(stream(half, { ending: 'stall' }));
    const answer = await gateway.call('/responses', { json: ask, ...(signal && { signal }) });
    const reader = answer.body?.getReader() ?? expect.fail('no body');
    let read = '';
    const more = async (until: string): Promise<string> => {
      for (;;) {
        const { value, done } = await reader.read();
        if (value) read += Buffer.from(value).toString();
        if (done || (until !== '' && read.includes(until))) return read;
      }
    };
    await more('there');
    return { requestId: String(answer.headers.get('x-request-id')), rest: more('').catch(() => read) };
  }

  test('charges the streams that it ends, and that of a caller who disconnects at the same moment', async () => {
    const leaving = new AbortController();
    const staying = await begin();
    const left = await begin(leaving.signal);
    const another = await begin();
    leaving.abort();
    gateway.gateway.endStreams();
    expect(await staying.rest).toContain('response.failed');
    await another.rest;
    const rows = await closeAndRead();
    expect(rows.get(staying.requestId)).toEqual({ state: 'posted', outcome: 'failed', isCharged: true });
    // Either the disconnect or the end came first.
    expect(rows.get(left.requestId)).toMatchObject({
      state: 'posted',
      outcome: expect.stringMatching(/^(?:failed|client_disconnected)$/),
      isCharged: true,
    });
    expect([...rows.values()].map(({ state }) => state)).toEqual(['posted', 'posted', 'posted']);
  });

  test('charges the streams that it cuts', async () => {
    const running = [await begin(), await begin(), await begin()];
    const rows = await closeAndRead();
    await Promise.all(running.map(({ rest }) => rest));
    expect([...rows.values()]).toEqual(running.map(() => ({ state: 'posted', outcome: 'client_disconnected', isCharged: true })));
  });

  /** The charges after all is closed. The database is opened before, since the folder is removed with the gateway. */
  async function closeAndRead(): Promise<Map<unknown, Readonly<Record<string, unknown>>>> {
    const database = openSecondConnection(gateway.gateway.config);
    const look = () => database.rows('SELECT request_id, state, outcome, charged FROM charges');
    await look();
    isClosed = true;
    await gateway.close();
    const rows = await look();
    await database.close();
    return new Map(rows.map(({ request_id, state, outcome, charged }) => [request_id, { state, outcome, isCharged: Number(charged) > 0 }]));
  }
});
