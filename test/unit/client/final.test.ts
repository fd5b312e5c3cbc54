/** The whole answer of a stream: finalResponse and finalCompletion, and the listeners that are called on the way. */
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { finalCompletion, ModelgateError, StreamError } from '../../../client/sdk/src/index.ts';
import { chatRequest, chunk, delta, done, lifecycle, response, responseRequest } from './samples.ts';
import { collect, frame, openServer, openStream, stream } from './server.ts';

const streamed = { stream: true } as const;
const events = [lifecycle('created'), delta('Hi'), lifecycle('completed'), done];

test.each(['completed', 'incomplete', 'failed'])('returns the response of the last event as finalResponse: %s', async (status) => {
  const { connect } = await openServer(stream(lifecycle('created'), lifecycle(status)));
  const answer = await connect().createResponse({ ...responseRequest, ...streamed });
  expect(await answer.finalResponse()).toEqual(response(status));
});

test('returns finalResponse after the stream was read, more than once', async () => {
  const { connect } = await openServer(stream(...events));
  const answer = await connect().createResponse({ ...responseRequest, ...streamed });
  expect(await collect(answer)).toHaveLength(3);
  expect([await answer.finalResponse(), await answer.finalResponse()]).toEqual([response('completed'), response('completed')]);
});

test('rejects finalResponse if the stream breaks off', async () => {
  const { connect } = await openServer(stream(lifecycle('created'), delta('Hi')));
  const answer = await connect().createResponse({ ...responseRequest, ...streamed });
  await expect(answer.finalResponse()).rejects.toThrow(StreamError);
});

test('rejects finalResponse if the caller left the stream early', async () => {
  const { connect } = await openServer(stream(...events));
  const answer = await connect().createResponse({ ...responseRequest, ...streamed });
  for await (const _ of answer) break;
  await expect(answer.finalResponse()).rejects.toThrow(ModelgateError);
});

test('calls the listeners of a type with each of its events, in order, while the stream is read', async () => {
  const { connect } = await openServer(stream(lifecycle('created'), delta('Hel'), delta('lo'), lifecycle('completed')));
  const answer = await connect().createResponse({ ...responseRequest, ...streamed });
  const seen: string[] = [];
  answer
    .on('response.output_text.delta', (event) => seen.push(event.delta))
    .on('response.completed', async (event) => seen.push(event.response.id))
    .on('response.web_search_call.completed', (event) => seen.push(event.item_id));
  await setImmediate();
  expect(seen).toEqual([]);
  expect(await answer.finalResponse()).toEqual(response('completed'));
  expect(seen).toEqual(['Hel', 'lo', 'resp_1']);
});

test('awaits a listener before the next event, and yields the events to a loop, too', async () => {
  const { connect } = await openServer(stream(delta('a'), delta('b'), lifecycle('completed')));
  const answer = await connect().createResponse({ ...responseRequest, ...streamed });
  const seen: string[] = [];
  answer.on('response.output_text.delta', async ({ delta: text }) => {
    await setImmediate();
    seen.push(text);
  });
  for await (const { type } of answer) seen.push(type);
  expect(seen).toEqual(['a', 'response.output_text.delta', 'b', 'response.output_text.delta', 'response.completed']);
});

test.each(['response.output_text.delta', 'response.completed'] as const)(
  'rejects with the error of a listener for %s, and closes the connection',
  async (type) => {
    const { connect, asked: requests } = await openServer(openStream(delta('Hi'), lifecycle('completed')));
    const answer = await connect().createResponse({ ...responseRequest, ...streamed });
    const mistake = new Error('of the caller');
    answer.on(type, () => Promise.reject(mistake));
    await expect(answer.finalResponse()).rejects.toBe(mistake);
    await requests[0]?.hungUp;
  },
);

const piece = (index: number, fields: object, finish: string | null = null) => ({
  ...chunk(''),
  choices: [{ index, delta: fields, finish_reason: finish }],
});
const chat = async (...chunks: object[]) => {
  const { connect } = await openServer(stream(...chunks.map(frame), done));
  return await connect().createChatCompletion({ ...chatRequest, ...streamed });
};

