/** `modelgate verify`: a gateway passes over each kind of upstream, and each check finds a broken deployment. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { findArea } from '../../client/verify/check.ts';
import { checks, openClient, runChecks } from '../../client/verify/run-checks.ts';
import { sendToTarget } from '../../client/verify/target.ts';
import { anthropicFrames, anthropicMessage } from '../fakes/anthropic.ts';
import { json, stream } from '../fakes/delivery.ts';
import type { FakeRequest } from '../fakes/exchange.ts';
import { geminiAnswer, geminiFrames } from '../fakes/gemini.ts';
import type { Script } from '../fakes/script.ts';
import { openFake } from '../fakes/upstream.ts';
import { type ChangingProxy, openChangingProxy } from '../harness/changing-proxy.ts';
import { modelgate } from '../harness/command-line.ts';
import { temporaryFolder } from '../harness/folder.ts';
import { freePort } from '../harness/free-port.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';
import { readAll } from '../harness/trpc.ts';
import { brokenWays } from './verify-spoils.ts';

let gateway: TestGateway;
let limitedKey: string;
let spoiler: ChangingProxy;
beforeAll(async () => {
  gateway = await startGateway({ upstreams: { simulator: { kind: 'simulator', eventDelayMs: 0 } } });
  const limits = { requestsPerMinute: { limit: 2, mode: 'enforce' }, tokensPerMinute: null, concurrency: null } as const;
  limitedKey = (await gateway.newKey({ limits })).key;
  // Usage that fills more than one page.
  for (const content of ['one', 'two'])
    await (await gateway.call('/chat/completions', { json: { model: 'gpt-5.4', messages: [{ role: 'user', content }] } })).text();
  spoiler = await openChangingProxy(gateway.origin);
});
afterAll(async () => {
  await spoiler.close();
  await gateway.close();
});

async function verifyAll(baseUrl: string, key: string, limited?: string) {
  const target = { baseUrl, key, timeoutMs: 120_000 };
  const caller = await openClient(target, { model: 'gpt-5.4', imageModel: 'gpt-image-2', hasImages: true, limitedKey: limited });
  return await readAll(runChecks(caller));
}

describe('a gateway under every check', () => {
  test('passes over the simulator, as the reports show', async () => {
    const folder = temporaryFolder();
    const words = ['--key', gateway.key, '--limited-key', limitedKey, '--json', 'found.json', '--junit', 'found.xml'];
    const { code, stdout } = await modelgate(['verify', `${gateway.baseURL}/`, ...words], { folder });
    expect(stdout).toContain(`${checks.length} passed, 0 failed, 0 skipped.`);
    expect(code).toBe(0);
    const found = JSON.parse(readFileSync(join(folder, 'found.json'), 'utf8'));
    expect(found).toMatchObject({ object: 'verification', ok: true, passed: checks.length, failed: 0, base_url: gateway.baseURL });
    const xml = readFileSync(join(folder, 'found.xml'), 'utf8');
    expect(xml).toContain(`tests="${checks.length}" failures="0" skipped="0"`);
    expect(xml.match(/<testcase /g)).toHaveLength(checks.length);
  });

  test.each([
    ['openai', ['chat', 'responses', 'images']],
    ['openai-compatible', ['chat']],
  ] as const)('passes over an upstream of kind %s, whose provider speaks %j', async (kind, protocols) => {
    const upstreams = { vendor: { kind, baseUrl: gateway.baseURL, apiKey: gateway.key } };
    const models = [
      { id: 'gpt-5.4', kind: 'text', protocols: protocols.filter((protocol) => protocol !== 'images') },
      ...(kind === 'openai' ? [{ id: 'gpt-image-2', kind: 'image' }] : []),
    ];
    const front = await startGateway({ upstreams, models });
    onTestFinished(() => front.close());
    const outcomes = await verifyAll(front.baseURL, front.key);
    const failed = outcomes.filter(({ state, name }) => state === 'failed' && !(kind !== 'openai' && name.includes('image')));
    expect(failed).toEqual([]);
  });
});

describe('a gateway over a provider of another protocol, under every check but those of images', () => {
  const call = { id: 'call_1', name: 'add_numbers', arguments: '{"a":2,"b":3}' };
  /** A city, when the request has the schema of one. */
  const textFor = (said: string) => (said.includes('"city"') ? { text: '{"city":"Oslo"}' } : {});
  const anthropic = ({ body }: FakeRequest): Script => {
    const said = String(body);
    const reply = said.includes('"tool_choice":{"type":"tool"') ? { toolCalls: [call] } : textFor(said);
    return said.includes('"stream":true') ? stream(anthropicFrames(reply)) : json(anthropicMessage(reply));
  };
  const gemini = ({ body, path }: FakeRequest): Script => {
    const said = String(body);
    const reply = said.includes('"mode":"ANY"') ? { calls: [{ name: call.name, args: { a: 2, b: 3 } }] } : textFor(said);
    return path.includes('stream') ? stream(geminiFrames(reply)) : json(geminiAnswer(reply));
  };

  test.each([
    ['anthropic', anthropic],
    ['gemini', gemini],
  ] as const)('passes for kind %s', async (kind, behaviour) => {
    const fake = await openFake();
    fake.always(behaviour);
    const models = [{ id: 'gpt-5.4', kind: 'text' }];
    const front = await startGateway({ upstreams: { vendor: { kind, baseUrl: fake.url, apiKey: 'sk-vendor' } }, models });
    onTestFinished(async () => {
      await front.close();
      await fake.close();
    });
    const outcomes = await verifyAll(front.baseURL, front.key);
    expect(outcomes.filter(({ state, name }) => state === 'failed' && !name.includes('image'))).toEqual([]);
    expect(outcomes.flatMap(({ state, group }) => (state === 'skipped' ? [group] : []))).toEqual(['limits', 'limits']);
  });
});

