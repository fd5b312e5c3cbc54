/** Errors over tRPC: one of each class of the error table, before the body, in a call, and within a stream. */
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc';
import { getStatusCodeFromKey } from '@trpc/server/unstable-core-do-not-import';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type ErrorCode, errorCodes, errorTable } from '../../contract/errors.ts';
import { contract } from '../../contract/index.ts';
import { ErrorBody } from '../../contract/shared/error-bodies.ts';
import { toTrpcCode } from '../../server/api/trpc/errors.ts';
import type { ErrorData } from '../../server/api/trpc/router-type.ts';
import { chatFrames } from '../fakes/chat.ts';
import { stream } from '../fakes/delivery.ts';
import { failure } from '../fakes/faults.ts';
import { responseFrames } from '../fakes/responses.ts';
import { startGateway } from '../harness/gateway.ts';
import { request, talk } from '../harness/raw.ts';
import { openSingleTrpc, openTrpc, readAll, refusalOf, type Trpc } from '../harness/trpc.ts';
import { type BehindVendor, openBehindVendor, shortWaits } from '../harness/vendor.ts';

let vendor: BehindVendor;
let trpc: Trpc;
beforeAll(async () => {
  vendor = await openBehindVendor({ upstream: shortWaits });
  trpc = openTrpc(vendor.gateway);
});
afterAll(() => vendor.close());

const ask = { model: 'gpt-5.4', messages: [{ role: 'user' as const, content: 'hello' }] };
const asked = { model: 'gpt-5.4', input: 'hello', store: false };

function expectRejected(data: ErrorData, code: ErrorCode, param: string | null = null): void {
  const { status, type } = errorTable[code];
  expect(data).toMatchObject({ code: toTrpcCode(status).key, httpStatus: status, error: { code, type, param } });
  ErrorBody.parse({ error: data.error });
  expect(data.requestId).toMatch(/^req_[0-9a-f]{32}$/);
  expect(data).not.toHaveProperty('stack');
}

/** The code in the error of a single call. */
async function codeIn(answer: Response): Promise<ErrorCode> {
  // The shape that tRPC sends; another one throws.
  const { error } = (await answer.json()) as { readonly error: { readonly data: ErrorData } };
  return error.data.error.code;
}

test('maps every status of the table to the key and number of tRPC', () => {
  const statuses = [...new Set(errorCodes.map((code) => errorTable[code].status))];
  for (const status of statuses) {
    const { key, code } = toTrpcCode(status);
    expect(code).toBe(TRPC_ERROR_CODES_BY_KEY[key]);
    if (status !== 426 && status !== 431) expect(getStatusCodeFromKey(key)).toBe(status);
  }
});

test('offers every operation as a procedure by its method, and also under `stream` if it has events', async () => {
  const headers = { authorization: `Bearer ${vendor.gateway.key}`, 'content-type': 'application/json' };
  const isThere = async (name: string, method: string): Promise<boolean> => {
    const asking = method === 'GET' ? { headers } : { headers, method, body: '{}' };
    const answer = await fetch(`${vendor.gateway.origin}/trpc/${name}`, asking);
    return answer.ok || !['unknown_url', 'method_not_allowed'].includes(await codeIn(answer));
  };
  for (const [name, route] of Object.entries(contract)) {
    expect([name, await isThere(name, route.method === 'GET' ? 'GET' : 'POST')]).toEqual([name, true]);
    expect([name, await isThere(`stream.${name}`, 'POST')]).toEqual([name, 'sse' in route.metadata]);
  }
});

