/** The cost of a request and its hold: exact, monotone, never negative, and never above the hold (promises G3 and G4). */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Bounds, canPrice, costOf, holdFor } from '../../../server/ledger/charge.ts';
import { type Prices, readPrices } from '../../../server/ledger/prices.ts';
import { itemise } from '../../../server/ledger/receipt.ts';
import type { Metered } from '../../../server/ledger/store.ts';

const PLAIN = 1_000_000;
const nothing: Metered = { input: 0, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0, images: {} };
const used = (some: Partial<Metered>): Metered => ({ ...nothing, ...some });

const sizes = ['1024x1024', '1536x1024', 'auto'];
const qualities = ['low', 'medium', 'high', 'auto'];
const toolTypes = ['web_search_call', 'image_generation_call', 'file_search_call'];

/** Any decimal that the configuration allows. */
const decimal = (most: number) =>
  fc
    .tuple(fc.nat(most - 1), fc.nat(999_999), fc.integer({ min: 0, max: 6 }))
    .map(([whole, fraction, places]) => (places === 0 ? `${whole}` : `${whole}.${String(fraction).padStart(6, '0').slice(0, places)}`));
const rate = decimal(100_000);
const tokenPrices = fc
  .record(
    { input: rate, output: rate, cachedInput: rate, cacheWrite: rate, tools: fc.dictionary(fc.constantFrom(...toolTypes), decimal(1_000)) },
    { requiredKeys: ['input', 'output'] },
  )
  .map(readPrices);
const pictureKinds = fc.tuple(fc.constantFrom(...sizes, '*'), fc.constantFrom(...qualities, '*')).map((parts) => parts.join('/'));
const imagePrices = fc
  .tuple(fc.dictionary(pictureKinds, decimal(1_000)), decimal(1_000))
  .map(([images, other]) => readPrices({ images: { ...images, default: other } }));
const multipliers = fc.oneof(fc.constant(PLAIN), fc.integer({ min: 0, max: 100 * PLAIN }));

const counts = fc.oneof(fc.nat(5), fc.nat(1_000_000), fc.nat(Number.MAX_SAFE_INTEGER));
const calls = fc.dictionary(fc.constantFrom(...toolTypes), fc.nat(1_000));
const metered: fc.Arbitrary<Metered> = fc.record({
  input: counts,
  cachedInput: counts,
  cacheWrite: counts,
  output: counts,
  reasoning: counts,
  images: fc.dictionary(pictureKinds, fc.nat(1_000)),
  tools: calls,
});
const prices: fc.Arbitrary<Prices> = fc.oneof(tokenPrices, imagePrices, fc.constant(readPrices('free')));

const gpt = readPrices({ input: '1.25', cachedInput: '0.125', cacheWrite: '1.5', output: '10', tools: { web_search_call: '0.01' } });

interface Case {
  readonly what: string;
  readonly usage: Partial<Metered>;
  readonly micros: bigint;
}

