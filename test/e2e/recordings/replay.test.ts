/** Calls of the OpenAI SDK for JavaScript that are recorded once and replayed without a vendor. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import OpenAI, { toFile } from 'openai';
import { expect, test } from 'vitest';
import { modelgate } from '../../harness/command-line.ts';
import { temporaryFolder } from '../../harness/folder.ts';
import { expectRefusal } from '../../harness/refusal.ts';
import { configured, filesIn, type Open, open, openVendor } from './open.ts';

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const weather = { name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } };

/** A session of a program: chat, a stream, tools, a conversation of responses, an image, an edit. */
async function session({ client }: Open): Promise<unknown[]> {
  const seen: unknown[] = [];
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'What is the weather in Oslo?' }];
  const tools: OpenAI.ChatCompletionTool[] = [{ type: 'function', function: weather }];
  const called = await client.chat.completions.create({ model: 'gpt-5.4', messages, tools });
  const message = called.choices[0]?.message;
  seen.push(called);
  if (message) messages.push(message);
  for (const { id } of message?.tool_calls ?? []) messages.push({ role: 'tool', tool_call_id: id, content: 'rain' });
  seen.push(await client.chat.completions.create({ model: 'gpt-5.4', messages, tools }));
  const stream = await client.chat.completions.create({
    model: 'gpt-5.4',
    messages: [{ role: 'user', content: 'Count to 5' }],
    stream: true,
  });
  for await (const chunk of stream) seen.push(chunk);
  const first = await client.responses.create({ model: 'gpt-5.4', input: 'Remember Oslo.' });
  const events = await client.responses.create({ model: 'gpt-5.4', input: 'What was it?', previous_response_id: first.id, stream: true });
  seen.push(first);
  for await (const event of events) seen.push(event);
  seen.push(await client.images.generate({ model: 'gpt-image-2', prompt: 'A house', size: '1024x1024' }));
  seen.push(
    await client.images.edit({ model: 'gpt-image-2', image: await toFile(png, 'a.png', { type: 'image/png' }), prompt: 'Paint it' }),
  );
  return seen;
}

test('replays a recorded session byte for byte without the provider, on a new gateway with another key', async () => {
  const { fake, env } = await openVendor();
  const folder = join(temporaryFolder(), 'recordings');
  const recording = await open(['--record', folder], env);
  const seen = await session(recording);
  expect(await recording.served.stop()).toBe(0);
  const calls = Object.values(filesIn(folder)).map((text) => JSON.parse(text));
  expect(calls).toHaveLength(7);
  expect(calls.filter((call) => 'deviation' in call)).toEqual([]);
  const asked = fake.requests.length;
  const replaying = await open(['--replay', folder], env);
  expect(replaying.served.key).not.toBe(recording.served.key);
  expect(await session(replaying)).toEqual(seen);
  expect(replaying.heard).toEqual(recording.heard);
  expect(fake.requests).toHaveLength(asked);
  expect(await replaying.served.stop()).toBe(0);
});

test('keeps the file names when calls are recorded again, and removes files of calls that were not made', async () => {
  const folder = temporaryFolder();
  const ask = { model: 'gpt-5.4', messages: [{ role: 'user', content: 'say hello' }] };
  const names = [];
  for (const times of [3, 2]) {
    const { served, post } = await open(['--simulate', '--record', folder]);
    for (let time = 0; time < times; time += 1) expect((await post('/chat/completions', ask)).status).toBe(200);
    expect(await served.stop()).toBe(0);
    names.push(readdirSync(folder).sort());
  }
  const [three = [], two] = names;
  expect(three).toHaveLength(3);
  expect(three[0]).toMatch(/^chat-gpt-5\.4-[0-9a-f]{8}-2\.json$/);
  expect(two).toEqual(three.filter((name) => !name.endsWith('-3.json')));
});

