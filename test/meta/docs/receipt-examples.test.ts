/** The receipts that readers are shown come to what they say: whoever checks one by hand must not find an error of ours. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { Receipt } from '../../../contract/usage.ts';
import { receiptExamples } from '../../../docs/generate/examples/usage.ts';

const Sum = Receipt.pick({ lines: true, subtotal: true, multiplier: true, rounding: true, cost: true, charged: true });
const guide = readFileSync(new URL('../../../docs/guides/costs.md', import.meta.url), 'utf8');
const shown = z.array(z.string()).parse([...guide.matchAll(/```json\n([^`]+)```/g)].map(([, code]) => code));

const digits = (text: string) => BigInt(text.replace('.', ''));
const receipts = [...Object.values(receiptExamples.answers).map(({ value }) => value), ...shown.map((code) => JSON.parse(code))];

test.each(receipts.map((value) => Sum.parse(value)))(
  'the receipt of $charged dollars',
  ({ lines, subtotal, multiplier, rounding, cost, charged }) => {
    for (const { quantity, price, per, amount } of lines)
      expect(digits(amount)).toBe(BigInt(quantity) * digits(price) * (per === 'million_tokens' ? 1n : 1_000_000n));
    expect(digits(subtotal)).toBe(lines.reduce((sum, { amount }) => sum + digits(amount), 0n));
    expect(digits(subtotal) * digits(multiplier) + digits(rounding)).toBe(digits(cost) * 10n ** 12n);
    expect(digits(rounding)).toBeLessThan(10n ** 12n);
    expect(charged).toBe(cost);
  },
);

test('there are some to check', () => {
  expect(receipts.length).toBeGreaterThanOrEqual(3);
});
