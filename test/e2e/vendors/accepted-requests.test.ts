/** Requests that vendors accept: the gateway accepts them too, and names what an upstream that cannot take it does not get. The rows of `sent-requests` and `quirks` have what it gets. */
import { describe, expect, test } from 'vitest';
import { ErrorBody } from '../../../contract/shared/error-bodies.ts';
import { useOpened } from '../../harness/opened.ts';
import { openStage } from '../ceilings/stage.ts';

const compatible = { kind: 'openai-compatible' };
const models = ['over-chat', 'over-responses', 'plain-vendor', 'thinker'] as const;
const stage = useOpened(() => {
  const text = { kind: 'text', prices: 'free', maxOutputTokens: 1_000 };
  return openStage(
    {},
    [
      { ...text, id: 'over-chat', protocols: ['chat'] },
      { ...text, id: 'over-responses', protocols: ['responses'] },
    ],
    { 'plain-vendor': compatible, thinker: { ...compatible, quirks: { reasoningObject: true, thinkingParts: true } } },
  );
});

const image = { type: 'image_url', image_url: 'data:image/png;base64,iVBORw0KGgo=' };
const thinking = { type: 'thinking', thinking: [{ type: 'text', text: 'Two and two.' }] };
const answer = { role: 'assistant', content: [thinking, { type: 'text', text: 'Four.' }] };
const question = { role: 'user', content: 'And 3+3?' };
const search = { type: 'tool_search_call', call_id: 'call_1', execution: 'client', arguments: { query: 'weather' } };
const found = { type: 'function_call_output', call_id: 'call_1', output: 'Nothing was found.' };
const chat = '/chat/completions';

interface Case {
  readonly what: string;
  readonly path: string;
  readonly body: object;
  readonly dropped: readonly string[];
  readonly takenBy: readonly string[];
}
const cases: readonly Case[] = [
  {
    what: 'an image that is its address alone',
    path: chat,
    body: { messages: [{ role: 'user', content: [image] }] },
    dropped: [],
    takenBy: models,
  },
  {
    what: 'V5: reasoning as an object',
    path: chat,
    body: { messages: [question], reasoning: { max_tokens: 2_000, enabled: true, effort: 'low' } },
    dropped: ['reasoning.max_tokens', 'reasoning.enabled'],
    takenBy: ['thinker'],
  },
  {
    what: 'V6: thoughts of an earlier answer as parts',
    path: chat,
    body: { messages: [question, answer, question] },
    dropped: ['messages[1].content[0]'],
    takenBy: ['thinker'],
  },
  {
    what: 'a search for tools that a function_call_output answers',
    path: '/responses',
    body: { input: [question, search, found], store: false },
    dropped: ['input[1]', 'input[2]'],
    takenBy: ['over-responses'],
  },
];

describe.each(models)('%s', (model) => {
  test.each(cases)('accepts $what, and names what the upstream does not get', async ({ path, body, dropped, takenBy }) => {
    const reply = await stage.gateway.call(path, { json: { model, ...body } });
    expect([reply.status, await reply.text()]).toEqual([200, expect.any(String)]);
    const named = (reply.headers.get('x-modelgate-dropped') ?? '').split(/, ?/).filter((name) => name !== '');
    expect(named.sort()).toEqual(takenBy.includes(model) ? [] : dropped.toSorted());
  });
});

test.each([
  ['an image with an empty address', chat, { messages: [{ role: 'user', content: [{ ...image, image_url: '' }] }] }, /^messages\[0\]/],
  ['a stored prompt without input', '/responses', { prompt: { id: 'pmpt_1' } }, /^prompt$/],
])('returns 400 with the field for %s', async (_, path, body, param) => {
  const reply = await stage.gateway.call(path, { json: { model: 'over-responses', ...body } });
  expect([reply.status, ErrorBody.parse(await reply.json()).error.param]).toEqual([400, expect.stringMatching(param)]);
});