describe('a caller is charged', () => {
  test.each<Case>([
    { what: 'nothing without usage', usage: {}, micros: 0n },
    { what: 'a micro-dollar for less than one', usage: { cachedInput: 1 }, micros: 1n },
    { what: 'each class by its own price', usage: { input: 1_000, cachedInput: 2_000, cacheWrite: 100, output: 50 }, micros: 2_150n },
    { what: 'reasoning once, within the output', usage: { output: 10, reasoning: 10 }, micros: 100n },
    { what: 'the sum rounded up once, not each class', usage: { input: 1, cachedInput: 1, output: 0 }, micros: 2n },
    { what: 'a call of a tool by the piece', usage: { tools: { web_search_call: 3 } }, micros: 30_000n },
    { what: 'nothing for a tool without a price', usage: { tools: { mcp_call: 3 } }, micros: 0n },
  ])('$what', ({ usage, micros }) => {
    expect(costOf(gpt, used(usage), PLAIN)).toBe(micros);
  });

  test('exactly, where floating-point numbers would round up', () => {
    const tenths = readPrices({ input: '0.1', output: '0.2' });
    const million = used({ input: 1_000_000, output: 1_000_000 });
    expect(Math.ceil((0.1 + 0.2) * 1_000_000)).toBe(300_001);
    expect(costOf(tenths, million, PLAIN)).toBe(300_000n);
    expect(costOf(readPrices({ input: '1.1', output: '0' }), used({ input: 3_000_000 }), PLAIN)).toBe(3_300_000n);
    expect(costOf(tenths, used({ input: 1_000_000 }), 700_000)).toBe(70_000n);
  });

  test('cached tokens by the price of input when they have no own price', () => {
    const simple = readPrices({ input: '2', output: '8' });
    for (const usage of [{ input: 500_000 }, { cachedInput: 500_000 }, { cacheWrite: 500_000 }])
      expect(costOf(simple, used(usage), PLAIN)).toBe(1_000_000n);
  });

  test('F35: for images by their number and kind, with the closest price', () => {
    const pictures = readPrices({ images: { '1024x1024/high': '0.2', '1024x1024/*': '0.1', '*/high': '0.3', default: '0.5' } });
    const cost = (images: Record<string, number>) => costOf(pictures, used({ images }), PLAIN);
    expect([cost({ '1024x1024/high': 3 }), cost({ '1024x1024/low': 1 }), cost({ '1536x1024/high': 1 }), cost({ 'auto/auto': 2 })]).toEqual([
      ...[600_000n, 100_000n, 300_000n, 1_000_000n],
    ]);
    expect(cost({ '1024x1024/high': 1, '1536x1024/low': 1 })).toBe(700_000n);
  });

  test('nothing for a free model', () => {
    fc.assert(fc.property(metered, multipliers, (usage, multiplier) => costOf(readPrices('free'), usage, multiplier) === 0n));
  });

  test('never a negative amount, and nothing for counts that are no whole numbers', () => {
    fc.assert(fc.property(prices, metered, multipliers, (price, usage, multiplier) => costOf(price, usage, multiplier) >= 0n));
    const wrong = [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, -0];
    for (const value of wrong)
      expect(costOf(gpt, used({ input: value, output: value, tools: { web_search_call: value } }), PLAIN)).toBe(0n);
  });

  test('never less for more of any class, or for a greater multiplier', () => {
    const classes = ['input', 'cachedInput', 'cacheWrite', 'output'] as const;
    fc.assert(
      fc.property(prices, metered, multipliers, fc.nat(1_000), (price, usage, multiplier, more) => {
        const cost = costOf(price, usage, multiplier);
        for (const name of classes) {
          const grown = Math.min(usage[name] + more, Number.MAX_SAFE_INTEGER);
          expect(costOf(price, { ...usage, [name]: grown }, multiplier)).toBeGreaterThanOrEqual(cost);
        }
        for (const [kind, n] of Object.entries(usage.images))
          expect(costOf(price, { ...usage, images: { ...usage.images, [kind]: n + more } }, multiplier)).toBeGreaterThanOrEqual(cost);
        for (const type of toolTypes) {
          const tools = { ...usage.tools, [type]: (usage.tools?.[type] ?? 0) + more };
          expect(costOf(price, { ...usage, tools }, multiplier)).toBeGreaterThanOrEqual(cost);
        }
        expect(costOf(price, usage, multiplier + more)).toBeGreaterThanOrEqual(cost);
      }),
    );
  });

  test('for one request at most as much as for its two parts, and at most a micro-dollar less', () => {
    fc.assert(
      fc.property(tokenPrices, fc.nat(1_000_000), fc.nat(1_000_000), multipliers, (price, one, other, multiplier) => {
        const cost = (input: number) => costOf(price, used({ input }), multiplier);
        expect(cost(one + other)).toBeLessThanOrEqual(cost(one) + cost(other));
        expect(cost(one + other)).toBeGreaterThanOrEqual(cost(one) + cost(other) - 1n);
      }),
    );
  });

  test('exactly at the bounds: the highest price, the most tokens, the greatest multiplier', () => {
    const dearest = readPrices({ input: '99999.999999', cachedInput: '99999.999999', cacheWrite: '99999.999999', output: '99999.999999' });
    const most = Number.MAX_SAFE_INTEGER;
    const all = used({ input: most, cachedInput: most, cacheWrite: most, output: most });
    expect(costOf(dearest, all, 100 * PLAIN)).toBe((4n * BigInt(most) * 99_999_999_999n * 100n + 999_999n) / 1_000_000n);
  });
});

