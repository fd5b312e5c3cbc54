/** Which price counts for classes of tokens, tools and kinds of images, and what a provider bills by its own prices. */
import { describe, expect, test } from 'vitest';
import { Prices } from '../../../server/config/schema-models.ts';
import { computeCost, computeProviderCost } from '../../../server/money/cost.ts';
import { getImagePrice, getMaxImagePrice, getToolPrice, readPrices, type TokenPrices } from '../../../server/money/prices.ts';
import { itemizeReceipt } from '../../../server/money/receipt.ts';
import type { MeteredUsage } from '../../../server/money/store.ts';

const PLAIN = 1_000_000;
const used = (some: Partial<MeteredUsage>): MeteredUsage => ({
  input: 0,
  cachedInput: 0,
  cacheWrite: 0,
  output: 0,
  reasoning: 0,
  images: {},
  ...some,
});

describe('the gateway', () => {
  test("charges by the prices of the request's length, from the first token above", () => {
    const prices = { input: '2.5', cachedInput: '0.25', output: '15' };
    const long = {
      ...prices,
      longContext: { 272000: { input: '5', cachedInput: '0.5', output: '22.5' }, 1000000: { input: '9', output: '9' } },
    };
    const cost = (usage: Partial<MeteredUsage>) => computeCost(readPrices(long), used(usage), PLAIN);
    expect(cost({ input: 172_000, cachedInput: 100_000, output: 1_000 })).toBe(430_000n + 25_000n + 15_000n);
    expect(cost({ input: 172_001, cachedInput: 100_000, output: 1_000 })).toBe(860_005n + 50_000n + 22_500n);
    expect(cost({ input: 1_000_001 })).toBe(9_000_009n);
  });

  test('charges by the factor of the service tier, except for tools', () => {
    const tiered = readPrices({
      input: '0.000003',
      output: '10',
      serviceTiers: { flex: '0.5', priority: '2' },
      tools: { web_search_call: '0.01' },
    });
    const cost = (serviceTier: string) => computeCost(tiered, used({ output: 1_000, tools: { web_search_call: 1 }, serviceTier }), PLAIN);
    expect([cost('flex'), cost('priority'), cost('unknown')]).toEqual([15_000n, 30_000n, 20_000n]);
    const { lines } = itemizeReceipt({ metered: used({ input: 1_000_000, serviceTier: 'flex' }), multiplier: PLAIN }, tiered);
    // Half of three micro-dollars, rounded up.
    expect(lines).toEqual([expect.objectContaining({ class: 'input', price: '0.000002', amount: '0.000002000000' })]);
  });

  test('charges images and audio by separate prices', () => {
    const prices = readPrices({ input: '5', imageInput: '8', audioInput: '32', output: '10', imageOutput: '30', audioOutput: '64' });
    const usage = used({ input: 100, imageInput: 30, audioInput: 20, output: 100, imageOutput: 30, audioOutput: 20 });
    expect(computeCost(prices, usage, PLAIN)).toBe(250n + 240n + 640n + 500n + 900n + 1_280n);
    expect(itemizeReceipt({ metered: usage, multiplier: PLAIN }, prices).lines.map((line) => [line.class, line.quantity])).toEqual([
      ...[['input', 50] as const, ['image_input', 30] as const, ['audio_input', 20] as const],
      ...[['output', 50] as const, ['image_output', 30] as const, ['audio_output', 20] as const],
    ]);
  });

  test('charges partial images by a separate price, or nothing', () => {
    const usage = used({ images: { '1024x1024/low': 1 }, partialImages: 2 });
    const cost = (images: Record<string, string>) => computeCost(readPrices({ images }), usage, PLAIN);
    expect([cost({ default: '0.05', partial: '0.004' }), cost({ default: '0.05' })]).toEqual([58_000n, 50_000n]);
  });
});

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

  test('charges longer cache writes at their price, or at that of every write', () => {
    const metered = { input: 0, cachedInput: 0, cacheWrite: 1_000_000, cacheWrite1h: 400_000, output: 0, reasoning: 0, images: {} };
    const prices = { input: '3', cacheWrite: '3.75', output: '15' };
    expect(computeCost(readPrices({ ...prices, cacheWrite1h: '6' }), metered, 1_000_000)).toBe(4_650_000n);
    expect(computeCost(readPrices(prices), metered, 1_000_000)).toBe(3_750_000n);
    const { lines } = itemizeReceipt({ metered, multiplier: 1_000_000 }, readPrices({ ...prices, cacheWrite1h: '6' }));
    expect(lines.map((line) => [line.class, line.quantity, line.price])).toEqual([
      ['cache_write', 600_000, '3.750000'],
      ['cache_write_1h', 400_000, '6.000000'],
    ]);
  });

  test('keeps each class that has a price, including 0', () => {
    expect(readPrices({ input: '1', cachedInput: '0', cacheWrite: '1.25', output: '4' })).toMatchObject({
      cachedInput: 0n,
      cacheWrite: 1_250_000n,
    });
  });
});

test('charges nothing for a tool without a price, whatever its name', () => {
  const prices = readPrices({ input: '1', output: '4', tools: { web_search_call: '0.01' } }) as TokenPrices;
  expect(['web_search_call', 'mcp_call', 'constructor', '__proto__'].map((name) => getToolPrice(prices, name))).toEqual([
    10_000n,
    0n,
    0n,
    0n,
  ]);
});

describe('the price of an image', () => {
  const all = { '1024x1024/high': '4', '1024x1024/*': '3', '*/high': '2', default: '1' };
  const of = (images: Record<string, string>) => {
    const prices = readPrices({ images });
    return prices.kind === 'images' ? prices : expect.fail('not by picture');
  };

  test.each([
    ['1024x1024/high', all, 4n],
    ['1024x1024/low', all, 3n],
    ['512x512/high', all, 2n],
    ['512x512/low', all, 1n],
    ['512x512/low', { '1024x1024/high': '4', '*/high': '2' }, 4n],
    ['constructor/high', { default: '1', '*/low': '9' }, 1n],
    ['constructor', { default: '1' }, 1n],
  ])('comes for %s among %j from the closest entry, or else is the highest', (kind, images, dollars) => {
    expect(getImagePrice(of(images), kind)).toBe(dollars * 1_000_000n);
  });

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