test('errors and broken streams are replayed in their order', async () => {
  const folder = temporaryFolder();
  const play = async ({ post }: Open, scenario: string, stream = false): Promise<[number, string | null, string]> => {
    const body = { model: 'gpt-5.4', messages: [{ role: 'user', content: `${stream}` }], stream };
    const answer = await post('/chat/completions', body, { 'x-modelgate-scenario': scenario });
    return [answer.status, answer.headers.get('retry-after'), await answer.text()];
  };
  const sayAll = async (gateway: Open) => [
    ...[await play(gateway, 'error 429 retry-after 7'), await play(gateway, 'error 500'), await play(gateway, 'slow')],
    ...[await play(gateway, 'cut 3', true), await play(gateway, 'error 503', true), await play(gateway, 'late', true)],
  ];
  const settings = configured('upstreams: { simulator: { kind: simulator, slowMs: 0 } }\n');
  const recording = await open(['--record', folder], {}, settings);
  const told = await sayAll(recording);
  expect(told.map(([status]) => status)).toEqual([429, 500, 200, 200, 503, 200]);
  expect(told[3]?.[2]).toContain('"upstream_error"');
  expect(await recording.served.stop()).toBe(0);
  const replaying = await open(['--replay', folder]);
  expect(await sayAll(replaying)).toEqual(told);
  // For more calls than were recorded, the last one is replayed.
  expect(await play(replaying, '')).toEqual(told[2]);
  expect(await replaying.served.stop()).toBe(0);
});

test('ignores the scenario header in a replay, and treats a scenario in the prompt as another call', async () => {
  const folder = await recordOne();
  const { served, post } = await open(['--replay', folder]);
  for (const scenario of ['error 500', 'cut 0', 'no such scenario']) {
    const answer = await post('/chat/completions', ask, { 'x-modelgate-scenario': scenario });
    expect({ status: answer.status, body: await answer.json() }).toMatchObject({ status: 200, body: { object: 'chat.completion' } });
  }
  const asked = await post('/chat/completions', { ...ask, messages: [{ role: 'user', content: 'simulate: error 500' }] });
  await expectRefusal(asked, { code: 'unsupported_value', param: 'messages[0].role', says: 'No recording matches this request' });
  expect(await served.stop()).toBe(0);
});

const ask = {
  model: 'gpt-5.4',
  messages: [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'say hello' },
  ],
  temperature: 0.5,
};

async function recordOne(body: object = ask): Promise<string> {
  const folder = temporaryFolder();
  const { served, post } = await open(['--simulate', '--record', folder]);
  expect((await post('/chat/completions', body)).status).toBe(200);
  expect(await served.stop()).toBe(0);
  return folder;
}

test('ignores field order, the user, cache keys and null fields in a match, but no other field', async () => {
  const { served, post } = await open(['--replay', await recordOne()]);
  const { model, ...rest } = ask;
  const alike = [
    { ...rest, model },
    { ...ask, user: 'someone', safety_identifier: 'x', prompt_cache_key: 'y' },
    { ...ask, seed: null },
  ];
  for (const body of alike) expect((await post('/chat/completions', body)).status).toBe(200);
  for (const body of [
    { ...ask, temperature: 0.6 },
    { ...ask, stream: true },
    { ...ask, model: 'gpt-5.4-mini' },
  ])
    expect((await post('/chat/completions', body)).status).toBe(400);
  expect(await served.stop()).toBe(0);
});

test("names the nearest file and the differing field for a call that wasn't recorded, and logs no prompt", async () => {
  const { served, client } = await open(['--replay', await recordOne()]);
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'say something-else' },
  ];
  const error = await client.chat.completions.create({ ...ask, messages }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(OpenAI.BadRequestError);
  expect(error).toMatchObject({ status: 400, code: 'unsupported_value', param: 'messages[1].content' });
  const { message } = error instanceof Error ? error : new Error();
  expect(message).toMatch(
    /createChatCompletion of 'gpt-5\.4'.*closest recording, chat-gpt-5\.4-[0-9a-f]{8}\.json.*'messages\[1\]\.content'/,
  );
  await served.says('no recorded request matches this request');
  const line =
    served
      .log()
      .split('\n')
      .find((one) => one.includes('no recorded request matches this request')) ?? '';
  expect(JSON.parse(line)).toMatchObject({ operation: 'createChatCompletion', model: 'gpt-5.4', nearest: { path: 'messages[1].content' } });
  expect(served.log()).not.toContain('something-else');
  const other = await client.responses.create({ model: 'gpt-5.4', input: 'Hi' }).catch((thrown: unknown) => thrown);
  expect(other).toMatchObject({ status: 400, message: expect.stringContaining('No call of this operation was recorded') });
  expect(await served.stop()).toBe(0);
});

