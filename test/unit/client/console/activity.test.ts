/** The page of activity offers what the sums have, and its buckets and words fit the range of the answer. */
import { expect, test } from 'vitest';
import { listBucketStarts } from '../../../../client/pages/src/data/buckets.ts';
import { formatDay, formatSpan } from '../../../../client/pages/src/data/times.ts';
import {
  listDimensions,
  listMetrics,
  listSecondDimensions,
  toOffered,
} from '../../../../client/pages/src/operator/pages/activity/offered.ts';

const chosen = { metric: 'spend', by: 'model', second: '', account_id: '', key_id: '', end_user: '', tag: '' } as const;

test('offers no latency for accounts, keys, end users, and tags, and shows spend for an address that requests it', () => {
  expect(listMetrics(chosen)).toContain('latency');
  expect(listDimensions({ ...chosen, metric: 'latency' })).toEqual(['model', 'upstream', 'operation', 'code', 'session']);
  const untimed = [
    { by: 'key' },
    { by: 'account' },
    { by: 'tag' },
    { second: 'key' },
    { account_id: 'acct_1' },
    { key_id: 'key_1' },
    { end_user: 'u' },
  ] as const;
  for (const change of untimed) {
    const asked = { ...chosen, ...change, metric: 'latency' } as const;
    expect(listMetrics(asked)).not.toContain('latency');
    expect(toOffered(asked)).toEqual({ ...asked, metric: 'spend' });
  }
});

test('offers only second dimensions that the totals have, and drops any other', () => {
  expect(listSecondDimensions('model')).toEqual(['key', 'account', 'upstream', 'operation', 'code', 'end_user', 'tag']);
  expect(listSecondDimensions('key')).toEqual(['model', 'account', 'end_user', 'tag']);
  expect(listSecondDimensions('session')).toEqual([]);
  expect(toOffered({ ...chosen, by: 'key', second: 'upstream' })).toEqual({ ...chosen, by: 'key', second: '' });
});

test.each([
  ['hour', '2026-11-24T14:00:00Z'],
  ['day', '2026-11-24T00:00:00Z'],
  ['week', '2026-11-23T00:00:00Z'],
  ['month', '2026-11-01T00:00:00Z'],
] as const)('starts the first %s at or before the range', (bucket, begin) => {
  const [first] = listBucketStarts({ from: '2026-11-24T14:00:00Z', to: '2026-11-24T18:30:00Z', bucket });
  expect(first).toBe(Date.parse(begin));
});

test.each([
  { to: '2025-11-24T14:07:00Z', now: '2025-11-24T14:06:30Z', shown: 'Nov 23, 2025, 14:00 to now, UTC' },
  { to: '2025-11-24T14:07:00Z', now: '2025-11-25T00:00:00Z', shown: 'Nov 23, 2025, 14:00 to Nov 24, 2025, 14:07, UTC' },
  {
    from: '2025-11-23T00:00:00Z',
    to: '2025-11-25T00:00:00Z',
    now: '2025-11-26T00:00:00Z',
    shown: 'Nov 23, 2025 to Nov 24, 2025, UTC days',
  },
])('writes a range of days in UTC as $shown', ({ from = '2025-11-23T14:00:00Z', to, now, shown }) => {
  expect(formatSpan({ from, to, bucket: 'day' }, Date.parse(now))).toBe(shown);
});

test('writes the year of a time only where it is not this one', () => {
  const thisYear = new Date().getUTCFullYear();
  expect(formatDay(new Date(`${thisYear}-06-10T12:00:00Z`))).toBe('Jun 10');
  expect(formatDay(new Date(`${thisYear - 1}-06-10T12:00:00Z`))).toBe(`Jun 10, ${thisYear - 1}`);
});
