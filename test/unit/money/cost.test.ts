/** The cost of a request and its hold: exact, monotone, never negative, and never above the hold (promises G3 and G4). */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { computeCost } from '../../../server/money/cost.ts';
import { computePartialHold } from '../../../server/money/decide-hold.ts';
import {
  canPrice,
  computeHold,
  computeHoldRange,
  computeOutputLimit,
  findUnpricedOption,
  type UsageBounds,
} from '../../../server/money/hold-range.ts';
import { ANY_TIER, canBeFree, type Prices, readPrices } from '../../../server/money/prices.ts';
import { itemizeReceipt } from '../../../server/money/receipt.ts';
import type { MeteredUsage } from '../../../server/money/store.ts';
import { readRows } from '../../fixtures/rows.ts';

const PLAIN = 1_000_000;
const nothing: MeteredUsage = { input: 0, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0, images: {} };
const used = (some: Partial<MeteredUsage>): MeteredUsage => ({ ...nothing, ...some });

const sizes = ['1024x1024', '1536x1024', 'auto'];
const qualities = ['low', 'medium', 'high', 'auto'];
const toolTypes = ['web_search_call', 'image_generation_call', 'file_search_call'];

/** Any decimal that the configuration allows. */
const decimal = (most: number) =>
  fc
    .tuple(fc.nat(most - 1), fc.nat(999_999), fc.integer({ min: 0, max: 6 }))
    .map(([whole, fraction, places]) => (places === 0 ? `${whole}` : `${whole}.${String(fraction).padStart(6, '0').slice(0, places)}`));
const rate = decimal(100_000);
const rates = { input: rate, output: rate, cachedInput: rate, cacheWrite: rate };
const tools = fc.dictionary(fc.constantFrom(...toolTypes), decimal(1_000));
const required = { requiredKeys: ['input' as const, 'output' as const] };
const tokenPrices = fc.record({ ...rates, tools }, required).map(readPrices);
const media = { imageInput: rate, audioInput: rate, imageOutput: rate, audioOutput: rate };
const tiers = ['flex', 'priority'] as const;
/** With prices of media, of long requests, and of service tiers. */
const detailedPrices = fc
  .record(
    {
      ...rates,
      ...media,
      tools,
      longContext: fc.dictionary(fc.constantFrom('1000', '100000'), fc.record({ ...rates, ...media }, required)),
      serviceTiers: fc.dictionary(fc.constantFrom(...tiers), decimal(100)),
    },
    required,
  )
  .map(readPrices);
const pictureKinds = fc.tuple(fc.constantFrom(...sizes, '*'), fc.constantFrom(...qualities, '*')).map((parts) => parts.join('/'));
const imagePrices = fc
  .tuple(fc.dictionary(pictureKinds, decimal(1_000)), decimal(1_000))
  .map(([images, other]) => readPrices({ images: { ...images, default: other } }));
const multipliers = fc.oneof(fc.constant(PLAIN), fc.integer({ min: 0, max: 100 * PLAIN }));