describe('a caller', () => {
  test('gets 400 for a field, with its name', async () => {
    expectRejected(await refusalOf(trpc.createChatCompletion.mutate({ ...ask, temperature: 9 })), 'decimal_above_max_value', 'temperature');
  });

  test('gets 400 for a missing input and for an empty ID', async () => {
    // What a caller without types may send.
    const untyped = trpc as unknown as Record<string, Record<'query' | 'mutate', (input?: unknown) => Promise<unknown>>>;
    expectRejected(await refusalOf(untyped.createResponse?.mutate() ?? expect.fail()), 'missing_required_parameter', 'model');
    expectRejected(await refusalOf(untyped.getResponse?.query() ?? expect.fail()), 'missing_required_parameter', 'response_id');
    expectRejected(await refusalOf(trpc.getResponse.query({ response_id: '' })), 'missing_required_parameter', 'response_id');
  });

  test('gets 400 for `stream: true` without a stream procedure, and the other way round', async () => {
    const whole = { ...ask, stream: true } as unknown as typeof ask;
    expectRejected(await refusalOf(trpc.createChatCompletion.mutate(whole)), 'invalid_value', 'stream');
    const streamed = { ...ask, stream: false } as unknown as typeof ask;
    expectRejected(await refusalOf(trpc.stream.createChatCompletion.mutate(streamed)), 'invalid_value', 'stream');
  });

  test('gets 401 for a wrong key', async () => {
    const withWrongKey = openTrpc({ ...vendor.gateway, key: 'mg-wrong' });
    expectRejected(await refusalOf(withWrongKey.listModels.query()), 'invalid_api_key');
    expectRejected(await refusalOf(withWrongKey.stream.createResponse.mutate(asked)), 'invalid_api_key');
    const batch = [withWrongKey.listModels.query(), withWrongKey.createChatCompletion.mutate(ask)];
    for (const call of batch) expectRejected(await refusalOf(call), 'invalid_api_key');
  });

  test('gets 404 for an unknown model, response and procedure', async () => {
    expectRejected(await refusalOf(trpc.createResponse.mutate({ ...asked, model: 'gpt-0' })), 'model_not_found', 'model');
    expectRejected(await refusalOf(trpc.getResponse.query({ response_id: 'resp_none/..%2F' })), 'response_not_found');
    const untyped = trpc as unknown as Record<'compact', { mutate(): Promise<unknown> }>;
    expectRejected(await refusalOf(untyped.compact.mutate()), 'unknown_url');
  });

  test('gets 405 for a mutation by GET and for PUT', async () => {
    const headers = { authorization: `Bearer ${vendor.gateway.key}` };
    const byGet = await fetch(`${vendor.gateway.origin}/trpc/deleteResponse`, { headers });
    expect([byGet.status, await codeIn(byGet)]).toEqual([405, 'method_not_allowed']);
    const put = await fetch(`${vendor.gateway.origin}/trpc/listModels`, { headers, method: 'PUT' });
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, POST']);
    expect(await codeIn(put)).toBe('method_not_allowed');
  });

  test('gets 429 of the provider, with the wait', async () => {
    vendor.fake.next(failure(429, { headers: { 'retry-after': '7' } }));
    const data = await refusalOf(trpc.createChatCompletion.mutate(ask));
    expectRejected(data, 'rate_limit_exceeded');
    expect(data.retryAfter).toBe(7);
  });

  test('gets an error in the loop for a chat stream that breaks, after its events', async () => {
    vendor.fake.next(stream(chatFrames({ text: ['one ', 'two'] }), { stopAfter: { frames: 2 }, ending: 'reset' }));
    const texts: (string | null | undefined)[] = [];
    const reading = (async () => {
      for await (const { choices } of await trpc.stream.createChatCompletion.mutate(ask)) texts.push(choices[0]?.delta.content);
    })();
    const data = await refusalOf(reading);
    expectRejected(data, 'upstream_error');
    expect(texts).toContain('one ');
    // The caller read it to the end and did not disconnect.
    expect(await vendor.gateway.lineOf(String(data.requestId))).toMatchObject({ end: 'failed', code: 'upstream_error' });
  });

  test('gets response.failed for a responses stream that breaks, as under /v1', async () => {
    vendor.fake.next(stream(responseFrames({ text: ['one ', 'two'] }), { stopAfter: { frames: 5 }, ending: 'reset' }));
    const events = await readAll(await trpc.stream.createResponse.mutate(asked));
    expect(events.map(({ type }) => type)).toContain('response.output_text.delta');
    expect(events.at(-1)?.type).toBe('response.failed');
  });
});

test('returns the HTTP status of the table over a link without batches, with the wait in headers', async () => {
  const answers: Response[] = [];
  const single = openSingleTrpc(vendor.gateway, {}, async (...call) => {
    const answer = await fetch(...call);
    answers.push(answer);
    return answer;
  });
  vendor.fake.next(failure(429, { headers: { 'retry-after': '7' } }));
  const data = await refusalOf(single.createChatCompletion.mutate(ask));
  expect(answers.map(({ status, headers }) => [status, headers.get('retry-after'), headers.get('retry-after-ms')])).toEqual([
    [429, '7', '7000'],
  ]);
  expect(answers[0]?.headers.get('x-request-id')).toBe(data.requestId);
});

