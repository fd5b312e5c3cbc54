/** The pool of API keys of an upstream: sessions keep their key, and a rejected key rests. */
import { expect, test } from 'vitest';
import { openCredentials } from '../../../server/providers/credentials.ts';

const order = { method: 'POST', path: '/v1/x', host: 'vendor.example', contentType: 'application/json', body: null } as const;
const lines = ['one', 'two', 'three'].map((key) => ['authorization', `Bearer ${key}`]);

test('keeps the key of a session, and spreads sessions over all keys', () => {
  const credentials = openCredentials(lines, () => 0);
  const keys = Array.from({ length: 300 }, (_, n) => credentials.pick(() => `session ${n}`, 'm').getLines(order));
  expect(keys).toEqual(keys.map((_, n) => credentials.pick(() => `session ${n}`, 'm').getLines(order)));
  for (const line of lines) expect(keys.filter((key) => key === line).length).toBeGreaterThan(60);
});

test('cools down a key with 429 for retry-after, and one with 401 for five minutes', () => {
  let now = 0;
  const credentials = openCredentials(lines.slice(0, 2), () => now);
  const rejected = credentials.pick(() => 's', 'm');
  rejected.recordStatus(429, 7, 'm');
  const other = credentials.pick(() => 's', 'm');
  expect(other.getLines(order)).not.toBe(rejected.getLines(order));
  other.recordStatus(401, null, 'm');
  expect(credentials.hasReady('m')).toBe(false);
  expect(() => credentials.pick(() => 's', 'm')).toThrow(
    expect.objectContaining({ code: 'rate_limit_exceeded', headers: { 'retry-after': '7', 'retry-after-ms': '7000' } }),
  );
  now = 7_000;
  expect(credentials.pick(() => 's', 'm').getLines(order)).toBe(rejected.getLines(order));
  now = 299_999;
  rejected.recordStatus(429, 7, 'm');
  expect(() => credentials.pick(() => 's', 'm')).toThrow();
  now = 300_000;
  expect(credentials.pick(() => 's', 'm').getLines(order)).toBe(other.getLines(order));
});

test('F59: returns no_upstream_available, not a rate limit, when all keys have 401 or 402', () => {
  let now = 0;
  const credentials = openCredentials(lines.slice(0, 2), () => now);
  for (const status of [401, 402]) credentials.pick(() => 's', 'm').recordStatus(status, null, 'm');
  expect(() => credentials.pick(() => 's', 'm')).toThrow(
    expect.objectContaining({ code: 'no_upstream_available', headers: { 'retry-after': '300', 'retry-after-ms': '300000' } }),
  );
  now = 300_000;
  expect(() => credentials.pick(() => 's', 'm')).not.toThrow();
});

test('uses a single key for each request, without a cooldown', () => {
  const credentials = openCredentials(lines.slice(0, 1));
  credentials.pick(() => null, 'm').recordStatus(401, null, 'm');
  expect(credentials.pick(() => null, 'm').getLines(order)).toBe(lines[0]);
  expect(credentials.hasReady('m')).toBe(false);
  expect(
    openCredentials([])
      .pick(() => null, 'm')
      .getLines(order),
  ).toEqual([]);
});

test('cools down a key with 403 or 429 for that model only, and one with 401 or 402 for all', () => {
  const credentials = openCredentials(lines.slice(0, 2), () => 0);
  for (let n = 0; n < 2; n++) credentials.pick(() => 's', 'forbidden').recordStatus(403, null, 'forbidden');
  for (let n = 0; n < 2; n++) credentials.pick(() => 's', 'busy').recordStatus(429, null, 'busy');
  expect(['forbidden', 'busy', 'm'].map((model) => credentials.hasReady(model))).toEqual([false, false, true]);
  expect(() => credentials.pick(() => 's', 'busy')).toThrow(expect.objectContaining({ code: 'rate_limit_exceeded' }));
  for (const status of [401, 402]) credentials.pick(() => 's', 'm').recordStatus(status, null, 'm');
  expect(credentials.hasReady('another')).toBe(false);
});

test('A6: uses keys with 403, which may be about one request, until they have 401', () => {
  const credentials = openCredentials(lines.slice(0, 2), () => 0);
  for (let n = 0; n < 2; n++) credentials.pick(() => 's', 'm').recordStatus(403, null, 'm');
  expect(credentials.hasReady('m')).toBe(false);
  const asked = credentials.pick(() => 's', 'm');
  asked.recordStatus(401, null, 'm');
  expect(credentials.pick(() => 's', 'm').getLines(order)).not.toBe(asked.getLines(order));
  credentials.pick(() => 's', 'm').recordStatus(401, null, 'm');
  expect(() => credentials.pick(() => 's', 'm')).toThrow(expect.objectContaining({ code: 'no_upstream_available' }));
});
