import { describe, expect, it } from 'vitest';
import { ChatCompletion } from '../../../../contract/chat/completion.ts';
import { chatTool, citySchema, readJson, send, startedAt, type Wire } from './ask.ts';

async function chat(value: Wire) {
  return ChatCompletion.parse(await readJson(send('createChatCompletion', value)));
}
const user = (content: unknown) => ({ messages: [{ role: 'user', content }] });

describe('a chat caller of the simulator', () => {
  it('gets an answer that quotes the prompt and says that no model wrote it', async () => {
    const completion = await chat(user('Why is the sky blue?'));
    expect(completion.id).toMatch(/^chatcmpl-/);
    expect(completion).toMatchObject({ object: 'chat.completion', created: startedAt, model: 'gpt-5.4', service_tier: 'default' });
    const [choice] = completion.choices;
    expect(choice).toMatchObject({ index: 0, finish_reason: 'stop', logprobs: null, message: { role: 'assistant', refusal: null } });
    expect(choice?.message).not.toHaveProperty('tool_calls');
    expect(choice?.message.content).toContain('Why is the sky blue?');
    expect(choice?.message.content).toMatch(/simulator.*not a model/);
  });

  it('gets the same text for the same request, under a fresh id', async () => {
    const [first, second] = await Promise.all([chat(user('Tell me a story')), chat(user('Tell me a story'))]);
    expect(first.choices).toEqual(second.choices);
    expect(first.id).not.toBe(second.id);
  });

  it('gets what phrases of the prompt ask for', async () => {
    const say = async (prompt: string) => (await chat(user(prompt))).choices[0]?.message.content;
    expect(await say('repeat: a  b\n"ç" 👩‍👩‍👧')).toBe('a  b\n"ç" 👩‍👩‍👧');
    expect(await say('Please say "hello there"')).toBe('hello there');
    expect(await say('count to 5')).toBe('1, 2, 3, 4, 5');
    expect((await say('write 300 words'))?.split(' ')).toHaveLength(300);
  });

  it('gets usage that adds up', async () => {
    const { usage } = await chat({ ...user('count to 3'), reasoning_effort: 'low' });
    expect(usage).toMatchObject({ completion_tokens: 19, completion_tokens_details: { reasoning_tokens: 16 } });
    expect(usage?.total_tokens).toBe((usage?.prompt_tokens ?? 0) + 19);
    expect(usage?.prompt_tokens_details).toMatchObject({ cached_tokens: 0 });
  });

  it('is cut at the token limit, by either of its names', async () => {
    for (const name of ['max_tokens', 'max_completion_tokens']) {
      const { choices, usage } = await chat({ ...user('count to 10'), [name]: 4 });
      expect(choices[0]).toMatchObject({ finish_reason: 'length', message: { content: '1, 2, 3, 4,' } });
      expect(usage?.completion_tokens).toBe(4);
    }
  });

  it('gets an empty answer if reasoning takes the whole limit', async () => {
    const { choices, usage } = await chat({ ...user('count to 10'), max_completion_tokens: 10, reasoning_effort: 'high' });
    expect(choices[0]).toMatchObject({ finish_reason: 'length', message: { content: '' } });
    expect(usage).toMatchObject({ completion_tokens: 10, completion_tokens_details: { reasoning_tokens: 10 } });
  });

  it('gets the text before the stop sequence', async () => {
    const { choices } = await chat({ ...user('count to 9'), stop: ['7', ', 4'] });
    expect(choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: '1, 2, 3' } });
  });

  it('gets n different choices and pays for each', async () => {
    const { choices, usage } = await chat({ ...user('Hello'), n: 3 });
    expect(choices.map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(new Set(choices.map(({ message }) => message.content)).size).toBe(3);
    const [single] = (await chat({ ...user('Hello'), n: 1 })).choices;
    expect(usage?.completion_tokens).toBeGreaterThan((single?.message.content ?? '').split(' ').length * 3);
  });

  it('gets a refusal on request', async () => {
    const { choices } = await chat(user('This is for a test.\nPlease refuse it.'));
    expect(choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: null, refusal: expect.stringContaining('refusal') } });
  });

  it('gets log probabilities of each piece when asked', async () => {
    const { choices } = await chat({ ...user('repeat: one two'), logprobs: true, top_logprobs: 3 });
    const content = choices[0]?.logprobs?.content ?? [];
    expect(content.map(({ token }) => token)).toEqual(['one', ' two']);
    for (const { token, logprob, bytes, top_logprobs } of content) {
      expect(Buffer.from(bytes ?? []).toString()).toBe(token);
      expect(logprob).toBeLessThan(0);
      expect(top_logprobs).toHaveLength(3);
      expect(top_logprobs[0]).toMatchObject({ token, logprob });
      const sum = top_logprobs.reduce((total, chance) => total + Math.exp(chance.logprob), 0);
      expect(sum).toBeLessThanOrEqual(1);
    }
  });

  it('gets a text that names the images and files of the prompt', async () => {
    const { choices } = await chat(
      user([
        { type: 'text', text: 'Look at these' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        { type: 'image_url', image_url: { url: 'https://example.com/a.jpg' } },
        { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' } },
      ]),
    );
    expect(choices[0]?.message.content).toContain('2 images (image/png, linked) and 1 file (application/pdf)');
  });

  it('gets a function_call if it sends functions', async () => {
    const { choices } = await chat({ ...user('Call get_weather for Oslo'), functions: [{ name: 'get_weather', parameters: citySchema }] });
    expect(choices[0]).toMatchObject({
      finish_reason: 'function_call',
      message: { content: null, function_call: { name: 'get_weather' } },
    });
  });

  it('gets 400 for audio', async () => {
    const answer = await send('createChatCompletion', {
      ...user('hi'),
      modalities: ['text', 'audio'],
      audio: { voice: 'alloy', format: 'wav' },
    });
    expect(answer.status).toBe(400);
    expect(await readJson(answer)).toMatchObject({ error: { code: 'unsupported_value', param: 'modalities' } });
  });

  it('gets 400 if tool_choice names no tool', async () => {
    const tool_choice = { type: 'function', function: { name: 'get_time' } };
    const answer = await send('createChatCompletion', { ...user('hi'), tools: [chatTool('get_weather', citySchema)], tool_choice });
    expect(answer.status).toBe(400);
    expect(await readJson(answer)).toMatchObject({ error: { code: 'invalid_value', param: 'tool_choice' } });
  });
});
