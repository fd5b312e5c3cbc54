/** Several keys at one vendor: sessions keep theirs, and a refused one rests. */
import { expect, test } from 'vitest';
import { openCredentials } from '../../../server/upstreams/credentials.ts';

const lines = ['one', 'two', 'three'].map((key) => ['authorization', `Bearer ${key}`]);

test('a session keeps to its key, and sessions are spread over all of them', () => {
  const credentials = openCredentials(lines, () => 0);
  const keys = Array.from({ length: 300 }, (_, n) => credentials.pick(() => `session ${n}`).lines);
  expect(keys).toEqual(keys.map((_, n) => credentials.pick(() => `session ${n}`).lines));
  for (const line of lines) expect(keys.filter((key) => key === line).length).toBeGreaterThan(60);
});

test('a key that the vendor refuses rests as long as it is told, and a key that is wrong for five minutes', () => {
  let now = 0;
  const credentials = openCredentials(lines.slice(0, 2), () => now);
  const refused = credentials.pick(() => 's');
  refused.note(429, 7);
  const other = credentials.pick(() => 's');
  expect(other.lines).not.toBe(refused.lines);
  other.note(401, null);
  expect(credentials.hasReady).toBe(false);
  expect(() => credentials.pick(() => 's')).toThrow(
    expect.objectContaining({ code: 'rate_limit_exceeded', headers: { 'retry-after': '7', 'retry-after-ms': '7000' } }),
  );
  now = 7_000;
  expect(credentials.pick(() => 's').lines).toBe(refused.lines);
  now = 299_999;
  refused.note(429, 7);
  expect(() => credentials.pick(() => 's')).toThrow();
  now = 300_000;
  expect(credentials.pick(() => 's').lines).toBe(other.lines);
});

test('F59: where every key is refused for its own sake no caller is told to send less', () => {
  let now = 0;
  const credentials = openCredentials(lines.slice(0, 2), () => now);
  for (const status of [401, 403]) credentials.pick(() => 's').note(status, null);
  expect(() => credentials.pick(() => 's')).toThrow(
    expect.objectContaining({ code: 'no_upstream_available', headers: { 'retry-after': '300', 'retry-after-ms': '300000' } }),
  );
  now = 300_000;
  expect(() => credentials.pick(() => 's')).not.toThrow();
});

test('a key alone never rests: whoever asks hears the vendor itself', () => {
  const credentials = openCredentials(lines.slice(0, 1));
  credentials.pick(() => null).note(401, null);
  expect(credentials.pick(() => null).lines).toBe(lines[0]);
  expect(credentials.hasReady).toBe(false);
  expect(openCredentials([]).pick(() => null).lines).toEqual([]);
});
