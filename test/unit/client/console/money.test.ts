/** Amounts on pages, exact at any size. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  alignDecimals,
  formatCents,
  formatDollars,
  formatExact,
  formatShare,
  readDollars,
  writeDollars,
} from '../../../../client/pages/src/data/money.ts';

test.each([
  ['0.000000', '$0.00', '$0.00'],
  ['0.003300', '$0.0033', '<$0.01'],
  ['-0.000360', '−$0.00036', '$0.00'],
  ['-0.007000', '−$0.007', '−$0.01'],
  ['12.500000', '$12.50', '$12.50'],
  ['412.081204', '$412.081204', '$412.08'],
  ['-3.000000', '−$3.00', '−$3.00'],
  ['0.999999', '$0.999999', '$1.00'],
  ['9007199254740.993001', '$9,007,199,254,740.993001', '$9,007,199,254,740.99'],
])('formats %s as %s, and to the cent as %s', (text, exact, cents) => {
  const micros = readDollars(text) ?? 1n;
  expect(formatDollars(micros, 'en-US')).toBe(exact);
  expect(formatCents(micros, 'en-US')).toBe(cents);
});

test('reads back any amount that it wrote', () => {
  const amount = fc.bigInt({ min: -(10n ** 19n), max: 10n ** 19n });
  fc.assert(fc.property(amount, amount, (one, other) => readDollars(writeDollars(one + other)) === one + other));
});

test.each(['', '1.', '.5', '1,000', '1.0000000', 'NaN', '1e3'])('rejects %j as an amount', (text) => {
  expect(readDollars(text)).toBe(null);
});

test('writes the amount of a single call with six decimals', () => {
  expect([0n, 2_510n, -1_500_000n].map((micros) => formatExact(micros, 'en-US'))).toEqual(['$0.00', '$0.002510', '−$1.500000']);
});

test('writes exact amounts of a receipt as long as the longest', () => {
  expect(alignDecimals(['0.003300000000', '0.000000800000', '2.5'])).toEqual(['0.0033000', '0.0000008', '2.5000000']);
});

test.each([
  [0, 10, '0.0%'],
  [1, 2_747, '<0.1%'],
  [546, 547, '99.8%'],
  [10, 10, '100.0%'],
  [0, 0, null],
])('writes %d of %d as %s', (part, whole, share) => {
  expect(formatShare(part, whole)).toBe(share);
});
