/** The page of activity offers what the sums have, and its buckets and words fit the range of the answer. */
import { expect, test } from 'vitest';
import { listBucketStarts } from '../../../../client/pages/src/data/buckets.ts';
import { formatSpan } from '../../../../client/pages/src/data/times.ts';
import {
  listDimensions,
  listMetrics,
  listSecondDimensions,
  toOffered,
} from '../../../../client/pages/src/operator/pages/activity/offered.ts';

const chosen = { metric: 'spend', by: 'model', second: '', account_id: '', key_id: '' } as const;

test('offers no latency for accounts and keys, and shows spend for an address that requests it', () => {
  expect(listMetrics(chosen)).toContain('latency');
  expect(listDimensions({ ...chosen, metric: 'latency' })).toEqual(['model', 'upstream', 'operation', 'code', 'session']);
  for (const change of [{ by: 'key' }, { by: 'account' }, { second: 'key' }, { account_id: 'acct_1' }, { key_id: 'key_1' }] as const) {
    const asked = { ...chosen, ...change, metric: 'latency' } as const;
    expect(listMetrics(asked)).not.toContain('latency');
    expect(toOffered(asked)).toEqual({ ...asked, metric: 'spend' });
  }
});

test('offers a second dimension where the totals have both, and shows the first alone for any other', () => {
  expect(listSecondDimensions('model')).toEqual(['key', 'account', 'upstream', 'operation', 'code']);
  expect(listSecondDimensions('key')).toEqual(['model', 'account']);
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

test('writes a range in UTC, up to now while it runs', () => {
  const range = { from: '2026-11-23T14:00:00Z', to: '2026-11-24T14:07:00Z', bucket: 'day' } as const;
  expect(formatSpan(range, Date.parse('2026-11-24T14:06:30Z'))).toBe('Nov 23, 2026, 14:00 to now, UTC');
  expect(formatSpan(range, Date.parse('2026-11-25T00:00:00Z'))).toBe('Nov 23, 2026, 14:00 to Nov 24, 2026, 14:07, UTC');
});
