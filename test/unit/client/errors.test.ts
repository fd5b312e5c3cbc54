/** Failed answers become the error class of their status, with all fields of the error. */
import { expect, test } from 'vitest';
import { ModelgateError } from '../../../client/sdk/src/index.ts';
import { responseRequest } from './samples.ts';
import { failure, json, openServer } from './server.ts';

const once = { maxRetries: 0 };

test.each([
  [400, 'BadRequestError'],
  [401, 'AuthenticationError'],
  [403, 'PermissionError'],
  [404, 'NotFoundError'],
  [405, 'BadRequestError'],
  [408, 'BadRequestError'],
  [409, 'ConflictError'],
  [413, 'RequestTooLargeError'],
  [415, 'BadRequestError'],
  [426, 'BadRequestError'],
  [429, 'RateLimitError'],
  [431, 'BadRequestError'],
  [500, 'ServerError'],
  [502, 'ServerError'],
  [503, 'ServerError'],
  [504, 'ServerError'],
])('throws status %i as %s with all fields of the error', async (status, name) => {
  const detail = { message: 'It is wrong.', type: 'invalid_request_error', param: 'input[2].role', code: 'invalid_value' };
  const { connect } = await openServer(failure(status, detail, { 'x-request-id': 'req_7', 'retry-after': '3' }));
  const error = await connect(once)
    .createResponse(responseRequest)
    .catch((thrown) => thrown);
  expect(error).toBeInstanceOf(ModelgateError);
  expect(error).toBeInstanceOf(Error);
  expect(error).toMatchObject({ ...detail, name, status, requestId: 'req_7', retryAfterMs: 3000 });
  expect(error.headers.get('x-request-id')).toBe('req_7');
  expect(String(error)).toBe(`${name}: It is wrong.`);
});

test('keeps a code that is newer than the client', async () => {
  const { connect } = await openServer(failure(429, { code: 'fair_use_exceeded' }));
  await expect(connect(once).listModels()).rejects.toMatchObject({ name: 'RateLimitError', code: 'fair_use_exceeded' });
});

test.each([
  ['<html><h1>Bad Gateway</h1></html>', 'HTTP status 502 with: <html><h1>Bad Gateway</h1></html>'],
  ['', 'HTTP status 502 without a body'],
  ['{"detail":"nope"}', 'HTTP status 502 with: {"detail":"nope"}'],
  ['{"error":"Not found"}', 'Not found'],
  ['null', 'HTTP status 502 with: null'],
  ['{"error":{"message":12}}', 'HTTP status 502 with: {"error":{"message":12}}'],
])('quotes an error page of a proxy in the message: %s', async (body, message) => {
  const { connect } = await openServer((response) => response.writeHead(502, { 'content-type': 'text/html' }).end(body));
  const failed = connect(once).listModels();
  await expect(failed).rejects.toMatchObject({
    name: 'ServerError',
    message,
    status: 502,
    type: null,
    code: null,
    param: null,
    requestId: null,
  });
});

test('cuts a long error page in the message', async () => {
  const { connect } = await openServer((response) => response.writeHead(500).end('x'.repeat(100_000)));
  const error = await connect(once)
    .listModels()
    .catch((thrown) => thrown);
  expect(error.message.length).toBeLessThan(400);
});

test("throws an error with the text of a response of 200 that isn't JSON", async () => {
  const { connect } = await openServer((response) => response.end('<html>Welcome</html>'));
  await expect(connect().listModels()).rejects.toMatchObject({
    name: 'ModelgateError',
    status: 200,
    message: expect.stringContaining('<html>Welcome'),
  });
});

test('calls onResponse for each response, before reading its body', async () => {
  const seen: (string | null)[] = [];
  const { connect } = await openServer(
    failure(503, {}, { 'retry-after-ms': '1', 'x-request-id': 'req_1' }),
    json(200, { object: 'list', data: [] }, { 'x-request-id': 'req_2' }),
  );
  await connect().listModels({ onResponse: ({ headers }) => seen.push(headers.get('x-request-id')) });
  expect(seen).toEqual(['req_1', 'req_2']);
});

test('rethrows an error thrown in onResponse unchanged', async () => {
  const { connect, asked } = await openServer(json(200, { object: 'list', data: [] }));
  const mistake = new Error('of the caller');
  const onResponse = () => {
    throw mistake;
  };
  await expect(connect().listModels({ onResponse })).rejects.toBe(mistake);
  expect(asked).toHaveLength(1);
});