describe('a broken deployment', () => {
  test('covers every check with a case that breaks it', () => {
    expect(new Set(brokenWays.map(({ check }) => check))).toEqual(new Set(checks.map(({ name }) => name)));
  });

  test.each(brokenWays)('fails the check “$check”: $says', async ({ check, says, spoil }) => {
    const limits = { requestsPerMinute: { limit: 1, mode: 'enforce' }, tokensPerMinute: null, concurrency: null } as const;
    const { key } = await gateway.newKey({ limits });
    const target = { baseUrl: `${spoiler.origin}/v1`, key: gateway.key, timeoutMs: 120_000 };
    const choice = { model: 'gpt-5.4', imageModel: 'gpt-image-2', hasImages: true, limitedKey: key };
    const caller = await openClient(target, choice);
    spoiler.spoil = spoil;
    const outcomes = runChecks(
      caller,
      checks.filter(({ name }) => name === check),
    );
    const [outcome] = await readAll(outcomes);
    expect(outcome).toMatchObject({ name: check, state: 'failed', detail: expect.stringContaining(says) });
  });

  test('exits with code 1, and the report has the failure', async () => {
    spoiler.spoil = ({ headers }) => headers.delete('content-type');
    const folder = temporaryFolder();
    const words = ['verify', `${spoiler.origin}/v1`, '--no-images', '--model', 'gpt-5.4', '--image-model', 'x', '--junit', 'found.xml'];
    const { code, stdout } = await modelgate(words, { folder, env: { MODELGATE_API_KEY: gateway.key } });
    expect(code).toBe(1);
    expect(stdout).toMatch(/FAILED .* returns a chat completion +the content type is nothing/);
    expect(readFileSync(join(folder, 'found.xml'), 'utf8')).toContain(
      '<failure message="the content type is nothing, not application/json"/>',
    );
  });
});

test('fails only the checks of IDs for a mock without x-request-id', async () => {
  spoiler.spoil = ({ headers }) => headers.delete('x-request-id');
  const words = ['--only', 'chat,responses,models', '--model', 'gpt-5.4'];
  const { code, stdout } = await modelgate(['verify', `${spoiler.origin}/v1`, '--key', gateway.key, ...words]);
  expect([code, stdout]).toEqual([1, expect.stringMatching(/, 3 failed, /)]);
  expect(stdout.match(/FAILED .* sends a unique x-request-id with each response \(\w+\)/g)).toHaveLength(3);
});

