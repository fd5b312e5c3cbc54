/** What a vendor bills: by its prices alone, and null wherever they do not say it. */
import { expect, test } from 'vitest';
import { vendorCostOf } from '../../../server/ledger/vendor-cost.ts';

const nothing = { input: 0, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0, images: {} };
const tokens = { input: '2', cachedInput: '0.5', output: '8', tools: { web_search_call: '0.01' } };

test('tokens, pictures and tools cost what the vendor asks for them, rounded up once', () => {
  expect(vendorCostOf(tokens, { ...nothing, input: 1_000, cachedInput: 1_000, output: 1 })).toBe(2_508n);
  expect(vendorCostOf(tokens, { ...nothing, cachedInput: 1 })).toBe(1n);
  expect(vendorCostOf(tokens, { ...nothing, tools: { web_search_call: 2 } })).toBe(20_000n);
  expect(vendorCostOf({ images: { default: '0.25' } }, { ...nothing, images: { '1024x1024/low': 2 } })).toBe(500_000n);
  expect(vendorCostOf('free', { ...nothing, input: 9 })).toBe(0n);
});

test('what nobody wrote a price for is unknown, and not nothing', () => {
  expect(vendorCostOf(undefined, nothing)).toBeNull();
  expect(vendorCostOf(tokens, { ...nothing, tools: { file_search_call: 1 } })).toBeNull();
  expect(vendorCostOf(tokens, { ...nothing, images: { '1024x1024/low': 1 } })).toBeNull();
  expect(vendorCostOf({ images: { default: '0.25' } }, { ...nothing, output: 5 })).toBeNull();
});