describe('G3: the hold', () => {
  const bounds = fc.record({ inputTokens: fc.nat(10_000_000), outputTokens: fc.nat(1_280_000_000), toolCalls: fc.nat(100) });

  /** Divides a number into three parts. */
  const parts = (total: number, [one, other]: readonly [number, number]) => {
    const first = Math.floor(total * one);
    const second = Math.floor((total - first) * other);
    return [first, second, total - first - second] as const;
  };
  const share = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }));

  test('covers any usage within the bounds, whatever its classes', () => {
    fc.assert(
      fc.property(tokenPrices, bounds, share, share, multipliers, (price, limits, classes, left, multiplier) => {
        const [inputs, output, toolCalls] = [limits.inputTokens, limits.outputTokens, limits.toolCalls].map((most) =>
          Math.floor(most * left[0]),
        );
        const [input, cachedInput, cacheWrite] = parts(inputs ?? 0, classes);
        const [search, image, file] = parts(toolCalls ?? 0, left);
        const tools = { web_search_call: search, image_generation_call: image, file_search_call: file };
        const usage = used({ input, cachedInput, cacheWrite, output: output ?? 0, tools });
        const held = holdFor(price, { ...limits, images: 0, imageKind: 'auto/auto' }, multiplier);
        expect(costOf(price, usage, multiplier)).toBeLessThanOrEqual(held);
      }),
      { numRuns: 500 },
    );
  });

  test('is exactly the cost of the most expensive usage', () => {
    const limits: Bounds = { inputTokens: 1_001, outputTokens: 77, toolCalls: 2, images: 0, imageKind: 'auto/auto' };
    const dearest = used({ cacheWrite: 1_001, output: 77, tools: { web_search_call: 2 } });
    expect(holdFor(gpt, limits, 333_333)).toBe(costOf(gpt, dearest, 333_333));
  });

  test('covers n images of the requested kind, and of any kind for auto', () => {
    fc.assert(
      fc.property(
        ...([imagePrices, fc.integer({ min: 1, max: 10 }), fc.constantFrom(...sizes), fc.constantFrom(...qualities), multipliers] as const),
        ...([fc.constantFrom('1024x1024', '1536x1024'), fc.constantFrom('low', 'medium', 'high')] as const),
        (price, n, size, quality, multiplier, madeSize, madeQuality) => {
          const held = holdFor(price, { inputTokens: 0, outputTokens: 0, images: n, imageKind: `${size}/${quality}` }, multiplier);
          const made = `${size === 'auto' ? madeSize : size}/${quality === 'auto' ? madeQuality : quality}`;
          expect(costOf(price, used({ images: { [made]: n } }), multiplier)).toBeLessThanOrEqual(held);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('is zero only if no usage within the bounds costs anything, or the prices are of another kind', () => {
    const pictures = fc.record({ images: fc.integer({ min: 1, max: 10 }), imageKind: pictureKinds });
    const anyBounds = fc.oneof(
      bounds.map((words): Bounds => ({ ...words, images: 0, imageKind: 'auto/auto' })),
      pictures.map((drawn): Bounds => ({ ...drawn, inputTokens: 0, outputTokens: 0 })),
    );
    fc.assert(
      fc.property(prices, anyBounds, metered, (price, limits, usage) => {
        if (holdFor(price, limits, PLAIN) > 0n || !canPrice(price, limits)) return;
        const within: Partial<Metered> = {
          ...(limits.images === 0 && {
            input: Math.min(usage.input, limits.inputTokens),
            output: Math.min(usage.output, limits.outputTokens),
          }),
          ...(limits.images > 0 && { images: { [limits.imageKind]: limits.images } }),
        };
        expect(costOf(price, used(within), PLAIN)).toBe(0n);
      }),
      { numRuns: 2_000 },
    );
    const words: Bounds = { inputTokens: 10, outputTokens: 10, images: 0, imageKind: 'auto/auto' };
    const drawn: Bounds = { ...words, images: 2 };
    const byPicture = readPrices({ images: { default: '0.25' } });
    expect([gpt, byPicture, readPrices('free')].map((price) => [canPrice(price, words), canPrice(price, drawn)])).toEqual([
      [true, false],
      [false, true],
      [true, true],
    ]);
  });

  test('is the same for the same request, and zero for a free model', () => {
    fc.assert(
      fc.property(prices, bounds, multipliers, (price, limits, multiplier) => {
        const all = { ...limits, images: 3, imageKind: '1024x1024/low' };
        expect(holdFor(price, all, multiplier)).toBe(holdFor(price, { ...all }, multiplier));
        if (price.kind === 'free') expect(holdFor(price, all, multiplier)).toBe(0n);
      }),
    );
  });
});

describe('a receipt', () => {
  const digits = (text: string) => BigInt(text.replace('.', ''));

  test('adds up to the cost: lines, subtotal, multiplier and rounding', () => {
    fc.assert(
      fc.property(prices, metered, multipliers, (price, usage, multiplier) => {
        const { lines, subtotal, rounding, cost } = itemise({ metered: usage, multiplier }, price);
        const amounts = lines.map(
          ({ quantity, price: each, per }) => BigInt(quantity) * digits(each) * (per === 'million_tokens' ? 1n : 1_000_000n),
        );
        expect(lines.map(({ amount }) => digits(amount))).toEqual(amounts);
        expect(digits(subtotal)).toBe(amounts.reduce((sum, amount) => sum + amount, 0n));
        expect(digits(subtotal) * BigInt(multiplier) + digits(rounding)).toBe(digits(cost) * 10n ** 12n);
        expect(digits(rounding)).toBeLessThan(10n ** 12n);
        expect(digits(cost)).toBe(costOf(price, usage, multiplier));
      }),
      { numRuns: 500 },
    );
  });

  test('has no lines without usage or without prices', () => {
    const empty = { lines: [], subtotal: '0.000000000000', rounding: '0.000000000000000000', cost: '0.000000', multiplier: '1.000000' };
    expect(itemise({ metered: null, multiplier: PLAIN }, gpt)).toEqual(empty);
    expect(itemise({ metered: used({ input: 5 }), multiplier: PLAIN }, null)).toEqual(empty);
  });
});
