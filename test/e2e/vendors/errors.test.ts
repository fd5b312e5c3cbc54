/** Errors as real vendors send them, in place of an answer and inside a stream, for both callers. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ErrorBody } from '../../../contract/shared/error-bodies.ts';
import { json, stream } from '../../fakes/delivery.ts';
import { openStage, type Stage } from '../ceilings/stage.ts';

let stage: Stage;
beforeAll(async () => {
  const prices = { input: '1', output: '10' };
  stage = await openStage({}, [{ id: 'asked', kind: 'text', prices, maxOutputTokens: 1_000, protocols: ['chat'], upstreamModel: 'sent' }]);
});
beforeEach(() => stage.fake.clear());
afterAll(() => stage.close());

const chat = { model: 'asked', messages: [{ role: 'user', content: 'Hi' }] };

describe('V4: the vendor says with status 400 that it has no such model', () => {
  test.each(['/chat/completions', '/responses'])(
    '%s: it is the fault of the upstream, and its name of the model is not told',
    async (path) => {
      stage.fake.next(
        json(
          { error: { message: "The requested model 'sent' does not exist.", type: 'invalid_request_error', code: 'model_not_found' } },
          { status: 400 },
        ),
      );
      const reply = await stage.gateway.call(path, { json: path === '/responses' ? { model: 'asked', input: 'Hi' } : chat });
      const text = await reply.text();
      expect([reply.status, JSON.parse(text).error.code]).toEqual([502, 'upstream_error']);
      expect(text).not.toContain("'sent'");
    },
  );
});

describe('V11: an error inside a stream says which class it has', () => {
  const invalid = 'The tool call does not match its schema.';
  test.each([
    [
      'a word and a status',
      { message: invalid, type: 'invalid_request_error', code: 'tool_use_failed', status_code: 400 },
      'invalid_value',
      400,
    ],
    ['a number as its code', { message: invalid, code: 400 }, 'invalid_value', 400],
    ['a number that asks to wait', { message: 'Slow down.', code: 429 }, 'rate_limit_exceeded', 429],
    ['its own type for a long prompt', { message: 'Too much.', type: 'too_many_prompt_tokens' }, 'context_length_exceeded', 400],
  ])('%s: both callers get that status, and the words where they are about the request', async (_, error, code, status) => {
    for (const [path, body] of [
      ['/chat/completions', chat],
      ['/responses', { model: 'asked', input: 'Hi' }],
    ] as const) {
      stage.fake.next(stream([{ raw: `data: ${JSON.stringify({ error })}\n\n` }]));
      const asked = stage.fake.requests.length;
      const reply = await stage.gateway.call(path, { json: { ...body, stream: true } });
      const { error: told } = ErrorBody.parse(await reply.json());
      expect([reply.status, told.code]).toEqual([status, code]);
      if (status === 400) expect([told.message, stage.fake.requests.length]).toEqual([error.message, asked + 1]);
    }
  });
});
