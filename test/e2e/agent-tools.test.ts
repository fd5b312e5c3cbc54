/** Tools that agents load, hide in namespaces or leave to the upstream, over upstreams that know none of it. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Kind, kinds, modelOver, openPairs, type Pairs } from '../harness/pairs.ts';
import { expectRefusal } from '../harness/refusal.ts';

type Fields = Readonly<Record<string, unknown>>;
const unlike = ['chat', 'anthropic', 'gemini'] as const;

let pairs: Pairs;
beforeAll(async () => {
  pairs = await openPairs();
});
afterAll(() => pairs.close());
beforeEach(() => {
  for (const kind of kinds) pairs.fakes[kind].clear();
});

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
/** The names of the tools that the vendor was told of, in whatever form it has them. */
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

describe('an agent that loads its tools one by one', () => {
  test.each(unlike)('has what it found offered over %s, and reads what was left out', async (kind) => {
    const answer = await served(kind, { tools: [tool('plain'), search], input: [user, asked, found(crm), user] });
    expect(namesTo(kind)).toEqual(['plain', 'crm__find', 'crm__remove']);
    expect(JSON.stringify(sentTo(kind))).not.toContain('tool_search');
    expect(answer.headers.get('x-modelgate-ignored')).toBe('tools[1], input[1], input[2].tools[0].description');
  });

  test.each(unlike)('has a tool that it found twice offered once over %s', async (kind) => {
    await served(kind, { tools: [tool('plain'), search], input: [user, found(crm, tool('plain')), asked, found(crm)] });
    expect(namesTo(kind)).toEqual(['plain', 'crm__find', 'crm__remove']);
  });

  test.each(unlike)('goes on over %s when it found nothing', async (kind) => {
    await served(kind, { tools: [tool('plain'), search], input: [user, asked, found(), user] });
    expect(namesTo(kind)).toEqual(['plain']);
  });

  test.each(unlike)('calls what it found over %s and reads the call with its namespace', async (kind) => {
    pairs.expectToSay(kind, { calls: [{ id: 'call_1', name: 'find', namespace: 'crm', input: '{"city":"Oslo"}' }] });
    const answer = await post(kind, { tools: [search], input: [user, asked, found(crm)] });
    expect(await answer.json()).toMatchObject({
      output: [{ type: 'function_call', call_id: 'call_1', name: 'find', namespace: 'crm', arguments: '{"city":"Oslo"}' }],
    });
  });

  test.each(unlike)('reads over %s where it found a tool that nobody there can run', async (kind) => {
    const answer = await post(kind, { input: [user, asked, found(tool('plain'), { type: 'file_search' })] });
    await expectRefusal(answer, { code: 'unsupported_parameter', param: 'input[2].tools[1].type', says: 'file_search' });
  });

  test('has all of it handed on to a responses upstream', async () => {
    const sent = { tools: [tool('plain'), search, web], input: [user, asked, found(crm), user] };
    const answer = await served('responses', sent);
    expect(sentTo('responses')).toMatchObject(sent);
    expect(answer.headers.has('x-modelgate-ignored')).toBe(false);
  });
});

describe('a hosted search', () => {
  const over = { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'rain' } };

  test.each(unlike)('that is offered is left out over %s, which the answer and the log say', async (kind) => {
    const answer = await served(kind, { tools: [tool('plain'), web], input: [user, over, user], 'brand new': 1 });
    expect(namesTo(kind)).toEqual(['plain']);
    const ignored = ['brand?new', 'tools[1]', 'input[1]'];
    expect(answer.headers.get('x-modelgate-ignored')).toBe(ignored.join(', '));
    expect(await pairs.gateway.lineOf(answer)).toMatchObject({ status: 200, ignored });
  });

  test('that comes back hundreds of times does not fill the header', async () => {
    const answer = await served('chat', { input: [user, ...Array.from({ length: 500 }, () => over), user] });
    expect(answer.headers.get('x-modelgate-ignored')).toMatch(/^input\[1\], .*, input\[32\], and-468-more$/);
  });

  test.each(unlike)('that is asked for is refused over %s', async (kind) => {
    for (const choice of [{ type: 'web_search' }, { type: 'tool_search' }, 'required']) {
      const answer = await post(kind, { tools: [web, search], tool_choice: choice });
      await expectRefusal(answer, { code: 'unsupported_parameter', param: 'tool_choice' });
    }
    expect(pairs.fakes[kind].requests).toHaveLength(0);
  });

  test('a call in which nothing was left out says nothing of it', async () => {
    const answer = await served('chat', { tools: [tool('plain')] });
    expect(answer.headers.has('x-modelgate-ignored')).toBe(false);
    expect(await pairs.gateway.lineOf(answer)).not.toHaveProperty('ignored');
  });
});