test('turns the chunks of a chat stream into one completion, choice by choice', async () => {
  const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
  const logprob = (token: string) => ({ content: [{ token, logprob: -0.1, bytes: null, top_logprobs: [] }], refusal: null });
  const answer = await chat(
    { ...chunk(''), choices: [{ index: 1, delta: { role: 'assistant', content: 'B' }, finish_reason: null }] },
    { ...chunk(''), choices: [{ index: 0, delta: { role: 'assistant', content: 'Hel' }, logprobs: logprob('Hel') }] },
    { ...chunk(''), choices: [{ index: 0, delta: { role: 'assistant', content: 'lo' }, logprobs: logprob('lo') }] },
    piece(0, {}, 'stop'),
    piece(1, { refusal: 'No.' }, 'length'),
    { ...chunk(''), choices: [], usage },
  );
  const seen: unknown[] = [];
  expect(await finalCompletion(answer, (one) => seen.push(one.choices[0]?.delta.content))).toEqual({
    id: 'chatcmpl_1',
    object: 'chat.completion',
    created: 1,
    model: 'gpt-5.4',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: 'Hello', refusal: null },
        finish_reason: 'stop',
        logprobs: { content: [...logprob('Hel').content, ...logprob('lo').content], refusal: null },
      },
      { index: 1, message: { role: 'assistant', content: 'B', refusal: 'No.' }, finish_reason: 'length', logprobs: null },
    ],
    usage,
  });
  expect(seen).toEqual(['B', 'Hel', 'lo', undefined, undefined, undefined]);
});

test('joins pieces of tool calls by index, and counts repeated names and IDs once', async () => {
  const call = (index: number, name: string, written: string) => ({
    tool_calls: [{ index, id: `call_${index}`, type: 'function', function: { name, arguments: written } }],
  });
  const more = (index: number, written: string) => ({ tool_calls: [{ index, function: { arguments: written } }] });
  const answer = await chat(
    piece(0, { role: 'assistant', content: null, ...call(0, 'weather', '{"ci') }),
    piece(0, more(0, 'ty":')),
    piece(0, call(1, 'time', '{}')),
    // Some upstreams send id, type and name with every piece.
    piece(0, call(0, 'weather', '"Oslo"}')),
    piece(0, {}, 'tool_calls'),
  );
  const { choices } = await finalCompletion(answer);
  expect(choices[0]).toMatchObject({
    finish_reason: 'tool_calls',
    message: {
      content: null,
      tool_calls: [
        { id: 'call_0', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } },
        { id: 'call_1', type: 'function', function: { name: 'time', arguments: '{}' } },
      ],
    },
  });
  expect(JSON.stringify(choices[0]?.message.tool_calls)).not.toContain('index');
});

test('includes fields that an upstream adds to its chunks in the completion', async () => {
  const answer = await chat(piece(0, { content: 'x', thought: { text: 'a' } }), piece(0, { thought: { text: 'b' } }, 'stop'));
  expect((await finalCompletion(answer)).choices[0]?.message).toMatchObject({ content: 'x', thought: { text: 'ab' } });
});

test("doesn't change chunks that the caller kept", async () => {
  const kept: unknown[] = [];
  await finalCompletion(await chat(piece(0, { content: 'a' }), piece(0, { content: 'b' }, 'stop')), (one) => kept.push(one));
  expect(kept).toEqual([piece(0, { content: 'a' }), piece(0, { content: 'b' }, 'stop')]);
});

test('rejects finalCompletion if the stream breaks off or has no chunk', async () => {
  const { connect } = await openServer(stream(frame(chunk('Hel'))), stream(done));
  const ask = () => connect().createChatCompletion({ ...chatRequest, ...streamed });
  await expect(finalCompletion(await ask())).rejects.toThrow(StreamError);
  await expect(finalCompletion(await ask())).rejects.toThrow(ModelgateError);
});
