/** The log of a client: an entry for each attempt, without the key, headers, or bodies. */
import { expect, test } from 'vitest';
import { type LogFields, type Logger, type LogLevel, Modelgate } from '../../../client/sdk/src/index.ts';
import { freePort } from '../../harness/free-port.ts';
import { response, responseRequest } from './samples.ts';
import { failure, json, openServer } from './server.ts';

const models = json(200, { object: 'list', data: [] }, { 'x-request-id': 'req_ok' });
const overloaded = failure(503, { code: 'overloaded' }, { 'retry-after-ms': '1', 'x-request-id': 'req_full' });

function openLog() {
  const entries: (readonly [level: string, message: string, fields: LogFields])[] = [];
  const at = (level: string) => (message: string, fields: LogFields) => void entries.push([level, message, fields]);
  const logger: Logger = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  return { logger, entries };
}

test('logs each attempt with its status, duration, request ID, and the wait before the next one', async () => {
  const { logger, entries } = openLog();
  const { connect } = await openServer(overloaded, models);
  await connect({ logger, logLevel: 'debug' }).listUsage({ limit: 5 });
  const route = { method: 'GET', path: '/v1/usage?limit=5' };
  const durationMs = expect.any(Number);
  const failed = { status: 503, requestId: 'req_full', error: 'ServerError', reason: 'overloaded', retryInMs: 1 };
  expect(entries).toEqual([
    ['debug', 'request sent', route],
    ['warn', 'request failed', { ...route, durationMs, ...failed }],
    ['debug', 'request sent', route],
    ['info', 'response received', { ...route, durationMs, status: 200, requestId: 'req_ok' }],
  ]);
});

test.each<[LogLevel | undefined, string[]]>([
  ['debug', ['debug', 'warn', 'debug', 'error', 'debug', 'info']],
  ['info', ['warn', 'error', 'info']],
  [undefined, ['warn', 'error', 'info']],
  ['warn', ['warn', 'error']],
  ['error', ['error']],
  ['off', []],
])('logs entries of the level %s and above', async (logLevel, expected) => {
  const { logger, entries } = openLog();
  const { connect } = await openServer(overloaded, overloaded, models);
  const client = connect({ logger, logLevel, maxRetries: 1 });
  await expect(client.listModels()).rejects.toThrow();
  await client.listModels();
  expect(entries.map(([level]) => level)).toEqual(expected);
});

test('logs the reason of a lost connection', async () => {
  const { logger, entries } = openLog();
  const client = new Modelgate({ baseURL: `http://127.0.0.1:${await freePort()}/v1`, apiKey: 'mg-test', maxRetries: 0, logger });
  await expect(client.listModels()).rejects.toThrow();
  expect(entries).toMatchObject([
    ['error', 'request failed', { error: 'ConnectionError', reason: expect.stringContaining('ECONNREFUSED') }],
  ]);
});

test('logs neither the key, nor headers, nor anything from a body', async () => {
  const { logger, entries } = openLog();
  const { connect } = await openServer(
    failure(400, { code: 'invalid_value', message: "Got 'secret words'." }),
    (answer) => answer.writeHead(502).end('<html>secret words</html>'),
    json(200, { ...response('completed'), metadata: { note: 'secret words' } }),
  );
  const client = connect({ apiKey: 'mg-secret', headers: { 'x-note': 'secret words' }, maxRetries: 0 });
  const logged = client.withOptions({ logger, logLevel: 'debug' });
  const ask = () => logged.createResponse({ ...responseRequest, input: 'secret words' });
  await expect(ask()).rejects.toThrow('secret words');
  await expect(ask()).rejects.toThrow('secret words');
  await ask();
  expect(entries).toHaveLength(6);
  expect(JSON.stringify(entries)).not.toContain('secret');
});
