/** Requests that vendors accept: the gateway accepts them too, for upstreams of the same protocol and of another one. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ErrorBody } from '../../../contract/shared/error-bodies.ts';
import { isFields } from '../../../server/primitives/fields.ts';
import { openStage, type Stage } from '../ceilings/stage.ts';

let stage: Stage;
beforeAll(async () => {
  const text = { kind: 'text', prices: 'free', maxOutputTokens: 1_000 };
  stage = await openStage({}, [
    { ...text, id: 'over-chat', protocols: ['chat'], upstreamModel: 'sent' },
    { ...text, id: 'over-responses', protocols: ['responses'], upstreamModel: 'sent' },
  ]);
});
beforeEach(() => stage.fake.clear());
afterAll(() => stage.close());

/** The body that the vendor got, and what the caller reads of fields that were left out. */
async function send(path: string, json: object) {
  const reply = await stage.gateway.call(path, { json });
  const text = await reply.text();
  expect([reply.status, text]).toEqual([200, expect.any(String)]);
  const body: unknown = stage.fake.requests.at(-1)?.json;
  if (!isFields(body)) throw new Error('the vendor got no JSON');
  return { body, dropped: reply.headers.get('x-modelgate-dropped') };
}

const PIXEL = 'data:image/png;base64,iVBORw0KGgo=';

describe('an image of a chat message may be its address alone', () => {
  const messages = [{ role: 'user', content: [{ type: 'image_url', image_url: PIXEL }] }];

  test('an upstream that speaks chat is sent what the caller wrote', async () => {
    const { body } = await send('/chat/completions', { model: 'over-chat', messages });
    expect(body.messages).toEqual(messages);
  });

  test('an upstream that speaks responses is sent the image', async () => {
    const { body } = await send('/chat/completions', { model: 'over-responses', messages });
    expect(body.input).toMatchObject([{ role: 'user', content: [{ type: 'input_image', image_url: PIXEL }] }]);
  });

  test('an empty address is 400', async () => {
    const empty = [{ role: 'user', content: [{ type: 'image_url', image_url: '' }] }];
    const reply = await stage.gateway.call('/chat/completions', { json: { model: 'over-chat', messages: empty } });
    expect(reply.status).toBe(400);
    expect(ErrorBody.parse(await reply.json()).error.param).toMatch(/^messages\[0\]/);
  });
});

describe("a function_call_output may answer a search for tools that the caller's side runs", () => {
  const input = [
    { role: 'user', content: 'Find a tool.' },
    { type: 'tool_search_call', call_id: 'call_1', execution: 'client', arguments: { query: 'weather' } },
    { type: 'function_call_output', call_id: 'call_1', output: 'Nothing was found.' },
    { role: 'user', content: 'Then answer without one.' },
  ];

  test('an upstream that speaks responses is sent both', async () => {
    const { body } = await send('/responses', { model: 'over-responses', input, store: false });
    expect(body.input).toMatchObject(input);
  });

  test('an upstream that speaks chat is sent neither, and the caller reads their names', async () => {
    const { body, dropped } = await send('/responses', { model: 'over-chat', input, store: false });
    expect(body.messages).toMatchObject([{ content: 'Find a tool.' }, { content: 'Then answer without one.' }]);
    expect(dropped?.split(/, ?/)).toEqual(expect.arrayContaining(['input[1]', 'input[2]']));
  });

  test('an output that answers nothing is still 400', async () => {
    const reply = await stage.gateway.call('/responses', { json: { model: 'over-chat', input: input.slice(2) } });
    expect([reply.status, ErrorBody.parse(await reply.json()).error.param]).toEqual([400, 'input[0].call_id']);
  });
});

test('a stored prompt without input is rejected as such, not because of the input that it replaces', async () => {
  const reply = await stage.gateway.call('/responses', { json: { model: 'over-responses', prompt: { id: 'pmpt_1' } } });
  const { error } = ErrorBody.parse(await reply.json());
  expect([reply.status, error.param, error.code]).toEqual([400, 'prompt', 'unsupported_parameter']);
});
