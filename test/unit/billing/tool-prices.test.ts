/** Tools that an upstream runs by itself: what their calls may cost, as an operator writes it, is held before and charged after (F35). */
import { describe, expect, test } from 'vitest';
import { boundsOf } from '../../../server/billing/cost-ceiling.ts';
import { openCatalog } from '../../../server/config/catalog.ts';
import { loadConfig } from '../../../server/config/config.ts';
import { Prices } from '../../../server/config/prices.ts';
import { jsonBody } from '../../../server/dialects/wire/json-body.ts';
import { costOf, holdFor } from '../../../server/ledger/charge.ts';
import { readPrices } from '../../../server/ledger/prices.ts';

const [model] = openCatalog(loadConfig({}, {})).list();
if (!model) throw new Error('the standard catalog is empty');
const windowed = { ...model, contextWindow: 100_000, maxOutputTokens: 1_000 };

const boundsFor = (more: object) => {
  const asked = { model: model.id, input: 'hello', ...more };
  return boundsOf({ asked, body: jsonBody(asked), isImage: false }, windowed);
};
const search = { tools: [{ type: 'function', name: 'look' }, { type: 'web_search' }] };

describe('the price of a call', () => {
  test('is written beside the prices of tokens', () => {
    const tools = { web_search_call: '0.01', image_generation_call: '0.04' };
    expect(Prices.safeParse({ input: '1', output: '4', tools })).toMatchObject({ success: true, data: { tools } });
  });

  test.each(['function_call', 'custom_tool_call', 'web_search', 'Web_search_call'])(
    'cannot be set for %s: no upstream runs such',
    (name) => {
      expect(Prices.safeParse({ input: '1', output: '4', tools: { [name]: '0.01' } }).success).toBe(false);
    },
  );
});

describe('a request', () => {
  test('without such tools holds nothing for them', () => {
    for (const tools of [
      undefined,
      [],
      search.tools.slice(0, 1),
      [{ type: 'local_shell' }, { type: 'apply_patch' }, { type: 'custom', name: 'note' }],
    ])
      expect(boundsFor({ tools })).toMatchObject({ toolCalls: 0, inputTokens: expect.toSatisfy((count: number) => count < 1_000) });
  });

  test('with such tools holds for as many calls as it allows, for 16 where it does not say, and for a full window, since they read by themselves', () => {
    expect(boundsFor(search)).toMatchObject({ toolCalls: 16, inputTokens: 100_000 });
    expect(boundsFor({ ...search, max_tool_calls: 3 })).toMatchObject({ toolCalls: 3, inputTokens: 100_000 });
  });

  test('is charged for each call by its type, once for all classes rounded up, and holds at least as much', () => {
    const prices = readPrices({ input: '1', output: '4', tools: { web_search_call: '0.01', image_generation_call: '0.04' } });
    const metered = { input: 10, cachedInput: 0, cacheWrite: 0, output: 5, reasoning: 0, images: {} };
    const tools = { web_search_call: 2, image_generation_call: 1, mcp_call: 7 };
    expect(costOf(prices, { ...metered, tools }, 1_000_000)).toBe(60_030n);
    expect(costOf(prices, { ...metered, tools }, 333_333)).toBe(20_010n);
    expect(holdFor(prices, boundsFor({ ...search, max_tool_calls: 3 }), 1_000_000)).toBe(100_000n + 4_000n + 3n * 40_000n);
  });

  test('of a model whose calls have no price is charged for its tokens alone', () => {
    const prices = readPrices({ input: '1', output: '4' });
    const metered = { input: 10, cachedInput: 0, cacheWrite: 0, output: 5, reasoning: 0, images: {}, tools: { web_search_call: 9 } };
    expect(costOf(prices, metered, 1_000_000)).toBe(30n);
  });
});
