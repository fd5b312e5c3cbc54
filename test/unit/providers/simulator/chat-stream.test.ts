import { describe, expect, it } from 'vitest';
import { ChatCompletionChunk } from '../../../../contract/chat/completion.ts';
import { readEvents, send, type Wire } from './ask.ts';

async function stream(value: Wire) {
  return (await readEvents(send('createChatCompletion', value, true))).map((chunk) => ChatCompletionChunk.parse(chunk));
}
const user = (content: string) => ({ messages: [{ role: 'user', content }] });
const deltas = (chunks: Awaited<ReturnType<typeof stream>>, index = 0) =>
  chunks.flatMap((chunk) => chunk.choices.filter((choice) => choice.index === index).map(({ delta }) => delta));

describe('a caller who streams a chat', () => {
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

  it('gets log probabilities with each piece', async () => {
    const chunks = await stream({ ...user('repeat: one two'), logprobs: true });
    const tokens = chunks.flatMap(({ choices }) => choices[0]?.logprobs?.content ?? []).map(({ token }) => token);
    expect(tokens).toEqual(['one', ' two']);
  });
});
