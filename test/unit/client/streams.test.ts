/** Streams of the client: how they end, break and are aborted. */
import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { ModelgateError, StreamError, TimeoutError } from '../../../client/sdk/src/index.ts';
import { holdTimers, until } from '../../harness/held-clock.ts';
import { chatRequest, chunk, delta, done, imageRequest, lifecycle, responseEvent, responseRequest } from './samples.ts';
import { collect, failure, frame, json, openServer, openStream, stream } from './server.ts';

const streamed = { stream: true } as const;

test('yields the chunks of a chat stream, and has the headers of the response', async () => {
  const { connect, asked } = await openServer(stream(frame(chunk('Hel')), frame(chunk('lo')), done));
  const answer = await connect().createChatCompletion({ ...chatRequest, ...streamed });
  expect(answer.requestId).toBe('req_stream');
  expect(answer.response.headers.get('content-type')).toBe('text/event-stream');
  expect(await collect(answer)).toEqual([chunk('Hel'), chunk('lo')]);
  expect(JSON.parse(String(asked[0]?.body))).toEqual({ ...chatRequest, stream: true });
  expect(asked[0]?.headers.accept).toBe('text/event-stream');
});

test.each(['completed', 'incomplete', 'failed'])('ends a responses stream after response.%s, with or without [DONE]', async (status) => {
  const frames = [lifecycle('created'), delta('Hi'), lifecycle(status)];
  const { connect } = await openServer(stream(...frames, done), stream(...frames));
  for (let round = 0; round < 2; round++) {
    const events = await collect(await connect().createResponse({ ...responseRequest, ...streamed }));
    expect(events.map(({ type }) => type)).toEqual(['response.created', 'response.output_text.delta', `response.${status}`]);
  }
});

test('ends image streams after their completed event', async () => {
  const completed = (type: string) => frame({ type, b64_json: 'AAAA', created_at: 1 });
  const { connect } = await openServer(stream(completed('image_generation.completed')), stream(completed('image_edit.completed')));
  const drawn = await collect(await connect().generateImages({ ...imageRequest, ...streamed }));
  const edited = await collect(await connect().editImages({ ...imageRequest, images: [{ image_url: 'data:' }], ...streamed }));
  expect([...drawn, ...edited].map(({ type }) => type)).toEqual(['image_generation.completed', 'image_edit.completed']);
});

test('F01: throws a StreamError after the chunks of a chat stream without an end', async () => {
  const { connect } = await openServer(stream(frame(chunk('Hel'))));
  const seen: unknown[] = [];
  const reading = async () => {
    for await (const event of await connect().createChatCompletion({ ...chatRequest, ...streamed })) seen.push(event);
  };
  await expect(reading()).rejects.toThrow(StreamError);
  expect(seen).toEqual([chunk('Hel')]);
});

test.each([
  ['no event', []],
  ['a bare [DONE]', [lifecycle('created'), done]],
  ['only the end of a tool call', [frame(responseEvent('response.web_search_call.completed'))]],
  ['a last event that is cut off', [lifecycle('completed').trimEnd()]],
  ['data that is not JSON', ['data: {"type":"respon\n\n', lifecycle('completed')]],
  ['JSON that is not an event', ['data: null\n\n', lifecycle('completed')]],
])('throws a StreamError for a responses stream with %s', async (_what, frames) => {
  const { connect } = await openServer(stream(...frames));
  const answer = await connect().createResponse({ ...responseRequest, ...streamed });
  await expect(collect(answer)).rejects.toThrow(StreamError);
});

test("throws a StreamError with its cause if the connection breaks, and doesn't retry", async () => {
  const { connect, asked } = await openServer((answer) => {
    answer.writeHead(200, { 'content-type': 'text/event-stream' });
    answer.write(frame(chunk('Hel')), () => answer.destroy());
  });
  const broken = await collect(await connect().createChatCompletion({ ...chatRequest, ...streamed })).catch((error) => error);
  expect(broken).toBeInstanceOf(StreamError);
  expect(broken.cause).toBeDefined();
  expect(asked).toHaveLength(1);
});

const detail = { message: 'The upstream broke off.', type: 'rate_limit_error', param: null, code: 'upstream_error' };
test.each([
  ['chat', frame({ error: detail })],
  ['nested', frame({ type: 'error', sequence_number: 3, code: 'x', message: 'y', param: null, error: detail })],
])('throws an error in a stream as the class of its type: %s', async (_form, failed) => {
  const { connect } = await openServer(stream(frame(chunk('Hel')), failed, done));
  const error = await collect(await connect().createChatCompletion({ ...chatRequest, ...streamed })).catch((thrown) => thrown);
  expect(error).toMatchObject({ name: 'RateLimitError', status: undefined, requestId: 'req_stream', ...detail });
});

test('throws an error event without the nested form, too', async () => {
  const { connect } = await openServer(
    stream(frame({ type: 'error', sequence_number: 3, code: 'overloaded', message: 'Full.', param: null })),
  );
  const error = await collect(await connect().createResponse({ ...responseRequest, ...streamed })).catch((thrown) => thrown);
  expect(error).toMatchObject({ name: 'ServerError', message: 'Full.', code: 'overloaded', type: null });
});

