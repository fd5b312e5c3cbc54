import { describe, expect, it } from 'vitest';
import { ChatCompletion, ChatCompletionChunk } from '../../../../contract/chat/completion.ts';
import { chatTool, citySchema, readEvents, readFrames, readJson, send, type Wire } from './ask.ts';

async function stream(value: Wire) {
  return (await readEvents(send('createChatCompletion', value, true))).map((chunk) => ChatCompletionChunk.parse(chunk));
}
const user = (content: string) => ({ messages: [{ role: 'user', content }] });
const deltas = (chunks: Awaited<ReturnType<typeof stream>>, index = 0) =>
  chunks.flatMap((chunk) => chunk.choices.filter((choice) => choice.index === index).map(({ delta }) => delta));

describe('a caller who streams a chat', () => {
  it('gets bare data frames that end with [DONE]', async () => {
    const answer = await send('createChatCompletion', user('hi'), true);
    expect(answer).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/event-stream; charset=utf-8', 'x-request-id': 'req_test' },
    });
    const frames = await readFrames(answer);
    expect(frames.every(({ event }) => event === null)).toBe(true);
    expect(frames.filter(({ data }) => data === '[DONE]')).toEqual([frames.at(-1)]);
  });

  it('gets the role first, then text, then one finish, all under one id', async () => {
    const chunks = await stream(user('repeat: one  two\nthree'));
    expect(deltas(chunks)).toEqual([
      { role: 'assistant', content: '', refusal: null },
      { content: 'one' },
      { content: '  two' },
      { content: '\nthree' },
      {},
    ]);
    expect(chunks.map(({ choices }) => choices[0]?.finish_reason)).toEqual([null, null, null, null, 'stop']);
    expect(new Set(chunks.map(({ id, created, model }) => `${id} ${created} ${model}`)).size).toBe(1);
    expect(chunks.every((chunk) => !('usage' in chunk))).toBe(true);
  });

  it('gets usage in a last chunk without choices, and null before, only when asked', async () => {
    const value = { ...user('count to 3'), stream_options: { include_usage: true } };
    const chunks = await stream(value);
    const whole = ChatCompletion.parse(await readJson(send('createChatCompletion', value)));
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: whole.usage });
    expect(chunks.slice(0, -1).every((chunk) => chunk.usage === null && chunk.choices.length === 1)).toBe(true);
  });

  it('gets the same text as without a stream, also with long words', async () => {
    const text = `Größe: ${'x'.repeat(100)} 日本語のとても長いテキストです。 👩‍👩‍👧 end\n`.repeat(3).trim();
    expect(
      deltas(await stream(user(`repeat: ${text}`)))
        .map(({ content }) => content ?? '')
        .join(''),
    ).toBe(text);
  });

  it('gets id, type and name of each tool call once, in its first piece', async () => {
    const value = { ...user('call get_weather for Oslo and Paris'), tools: [chatTool('get_weather', citySchema)] };
    const chunks = await stream(value);
    expect(deltas(chunks)[0]).toEqual({ role: 'assistant', content: null, refusal: null });
    const pieces = deltas(chunks).flatMap(({ tool_calls }) => tool_calls ?? []);
    for (const index of [0, 1]) {
      const [first, ...rest] = pieces.filter((piece) => piece.index === index);
      expect(first).toEqual({
        index,
        id: expect.stringMatching(/^call_/),
        type: 'function',
        function: { name: 'get_weather', arguments: '' },
      });
      expect(rest.length).toBeGreaterThan(1);
      expect(
        rest.every((piece) => Object.keys(piece).join() === 'index,function' && Object.keys(piece.function ?? {}).join() === 'arguments'),
      ).toBe(true);
      const city = JSON.parse(rest.map((piece) => piece.function?.arguments).join('')).city;
      expect(city).toBe(['Oslo', 'Paris'][index]);
    }
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('tool_calls');
  });

  it('gets raw input from a custom tool', async () => {
    const tools = [{ type: 'custom', custom: { name: 'write_poem' } }];
    const pieces = deltas(await stream({ ...user('A poem about rain'), tools, tool_choice: 'required' })).flatMap(
      (delta) => delta.tool_calls ?? [],
    );
    expect(pieces[0]).toMatchObject({ index: 0, type: 'custom', custom: { name: 'write_poem', input: '' } });
    expect(
      pieces
        .slice(1)
        .map(({ custom }) => custom?.input)
        .join(''),
    ).toBe('A poem about rain');
  });

  it('gets the choices in turns', async () => {
    const chunks = await stream({ ...user('count to 3'), n: 2 });
    expect(chunks.slice(0, 4).map(({ choices }) => choices[0]?.index)).toEqual([0, 1, 0, 1]);
    for (const index of [0, 1])
      expect(
        deltas(chunks, index)
          .map(({ content }) => content ?? '')
          .join(''),
      ).toBe('1, 2, 3');
  });

  it('gets a refusal in pieces and no text', async () => {
    const all = deltas(await stream(user('please refuse')));
    expect(all.every(({ content }) => content === undefined || content === null)).toBe(true);
    expect(all.map(({ refusal }) => refusal ?? '').join('')).toContain("I can't help");
  });

  it('gets log probabilities with each piece', async () => {
    const chunks = await stream({ ...user('repeat: one two'), logprobs: true });
    const tokens = chunks.flatMap(({ choices }) => choices[0]?.logprobs?.content ?? []).map(({ token }) => token);
    expect(tokens).toEqual(['one', ' two']);
  });

  it('gets finish_reason length at the token limit', async () => {
    const chunks = await stream({ ...user('count to 10'), max_tokens: 2 });
    expect(
      deltas(chunks)
        .map(({ content }) => content ?? '')
        .join(''),
    ).toBe('1, 2,');
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('length');
  });
});
