/** The errors of vendors and what they become: one table for each kind of upstream and for callers of both protocols. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../contract/errors.ts';
import { anthropicError } from '../fakes/anthropic.ts';
import { json } from '../fakes/delivery.ts';
import { geminiError } from '../fakes/gemini.ts';
import { type Fake, openFake } from '../fakes/upstream.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';
import { expectRefusal } from '../harness/refusal.ts';

const kinds = ['openai', 'openai-compatible', 'anthropic', 'gemini'] as const;
type Kind = (typeof kinds)[number];

let fake: Fake;
let gateway: TestGateway;
beforeAll(async () => {
  fake = await openFake();
  const upstreams = Object.fromEntries(kinds.map((kind) => [kind, { kind, baseUrl: fake.url, apiKey: 'sk-vendor' }]));
  gateway = await startGateway({ upstreams, models: kinds.map((kind) => ({ id: `over-${kind}`, kind: 'text', upstream: kind })) });
});
afterAll(async () => {
  await gateway.close();
  const { pending } = fake;
  await fake.close();
  expect(pending).toBe(0);
});

const secret = 'sk-vendor-0123456789abcdef';
/** An error in the envelope of each kind. */
const envelopes: Readonly<Record<Kind, (status: number, message: string, type: string) => unknown>> = {
  openai: (_, message, type) => ({ error: { message, type, param: null, code: null } }),
  'openai-compatible': (status, message, type) => ({ object: 'error', message, type, param: null, code: status }),
  anthropic: (_, message, type) => anthropicError(type, message),
  gemini: (status, message, type) => geminiError(status, type, message),
};

interface Row {
  readonly status: number;
  readonly type: string;
  readonly message: string;
  readonly code: ErrorCode;
  /** The `retry-after` of the answer, when the vendor sends 7. */
  readonly wait?: string;
}

const rows: readonly Row[] = [
  { status: 401, type: 'authentication_error', message: `Wrong API key: ${secret}`, code: 'upstream_error' },
  { status: 402, type: 'billing_error', message: `Pay for ${secret}`, code: 'upstream_error' },
  { status: 403, type: 'permission_error', message: `${secret} may not`, code: 'upstream_error' },
  { status: 400, type: 'invalid_request_error', message: `Your credit balance is too low. ${secret}`, code: 'upstream_error' },
  { status: 404, type: 'not_found_error', message: 'no such model', code: 'upstream_error' },
  { status: 429, type: 'rate_limit_error', message: `slow down, ${secret}`, code: 'rate_limit_exceeded', wait: '7' },
  { status: 503, type: 'overloaded_error', message: 'busy', code: 'upstream_unavailable', wait: '7' },
  { status: 529, type: 'overloaded_error', message: 'busy', code: 'upstream_unavailable', wait: '7' },
  { status: 500, type: 'api_error', message: secret, code: 'upstream_error' },
  { status: 504, type: 'timeout_error', message: 'late', code: 'upstream_timeout' },
  { status: 413, type: 'request_too_large', message: 'too large', code: 'request_too_large' },
  { status: 400, type: 'invalid_request_error', message: 'prompt is too long: 9 tokens > 8 maximum', code: 'context_length_exceeded' },
  { status: 400, type: 'invalid_request_error', message: 'You did wrong.', code: 'invalid_value' },
  { status: 422, type: 'invalid_request_error', message: 'You did wrong.', code: 'invalid_value' },
];

const asks = {
  chat: ['/chat/completions', { messages: [{ role: 'user', content: 'Hi' }] }],
  responses: ['/responses', { input: 'Hi' }],
} as const;

describe.each(kinds)('over %s', (kind) => {
  describe.each(['chat', 'responses'] as const)('a %s caller', (caller) => {
    test.each(rows)('F57: gets $code when the vendor answers $status $message', async ({ status, type, message, code, wait }) => {
      const [path, body] = asks[caller];
      for (const stream of [false, true]) {
        fake.next(json(envelopes[kind](status, message, type), { status, headers: { 'retry-after': '7' } }));
        const answer = await gateway.call(path, { json: { model: `over-${kind}`, ...body, stream } });
        expect(await answer.clone().text()).not.toMatch(/sk-vendor|credit|API key/);
        await expectRefusal(answer, { code });
        expect(answer.headers.get('retry-after')).toBe(wait ?? null);
      }
    });
  });

  test('an error about a mistake of the caller has the vendor’s message', async () => {
    fake.next(json(envelopes[kind](400, 'You did wrong.', 'invalid_request_error'), { status: 400 }));
    await expectRefusal(await gateway.call('/responses', { json: { model: `over-${kind}`, input: 'Hi' } }), {
      code: 'invalid_value',
      says: 'You did wrong.',
    });
  });
});

test.each([
  [
    'anthropic',
    anthropicError('invalid_request_error', 'max_tokens: 99000 > 64000, which is the most'),
    'max_completion_tokens',
    'max_output_tokens',
  ],
  [
    'gemini',
    geminiError(400, 'INVALID_ARGUMENT', "Invalid value at 'generation_config.temperature' (TYPE_FLOAT)"),
    'temperature',
    'temperature',
  ],
] as const)('the param of an error of %s is the caller’s name of the field', async (kind, error, forChat, forResponses) => {
  for (const [caller, param] of [
    ['chat', forChat],
    ['responses', forResponses],
  ] as const) {
    const [path, body] = asks[caller];
    fake.next(json(error, { status: 400 }));
    await expectRefusal(await gateway.call(path, { json: { model: `over-${kind}`, ...body } }), { code: 'invalid_value', param });
  }
});

test('an Anthropic upstream gets max_tokens of the caller, else of the model, else 32,000', async () => {
  const upstreams = { claude: { kind: 'anthropic', baseUrl: fake.url } };
  const models = [
    { id: 'small', kind: 'text', maxOutputTokens: 8192 },
    { id: 'unknown', kind: 'text' },
  ];
  const sized = await startGateway({ upstreams, models });
  const limitFor = async (json: object): Promise<unknown> => {
    await (await sized.call('/responses', { json: { input: 'Hi', ...json } })).text();
    return fake.last.fields.max_tokens;
  };
  expect(await limitFor({ model: 'small' })).toBe(8192);
  expect(await limitFor({ model: 'small', max_output_tokens: 100 })).toBe(100);
  expect(await limitFor({ model: 'unknown' })).toBe(32_000);
  await sized.close();
});
