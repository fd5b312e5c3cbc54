/** The simulator as a mock: it fails as its prompt says, as often as asked, and without effects on other calls. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ErrorBody } from '../../contract/shared/error-bodies.ts';
import { scenarios } from '../../server/providers/simulator/scenarios.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  // The routing and the breaker of a gateway that nobody has configured.
  const routing = { maxAttempts: 3, breaker: { failures: 5 } };
  const simulator = { kind: 'simulator', eventDelayMs: 0, slowMs: 40, stallMs: 200 };
  gateway = await startGateway({ routing, upstreams: { simulator } });
});
afterAll(() => gateway.close());

const asks = {
  chat: (prompt: string) => ['/chat/completions', { model: 'gpt-5.4', messages: [{ role: 'user', content: prompt }] }] as const,
  responses: (prompt: string) => ['/responses', { model: 'gpt-5.4', input: prompt }] as const,
  images: (prompt: string) => ['/images/generations', { model: 'gpt-image-2', prompt }] as const,
};

async function say(prompt: string, { as = 'chat', stream = false }: { as?: keyof typeof asks; stream?: boolean } = {}): Promise<Response> {
  const [path, json] = asks[as](prompt);
  return gateway.call(path, { json: { ...json, ...(stream && { stream }) } });
}

const errorOf = async (answer: Response): Promise<ErrorBody['error']> => ErrorBody.parse(await answer.json()).error;

describe('`simulate: error STATUS`', () => {
  test.each([
    [400, 'invalid_request_error', 'invalid_value'],
    [401, 'authentication_error', 'invalid_api_key'],
    [402, 'permission_error', 'insufficient_balance'],
    [403, 'permission_error', 'permission_denied'],
    [404, 'invalid_request_error', 'model_not_found'],
    [408, 'invalid_request_error', 'request_timeout'],
    [409, 'invalid_request_error', 'conflict'],
    [413, 'invalid_request_error', 'request_too_large'],
    [418, 'invalid_request_error', 'invalid_value'],
    [422, 'invalid_request_error', 'invalid_value'],
    [429, 'rate_limit_error', 'rate_limit_exceeded'],
    [500, 'server_error', 'internal_error'],
    [502, 'server_error', 'upstream_error'],
    [503, 'server_error', 'upstream_unavailable'],
    [504, 'server_error', 'upstream_timeout'],
    [529, 'server_error', 'upstream_unavailable'],
    [599, 'server_error', 'upstream_error'],
  ])('returns status %d with an error body, after one attempt', async (status, type, code) => {
    for (const stream of [false, true]) {
      const answer = await say(`simulate: error ${status}`, { stream });
      expect(answer.status).toBe(status);
      expect(await errorOf(answer)).toMatchObject({ type, code, message: expect.stringContaining(`status ${status}`) });
      expect(await gateway.lineOf(answer)).toMatchObject({ status, code, attempts: 1 });
    }
  });
});

test.each(['error 500', 'error 503', 'error 429', 'cut', 'malformed'])(
  'opens no circuit breaker after ten times `simulate: %s`',
  async (what) => {
    for (let times = 0; times < 10; times += 1) await (await say(`simulate: ${what}`)).arrayBuffer();
    expect((await say('say hello')).status).toBe(200);
    expect(gateway.gateway.health.getStates().every(({ state }) => state === 'closed')).toBe(true);
  },
);

describe('`simulate: slow`', () => {
  test.each([false, true])('delays a complete response (stream: %s)', async (stream) => {
    const answer = await say('simulate: slow', { stream });
    expect(answer.status).toBe(200);
    const text = await answer.text();
    expect(text).toContain('"finish_reason":"stop"');
    const { durationMs } = await gateway.lineOf(answer);
    // A timer may come a fraction of a millisecond early; a busy machine can only make it later.
    expect(durationMs).toBeGreaterThanOrEqual(39);
  });
});

test('returns a malformed response for `simulate: malformed`, an older phrase', async () => {
  const answer = await say('simulate: malformed');
  expect([answer.status, (await errorOf(answer)).code]).toEqual([502, 'upstream_error']);
  const streamed = await (await say('simulate: malformed', { stream: true })).text();
  expect(streamed).toContain('"upstream_error"');
  expect(streamed).not.toContain('[DONE]');
});

test.each(['chat', 'responses', 'images'] as const)('names a field in `x-modelgate-dropped` that no operation supports: %s', async (as) => {
  const [path, json] = asks[as]('hi');
  const answer = await gateway.call(path, { json: { ...json, temprature: 1, top_k: null } });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('x-modelgate-dropped')).toBe('temprature');
  expect((await gateway.call(path, { json })).headers.has('x-modelgate-dropped')).toBe(false);
});

test.each([
  ['simulate: overload', 'chat', 'messages'],
  ['simulate:', 'chat', 'messages'],
  ['Simulate: error', 'responses', 'input'],
  ['simulate: error 200', 'responses', 'input'],
  ['simulate: error 5000', 'chat', 'messages'],
  ['simulate: cuts', 'chat', 'messages'],
  ['simulate: storm', 'images', 'prompt'],
] as const)('returns 400 with a list of all scenarios for `%s`', async (prompt, as, param) => {
  const answer = await say(prompt, { as });
  expect(answer.status).toBe(400);
  const error = await errorOf(answer);
  expect(error).toMatchObject({ code: 'invalid_value', param });
  for (const { form } of scenarios) expect(error.message).toContain(form);
});