describe('a deployment that serves only some operations', () => {
  test('passes checks by area, which call only the paths of their area', async () => {
    const target = { baseUrl: gateway.baseURL, key: gateway.key, timeoutMs: 120_000 };
    const caller = await openClient(target, { model: 'gpt-5.4', imageModel: 'gpt-image-2', hasImages: true, limitedKey });
    for (const { name, area, run } of checks) {
      const called = new Set<string | null>();
      const ask: typeof caller.send = (path, asked) => {
        called.add(findArea(path));
        return caller.send(path, asked);
      };
      await run({ ...caller, send: ask }).catch(() => undefined);
      expect({ name, called: [...called] }).toEqual({ name, called: [area] });
    }
  });

  test('passes the checks of --only that it serves and fails the others, without a list of models', async () => {
    spoiler.spoil = (answer) => {
      if (!answer.path.startsWith('/v1/chat')) answer.status = 500;
    };
    const only = (...words: string[]) =>
      modelgate(['verify', `${spoiler.origin}/v1`, '--key', gateway.key, '--model', 'gpt-5.4', '--only', ...words]);
    const count = checks.filter(({ area }) => area === 'chat').length;
    const chat = await only('chat');
    expect([chat.code, chat.stdout]).toEqual([0, expect.stringContaining(`\n${count - 1} passed, 0 failed, 1 skipped.`)]);
    const both = await only('chat,responses');
    expect([both.code, both.stdout]).toEqual([1, expect.stringMatching(/FAILED .* returns a response +the status is 500/)]);
    expect((await only('images', '--no-images')).stdout).toMatch(/\n0 passed, 0 failed, 8 skipped\./);
    expect(await only('chats')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Enter models, chat, responses, images, usage, catalog'),
    });
  });
});

test('reports each mismatch of a response on its own line', async () => {
  spoiler.spoil = (answer) => {
    if (!answer.path.startsWith('/v1/chat') || answer.status !== 200 || answer.asked.includes('"stream":true')) return;
    answer.headers.set('content-type', 'text/plain');
    answer.body = answer.body.replace('"choices"', '"answers"').replace(/"created":\d+/, '"created":"now"');
  };
  const folder = temporaryFolder();
  const words = ['--only', 'chat', '--model', 'gpt-5.4', '--json', 'found.json', '--junit', 'found.xml'];
  const { code, stdout } = await modelgate(['verify', `${spoiler.origin}/v1`, '--key', gateway.key, ...words], { folder });
  const says = [
    'the content type is text/plain, not application/json',
    expect.stringContaining("the response doesn't match the contract at 'created'"),
    expect.stringContaining("the response doesn't match the contract at 'choices'"),
  ];
  const found: { checks: { name: string; detail: string; mismatches: string[] }[] } = JSON.parse(
    readFileSync(join(folder, 'found.json'), 'utf8'),
  );
  const answered = found.checks.find(({ name }) => name === 'returns a chat completion');
  expect(answered?.mismatches.toSorted()).toEqual(expect.arrayContaining(says));
  expect(answered?.mismatches).toHaveLength(says.length);
  expect(answered?.detail).toBe(answered?.mismatches.join('; '));
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /FAILED .* returns a chat completion +the content type is text\/plain, not application\/json\n +the response doesn't match the contract at/,
  );
  expect(readFileSync(join(folder, 'found.xml'), 'utf8')).toContain("not application/json; the response doesn't match the contract at");
});

test('names a missing key, a wrong URL, a wrong timeout, a rejected connection and a wrong key', async () => {
  const nobody = `http://127.0.0.1:${await freePort()}/v1`;
  for (const [words, says] of [
    [[gateway.baseURL], 'Specify a key'],
    [['gateway.example', '--key', 'mg-x'], 'Enter the base URL'],
    [[gateway.baseURL, '--key', 'mg-x', '--timeout', 'long'], '--timeout must be'],
    [[nobody, '--key', 'mg-x'], "Can't test http"],
    [
      [gateway.baseURL, '--key', 'mg-x'],
      'the status is 401, not 200: The API key is incomplete or mistyped. Send it as: Authorization: Bearer <API_KEY>.\n',
    ],
  ] as const) {
    const { code, stderr } = await modelgate(['verify', ...words]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(says)]);
  }
});

test('fails by the timeout when no response comes', async () => {
  const target = { baseUrl: gateway.baseURL, key: gateway.key, timeoutMs: 1 };
  const json = { model: 'gpt-5.4', messages: [{ role: 'user', content: 'simulate: stall' }] };
  await expect(sendToTarget(target, '/chat/completions', { json })).rejects.toThrow(/timeout|aborted/i);
});
