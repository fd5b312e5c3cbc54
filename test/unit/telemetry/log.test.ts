/** G13: what the log may hold, and what it never holds. */
import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { GatewayError } from '../../../server/primitives/errors.ts';
import { type Log, openLog } from '../../../server/telemetry/log.ts';
import { logRequestLine } from '../../../server/telemetry/request-line.ts';

function record(): { log: Log; text: () => string; lines: () => unknown[] } {
  let written = '';
  const destination = new Writable({
    write(chunk, _, done) {
      written += chunk;
      done();
    },
  });
  const log = openLog({ log: { level: 'info' } }, destination);
  const lines = (): unknown[] =>
    written
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  return { log, text: () => written, lines };
}

const line = { id: 'req_1', method: 'POST', route: '/v1/chat/completions', status: 200, durationMs: 12.5, end: 'completed' } as const;

test('writes a request as one line with only its known fields', () => {
  const { log, lines } = record();
  logRequestLine(log, {
    ...line,
    keyId: 'key_1',
    accountId: 'acct_1',
    model: 'gpt-5.4',
    upstream: 'openai',
    inputTokens: 3,
    outputTokens: 5,
  });
  expect(lines()).toEqual([
    {
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      ...line,
      keyId: 'key_1',
      accountId: 'acct_1',
      model: 'gpt-5.4',
      upstream: 'openai',
      inputTokens: 3,
      outputTokens: 5,
      msg: 'request',
    },
  ]);
});

test('logs failed requests at warn, and rejected ones at info', () => {
  const { log, lines } = record();
  logRequestLine(log, { ...line, status: 502, end: 'failed', code: 'upstream_error' });
  logRequestLine(log, { ...line, status: 200, end: 'failed' });
  logRequestLine(log, { ...line, status: 401, end: 'rejected', code: 'invalid_api_key' });
  expect(lines()).toMatchObject([{ level: 'warn', code: 'upstream_error' }, { level: 'warn' }, { level: 'info' }]);
});

test('G13: drops unknown fields from a request line', () => {
  const { log, text } = record();
  const careless = { ...line, messages: ['my diary'], request: { headers: { authorization: 'Bearer mg-secret' } } };
  logRequestLine(log, careless);
  expect(text()).not.toMatch(/diary|secret/);
});

test("G13: doesn't write headers, bodies, URLs, and secrets that reach the log", () => {
  const { log, text } = record();
  const secret = 'hush-hush';
  const names = [
    'headers',
    'rawHeaders',
    'authorization',
    'body',
    'apiKey',
    'key',
    'pepper',
    'config',
    'url',
    'messages',
    'input',
    'prompt',
  ];
  for (const name of names) log.info({ [name]: { inside: secret } }, 'careless');
  log.info(
    { req: { method: 'GET', url: `/?q=${secret}`, headers: { a: secret }, body: secret, routeOptions: { url: '/v1/models' } } },
    'careless',
  );
  log.info({ res: { statusCode: 200, payload: secret } }, 'careless');
  expect(text()).not.toContain(secret);
  expect(text()).toContain('{"method":"GET","route":"/v1/models"}');
});

test('G13: writes an error with its stack frames and causes, without quoted prompts or keys', () => {
  const { log, text, lines } = record();
  const quoting = (): unknown => {
    try {
      return JSON.parse('my diary, not JSON');
    } catch (error) {
      return error;
    }
  };
  log.error(quoting());
  log.error({ err: new GatewayError('upstream_error', { cause: new Error('sent Bearer sk-abcdefghijk with mg-abcdefghijkl') }) });
  log.error({ err: 'a text that was thrown: my diary' }, 'odd');
  expect(text()).not.toMatch(/diary|abcdefgh/);
  expect(lines()).toMatchObject([
    { msg: 'error', err: { type: 'SyntaxError', frames: [expect.stringMatching(/^at /), ...Array(7).fill(expect.any(String))] } },
    { msg: 'error', err: { type: 'GatewayError', code: 'upstream_error', cause: { message: expect.stringContaining('mg-***') } } },
    { msg: 'odd', err: { type: 'string' } },
  ]);
});

test('writes at most three causes of an error, also if it is its own cause', () => {
  const { log, lines } = record();
  const error = new Error('round');
  error.cause = error;
  log.error({ err: error }, 'x');
  const [line] = lines();
  expect(JSON.stringify(line).match(/"message":"round"/g)).toHaveLength(1 + 3);
});
