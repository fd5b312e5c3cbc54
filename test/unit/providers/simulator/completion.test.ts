import { describe, expect, it } from 'vitest';
import { ChatCompletion } from '../../../../contract/chat/completion.ts';
import { readJson, send, type Wire } from './ask.ts';

async function chat(value: Wire) {
  return ChatCompletion.parse(await readJson(send('createChatCompletion', value)));
}
const user = (content: unknown) => ({ messages: [{ role: 'user', content }] });

describe('a chat caller of the simulator', () => {
  it('gets what phrases of the prompt ask for', async () => {
    const say = async (prompt: string) => (await chat(user(prompt))).choices[0]?.message.content;
    expect(await say('repeat: a  b\n"ç" 👩‍👩‍👧')).toBe('a  b\n"ç" 👩‍👩‍👧');
    expect(await say('Please say "hello there"')).toBe('hello there');
    expect(await say('count to 5')).toBe('1, 2, 3, 4, 5');
    expect((await say('write 300 words'))?.split(' ')).toHaveLength(300);
  });

  it('gets a response cut at the token limit, by either of its names', async () => {
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
});
