/** What vendors bill beside tokens, calls of hosted tools and service tiers: without a price, the upstream never gets them. */
import { describe, expect, test } from 'vitest';
import { chatCompletion, chatFrames } from '../../fakes/chat.ts';
import { json, stream } from '../../fakes/delivery.ts';
import { response, responseFrames } from '../../fakes/responses.ts';
import { endedCharge } from '../../harness/ended-charge.ts';
import { useOpened } from '../../harness/opened.ts';
import { expectRefusal } from '../../harness/refusal.ts';
import { openStage } from './stage.ts';

const stage = useOpened(
  () => {
    const declared = { input: '1', output: '4', tools: { web_search_call: '0.01', mcp_call: '0' } };
    const more = [{ id: 'declared', kind: 'text', prices: declared, maxOutputTokens: 1_000, upstreamModel: 'gpt-5.4' }];
    const turned = ['priced', 'plain'].map((name) => ({
      id: `${name}-turned`,
      kind: 'text',
      protocols: ['responses'],
      upstreamModel: 'gpt-5.4',
    }));
    const prices = [
      { input: '1', output: '4', tools: { web_search_call: '0.01' } },
      { input: '1', output: '4' },
    ];
    return openStage({}, [...more, ...turned.map((model, index) => ({ ...model, maxOutputTokens: 1_000, prices: prices[index] }))]);
  },
  (stage) => stage.fake.clear(),
);

const respond = (model: string, more: object) =>
  stage.gateway.call('/responses', { json: { model, input: 'News?', store: false, ...more } });
const chat = (model: string, more: object) =>
  stage.gateway.call('/chat/completions', { json: { model, messages: [{ role: 'user', content: 'News?' }], ...more } });

async function chargedFor(answer: Response): Promise<bigint> {
  expect(answer.status).toBe(200);
  await answer.arrayBuffer();
  const ledger = stage.gateway.gateway.money?.ledger;
  if (!ledger) throw new Error('billing is off');
  return (await endedCharge(ledger, answer.headers.get('x-request-id') ?? '')).charged;
}

const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
const search = (index: number) => ({
  id: `ws_${index}`,
  type: 'web_search_call',
  status: 'completed',
  action: { type: 'search', query: 'a' },
});
const tenSearches = () => ({ ...response({ usage }), output: Array.from({ length: 10 }, (_, index) => search(index)) });

describe('B4: a hosted tool that has no price', () => {
  const unpriced = ['web_search', 'file_search', 'code_interpreter', 'image_generation', 'mcp', 'shell', 'programmatic_tool_calling'];
  const own = { type: 'function', name: 'look' };
  const hosted = (type: string) => ({ type, ...(type === 'mcp' && { server_label: 'a', server_url: 'https://a.example' }) });

  test.each(unpriced)("omits it and names it in the header when it's only offered: %s", async (type) => {
    const tools = [own, hosted(type)];
    for (const choice of [{}, { tool_choice: 'auto' }, { tool_choice: 'required' }, { tool_choice: { type: 'function', name: 'look' } }]) {
      const answer = await respond('plain', { tools, ...choice });
      expect([answer.status, answer.headers.get('x-modelgate-dropped')]).toEqual([200, 'tools[1]']);
      expect(stage.fake.last.fields).toMatchObject({ tools: [own], ...choice });
    }
    const input = [
      { type: 'additional_tools', tools },
      { role: 'user', content: 'Hi' },
    ];
    expect((await respond('plain', { input })).headers.get('x-modelgate-dropped')).toBe('input[0].tools[1]');
    expect(stage.fake.last.fields).toMatchObject({ input: [{ tools: [own] }, {}] });
  });

  test('omits it beside other tools, and omits the tool choice when no tool remains', async () => {
    const offered = [hosted('web_search'), hosted('image_generation')];
    const answer = await respond('plain', { tools: [...offered, own] });
    expect([answer.status, answer.headers.get('x-modelgate-dropped')]).toEqual([200, 'tools[0], tools[1]']);
    expect(stage.fake.last.fields.tools).toEqual([own]);
    expect((await respond('declared', { tools: offered })).headers.get('x-modelgate-dropped')).toBe('tools[1]');
    expect(stage.fake.last.fields.tools).toEqual([hosted('web_search')]);
    expect((await respond('plain', { tools: offered, tool_choice: 'auto' })).status).toBe(200);
    expect(stage.fake.last.fields).not.toHaveProperty('tools');
    expect(stage.fake.last.fields).not.toHaveProperty('tool_choice');
  });

  test.each(unpriced)('rejects it by its position when tool_choice requires it: %s', async (type) => {
    const other = hosted(type === 'web_search' ? 'image_generation' : 'web_search');
    const tools = [own, other, hosted(type)];
    for (const tool_choice of [hosted(type), { type: 'allowed_tools', mode: 'auto', tools: [{ type }] }])
      await expectRefusal(await respond('plain', { tools, tool_choice }), { code: 'unsupported_value', param: 'tools[2]' });
    const alone = { tools: [hosted(type)], tool_choice: 'required' };
    await expectRefusal(await respond('plain', alone), { code: 'unsupported_value', param: 'tools[0]' });
    expect(stage.fake.requests).toEqual([]);
  });

  test('forwards it when its price is 0 or the model is free', async () => {
    const tools = [{ type: 'mcp', server_label: 'a', server_url: 'https://a.example' }];
    expect((await respond('declared', { tools })).status).toBe(200);
    expect((await respond('gift', { tools })).status).toBe(200);
    expect(stage.fake.requests).toHaveLength(2);
  });

  test('rejects it when a chat has web_search_options', async () => {
    await expectRefusal(await chat('plain', { web_search_options: {} }), { code: 'unsupported_value', param: 'web_search_options' });
    expect(stage.fake.requests).toEqual([]);
  });
});