const counts = fc.oneof(fc.nat(5), fc.nat(1_000_000), fc.nat(Number.MAX_SAFE_INTEGER));
const calls = fc.dictionary(fc.constantFrom(...toolTypes), fc.nat(1_000));
const metered: fc.Arbitrary<MeteredUsage> = fc.record({
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

/** With the multiplier 1. */
interface Row {
  readonly title: string;
  readonly prices: Parameters<typeof readPrices>[0];
  readonly usage: Partial<MeteredUsage>;
  readonly micros: number;
  /** Class, quantity, price and amount of each line of the receipt. */
  readonly lines?: readonly (readonly [string, number, string, string])[];
}

describe('the gateway', () => {
  test.each(readRows<Row>('costs'))('charges $title', ({ prices, usage, micros, lines }) => {
    const [price, metered] = [readPrices(prices), used(usage)];
    expect(computeCost(price, metered, PLAIN)).toBe(BigInt(micros));
    if (!lines) return;
    const receipt = itemizeReceipt({ metered, multiplier: PLAIN }, price);
    expect(receipt.lines.map((line) => [line.class, line.quantity, line.price, line.amount])).toEqual(lines);
  });

  test('charges nothing for a free model', () => {
    fc.assert(fc.property(metered, multipliers, (usage, multiplier) => computeCost(readPrices('free'), usage, multiplier) === 0n));
  });

  test("charges no negative amount, and nothing for counts that aren't whole numbers", () => {
    fc.assert(fc.property(prices, metered, multipliers, (price, usage, multiplier) => computeCost(price, usage, multiplier) >= 0n));
    const wrong = [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, -0];
    for (const value of wrong) {
      const usage = used({ input: value, output: value, tools: { web_search_call: value } });
      expect(computeCost(gpt, usage, PLAIN)).toBe(0n);
      expect(itemizeReceipt({ metered: usage, multiplier: PLAIN }, gpt).lines).toEqual([]);
    }
  });

  test('charges exactly at the bounds: the highest price, the most tokens, the greatest multiplier', () => {
    const dearest = readPrices({ input: '99999.999999', cachedInput: '99999.999999', cacheWrite: '99999.999999', output: '99999.999999' });
    const most = Number.MAX_SAFE_INTEGER;
    const all = used({ input: most, cachedInput: most, cacheWrite: most, output: most });
    expect(computeCost(dearest, all, 100 * PLAIN)).toBe((4n * BigInt(most) * 99_999_999_999n * 100n + 999_999n) / 1_000_000n);
  });
});

describe('G3: the hold', () => {
  const bounds = fc.record({ inputTokens: fc.nat(10_000_000), outputTokens: fc.nat(1_280_000_000), toolCalls: fc.nat(100) });

  const anyTier = fc.constantFrom(undefined, ...tiers);

  /** Divides a number into three parts. */
  const parts = (total: number, [one, other]: readonly [number, number]) => {
    const first = Math.floor(total * one);
    const second = Math.floor((total - first) * other);
    return [first, second, total - first - second] as const;
  };
  const share = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }));

  test('covers any usage within the bounds, whatever its classes', () => {
    fc.assert(
      fc.property(detailedPrices, bounds, share, share, multipliers, anyTier, (price, limits, classes, left, multiplier, serviceTier) => {
        const [inputs = 0, output = 0, toolCalls = 0] = [limits.inputTokens, limits.outputTokens, limits.toolCalls].map((most) =>
          Math.floor(most * left[0]),
        );
        const [input, cachedInput, cacheWrite] = parts(inputs, classes);
        const [imageInput, audioInput] = parts(input, left);
        const [imageOutput, audioOutput] = parts(output, left);
        const [search, image, file] = parts(toolCalls, left);
        const calls = { web_search_call: search, image_generation_call: image, file_search_call: file };
        const tokens = { input, imageInput, audioInput, cachedInput, cacheWrite, output, imageOutput, audioOutput };
        const usage = used({ ...tokens, tools: calls, ...(serviceTier !== undefined && { serviceTier }) });
        for (const asked of [serviceTier, ANY_TIER]) {
          const held = {
            ...limits,
            images: 0,
            imageKind: 'auto/auto',
            hasAudio: () => true,
            ...(asked !== undefined && { serviceTier: asked }),
          };
          expect(computeCost(price, usage, multiplier)).toBeLessThanOrEqual(computeHold(price, held, multiplier));
        }
      }),
      { numRuns: 500 },
    );
  });

  test('equals the cost of the most expensive usage', () => {
    const limits: UsageBounds = { inputTokens: 1_001, outputTokens: 77, toolCalls: 2, images: 0, imageKind: 'auto/auto' };
    const dearest = used({ cacheWrite: 1_001, output: 77, tools: { web_search_call: 2 } });
    expect(computeHold(gpt, limits, 333_333)).toBe(computeCost(gpt, dearest, 333_333));
  });

  test('covers n images of the requested kind, and of any kind for auto', () => {
    fc.assert(
      fc.property(
        ...([imagePrices, fc.integer({ min: 1, max: 10 }), fc.constantFrom(...sizes), fc.constantFrom(...qualities), multipliers] as const),
        ...([fc.constantFrom('1024x1024', '1536x1024'), fc.constantFrom('low', 'medium', 'high')] as const),
        (price, n, size, quality, multiplier, madeSize, madeQuality) => {
          const held = computeHold(price, { inputTokens: 0, outputTokens: 0, images: n, imageKind: `${size}/${quality}` }, multiplier);
          const made = `${size === 'auto' ? madeSize : size}/${quality === 'auto' ? madeQuality : quality}`;
          expect(computeCost(price, used({ images: { [made]: n } }), multiplier)).toBeLessThanOrEqual(held);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('equals zero only if no usage within the bounds costs anything, or the prices are of another kind', () => {
    const pictures = fc.record({ images: fc.integer({ min: 1, max: 10 }), imageKind: pictureKinds });
    const anyBounds = fc.oneof(
      bounds.map((words): UsageBounds => ({ ...words, images: 0, imageKind: 'auto/auto' })),
      pictures.map((drawn): UsageBounds => ({ ...drawn, inputTokens: 0, outputTokens: 0 })),
    );
    fc.assert(
      fc.property(prices, anyBounds, metered, (price, limits, usage) => {
        if (computeHold(price, limits, PLAIN) > 0n || !canPrice(price, limits)) return;
        const within: Partial<MeteredUsage> = {
          ...(limits.images === 0 && {
            input: Math.min(usage.input, limits.inputTokens),
            output: Math.min(usage.output, limits.outputTokens),
          }),
          ...(limits.images > 0 && { images: { [limits.imageKind]: limits.images } }),
        };
        expect(computeCost(price, used(within), PLAIN)).toBe(0n);
      }),
      { numRuns: 2_000 },
    );
    const words: UsageBounds = { inputTokens: 10, outputTokens: 10, images: 0, imageKind: 'auto/auto' };
    const drawn: UsageBounds = { ...words, images: 2 };
    const byPicture = readPrices({ images: { default: '0.25' } });
    expect([gpt, byPicture, readPrices('free')].map((price) => [canPrice(price, words), canPrice(price, drawn)])).toEqual([
      [true, true],
      [false, true],
      [true, true],
    ]);
  });

  test('includes no tool calls if none are allowed', () => {
    expect(computeHold(gpt, { inputTokens: 1_000, outputTokens: 10, images: 0, imageKind: 'auto/auto' }, PLAIN)).toBe(1_600n);
  });
});

describe('C3: a call without an output limit', () => {
  /** 50,000 tokens of the dearest class of input cost 75,000 micro-dollars, and each token of output 10. */
  const three: UsageBounds = {
    inputTokens: 50_000,
    outputTokens: 300_000,
    unlimitedOutput: { choiceCount: 3, maxTokensPerChoice: 100_000 },
    images: 0,
    imageKind: 'auto/auto',
  };
  const { unlimitedOutput: _, ...limited } = three;
  const drawn: UsageBounds = { ...three, inputTokens: 0, outputTokens: 0, images: 2, imageKind: '1024x1024/high' };
  const pictures = readPrices({ images: { default: '0.04' } });
  const withoutOutput = readPrices({ input: '1.5', output: '0' });

  test.each([
    ['the longest responses, or at least 1,024 tokens of each', gpt, three, PLAIN, 3_075_000n, 105_720n, true],
    ['its tool calls in addition', gpt, { ...three, toolCalls: 2 }, PLAIN, 3_095_000n, 125_720n, true],
    ['nothing in a group that pays nothing', gpt, three, 0, 0n, 0n, true],
    ['its input alone if output is free', withoutOutput, three, PLAIN, 75_000n, 75_000n, false],
    ['nothing if the model is free', readPrices('free'), three, PLAIN, 0n, 0n, false],
    ['all of its images', pictures, drawn, PLAIN, 80_000n, 80_000n, false],
    ['all of its output if the caller limits it', gpt, limited, PLAIN, 3_075_000n, 3_075_000n, false],
  ] as const)('holds %s', (_what, price, bounds, multiplier, amount, least, isOpen) => {
    expect(computeHoldRange(price, bounds, multiplier)).toEqual({ amount, least, isOpen });
  });

  test.each([
    ['is what is left after the input, divided by the answers', gpt, three, 1_000_000n, PLAIN, 30_833],
    ['is 1,024 for the least amount', gpt, three, 105_720n, PLAIN, 1_024],
    ['is what is left after the input and the tool calls', gpt, { ...three, toolCalls: 2 }, 1_000_000n, PLAIN, 30_166],
    ['is at most the longest answer', gpt, three, 3_075_031n, PLAIN, 100_000],
    ['is the longest answer in a group that pays nothing', gpt, three, 0n, 0, 100_000],
    ['is the longest answer if the model is free', readPrices('free'), three, 0n, PLAIN, 100_000],
    ['is the longest answer of a model that is priced by pictures', pictures, three, 0n, PLAIN, 100_000],
    ['is what is left for the one answer of a caller who limits it', gpt, limited, 80_000n, PLAIN, 500],
    ['is at most the limit of the caller', gpt, limited, 9_000_000n, PLAIN, 300_000],
  ] as const)('gets an output limit that %s', (_what, price, bounds, amount, multiplier, limit) => {
    expect(computeOutputLimit(price, bounds, { amount, multiplier })).toBe(limit);
  });

  test('gets the output that its amount pays for, to the token', () => {
    const multiplier = fc.integer({ min: 1, max: 100 * PLAIN });
    const answers = fc.integer({ min: 1, max: 8 });
    const price = tokenPrices.filter((one) => one.kind === 'tokens' && one.output > 0n);
    fc.assert(
      fc.property(price, fc.nat(200_000), answers, multiplier, fc.bigInt(0n, 1_000_000_000n), (each, inputTokens, n, factor, more) => {
        const longest = Number.MAX_SAFE_INTEGER;
        const bounds: UsageBounds = {
          ...three,
          inputTokens,
          outputTokens: longest,
          unlimitedOutput: { choiceCount: n, maxTokensPerChoice: longest },
        };
        const amount = computeHoldRange(each, bounds, factor).least + more;
        const limit = computeOutputLimit(each, bounds, { amount, multiplier: factor });
        const heldFor = (tokens: number) => computeHold(each, { ...bounds, outputTokens: tokens * n }, factor);
        expect(limit).toBeGreaterThanOrEqual(1_024);
        expect(heldFor(limit)).toBeLessThanOrEqual(amount);
        // At the longest answer there is no token more to pay for.
        if (limit < longest) expect(heldFor(limit + 1)).toBeGreaterThan(amount);
      }),
    );
  });
});

describe('C3: a call that may hold less than its highest cost', () => {
  test.each([
    ['the least and half of the remainder if no other call holds anything', { left: 101n, held: 0n }, 55n],
    ['the least and a sixteenth of the remainder beside another call', { left: 330n, held: 1n }, 30n],
    ['its highest cost if that is less', { left: 2_000n, held: 0n }, 500n],
    ['the least if no more is left', { left: 10n, held: 90n }, 10n],
    ["nothing, and is rejected, if the least isn't left", { left: 9n, held: 0n }, null],
  ] as const)('holds %s', (_what, funds, held) => {
    expect(computePartialHold(funds, { amount: 500n, least: 10n })).toBe(held);
  });
});

describe('a price', () => {
  test.each([
    ['free', 'free', true],
    ['free tokens, even if tools cost something', { input: '0', output: '0', tools: { mcp_call: '1' } }, true],
    ['output that costs something', { input: '0', output: '0.000001' }, false],
    ['input that costs something', { input: '0.000001', output: '0', cachedInput: '0', cacheWrite: '0' }, false],
    ['cached input that costs something', { input: '0', output: '0', cachedInput: '0.000001' }, false],
    ['cache writes that cost something', { input: '0', output: '0', cacheWrite: '0.000001' }, false],
    ['one free kind of image', { images: { '1024x1024/low': '0', default: '0.04' } }, true],
    ['no free kind of image', { images: { '1024x1024/low': '0.000001', default: '0.04' } }, false],
  ] as const)('decides whether calls can be free: %s', (_what, setting, isFree) => {
    expect(canBeFree(readPrices(setting))).toBe(isFree);
  });

  test('covers the tools in its list, and no service tier', () => {
    const tool = (name: string) => ({ kind: 'tool', name, path: `tools.${name}` }) as const;
    const tier = { kind: 'tier', name: 'web_search_call', path: 'service_tier' } as const;
    const free = readPrices({ input: '1', output: '2', tools: { mcp_call: '0' } });
    expect(findUnpricedOption(gpt, [tool('web_search_call')])).toBeUndefined();
    expect(findUnpricedOption(free, [tool('mcp_call')])).toBeUndefined();
    expect(findUnpricedOption(gpt, [tool('web_search_call'), tool('toString'), tool('mcp_call')])).toEqual(tool('toString'));
    expect(findUnpricedOption(gpt, [tool('web_search_call'), tier])).toEqual(tier);
    expect(findUnpricedOption(gpt)).toBeUndefined();
    for (const price of ['free', { images: { default: '0.04' } }] as const)
      expect(findUnpricedOption(readPrices(price), [tool('mcp_call'), tier])).toBeUndefined();
  });
});

describe('a receipt', () => {
  const digits = (text: string) => BigInt(text.replace('.', ''));

  test('adds up to the cost: lines, subtotal, multiplier and rounding', () => {
    fc.assert(
      fc.property(prices, metered, multipliers, (price, usage, multiplier) => {
        const { lines, subtotal, rounding, cost } = itemizeReceipt({ metered: usage, multiplier }, price);
        const amounts = lines.map(
          ({ quantity, price: each, per }) => BigInt(quantity) * digits(each) * (per === 'million_tokens' ? 1n : 1_000_000n),
        );
        expect(lines.map(({ amount }) => digits(amount))).toEqual(amounts);
        expect(digits(subtotal)).toBe(amounts.reduce((sum, amount) => sum + amount, 0n));
        expect(digits(subtotal) * BigInt(multiplier) + digits(rounding)).toBe(digits(cost) * 10n ** 12n);
        expect(digits(rounding)).toBeLessThan(10n ** 12n);
        expect(digits(cost)).toBe(computeCost(price, usage, multiplier));
      }),
      { numRuns: 500 },
    );
  });
});