test('rejects the call on an error status in place of a stream', async () => {
  const { connect } = await openServer(failure(404, { code: 'model_not_found', param: 'model' }));
  const rejected = connect().createResponse({ ...responseRequest, ...streamed });
  await expect(rejected).rejects.toMatchObject({ name: 'NotFoundError', status: 404, code: 'model_not_found', param: 'model' });
});

test('closes the connection when the caller leaves the loop', async () => {
  const { connect, asked } = await openServer(openStream(frame(chunk('Hel'))));
  for await (const _ of await connect().createChatCompletion({ ...chatRequest, ...streamed })) break;
  await expect(asked[0]?.hungUp).resolves.toBeUndefined();
});

test('closes the connection on an exception in the loop, and rethrows it unchanged', async () => {
  const { connect, asked } = await openServer(openStream(frame(chunk('Hel'))));
  const mistake = new Error('of the caller');
  const reading = async () => {
    for await (const _ of await connect().createChatCompletion({ ...chatRequest, ...streamed })) throw mistake;
  };
  await expect(reading()).rejects.toBe(mistake);
  await expect(asked[0]?.hungUp).resolves.toBeUndefined();
});

test('ends the loop with an AbortError on abort(), even if events are waiting', async () => {
  const { connect, asked } = await openServer(openStream(frame(chunk('a')) + frame(chunk('b'))));
  const answer = await connect().createChatCompletion({ ...chatRequest, ...streamed });
  const seen: unknown[] = [];
  const reading = async () => {
    for await (const event of answer) {
      seen.push(event);
      answer.abort();
    }
  };
  await expect(reading()).rejects.toMatchObject({ name: 'AbortError' });
  expect(seen).toHaveLength(1);
  await asked[0]?.hungUp;
});

test("ends a stream in flight with the reason of the caller's signal", async () => {
  const { connect, asked } = await openServer(openStream(frame(chunk('a'))));
  const controller = new AbortController();
  const answer = await connect().createChatCompletion({ ...chatRequest, ...streamed }, { signal: controller.signal });
  const reason = new Error('enough');
  const reading = async () => {
    for await (const _ of answer) queueMicrotask(() => controller.abort(reason));
  };
  await expect(reading()).rejects.toMatchObject({ name: 'AbortError', cause: reason });
  await asked[0]?.hungUp;
});

test('throws a TimeoutError if a stream is silent for timeoutMs', async () => {
  await holdTimers();
  const { connect, asked } = await openServer(openStream(frame(chunk('a'))));
  const answer = await connect({ timeoutMs: 50 }).createChatCompletion({ ...chatRequest, ...streamed });
  const seen: unknown[] = [];
  const reading = async () => {
    for await (const event of answer) seen.push(event);
  };
  const rejected = reading().catch((error: unknown) => error);
  await until(() => seen.length === 1);
  await vi.advanceTimersByTimeAsync(50);
  expect(await rejected).toBeInstanceOf(TimeoutError);
  await asked[0]?.hungUp;
});

test("doesn't count the time that the caller spends on an event as silence", async () => {
  await holdTimers();
  const { connect } = await openServer(stream(frame(chunk('a')), frame(chunk('b')), done));
  const answer = await connect({ timeoutMs: 100 }).createChatCompletion({ ...chatRequest, ...streamed });
  let count = 0;
  for await (const _ of answer) {
    await vi.advanceTimersByTimeAsync(150);
    count++;
  }
  expect(count).toBe(2);
});

test('reuses the connection of a stream that was read to its end', async () => {
  const { connect, asked } = await openServer(stream(frame(chunk('a')), done));
  for (let round = 0; round < 3; round++) {
    await collect(await connect().createChatCompletion({ ...chatRequest, ...streamed }));
    // The runtime gets the connection back in a later turn of its loop.
    await setImmediate();
  }
  expect(new Set(asked.map(({ port }) => port)).size).toBe(1);
});

test('waits at most a second for a connection that stays open after the last event', async () => {
  const timers = await holdTimers();
  const { connect } = await openServer(openStream(frame(chunk('a')) + done));
  const reading = connect()
    .createChatCompletion({ ...chatRequest, ...streamed })
    .then(collect);
  // The client waits a second for the end of the connection, so that it can be reused.
  await timers.isSet(1_000);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await reading).toEqual([chunk('a')]);
});

test('reads a stream only once', async () => {
  const { connect } = await openServer(stream(done));
  const answer = await connect().createChatCompletion({ ...chatRequest, ...streamed });
  await collect(answer);
  await expect(collect(answer)).rejects.toThrow(ModelgateError);
});

test('throws a StreamError for a JSON response in place of a stream', async () => {
  const { connect } = await openServer(json(200, { id: 'chatcmpl_1' }));
  const answer = await connect().createChatCompletion({ ...chatRequest, ...streamed });
  await expect(collect(answer)).rejects.toThrow(StreamError);
});
