/** The hold of a request covers what the vendor reads in it, however the body is spelt (promise G3). */
import { describe, expect, test } from 'vitest';
import { chatCompletion } from '../../fakes/chat.ts';
import { json } from '../../fakes/delivery.ts';
import { response } from '../../fakes/responses.ts';
import { endedCharge } from '../../harness/ended-charge.ts';
import { useOpened } from '../../harness/opened.ts';
import { openStage } from './stage.ts';

const stage = useOpened(
  () => openStage(),
  (stage) => stage.fake.clear(),
);

async function costOf(answer: Response): Promise<bigint> {
  expect(answer.status).toBe(200);
  await answer.arrayBuffer();
  const ledger = stage.gateway.gateway.money?.ledger;
  if (!ledger) throw new Error('billing is off');
  return (await endedCharge(ledger, answer.headers.get('x-request-id') ?? '')).charged;
}

describe('B1: the hold', () => {
  const usage = { prompt_tokens: 375_000, completion_tokens: 1, total_tokens: 375_001 };
  const image = (url: string): string => `{"type":"image_url","image_url":{"url":${url}}}`;
  test.each([
    ['with an escape', image('"\\u0068ttps://a.example/scan.png"')],
    ['in capitals', image('"HTTPS://a.example/scan.png"')],
    ['behind blanks', image('" \\t\\n https://a.example/scan.png"')],
    ['behind 2,000 blanks', image(`"${' '.repeat(2_000)}https://a.example/scan.png"`)],
    ['with a line end in its scheme', image('"ht\\ntps://a.example/scan.png"')],
    ['with an escape in the name of its field', '{"type":"image_url","image\\u005furl":{"\\u0075rl":"https://a.example/scan.png"}}'],
    ['as an id behind an escape', '{"type":"file","file":{"\\u0066ile_id":"file-1"}}'],
    [
      'as the audio of an earlier answer',
      '{"type":"text","text":"Go on."}]},{"role":"assistant","audio":{"\\u0069d":"audio_1"}},{"role":"user","content":[{"type":"text","text":"Hi"}',
    ],
    ['as a document under another type', image('"DATA:application/pdf;base64,JVBERi0="')],
  ])('covers an image or file outside the request, spelled %s', async (_how, part) => {
    stage.fake.next(json(chatCompletion({ usage })));
    const answer = await stage.post('/chat/completions', `{"model":"priced","messages":[{"role":"user","content":[${part}]}]}`);
    expect(await costOf(answer)).toBe(375_004n);
  });

  test.each([
    ['an image by its URL', '{"type":"input_image","image_url":"\\u0068ttps://a.example/scan.png"}'],
    ['a file by its URL', '{"type":"input_file","\\u0066ile_url":"HTTPS://a.example/scan.pdf"}'],
    ['a file by its id', '{"type":"input_file","\\u0066ile_id":"file-1"}'],
  ])('covers, on responses, %s', async (_what, part) => {
    stage.fake.next(json(response({ usage: { input_tokens: 375_000, output_tokens: 1, total_tokens: 375_001 } })));
    const answer = await stage.post('/responses', `{"model":"priced","store":false,"input":[{"role":"user","content":[${part}]}]}`);
    expect(await costOf(answer)).toBe(375_004n);
  });

  test('ignores a URL inside a text', async () => {
    const words = 'Is "https://a.example/image.png" a file, with "file_id" and "image/png"?';
    const body = { model: 'priced', messages: [{ role: 'user', content: words }] };
    const key = (await stage.gateway.newKey({ account: 'small', balance: 10_000n })).key;
    expect((await stage.gateway.call('/chat/completions', { json: body, key })).status).toBe(200);
  });
});

describe('B7: a field that occurs twice', () => {
  const words = '"messages":[{"role":"user","content":"Hi"}]';
  test.each([
    ['store', '"store":true,"store":false', { store: false }],
    ['service_tier', '"service_tier":"priority","service_tier":"default"', { service_tier: 'default' }],
    ['tools', '"tools":[],"\\u0074ools":[]', { tools: [] }],
    ['stream_options', '"stream_options":{"a":1},"stream_options":null', { stream_options: null }],
  ])('sends only the last one on chat: %s', async (name, twice, last) => {
    expect((await stage.post('/chat/completions', `{"model":"priced",${twice},${words}}`)).status).toBe(200);
    expect(stage.fake.last.fields).toMatchObject(last);
    expect(stage.fake.last.body.toString().split(`"${name}"`)).toHaveLength(2);
  });

  test.each([
    ['store', '"store":true,"store":false', { store: false }],
    ['previous_response_id', '"previous_response_id":"resp_1","previous_response_id":null', { previous_response_id: null }],
    ['background', '"background":true,"background":false', { background: false }],
    ['max_tool_calls', '"max_tool_calls":9000,"max_tool_calls":1', { max_tool_calls: 1 }],
  ])('sends only the last one on responses: %s', async (name, twice, last) => {
    expect((await stage.post('/responses', `{"model":"priced","input":"Hi",${twice}}`)).status).toBe(200);
    expect(stage.fake.last.fields).toMatchObject(last);
    expect(stage.fake.last.body.toString().split(`"${name}"`)).toHaveLength(2);
  });

  test("sends only the last 'n' on images", async () => {
    expect((await stage.post('/images/generations', '{"model":"painter","prompt":"A cat","\\u006e":10,"n":1}')).status).toBe(200);
    expect(stage.fake.last.body.toString()).toBe('{"model":"gpt-image-2","prompt":"A cat","n":1}');
  });

  test('sends only the last one inside a message', async () => {
    const url = '"image_url":{"url":"https://a.example/scan.png"},"image_url":{"url":"data:image/png;base64,iVBORw0KGgo="}';
    const body = `{"model":"priced","messages":[{"role":"user","content":[{"type":"image_url",${url}}]}]}`;
    expect((await stage.post('/chat/completions', body)).status).toBe(200);
    expect(stage.fake.last.body.toString()).not.toContain('a.example');
  });

  test('leaves a body without such a field unchanged, byte for byte', async () => {
    const body = `{ "messages":[{"role":"user","content":"a: \\"b\\": \\\\"}, {"role":"user","content":"${'x'.repeat(100)}\\":\\\\"}],"model": "gift","seed":1.0}`;
    expect((await stage.post('/chat/completions', body)).status).toBe(200);
    expect(stage.fake.last.body.toString()).toContain('"content":"a: \\"b\\": \\\\"}, {"role"');
    expect(stage.fake.last.body.toString()).toContain('"seed":1.0}');
  });
});
