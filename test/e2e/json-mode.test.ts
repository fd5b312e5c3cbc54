/** C9: JSON mode over a vendor that has none: the caller gets the object alone, or an error. */
import { describe, expect, test } from 'vitest';
import { anthropicFrames, anthropicMessage } from '../fakes/anthropic.ts';
import { json, stream } from '../fakes/delivery.ts';
import { openFake } from '../fakes/upstream.ts';
import { startGateway } from '../harness/gateway.ts';
import { useOpened } from '../harness/opened.ts';
import { expectRefusal } from '../harness/refusal.ts';
import { readChat, readResponses } from '../harness/transcript.ts';

const fake = useOpened(() => openFake());
const gateway = useOpened(() => startGateway({ upstreams: { vendor: { kind: 'anthropic', baseUrl: fake.url, apiKey: 'sk-vendor' } } }));

const asks = {
  '/chat/completions': { model: 'gpt-5.4', messages: [{ role: 'user', content: 'Who?' }], response_format: { type: 'json_object' } },
  '/responses': { model: 'gpt-5.4', input: 'Who?', text: { format: { type: 'json_object' } } },
};
const pieces = ['Of course:\n```js', 'on\n{"na', 'me":"Ada"}', '\n```'];

describe.each(Object.entries(asks))('%s', (path, ask) => {
  test('C9: returns the object without the code fence around it, streamed and not', async () => {
    fake.next(json(anthropicMessage({ text: pieces.join('') })));
    const whole = await gateway.call(path, { json: ask });
    expect(whole.status).toBe(200);
    expect(await whole.text()).toContain(String.raw`"{\"name\":\"Ada\"}"`);
    fake.next(stream(anthropicFrames({ text: pieces })));
    const transcript = await (await gateway.call(path, { json: { ...ask, stream: true } })).text();
    expect((path === '/responses' ? readResponses : readChat)(transcript).text).toBe('{"name":"Ada"}');
  });

  test("C9: returns upstream_error for a response that isn't an object, streamed and not", async () => {
    fake.next(json(anthropicMessage({ text: 'It was Ada.' })));
    await expectRefusal(await gateway.call(path, { json: ask }), { code: 'upstream_error', says: 'JSON object' });
    fake.next(stream(anthropicFrames({ text: ['It was', ' Ada.'] })));
    await expectRefusal(await gateway.call(path, { json: { ...ask, stream: true } }), { code: 'upstream_error', says: 'JSON object' });
  });
});
