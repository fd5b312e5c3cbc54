/** Tool search, namespaces and hosted tools of coding agents, over upstreams that have none of these. */
import { describe, expect, test } from 'vitest';
import { useOpened } from '../harness/opened.ts';
import { clearFakes, type Kind, modelOver, openPairs } from '../harness/pairs.ts';
import { expectRefusal } from '../harness/refusal.ts';

type Fields = Readonly<Record<string, unknown>>;
const unlike = ['chat', 'anthropic', 'gemini'] as const;

const pairs = useOpened(() => openPairs(), clearFakes);

const post = (kind: Kind, fields: Fields) =>
  pairs.gateway.call('/responses', { json: { model: modelOver(kind), input: 'Hello', store: false, ...fields } });

async function served(kind: Kind, fields: Fields): Promise<Response> {
  pairs.expectToSay(kind, { text: 'Fine.' });
  const answer = await post(kind, fields);
  const text = await answer.text();
  expect({ status: answer.status, text: answer.status === 200 ? '' : text }).toEqual({ status: 200, text: '' });
  return answer;
}
const sentTo = (kind: Kind): Fields => pairs.fakes[kind].last.fields;
/** The names of the tools in the request to the vendor, in any wire format. */
const namesTo = (kind: Kind): readonly string[] =>
  [...JSON.stringify(sentTo(kind).tools ?? []).matchAll(/"name":"([^"]+)"/g)].map(([, name]) => String(name));

const parameters = { type: 'object', properties: { city: { type: 'string' } } };
const tool = (name: string) => ({ type: 'function', name, description: `Asks ${name}.`, parameters });
const crm = { type: 'namespace', name: 'crm', description: 'Customers.', tools: [tool('find'), tool('remove')] };
const shop = { type: 'namespace', name: 'shop', description: 'Orders.', tools: [tool('find'), { type: 'custom', name: 'edit' }] };
const search = { type: 'tool_search', execution: 'client', description: 'Finds tools.', parameters };
const web = { type: 'web_search', external_web_access: true };

const asked = { type: 'tool_search_call', call_id: 'call_s', status: 'completed', execution: 'client', arguments: { query: 'a' } };
const found = (...tools: readonly Fields[]) => ({
  type: 'tool_search_output',
  call_id: 'call_s',
  status: 'completed',
  execution: 'client',
  tools,
});
const user = { type: 'message', role: 'user', content: 'Hello' };

describe('tools that an agent found by tool_search', () => {
  test.each(unlike)('offers them over %s, and names in the header what it omits', async (kind) => {
    const answer = await served(kind, { tools: [tool('plain'), search], input: [user, asked, found(crm), user] });
    expect(namesTo(kind)).toEqual(['plain', 'crm__find', 'crm__remove']);
    expect(JSON.stringify(sentTo(kind))).not.toContain('tool_search');
    expect(answer.headers.get('x-modelgate-dropped')).toBe('tools[1], input[1], input[2].tools[0].description');
  });

  test.each(unlike)('offers them once over %s when they were found twice', async (kind) => {
    await served(kind, { tools: [tool('plain'), search], input: [user, found(crm, tool('plain')), asked, found(crm)] });
    expect(namesTo(kind)).toEqual(['plain', 'crm__find', 'crm__remove']);
  });

  test.each(unlike)('serves the call over %s with the other tools when none was found', async (kind) => {
    await served(kind, { tools: [tool('plain'), search], input: [user, asked, found(), user] });
    expect(namesTo(kind)).toEqual(['plain']);
  });

  test.each(unlike)('returns their calls over %s with the namespace', async (kind) => {
    pairs.expectToSay(kind, { calls: [{ id: 'call_1', name: 'find', namespace: 'crm', input: '{"city":"Oslo"}' }] });
    const answer = await post(kind, { tools: [search], input: [user, asked, found(crm)] });
    expect(await answer.json()).toMatchObject({
      output: [
        {
          type: 'function_call',
          call_id: expect.stringMatching(/^call_1(_|$)/),
          name: 'find',
          namespace: 'crm',
          arguments: '{"city":"Oslo"}',
        },
      ],
    });
  });

  test.each(unlike)("offers them over %s without one that the upstream can't run, and names its position", async (kind) => {
    const answer = await served(kind, { input: [user, asked, found(tool('plain'), { type: 'file_search' })] });
    expect(namesTo(kind)).toEqual(['plain']);
    expect(answer.headers.get('x-modelgate-dropped')).toBe('input[2].tools[1], input[1]');
  });

  test('forwards them unchanged to a responses upstream, with the search', async () => {
    const sent = { tools: [tool('plain'), search, web], input: [user, asked, found(crm), user] };
    const answer = await served('responses', sent);
    expect(sentTo('responses')).toMatchObject(sent);
    expect(answer.headers.has('x-modelgate-dropped')).toBe(false);
  });
});

const image = { type: 'image_generation', output_format: 'png' };

describe('a hosted tool', () => {
  const over = { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'rain' } };

  test.each(unlike)("omits it over %s when it's only offered, and names it in the header and the log", async (kind) => {
    const answer = await served(kind, { tools: [image, tool('plain'), web], input: [user, over, user], 'brand new': 1 });
    expect(namesTo(kind)).toEqual(['plain']);
    const dropped = ['brand?new', 'tools[0]', 'tools[2]', 'input[1]'];
    expect(answer.headers.get('x-modelgate-dropped')).toBe(dropped.join(', '));
    expect(await pairs.gateway.lineOf(answer)).toMatchObject({ status: 200, dropped });
  });

  test("names 32 fields in the header and counts the others when it's in 500 input items", async () => {
    const answer = await served('chat', { input: [user, ...Array.from({ length: 500 }, () => over), user] });
    expect(answer.headers.get('x-modelgate-dropped')).toMatch(/^input\[1\], .*, input\[32\], and-468-more$/);
  });

  test.each(unlike)('rejects it over %s when tool_choice requires it', async (kind) => {
    for (const choice of [{ type: 'web_search' }, { type: 'tool_search' }, { type: 'image_generation' }, 'required']) {
      const answer = await post(kind, { tools: [web, search, image], tool_choice: choice });
      await expectRefusal(answer, { code: 'unsupported_parameter', param: 'tool_choice' });
    }
    expect(pairs.fakes[kind].requests).toHaveLength(0);
  });

  test('sends no such header and logs no such field when nothing was omitted', async () => {
    const answer = await served('chat', { tools: [tool('plain')] });
    expect(answer.headers.has('x-modelgate-dropped')).toBe(false);
    expect(await pairs.gateway.lineOf(answer)).not.toHaveProperty('ignored');
  });
});

test('forwards a choice among tools in namespaces unchanged to a responses upstream', async () => {
  const choice = { type: 'function', name: 'find', namespace: 'shop' };
  await served('responses', { tools: [crm, shop], tool_choice: choice });
  expect(sentTo('responses')).toMatchObject({ tool_choice: choice });
});