describe('a choice among tools in namespaces', () => {
  const named = (name: string, namespace?: string) => ({ type: 'function', name, ...(namespace !== undefined && { namespace }) });
  /** What each vendor is told when `name` is the one that has to be called. */
  const forced = {
    chat: (name: string) => ({ tool_choice: { type: 'function', function: { name } } }),
    anthropic: (name: string) => ({ tool_choice: { type: 'tool', name } }),
    gemini: (name: string) => ({ toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: [name] } } }),
  };

  describe.each(unlike)('over %s', (kind) => {
    test('means the tool of the namespace that it names', async () => {
      await served(kind, { tools: [crm, shop, tool('find')], tool_choice: named('find', 'shop') });
      expect(sentTo(kind)).toMatchObject(forced[kind]('shop__find'));
    });

    test('that names no namespace means the tool outside of all, or else the only one of the name', async () => {
      await served(kind, { tools: [crm, shop, tool('find')], tool_choice: named('find') });
      expect(sentTo(kind)).toMatchObject(forced[kind]('find'));
      await served(kind, { tools: [crm, shop], tool_choice: { type: 'custom', name: 'edit' } });
      expect(sentTo(kind)).toMatchObject(forced[kind]('shop__edit'));
    });

    test('that could mean several is refused, and so is one that means none', async () => {
      const refused = [
        [named('find'), /several namespaces: add 'namespace'/],
        [named('edit', 'crm'), /in the namespace 'crm'/],
        [named('find', 'nowhere'), /in the namespace 'nowhere'/],
        [named('gone'), /'gone', which is not in 'tools'/],
      ] as const;
      for (const [choice, says] of refused) {
        await expectRefusal(await post(kind, { tools: [crm, shop], tool_choice: choice }), {
          code: 'invalid_value',
          param: 'tool_choice',
          says,
        });
        const allowed = { type: 'allowed_tools', mode: 'auto', tools: [named('remove', 'crm'), choice] };
        await expectRefusal(await post(kind, { tools: [crm, shop], tool_choice: allowed }), {
          code: 'invalid_value',
          param: 'tool_choice',
          says,
        });
      }
      expect(pairs.fakes[kind].requests).toHaveLength(0);
    });

    test('that names no tool by a word is refused', async () => {
      const answer = await post(kind, { tools: [crm], tool_choice: { type: 'function', name: 'find', namespace: 7 } });
      await expectRefusal(answer, { code: 'invalid_type', param: 'tool_choice', says: "'namespace'" });
    });

    test('may allow some of them', async () => {
      const allowed = { type: 'allowed_tools', mode: 'required', tools: [named('find', 'crm'), { type: 'custom', name: 'edit' }] };
      await served(kind, { tools: [crm, shop], tool_choice: allowed });
      const wanted = {
        chat: {
          tool_choice: {
            type: 'allowed_tools',
            allowed_tools: {
              mode: 'required',
              tools: ['crm__find', 'shop__edit'].map((name) => ({ type: 'function', function: { name } })),
            },
          },
        },
        anthropic: { tools: [{ name: 'crm__find' }, { name: 'shop__edit' }], tool_choice: { type: 'any' } },
        gemini: { toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['crm__find', 'shop__edit'] } } },
      };
      expect(sentTo(kind)).toMatchObject(wanted[kind]);
    });
  });

  test('reaches a responses upstream as it was written', async () => {
    await served('responses', { tools: [crm, shop], tool_choice: named('find', 'shop') });
    expect(sentTo('responses')).toMatchObject({ tool_choice: { type: 'function', name: 'find', namespace: 'shop' } });
  });
});

describe('F20: a compaction', () => {
  const trigger = { input: [user, { type: 'compaction_trigger' }] };

  test.each(unlike)('over %s is refused, whole and streamed, before anybody is asked', async (kind) => {
    for (const stream of [false, true]) {
      const answer = await post(kind, { ...trigger, stream });
      await expectRefusal(answer, { code: 'unsupported_value', param: 'input', says: 'compaction_trigger' });
    }
    expect(pairs.fakes[kind].requests).toHaveLength(0);
  });

  test.each(['simulated-chat', 'simulated-responses'])('by the simulator as %s is refused alike', async (model) => {
    for (const stream of [false, true]) {
      const answer = await pairs.gateway.call('/responses', { json: { model, ...trigger, stream } });
      await expectRefusal(answer, { code: 'unsupported_value', param: 'input', says: 'compaction_trigger' });
    }
  });

  test('is left to an upstream of the same protocol, which may know how', async () => {
    await served('responses', trigger);
    expect(sentTo('responses')).toMatchObject(trigger);
  });
});
