/** The address and the key of each kind of vendor, and what its errors become for a caller of another protocol. */
import { describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../contract/errors.ts';
import { anthropicFailure } from '../fakes/anthropic.ts';
import { bedrockFailure } from '../fakes/bedrock.ts';
import { failure } from '../fakes/faults.ts';
import { geminiFailure, retryInfo } from '../fakes/gemini.ts';
import type { Script } from '../fakes/script.ts';
import { useOpened } from '../harness/opened.ts';
import { type Caller, callers, clearFakes, type Kind, kinds, modelOver, openPairs } from '../harness/pairs.ts';
import { expectRefusal } from '../harness/refusal.ts';

const pairs = useOpened(() => openPairs(), clearFakes);

const question = { chat: { messages: [{ role: 'user', content: 'Hello' }] }, responses: { input: 'Hello' } } as const;
const path = { chat: '/chat/completions', responses: '/responses' } as const;
const unlike = callers.flatMap((caller) => kinds.filter((kind) => kind !== caller).map((kind) => ({ caller, kind })));
const ask = (caller: Caller, kind: Kind, stream = false) =>
  pairs.gateway.call(path[caller], { json: { model: modelOver(kind), ...question[caller], ...(stream && { stream }) } });

const bearer = { authorization: 'Bearer sk-vendor' };
const addresses: Readonly<Record<Kind, { whole: string; streamed: string; headers: Record<string, string> }>> = {
  chat: { whole: '/v1/chat/completions', streamed: '/v1/chat/completions', headers: bearer },
  responses: { whole: '/v1/responses', streamed: '/v1/responses', headers: bearer },
  anthropic: { whole: '/v1/messages', streamed: '/v1/messages', headers: { 'x-api-key': 'sk-vendor', 'anthropic-version': '2023-06-01' } },
  gemini: {
    whole: '/v1/models/gemini-3-fake:generateContent',
    streamed: '/v1/models/gemini-3-fake:streamGenerateContent?alt=sse',
    headers: { 'x-goog-api-key': 'sk-vendor' },
  },
  converse: {
    whole: '/model/amazon.nova-2-fake-v1%3A0/converse',
    streamed: '/model/amazon.nova-2-fake-v1%3A0/converse-stream',
    headers: bearer,
  },
};

test.each(unlike)('sends for $caller over $kind the provider’s path and key, and not the caller’s key', async ({ caller, kind }) => {
  pairs.expectToSay(kind, { text: 'Yes.' }, { text: 'Yes.' });
  for (const stream of [false, true]) {
    expect((await ask(caller, kind, stream)).status).toBe(200);
    const { url, headers, rawHeaders } = pairs.fakes[kind].last;
    expect(url).toBe(addresses[kind][stream ? 'streamed' : 'whole']);
    expect(headers).toMatchObject({ ...addresses[kind].headers, 'content-type': 'application/json' });
    expect(rawHeaders.join()).not.toContain(pairs.gateway.key);
    if (kind === 'anthropic' || kind === 'gemini') expect(headers).not.toHaveProperty('authorization');
  }
});

interface Row {
  readonly what: string;
  readonly say: Readonly<Partial<Record<Kind, Script>>>;
  readonly code: ErrorCode;
}

const secret = 'sk-vendor-0123456789abcdef';
const rows: readonly Row[] = [
  {
    what: 'rejects the key of the gateway',
    say: {
      chat: failure(401, { message: `Incorrect API key provided: ${secret}` }),
      responses: failure(401, { message: `Incorrect API key provided: ${secret}` }),
      anthropic: anthropicFailure(401, 'authentication_error', `invalid x-api-key ${secret}`),
      gemini: geminiFailure(400, 'INVALID_ARGUMENT', `API key not valid: ${secret}`),
      converse: bedrockFailure(403, 'UnrecognizedClientException', `The security token included in the request is invalid: ${secret}`),
    },
    code: 'upstream_error',
  },
  {
    what: 'is overloaded',
    say: {
      chat: failure(503),
      responses: failure(503),
      anthropic: anthropicFailure(529, 'overloaded_error'),
      gemini: geminiFailure(503, 'UNAVAILABLE'),
      converse: bedrockFailure(503, 'ServiceUnavailableException', 'Busy.'),
    },
    code: 'upstream_unavailable',
  },
];

describe.each(unlike)('$caller over $kind', ({ caller, kind }) => {
  test.each(rows)('F02: returns $code for an upstream that $what, streamed and not', async ({ say, code }) => {
    for (const stream of [false, true]) {
      pairs.fakes[kind].next(say[kind] ?? []);
      const answer = await ask(caller, kind, stream);
      expect(await answer.clone().text()).not.toContain(secret);
      await expectRefusal(answer, { code });
    }
  });

  test('F04: returns retry-after for a rate limit of the upstream', async () => {
    const say: Readonly<Record<Kind, Script>> = {
      chat: failure(429, { headers: { 'retry-after': '7' } }),
      responses: failure(429, { headers: { 'retry-after': '7' } }),
      anthropic: anthropicFailure(429, 'rate_limit_error'),
      gemini: geminiFailure(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded.', [retryInfo('6.5s')]),
      converse: bedrockFailure(429, 'ThrottlingException', 'Too many tokens, please wait before trying again.'),
    };
    pairs.fakes[kind].next(say[kind]);
    const answer = await ask(caller, kind, true);
    await expectRefusal(answer, { code: 'rate_limit_exceeded', says: /./ });
    expect(answer.headers.get('retry-after')).toBe(kind === 'anthropic' || kind === 'converse' ? '1' : '7');
  });
});

test.each([
  ['anthropic', anthropicFailure(400, 'invalid_request_error', 'max_tokens: 9 > 8'), ['max_completion_tokens', 'max_output_tokens']],
  ['gemini', geminiFailure(400, 'INVALID_ARGUMENT', "Invalid value at 'generation_config.temperature'"), ['temperature', 'temperature']],
] as const)('F57: returns the caller’s name of the field that %s rejects', async (kind, rejection, params) => {
  for (const [index, caller] of callers.entries()) {
    pairs.fakes[kind].next(rejection);
    await expectRefusal(await ask(caller, kind), { code: 'invalid_value', param: params[index] ?? '', says: 'rejected the request' });
  }
});
