/** `modelgate serve` as a test suite starts it: simulated, repeatable, with one line of JSON. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { readVersion } from '../../../../server/operate/commands/version.ts';
import { modelgate, type Place, type Serving, serve } from '../../../harness/command-line.ts';
import { temporaryFolder } from '../../../harness/folder.ts';

const ReadyLine = z.strictObject({
  baseUrl: z.string().regex(/^http:\/\/127\.0\.0\.1:\d+\/v1$/),
  apiKey: z.string().startsWith('mg-').nullable(),
  pid: z.int(),
  version: z.string(),
  adminUrl: z.string().startsWith('http://').nullable(),
  metricsUrl: z.string().nullable(),
  consoleUrl: z.string().nullable(),
  portalUrl: z.string().nullable(),
});
type ReadyLine = z.infer<typeof ReadyLine>;

interface Mock extends ReadyLine {
  readonly served: Serving;
  post(path: string, body: object): Promise<string>;
}

/** A folder whose gateway does not shed calls on a busy machine. */
function calmFolder(): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'modelgate.yaml'), 'server: { overload: { loopDelayMs: 0 } }\n');
  return folder;
}

async function mock(words: readonly string[], place: Place = { folder: calmFolder() }): Promise<Mock> {
  const served = await serve(place, ['--json', ...words]);
  const ready = ReadyLine.parse(JSON.parse(served.banner));
  return {
    ...ready,
    served,
    async post(path, body) {
      const headers = { authorization: `Bearer ${ready.apiKey}`, 'content-type': 'application/json' };
      const answer = await fetch(`${ready.baseUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      const text = await answer.text();
      if (answer.status !== 200) throw new Error(`${answer.status}: ${text}`);
      return text;
    },
  };
}

const tool = { name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } };
const chat = { model: 'gpt-5.4', messages: [{ role: 'user', content: 'Call get_weather for Oslo and Paris.' }] };
const calls: readonly (readonly [string, object])[] = [
  ['/chat/completions', { ...chat, tools: [{ type: 'function', function: tool }] }],
  ['/chat/completions', { ...chat, tools: [{ type: 'function', function: tool }], stream: true }],
  ['/chat/completions', chat],
  // The same request again: the same words under another id.
  ['/chat/completions', chat],
  ['/responses', { model: 'gpt-5.4', input: 'Say hello.', reasoning: { effort: 'low' }, stream: true }],
  ['/responses', { model: 'gpt-5.4', input: 'Call get_weather for Oslo', tools: [{ type: 'function', ...tool }], store: false }],
  ['/images/generations', { model: 'gpt-image-2', prompt: 'A red house', size: '256x256' }],
];

async function answersOf(gateway: Mock, order = calls): Promise<ReadonlyMap<string, string[]>> {
  const answers = new Map<string, string[]>();
  for (const [path, body] of order) {
    const asked = JSON.stringify([path, body]);
    answers.set(asked, [...(answers.get(asked) ?? []), await gateway.post(path, body)]);
  }
  const first = JSON.parse(await gateway.post('/responses', { model: 'gpt-5.4', input: 'Remember Oslo.' }));
  const second = { model: 'gpt-5.4', input: 'What was it?', previous_response_id: first.id };
  return answers.set('chain', [JSON.stringify(first), await gateway.post('/responses', second)]);
}

test('responds with the answers of a script in their order, and is strict where that is asked for', async () => {
  const folder = calmFolder();
  const script =
    'answers:\n  - toolCalls: [{ name: get_weather, arguments: { city: Oslo } }]\n  - { text: Sunny., when: { input: /weather/i } }\n';
  writeFileSync(join(folder, 'script.yaml'), script);
  const gateway = await mock(['--simulate', '--script', 'script.yaml', '--strict'], { folder });
  const messages = [{ role: 'user', content: 'What is the weather?' }];
  const called = await gateway.post('/chat/completions', { model: 'gpt-5.4', messages, tools: [{ type: 'function', function: tool }] });
  expect(JSON.parse(called).choices[0].message.tool_calls[0].function).toEqual({ name: 'get_weather', arguments: '{"city":"Oslo"}' });
  expect(JSON.parse(await gateway.post('/chat/completions', { model: 'gpt-5.4', messages })).choices[0].message.content).toBe('Sunny.');
  await expect(gateway.post('/chat/completions', { model: 'gpt-5.4', messages })).rejects.toThrow('unsupported_value');
});

const fixed = ['--simulate', '--seed', 'ci', '--clock', '2026-01-01T00:00:00Z'];

test('returns the same key and bytes for the same seed and clock in every run and in any order of calls', async () => {
  const folder = temporaryFolder();
  const first = await mock(fixed, { folder });
  const answers = await answersOf(first);
  expect(await first.served.stop()).toBe(0);
  for (const place of [{ folder: temporaryFolder() }, { folder }]) {
    const again = await mock(fixed, place);
    expect(again.apiKey).toBe(first.apiKey);
    expect(await answersOf(again, calls.toReversed())).toEqual(answers);
    expect(await again.served.stop()).toBe(0);
  }
  const [once, twice] = answers.get(JSON.stringify(['/chat/completions', chat])) ?? [];
  expect(JSON.parse(once ?? '').id).not.toBe(JSON.parse(twice ?? '').id);
  expect([JSON.parse(once ?? '').created, JSON.parse(answers.get('chain')?.[1] ?? '').created_at]).toEqual([1_767_225_600, 1_767_225_600]);
});

test('returns another key and other IDs for another seed, and random ones without a seed', async () => {
  const ids = [];
  for (const words of [['--seed', 'one'], ['--seed', 'two'], [], []]) {
    const gateway = await mock(['--simulate', ...words]);
    ids.push(gateway.apiKey, JSON.parse(await gateway.post('/chat/completions', chat)).id);
    expect(await gateway.served.stop()).toBe(0);
  }
  expect(new Set(ids).size).toBe(8);
});

test('calls no provider and needs no provider key with --simulate, and keeps the models, also after a reload', async () => {
  const folder = temporaryFolder();
  const file = `upstreams:
  vendor: { kind: openai, baseUrl: http://127.0.0.1:9/v1, apiKey: "\${NOT_SET}" }
  other: { kind: anthropic, apiKey: x }
models:
  - { id: mine, kind: text, prices: free, candidates: [{ upstream: vendor, upstreamModel: theirs }, { upstream: other }] }
  - { id: painter, kind: image, prices: free, upstream: vendor }
`;
  writeFileSync(join(folder, 'modelgate.yaml'), file);
  expect((await modelgate(['serve', '--port', '0'], { folder })).code).toBe(1);
  const gateway = await mock(['--simulate'], { folder, env: { OPENAI_API_KEY: 'sk-x', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' } });
  const answer = await gateway.post('/chat/completions', { model: 'mine', messages: [{ role: 'user', content: 'say hello' }] });
  expect(JSON.parse(answer)).toMatchObject({ model: 'mine', system_fingerprint: 'fp_simulator' });
  expect(await gateway.post('/responses', { model: 'mine', input: 'say hello' })).toContain('hello');
  // A reloaded file is read in the same way.
  writeFileSync(join(folder, 'modelgate.yaml'), `${file}  - { id: later, kind: text, prices: free, upstream: vendor }\n`);
  gateway.served.kill('SIGHUP');
  await gateway.served.says('configuration reloaded');
  expect(await gateway.post('/responses', { model: 'later', input: 'say hello' })).toContain('hello');
  expect(await gateway.served.stop()).toBe(0);
});

test('accepts a key with --key that was printed in another folder, and lets it spend', async () => {
  const first = await mock([]);
  expect(await first.served.stop()).toBe(0);
  const folder = calmFolder();
  for (const _ of ['made', 'found']) {
    const other = await mock(['--key', first.apiKey ?? ''], { folder });
    expect(other.apiKey).toBe(first.apiKey);
    expect(await other.post('/chat/completions', chat)).toContain('chat.completion');
    expect(await other.served.stop()).toBe(0);
  }
  const { stdout } = await modelgate(['account', 'list', '--json'], { folder });
  expect(JSON.parse(stdout).data).toHaveLength(1);
});

test('signs in to console and portal once with the links of the first start; later links have no token', async () => {
  const folder = calmFolder();
  const first = await mock([], { folder });
  const links = [
    { link: first.consoleUrl, page: '/console/', address: `${first.adminUrl}/admin/v1/session` },
    { link: first.portalUrl, page: '/portal/', address: first.baseUrl.replace(/\/v1$/, '/portal/v1/session') },
  ];
  for (const { link, page, address } of links) {
    const url = new URL(link ?? expect.fail('no link'));
    expect([url.pathname, url.hash]).toEqual([page, expect.stringMatching(/^#setup=[\w-]{43}$/)]);
    const body = JSON.stringify({ setup_token: url.hash.slice('#setup='.length) });
    const signIn = () => fetch(address, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const opened = await signIn();
    const cookie = String(opened.headers.getSetCookie()[0]).split(';', 1)[0] ?? '';
    expect([opened.status, (await fetch(address, { headers: { cookie } })).status]).toEqual([200, 200]);
    expect((await signIn()).status).toBe(401);
  }
  const list = await modelgate(['session', 'list'], { folder });
  const [, id = ''] = /^(sess_\w+) +admin_\w+ setup link /m.exec(list.stdout) ?? [];
  expect((await modelgate(['session', 'revoke', id], { folder })).stdout).toBe(`${id} has ended.\n`);
  expect((await modelgate(['session', 'list'], { folder })).stdout).toBe('No active sessions.\n');
  expect(await modelgate(['session', 'revoke', id], { folder })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('modelgate session list'),
  });
  expect(await first.served.stop()).toBe(0);
  const later = await mock([], { folder });
  expect([later.consoleUrl, later.portalUrl]).toEqual([expect.stringMatching(/\/console\/$/), expect.stringMatching(/\/portal\/$/)]);
  expect(await later.served.stop()).toBe(0);
});

test('prints one line with pid, version, and every address with --json', async () => {
  const gateway = await mock([]);
  expect(gateway.served.banner.trimEnd()).not.toContain('\n');
  expect(gateway).toMatchObject({ pid: process.pid, version: readVersion() });
  expect((await fetch(`${gateway.adminUrl}/admin/docs`)).status).toBe(200);
  expect(await gateway.served.stop()).toBe(0);
});

test('rejects a key made from a seed beside other keys, and in a folder that serves providers', async () => {
  const folder = calmFolder();
  const plain = await mock([], { folder });
  expect(await plain.served.stop()).toBe(0);
  const rejected = await modelgate(['serve', '--port', '0', ...fixed], { folder });
  expect([rejected.code, rejected.stdout, rejected.stderr]).toEqual([1, '', expect.stringContaining('has other keys')]);

  const own = calmFolder();
  const seeded = await mock(fixed, { folder: own });
  expect(await seeded.served.stop()).toBe(0);
  const env = { OPENAI_API_KEY: 'sk-x', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' };
  const { served, baseUrl } = await mock([], { folder: own, env });
  const listed = await fetch(`${baseUrl}/models`, { headers: { authorization: `Bearer ${seeded.apiKey}` } });
  expect(listed.status).toBe(401);
  expect(served.log()).toContain("this gateway isn't a mock");
  expect(await served.stop()).toBe(0);
});

test('keeps a revoked key made from a seed revoked', async () => {
  const folder = temporaryFolder();
  const first = await mock(fixed, { folder });
  expect(await first.served.stop()).toBe(0);
  const { stdout } = await modelgate(['key', 'list', '--json'], { folder });
  expect((await modelgate(['key', 'revoke', JSON.parse(stdout).data[0].id], { folder })).code).toBe(0);
  const { code, stderr } = await modelgate(['serve', '--port', '0', ...fixed], { folder });
  expect([code, stderr]).toEqual([1, expect.stringContaining('is revoked')]);
});
