/** Ranges of pages: presets, days and hours, as the address has them. */
import { expect, test } from 'vitest';
import { formatRange, isRange, nameRange, resolveSpan } from '../../../../client/pages/src/data/ranges.ts';
import { formatTime } from '../../../../client/pages/src/data/times.ts';

const now = new Date('2026-11-24T10:20:30Z');
const spanTexts = (range: string) => {
  const { from, to } = resolveSpan(range, now);
  return [from.toISOString(), to.toISOString()];
};

test.each([
  { range: '24h', span: ['2026-11-23T10:21:00.000Z', '2026-11-24T10:21:00.000Z'] },
  { range: '30d', span: ['2026-10-26T00:00:00.000Z', '2026-11-24T10:21:00.000Z'] },
  { range: '2026-11-01..2026-11-02', span: ['2026-11-01T00:00:00.000Z', '2026-11-03T00:00:00.000Z'] },
  { range: '2026-11-01T09..2026-11-01T17', span: ['2026-11-01T09:00:00.000Z', '2026-11-01T17:00:00.000Z'] },
])('reads $range', ({ range, span }) => {
  expect(isRange(range)).toBe(true);
  expect(spanTexts(range)).toEqual(span);
});

test.each(['', '2h', '2026-11-02..2026-11-01', '2026-13-01..2026-13-02', '2026-11-01T17..2026-11-01T09', '2026-11-01T09..2026-11-02'])(
  'rejects %j as a range',
  (text) => expect(isRange(text)).toBe(false),
);

test('writes whole days as days, and hours with their hours', () => {
  const [day, next] = [Date.parse('2026-11-01T00:00:00Z'), Date.parse('2026-11-03T00:00:00Z')];
  expect(formatRange(day, next)).toBe('2026-11-01..2026-11-02');
  expect(formatRange(day + 32_400_000, next)).toBe('2026-11-01T09..2026-11-03T00');
  const shown = (time: string) => formatTime(new Date(time));
  expect(nameRange('2026-11-01T09..2026-11-03T00')).toBe(`${shown('2026-11-01T09:00Z')} – ${shown('2026-11-03T00:00Z')}`);
});
