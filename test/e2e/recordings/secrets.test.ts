/** Recordings have no key, no header and no token, wherever a caller, a vendor or an answer has put it. */
import { expect, test } from 'vitest';
import { json } from '../../fakes/delivery.ts';
import { failure } from '../../fakes/faults.ts';
import { temporaryFolder } from '../../harness/folder.ts';
import { configured, filesIn, open, openVendor, vendorKey } from './open.ts';

/** Secrets in the request of a caller. */
const marks = { authorization: 'xoxb-caller-token-99', header: 'hdr-caller-token-99', prompt: 'sk-proj-abcdefghijklmnop1234' };
const mcp = {
  type: 'mcp',
  server_label: 'x',
  server_url: 'https://mcp.example',
  authorization: marks.authorization,
  headers: { 'x-a': marks.header },
};

/** Without billing tools need no price. */
const unbilled = 'billing: off\n';

function expectNone(folder: string, secrets: readonly (string | undefined)[]): void {
  const text = Object.values(filesIn(folder)).join('\n');
  expect(text).toContain('My key is [secret]');
  for (const secret of [...Object.values(marks), 'cookie-caller-99', ...secrets]) {
    expect(secret).toBeDefined();
    expect(text).not.toContain(secret);
  }
}

test('writes no key and no header of the caller or the provider into a recording', async () => {
  const { fake, env } = await openVendor();
  const folder = temporaryFolder();
  const { served, post } = await open(['--record', folder], env, configured(unbilled));
  const input = `My key is ${marks.prompt} and mine here is Bearer ${served.key}`;
  for (const stream of [false, true]) await (await post('/responses', { model: 'gpt-5.4', input, stream, tools: [mcp] })).text();
  fake.next(failure(400, { message: `Bearer ${vendorKey} is wrong`, code: 'invalid_value' }));
  await post('/responses', { model: 'gpt-5.4', input }, { cookie: 'session=cookie-caller-99' });
  const message = { role: 'assistant', content: `Who has ${vendorKey} and ${served.key} gets in.`, refusal: null };
  const choices = [{ index: 0, message, logprobs: null, finish_reason: 'stop' }];
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  fake.next(json(JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'gpt-5.4', choices, usage })));
  const quoted = await post('/chat/completions', { model: 'gpt-5.4', messages: [{ role: 'user', content: 'Who?' }] });
  expect(await quoted.text()).toContain(vendorKey);
  expect(await served.stop()).toBe(0);
  expectNone(folder, [vendorKey, served.key]);
});

test('masks a secret of the request in a response that repeats it, and still replays the call', async () => {
  const folder = temporaryFolder();
  const recording = await open(['--simulate', '--record', folder], {}, configured(unbilled));
  const body = (stream: boolean) => ({ model: 'gpt-5.4', input: `My key is ${marks.prompt}`, tools: [mcp], stream });
  for (const stream of [false, true])
    expect(await (await recording.post('/responses', body(stream))).text()).toContain(marks.authorization);
  expect(await recording.served.stop()).toBe(0);
  expectNone(folder, []);
  const replaying = await open(['--replay', folder]);
  for (const stream of [false, true])
    expect(await (await replaying.post('/responses', body(stream))).text()).toContain('"authorization":"[secret]"');
  expect(await replaying.served.stop()).toBe(0);
});
