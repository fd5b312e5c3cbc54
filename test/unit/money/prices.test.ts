/** Which price counts for classes of tokens, tools and kinds of images, and what a provider bills by its own prices. */
import { describe, expect, test } from 'vitest';
import { Prices } from '../../../server/config/schema-models.ts';
import { computeProviderCost } from '../../../server/money/cost.ts';
import { getMaxImagePrice, readPrices } from '../../../server/money/prices.ts';

describe('a price configuration', () => {
  test('uses the price of input for classes without a price', () => {
    expect(readPrices({ input: '1', output: '4' })).toEqual({
      kind: 'tokens',
      input: 1_000_000n,
      cachedInput: 1_000_000n,
      cacheWrite: 1_000_000n,
      cacheWrite1h: 1_000_000n,
      cacheWrite12h: 1_000_000n,
      imageInput: 1_000_000n,
      audioInput: 1_000_000n,
      output: 4_000_000n,
      imageOutput: 4_000_000n,
      audioOutput: 4_000_000n,
      longContext: [],
      serviceTiers: {},
      tools: {},
    });
  });

  test('keeps each class that has a price, including 0', () => {
    expect(readPrices({ input: '1', cachedInput: '0', cacheWrite: '1.25', output: '4' })).toMatchObject({
      cachedInput: 0n,
      cacheWrite: 1_250_000n,
    });
  });
});

describe('the price of an image', () => {
  const all = { '1024x1024/high': '4', '1024x1024/*': '3', '*/high': '2', default: '1' };
  const of = (images: Record<string, string>) => {
    const prices = readPrices({ images });
    return prices.kind === 'images' ? prices : expect.fail('not by picture');
  };

  test.each([
    ['1024x1024/low', 3n],
    ['auto/low', 4n],
    ['512x512/auto', 4n],
    ['auto/auto', 4n],
    ['*/low', 4n],
  ])('equals the highest that it may have for the hold of %s', (kind, dollars) => {
    expect(getMaxImagePrice(of(all), kind)).toBe(dollars * 1_000_000n);
  });
});

describe('the price of a tool call', () => {
  test.each(['function_call', 'custom_tool_call', 'web_search', 'Web_search_call'])(
    "fails for %s, which isn't a type of hosted call",
    (name) => {
      expect(Prices.safeParse({ input: '1', output: '4', tools: { [name]: '0.01' } }).success).toBe(false);
    },
  );
});

describe('a provider', () => {
  const nothing = { input: 0, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0, images: {} };
  const tokens = { input: '2', cachedInput: '0.5', output: '8', tools: { web_search_call: '0.01' } };

  test('bills tokens, pictures and tools by its prices, rounded up once', () => {
    expect(computeProviderCost(tokens, { ...nothing, input: 1_000, cachedInput: 1_000, output: 1 })).toBe(2_508n);
    expect(computeProviderCost(tokens, { ...nothing, cachedInput: 1 })).toBe(1n);
    expect(computeProviderCost(tokens, { ...nothing, tools: { web_search_call: 2 } })).toBe(20_000n);
    expect(computeProviderCost({ images: { default: '0.25' } }, { ...nothing, images: { '1024x1024/low': 2 } })).toBe(500_000n);
    expect(computeProviderCost(tokens, { ...nothing, output: 1, images: { '1024x1024/low': 0 } })).toBe(8n);
    expect(computeProviderCost({ images: { default: '0.25' } }, nothing)).toBe(0n);
    expect(computeProviderCost('free', { ...nothing, input: 9 })).toBe(0n);
  });

  test('bills an unknown amount without a price, rather than nothing', () => {
    expect(computeProviderCost(undefined, nothing)).toBeNull();
    expect(computeProviderCost(tokens, { ...nothing, tools: { file_search_call: 1 } })).toBeNull();
    expect(computeProviderCost(tokens, { ...nothing, images: { '1024x1024/low': 1 } })).toBeNull();
    for (const used of [{ input: 1 }, { cachedInput: 1 }, { cacheWrite: 1 }, { output: 1 }])
      expect(computeProviderCost({ images: { default: '0.25' } }, { ...nothing, ...used })).toBeNull();
  });
});