test('checks the key and the body in a replay, and applies idempotency keys', async () => {
  const { served, post } = await open(['--replay', await recordOne()]);
  expect((await post('/chat/completions', ask, { authorization: 'Bearer mg-wrong' })).status).toBe(401);
  expect((await post('/chat/completions', { ...ask, messages: 'none' })).status).toBe(400);
  const once = await post('/chat/completions', ask, { 'idempotency-key': 'one' });
  const again = await post('/chat/completions', ask, { 'idempotency-key': 'one' });
  expect([once.status, again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 200, 'true']);
  expect(await again.text()).toBe(await once.text());
  expect(await served.stop()).toBe(0);
});

test('costs nothing for a replayed call, and names replay as the upstream', async () => {
  const folder = configured();
  const { served, post } = await open(['--replay', await recordOne()], {}, folder);
  expect(served.banner).toMatch(/Upstream +replay: responses recorded in \//);
  const answer = await post('/chat/completions', ask);
  expect(answer.headers.get('x-modelgate-attempts')).toMatch(/^replay;status=200;/);
  expect(answer.headers.get('x-modelgate-cost')).toBeNull();
  expect(await served.stop()).toBe(0);
  const { stdout } = await modelgate(['account', 'show', 'default', '--json'], { folder });
  expect(JSON.parse(stdout).balance).toMatchObject({ balance: '100.000000', held: '0.000000' });
});

test('ends the start at responses that deviate from the contract, with file and field, unless the provider sent them', async () => {
  const folder = await recordOne();
  const [name = ''] = readdirSync(folder);
  const file = join(folder, name);
  const call = JSON.parse(readFileSync(file, 'utf8'));
  const changed = { ...call, answer: { status: 200, body: { ...call.answer.body, choices: {} } } };
  writeFileSync(file, JSON.stringify(changed));
  const { code, stderr } = await modelgate(['serve', '--port', '0', '--replay', folder]);
  expect([code, stderr]).toEqual([1, expect.stringContaining(`${file}: answer.body.choices: expected array, received object.`)]);
  writeFileSync(file, JSON.stringify({ ...changed, deviation: 'answer.body.choices: expected array, received object' }));
  const { served, post } = await open(['--replay', folder]);
  expect(await (await post('/chat/completions', ask)).json()).toMatchObject({ choices: {} });
  expect(await served.stop()).toBe(0);
});

test('replays a recording that was edited by hand, and ends the start at an invalid one with its file name', async () => {
  const folder = await recordOne();
  const [name = ''] = readdirSync(folder);
  const file = join(folder, name);
  writeFileSync(file, readFileSync(file, 'utf8').replace('"content": "hello"', '"content": "changed by hand"'));
  const { served, client } = await open(['--replay', folder]);
  const answer = await client.chat.completions.create({
    ...ask,
    messages: [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'say hello' },
    ],
  });
  expect(answer.choices[0]?.message.content).toBe('changed by hand');
  expect(await served.stop()).toBe(0);
  for (const [text, told] of [
    ['{', 'it is not JSON'],
    ['{"format": 2}', 'is not a recorded call'],
  ] as const) {
    writeFileSync(file, text);
    const { code, stderr } = await modelgate(['serve', '--port', '0', '--replay', folder]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(told)]);
    expect(stderr).toContain(name);
  }
  const missing = join(folder, 'nothing-here');
  expect((await modelgate(['serve', '--port', '0', '--replay', missing])).stderr).toContain(missing);
  mkdirSync(missing);
  const empty = await open(['--replay', missing]);
  expect((await empty.post('/chat/completions', ask)).status).toBe(400);
  expect(await empty.served.stop()).toBe(0);
});