describe('B4: a service tier', () => {
  test.each(['priority', 'flex', 'scale', 'fast', 'ultrafast'])(
    'rejects one without a price, unless the model is free: %s',
    async (tier) => {
      await expectRefusal(await chat('priced', { service_tier: tier }), { code: 'unsupported_value', param: 'service_tier' });
      await expectRefusal(await respond('priced', { service_tier: tier }), { code: 'unsupported_value', param: 'service_tier' });
      expect(stage.fake.requests).toEqual([]);
      expect((await chat('gift', { service_tier: tier })).status).toBe(200);
    },
  );

  test.each(['auto', 'default', null])('forwards one that costs nothing extra: %s', async (tier) => {
    expect((await chat('priced', { service_tier: tier })).status).toBe(200);
    expect(stage.fake.last.fields.service_tier).toBe(tier);
  });
});

describe('B3: searches', () => {
  const tools = [{ type: 'web_search' }];
  test.each([
    ['the tools', { tools }],
    [
      'an item of additional tools',
      {
        input: [
          { type: 'additional_tools', tools },
          { role: 'user', content: 'News?' },
        ],
      },
    ],
    [
      'what a search for tools found',
      {
        input: [
          { type: 'tool_search_output', call_id: 'c1', tools },
          { role: 'user', content: 'News?' },
        ],
      },
    ],
  ])('charges each of them when the tool is declared in %s', async (_where, more) => {
    stage.fake.next(json(tenSearches()));
    expect(await chargedFor(await respond('priced', more))).toBe(100_030n);
  });

  test("charges one that the request doesn't declare", async () => {
    stage.fake.next(json({ ...tenSearches(), output: [search(0)] }));
    const answer = await respond('priced', { input: 'x'.repeat(20_000) });
    expect(await chargedFor(answer)).toBe(10_030n);
  });

  test.each([false, true])('charges one for a chat that requests a search, stream: %s', async (isStream) => {
    const counted = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
    stage.fake.next(isStream ? stream(chatFrames({ usage: counted, includeUsage: true })) : json(chatCompletion({ usage: counted })));
    expect(await chargedFor(await chat('priced', { web_search_options: {}, stream: isStream }))).toBe(10_030n);
  });

  test.each([
    ['priced-turned', false],
    ['priced-turned', true],
    ['plain-turned', false],
  ])('charges none when web_search_options is omitted upstream and named: model %s, stream: %s', async (model, isStream) => {
    stage.fake.next(isStream ? stream(responseFrames({ usage })) : json(response({ usage })));
    const answer = await chat(model, { web_search_options: {}, stream: isStream });
    expect(answer.headers.get('x-modelgate-dropped')).toBe('web_search_options');
    expect(await chargedFor(answer)).toBe(30n);
    expect(stage.fake.last.body.toString()).not.toContain('web_search');
  });
});
