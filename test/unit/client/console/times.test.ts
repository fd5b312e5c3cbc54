/** Durations, countdowns, and the names of buckets, as all pages show them. */
import { expect, test } from 'vitest';
import { formatCountdown, formatDuration, nameBucket } from '../../../../client/pages/src/data/times.ts';

test.each([
  [0, '0 ms'],
  [840, '840 ms'],
  [3_000, '3.0 s'],
  [160_000, '2 min 40 s'],
  [7_500_000, '2 h 5 min'],
])('writes %d milliseconds as %s', (milliseconds, text) => {
  expect(formatDuration(milliseconds, 'en-US')).toBe(text);
});

test.each([
  [1, '1 s'],
  [6_960, '7 s'],
  [159_001, '2 min 40 s'],
])('counts down %d milliseconds as %s', (milliseconds, text) => {
  expect(formatCountdown(milliseconds)).toBe(text);
});

test('marks a bucket that is still running', () => {
  const start = Date.UTC(2026, 10, 24, 15);
  expect(nameBucket(start, 'hour', start + 60_000)).toMatchObject({ label: expect.stringMatching(/, so far$/), short: 'now' });
  for (const now of [start - 1, start + 3_600_000])
    expect(nameBucket(start, 'hour', now)).toMatchObject({
      label: expect.not.stringContaining('so far'),
      short: expect.not.stringContaining('now'),
    });
});
