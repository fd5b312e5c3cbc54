/** Dollars as text and as micro-dollars, exact both ways; only plain decimals are accepted. And when the period of an allowance starts. */
import fc from 'fast-check';
import { expect, test } from 'vitest';

import { clampAmount, formatDollars, isAmount, MAX_AMOUNT, parseDollars, parseMultiplier } from '../../../server/money/dollars.ts';
import { getPeriodStart } from '../../../server/money/period.ts';

const amounts = fc.bigInt({ min: -MAX_AMOUNT, max: MAX_AMOUNT });

test('formats each amount so that it parses to the same amount', () => {
  fc.assert(
    fc.property(amounts, (micros) => {
      const text = formatDollars(micros);
      expect(text).toMatch(/^-?\d+\.\d{6}$/);
      expect(parseDollars(text)).toBe(micros);
    }),
    { numRuns: 1_000, examples: [[0n], [1n], [-1n], [999_999n], [1_000_000n], [MAX_AMOUNT], [-MAX_AMOUNT]] },
  );
});

test('ignores leading and trailing zeros', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 9_999_999_999n }), (micros) => {
      const text = formatDollars(micros);
      expect(parseDollars(text.replace(/\.?0+$/, '') || '0')).toBe(micros);
      expect(parseDollars(`000${text}`)).toBe(micros);
    }),
  );
});

test.each([
  ['0', 0n],
  ['-0', 0n],
  ['10', 10_000_000n],
  ['1.25', 1_250_000n],
  ['0.000001', 1n],
  ['-0.5', -500_000n],
  // These are not exact as floating-point numbers.
  ['0.1', 100_000n],
  ['4.35', 4_350_000n],
  ['1.005', 1_005_000n],
  ['8.615', 8_615_000n],
  ['1.000001', 1_000_001n],
  ['9000000000', MAX_AMOUNT],
])('parses %s dollars exactly', (text, micros) => {
  expect(parseDollars(text)).toBe(micros);
});

test.each([
  ...['', ' ', '.', '1.', '.5', '-', '--1', '+1', '1e3', '1E3', '0x10', '1_000', '1,5', '1 000', ' 1', '1 ', '1\n', 'NaN', 'Infinity'],
  ...['1.1234567', '0.0000001', '1.2.3', '$1', '1$', '１', '١', '12345678901', '9000000000.000001', '99999999999999999999'],
])('rejects %j as an amount', (text) => {
  expect(() => parseDollars(text)).toThrow(RangeError);
});

test('parses a multiplier to millionths exactly', () => {
  const read = ['0', '1', '0.8', '0.000001', '1.1', '99.999999', '100'].map(parseMultiplier);
  expect(read).toEqual([0, 1_000_000, 800_000, 1, 1_100_000, 99_999_999, 100_000_000]);
});

test('fits a thousand times the greatest amount into 64 bits, and bounds amounts', () => {
  expect(MAX_AMOUNT * 1_000n).toBeLessThan(2n ** 63n);
  expect([0n, MAX_AMOUNT, -1n, MAX_AMOUNT + 1n].map(isAmount)).toEqual([true, true, false, false]);
  fc.assert(fc.property(fc.bigInt(), (micros) => isAmount(clampAmount(micros))));
  fc.assert(fc.property(amounts, (micros) => clampAmount(micros) === (micros < 0n ? 0n : micros)));
});

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
] as const)('starts the %s of %s at %s, by UTC', (period, moment, start) => {
  expect(getPeriodStart(period, at(moment))).toBe(at(start));
});

test("starts the period 'never' at 0", () => {
  expect(getPeriodStart('never', at('2026-03-05T12:00'))).toBe(0);
});
