/** Prices of hosted tools: how an operator configures them, how much is held for their calls, and how much is charged (F35). */
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

describe('the price of a tool call', () => {
  test('is accepted together with token prices', () => {
    const tools = { web_search_call: '0.01', image_generation_call: '0.04' };
    expect(Prices.safeParse({ input: '1', output: '4', tools })).toMatchObject({ success: true, data: { tools } });
  });

  test.each(['function_call', 'custom_tool_call', 'web_search', 'Web_search_call'])(
    'is refused for %s, which is not a type of hosted call',
    (name) => {
      expect(Prices.safeParse({ input: '1', output: '4', tools: { [name]: '0.01' } }).success).toBe(false);
    },
  );
});

describe('a request', () => {
  test('without hosted tools has neither tool calls nor the whole context window in its bounds', () => {
    for (const tools of [
      undefined,
      [],
      search.tools.slice(0, 1),
      [{ type: 'local_shell' }, { type: 'apply_patch' }, { type: 'custom', name: 'note' }],
    ])
      expect(boundsFor({ tools })).toMatchObject({ toolCalls: 0, inputTokens: expect.toSatisfy((count: number) => count < 1_000) });
  });

  test('with hosted tools is bounded to max_tool_calls, by default 16, and to the whole context window', () => {
    expect(boundsFor(search)).toMatchObject({ toolCalls: 16, inputTokens: 100_000 });
    expect(boundsFor({ ...search, max_tool_calls: 3 })).toMatchObject({ toolCalls: 3, inputTokens: 100_000 });
  });

  test('is charged for each call by its type, rounded up once, and holds the highest price for each allowed call', () => {
    const prices = readPrices({ input: '1', output: '4', tools: { web_search_call: '0.01', image_generation_call: '0.04' } });
    const metered = { input: 10, cachedInput: 0, cacheWrite: 0, output: 5, reasoning: 0, images: {} };
    const tools = { web_search_call: 2, image_generation_call: 1, mcp_call: 7 };
    expect(costOf(prices, { ...metered, tools }, 1_000_000)).toBe(60_030n);
    expect(costOf(prices, { ...metered, tools }, 333_333)).toBe(20_010n);
    expect(holdFor(prices, boundsFor({ ...search, max_tool_calls: 3 }), 1_000_000)).toBe(100_000n + 4_000n + 3n * 40_000n);
  });

  test('is charged for its tokens only where tool calls have no price', () => {
    const prices = readPrices({ input: '1', output: '4' });
    const metered = { input: 10, cachedInput: 0, cacheWrite: 0, output: 5, reasoning: 0, images: {}, tools: { web_search_call: 9 } };
    expect(costOf(prices, metered, 1_000_000)).toBe(30n);
  });
});
