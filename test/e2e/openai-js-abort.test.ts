/** A caller of the OpenAI SDK who disconnects: the request to the upstream is aborted, and the log says that the caller has gone (promise G6). */
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chatFrames } from '../fakes/chat.ts';
import { stream } from '../fakes/delivery.ts';
import type { FakeRequest } from '../fakes/exchange.ts';
import { silence } from '../fakes/faults.ts';
import { imageFrames } from '../fakes/images.ts';
import { responseFrames } from '../fakes/responses.ts';
import { startGateway } from '../harness/gateway.ts';
import { recordAttempts } from '../harness/record-attempts.ts';
import { type BehindFake, openBehindFake } from './places.ts';

const model = 'gpt-5.4';
const messages = [{ role: 'user' as const, content: 'Say hello.' }];
const hangUps = 'hang-ups that the upstream saw in the middle of its answer';

describe('over an upstream that never ends', () => {
  let behind: BehindFake;
  let client: OpenAI;
  beforeAll(async () => {
    behind = await openBehindFake();
    client = new OpenAI({ baseURL: behind.gateway.baseURL, apiKey: behind.gateway.key });
  });
  afterAll(() => behind.close());

  const streams = [
    {
      name: 'a chat stream',
      script: stream(chatFrames(), { stopAfter: { frames: 3 }, ending: 'stall' }),
      open: () => client.chat.completions.create({ model, messages, stream: true }),
    },
    {
      name: 'a responses stream',
      script: stream(responseFrames(), { stopAfter: { frames: 6 }, ending: 'stall' }),
      open: () => client.responses.create({ model, input: 'Say hello.', stream: true }),
    },
    {
      name: 'an image stream',
      script: stream(imageFrames({ partials: 2 }), { stopAfter: { frames: 1 }, ending: 'stall' }),
      open: () => client.images.generate({ model: 'gpt-image-2', prompt: 'A lighthouse', stream: true, partial_images: 2 }),
    },
  ] as const;

  /** Resolves when the request to the upstream is aborted; the upstream never ends its answer itself. */
  async function expectHangUp(index: number): Promise<FakeRequest> {
    const request = await behind.fake.arrival(index);
    await behind.fake.hangUp(index);
    expect(request).toMatchObject({ closedAt: expect.any(Number), endedAt: null });
    return request;
  }

  test.each(streams)('G6: a break out of the loop over $name aborts the request to the upstream', async ({ script, open }) => {
    const index = behind.fake.requests.length;
    behind.fake.next(script);
    for await (const _event of await open()) break;
    const { headers } = await expectHangUp(index);
    const line = await behind.gateway.lineOf(String(headers['x-request-id']));
    expect(line).toMatchObject({ end: 'client_disconnected', status: 200 });
    recordAttempts('G6', { what: hangUps, times: 1 });
  });

  test.each(streams)('G6: an abort of $name aborts the request to the upstream', async ({ script, open }) => {
    const index = behind.fake.requests.length;
    behind.fake.next(script);
    const events = await open();
    await behind.fake.arrival(index);
    events.controller.abort();
    await expectHangUp(index);
    recordAttempts('G6', { what: hangUps, times: 1 });
  });

  test('G6: an abort of a call without a stream aborts the request to the upstream', async () => {
    const index = behind.fake.requests.length;
    behind.fake.next(silence);
    const abort = new AbortController();
    const answer = client.chat.completions.create({ model, messages }, { signal: abort.signal });
    const outcome = expect(answer).rejects.toBeInstanceOf(OpenAI.APIUserAbortError);
    await behind.fake.arrival(index);
    abort.abort();
    await expectHangUp(index);
    await outcome;
    recordAttempts('G6', { what: hangUps, times: 1 });
  });
});

test('the log says client_disconnected when a caller leaves a long stream of the simulator', async () => {
  const gateway = await startGateway({ upstreams: { simulator: { kind: 'simulator', eventDelayMs: 15 } } });
  try {
    const client = new OpenAI({ baseURL: gateway.baseURL, apiKey: gateway.key });
    const long = [{ role: 'user' as const, content: 'write 5000 words' }];
    for await (const _chunk of await client.chat.completions.create({ model, messages: long, stream: true })) break;
    expect(await gateway.lineWhere(({ end }) => end === 'client_disconnected')).toMatchObject({ route: '/v1/chat/completions' });
  } finally {
    await gateway.close();
  }
});