test('fails the calls of a batch separately', async () => {
  const [good, bad] = await Promise.allSettled([trpc.listModels.query(), trpc.getResponse.query({ response_id: 'resp_none' })]);
  expect([good.status, bad.status]).toEqual(['fulfilled', 'rejected']);
});

describe('before the body is read', () => {
  const head = (path: string, ...more: readonly string[]) =>
    request([`POST /trpc/${path} HTTP/1.1`, 'content-type: application/json', ...more]);
  const large = `content-length: ${25 * 1_048_576}`;
  const withKey = () => `authorization: Bearer ${vendor.gateway.key}`;

  async function rejectedWith(...heads: Parameters<typeof head>) {
    const [answer] = await talk(vendor.gateway.origin, head(...heads));
    return { status: answer?.status, error: JSON.parse(String(answer?.body)).error.data.error.code };
  }

  test('returns 401 to a caller without a key', async () => {
    expect(await rejectedWith('createResponse?batch=1', large)).toEqual({ status: 401, error: 'invalid_api_key' });
  });

  test('returns 413 for a content-length above the limit', async () => {
    expect(await rejectedWith('createResponse?batch=1', withKey(), large)).toEqual({ status: 413, error: 'request_too_large' });
  });

  test('returns 400 for a batch of more than ten calls', async () => {
    const eleven = Array.from({ length: 11 }, () => 'listModels').join(',');
    expect(await rejectedWith(`${eleven}?batch=1`, withKey(), 'content-length: 100')).toEqual({
      status: 400,
      error: 'array_above_max_length',
    });
  });

  test('returns 400 for an idempotency key on a batch of several calls', async () => {
    const more = [withKey(), 'idempotency-key: one', 'content-length: 100'];
    expect(await rejectedWith('createResponse,createResponse?batch=1', ...more)).toEqual({ status: 400, error: 'invalid_value' });
  });

  test('returns 403 for a large body of a caller without money', async () => {
    const { key } = await vendor.gateway.newKey({ account: 'penniless', balance: 0n });
    const more = [`authorization: Bearer ${key}`, 'content-length: 1000000'];
    expect(await rejectedWith('createResponse,stream.createChatCompletion?batch=1', ...more)).toEqual({
      status: 403,
      error: 'insufficient_balance',
    });
  });

  test('reads a large batch if one of its calls is permitted', async () => {
    const permissions = { models: null, operations: ['createResponse'], mayStore: true };
    const { key } = await vendor.gateway.newKey({ permissions });
    const narrow = openTrpc({ ...vendor.gateway, key });
    const long = 'long '.repeat(30_000);
    const calls = [
      refusalOf(narrow.createChatCompletion.mutate({ ...ask, messages: [{ role: 'user', content: long }] })),
      narrow.createResponse.mutate({ ...asked, input: long }),
    ] as const;
    expectRejected(await calls[0], 'permission_denied');
    expect((await calls[1]).object).toBe('response');
    const alone = [`authorization: Bearer ${key}`, 'content-length: 1000000'];
    expect(await rejectedWith('createChatCompletion?batch=1', ...alone)).toEqual({ status: 403, error: 'permission_denied' });
  });
});

test('returns 400 invalid_json for malformed JSON', async () => {
  const headers = { authorization: `Bearer ${vendor.gateway.key}`, 'content-type': 'application/json' };
  const answer = await fetch(`${vendor.gateway.origin}/trpc/createResponse?batch=1`, { method: 'POST', headers, body: '{"0": {"model' });
  expect([answer.status, await codeIn(answer)]).toEqual([400, 'invalid_json']);
  const query = await fetch(`${vendor.gateway.origin}/trpc/getResponse?input={"a`, { headers });
  expect([query.status, await codeIn(query)]).toEqual([400, 'invalid_json']);
});

test('turns on and off by the configuration, and returns 404 when off', async () => {
  const off = await startGateway({ trpc: { enabled: false } });
  onTestFinished(() => off.close());
  expect((await refusalOf(openTrpc(off).listModels.query())).error.code).toBe('unknown_url');
  expect((await fetch(`${off.origin}/trpc/listModels`)).status).toBe(404);
  await off.gateway.adopt({ ...off.gateway.config, trpc: { enabled: true } });
  expect((await openTrpc(off).listModels.query()).object).toBe('list');
});
