/** The start of the period of an allowance. */
import { expect, test } from 'vitest';
import { periodStart } from '../../../server/ledger/periods.ts';

const at = (text: string): number => Date.parse(`${text}Z`);

test.each([
  ['day', '2026-03-05T23:59:59.999', '2026-03-05T00:00'],
  ['day', '2026-03-06T00:00', '2026-03-06T00:00'],
  ['week', '2026-03-05T12:00', '2026-03-02T00:00'],
  ['week', '2026-03-08T23:59:59.999', '2026-03-02T00:00'],
  ['week', '2026-03-09T00:00', '2026-03-09T00:00'],
  ['week', '1970-01-01T00:00', '1969-12-29T00:00'],
  ['month', '2024-02-29T23:59:59.999', '2024-02-01T00:00'],
  ['month', '2026-12-31T23:59', '2026-12-01T00:00'],
  ['month', '2027-01-01T00:00', '2027-01-01T00:00'],
] as const)('the %s of %s began at %s, by UTC', (period, moment, start) => {
  expect(periodStart(period, at(moment))).toBe(at(start));
});

test('the period never starts at 0', () => {
  expect(periodStart('never', at('2026-03-05T12:00'))).toBe(0);
});
