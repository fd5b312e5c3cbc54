/** Quirks of chat vendors: each has the same effect for a forwarded chat call and a translated responses call. */
import { describe, expect, test } from 'vitest';
import { type ChatQuirks, createQuirkDialect, createQuirkRelay, findFieldsDroppedByQuirks } from '../../../server/protocols/chat/quirks.ts';
import { type Body, handedOn, hello, plain, type Some, translated } from './quirked-bodies.ts';
import { readStream, refusalOf, responsesTurn } from './upstream-reading.ts';

const json = { type: 'json_schema', json_schema: { name: 'a', schema: { type: 'object' } } };
const tool = (strict?: boolean) => ({
  type: 'function',
  name: 'f',
  parameters: { type: 'object' },
  ...(strict !== undefined && { strict }),
});
const chatTool = (strict?: boolean) => ({ type: 'function', function: { name: 'f', ...(strict !== undefined && { strict }) } });
const hosted = { type: 'web_search' };

interface Kept {
  readonly what: string;
  readonly quirks: Some;
  readonly chat: Body;
  readonly responses: Body;
  /** The fields that both are sent with. */
  readonly sent: Body;
}

const kept: readonly Kept[] = [
  {
    what: 'the limit has the vendor’s name',
    quirks: { maxTokensField: 'max_tokens' },
    chat: { max_completion_tokens: 5 },
    responses: { max_output_tokens: 5 },
    sent: { max_tokens: 5 },
  },
  {
    what: 'the older name of the limit becomes the newer one',
    quirks: {},
    chat: { max_tokens: 5 },
    responses: { max_output_tokens: 5 },
    sent: { max_completion_tokens: 5 },
  },
  {
    what: 'usage is not asked for',
    quirks: { streamUsage: false },
    chat: { stream: true, stream_options: { include_usage: true } },
    responses: { stream: true },
    sent: { stream: true },
  },
  {
    what: 'usage is asked for where it may be',
    quirks: {},
    chat: { stream: true },
    responses: { stream: true },
    sent: { stream: true, stream_options: { include_usage: true } },
  },
  {
    what: 'any JSON object is still possible without schemas',
    quirks: { structuredOutput: 'json' },
    chat: { response_format: { type: 'json_object' } },
    responses: { text: { format: { type: 'json_object' } } },
    sent: { response_format: { type: 'json_object' } },
  },
  {
    what: 'text is still possible without any form',
    quirks: { structuredOutput: 'none' },
    chat: { response_format: { type: 'text' } },
    responses: { text: { format: { type: 'text' } } },
    sent: {},
  },
  {
    what: 'calls side by side are the usual way',
    quirks: { parallelToolCalls: false },
    chat: { parallel_tool_calls: true },
    responses: { parallel_tool_calls: true },
    sent: {},
  },
  {
    what: 'one call at a time asks nothing without tools',
    quirks: { parallelToolCalls: false },
    chat: { parallel_tool_calls: false },
    responses: { parallel_tool_calls: false },
    sent: {},
  },
  {
    what: 'an effort is left out',
    quirks: { reasoningEffort: 'ignore' },
    chat: { reasoning_effort: 'high' },
    responses: { reasoning: { effort: 'high' } },
    sent: {},
  },
  {
    what: 'not to think is what a model does that cannot',
    quirks: { reasoningEffort: 'reject' },
    chat: { reasoning_effort: 'none' },
    responses: { reasoning: { effort: 'none' } },
    sent: {},
  },
  {
    what: 'hints are left out',
    quirks: { hints: false },
    chat: { store: true, metadata: { a: 'b' }, user: 'u', prompt_cache_key: 'k', service_tier: 'auto', verbosity: 'low', temperature: 1 },
    responses: { metadata: { a: 'b' }, user: 'u', prompt_cache_key: 'k', service_tier: 'auto', text: { verbosity: 'low' }, temperature: 1 },
    sent: { temperature: 1 },
  },
  {
    what: 'hints that are in the list are sent, and no others',
    quirks: { hints: ['prompt_cache_key', 'verbosity'] },
    chat: { store: true, user: 'u', prompt_cache_key: 'k', verbosity: 'low' },
    responses: { user: 'u', prompt_cache_key: 'k', text: { verbosity: 'low' } },
    sent: { prompt_cache_key: 'k', verbosity: 'low' },
  },
  {
    what: 'a field that is unsupported but asks nothing is left out',
    quirks: { unsupported: ['n', 'logit_bias', 'presence_penalty', 'logprobs', 'tool_choice', 'stop', 'modalities'] },
    chat: { n: 1, logit_bias: {}, presence_penalty: 0, logprobs: false, tool_choice: 'auto', stop: null, modalities: ['text'] },
    responses: { tool_choice: 'auto' },
    sent: {},
  },
];

describe.each(kept)('quirks: $what', ({ quirks, chat, responses, sent }) => {
  test('for a chat caller', () => expect(handedOn(quirks, chat)).toEqual(sent));
  test('for a responses caller', () => expect(translated(quirks, responses)).toEqual(sent));
});

interface Rejected {
  readonly what: string;
  readonly quirks: Some;
  readonly chat: readonly [Body, string];
  readonly responses?: readonly [Body, string];
}

const rejected: readonly Rejected[] = [
  {
    what: 'a schema where there are none',
    quirks: { structuredOutput: 'json' },
    chat: [{ response_format: json }, 'response_format'],
    responses: [{ text: { format: { type: 'json_schema', name: 'a', schema: { type: 'object' } } } }, 'text.format'],
  },
  {
    what: 'JSON where there is only text',
    quirks: { structuredOutput: 'none' },
    chat: [{ response_format: { type: 'json_object' } }, 'response_format'],
    responses: [{ text: { format: { type: 'json_object' } } }, 'text.format'],
  },
  {
    what: 'one call at a time',
    quirks: { parallelToolCalls: false },
    chat: [{ tools: [chatTool()], parallel_tool_calls: false }, 'parallel_tool_calls'],
    responses: [{ tools: [tool()], parallel_tool_calls: false }, 'parallel_tool_calls'],
  },
  {
    what: 'a strict tool, by its own place',
    quirks: { strictTools: false },
    chat: [{ tools: [chatTool(), chatTool(true)] }, 'tools[1].function.strict'],
    responses: [{ tools: [hosted, { ...tool(false), name: 'g' }, tool(true)] }, 'tools[2].strict'],
  },
  {
    what: 'an effort',
    quirks: { reasoningEffort: 'reject' },
    chat: [{ reasoning_effort: 'low' }, 'reasoning_effort'],
    responses: [{ reasoning: { effort: 'low' } }, 'reasoning.effort'],
  },
  {
    what: 'the effort of a bridge tool',
    quirks: { reasoningEffort: 'reject' },
    chat: [{ reasoning: { effort: 'low' } }, 'reasoning.effort'],
  },
  {
    what: 'log probabilities',
    quirks: { unsupported: ['logprobs'] },
    chat: [{ logprobs: true }, 'logprobs'],
    responses: [{ top_logprobs: 2, include: ['message.output_text.logprobs'] }, 'top_logprobs'],
  },
  {
    what: 'a forced tool',
    quirks: { unsupported: ['tool_choice'] },
    chat: [{ tools: [chatTool()], tool_choice: 'required' }, 'tool_choice'],
    responses: [{ tools: [tool()], tool_choice: 'required' }, 'tool_choice'],
  },
  { what: 'several answers', quirks: { unsupported: ['n'] }, chat: [{ n: 2 }, 'n'] },
  {
    what: 'a seed, whatever the vendor calls it',
    quirks: { unsupported: ['seed'], seedField: 'random_seed' },
    chat: [{ seed: 0 }, 'seed'],
  },
];

const asked = rejected.flatMap(({ what, quirks, chat, responses }) => [
  { what, quirks, caller: 'chat', body: chat[0], param: chat[1], send: handedOn },
  ...(responses ? [{ what, quirks, caller: 'responses', body: responses[0], param: responses[1], send: translated }] : []),
]);

test.each(asked)('a $caller call with $what is rejected with the field', ({ quirks, body, param, send }) => {
  expect(refusalOf(() => send(quirks, body))).toBe(`unsupported_parameter ${param}`);
  expect(refusalOf(() => send({}, body))).toBe('accepted');
});

test('the bytes of a chat call are changed only where a quirk needs it', () => {
  const text = '{ "model":"m",  "temperature": 1.50, "max_tokens":5, "messages":[{"role":"user","content":"\\u00fc"}] }';
  const given = { kind: 'json', value: JSON.parse(text), bytes: Buffer.from(text) } as const;
  const send = (quirks: Some) =>
    createQuirkRelay({ ...plain, ...quirks })
      .writeRequest(given, { model: 'm' })
      .bytes.toString();
  expect(send({ maxTokensField: 'max_tokens' })).toBe(text);
  expect(send({})).toBe(`{"max_completion_tokens":5,${text.slice(1).replace('"max_tokens":5, ', '')}`);
});

test('a seed is sent under the vendor’s name of the field', () => {
  expect(handedOn({ seedField: 'random_seed' }, { seed: 7 })).toEqual({ random_seed: 7 });
});

test('developer messages become system messages, and others are unchanged', () => {
  const said = { role: 'developer', content: 'Be brief.', name: 'd' };
  const answer = { role: 'assistant', content: 'Yes.', reasoning_content: 'hm', x: 1 };
  expect(handedOn({ developerRole: false }, { messages: [said, answer] })).toEqual({ messages: [{ ...said, role: 'system' }, answer] });
  expect(handedOn({}, { messages: [said, answer] })).toEqual({ messages: [said, answer] });
  const { messages } = translated({ developerRole: false }, { input: [{ role: 'developer', content: 'Be brief.' }, ...hello] });
  expect(messages).toEqual([{ role: 'system', content: 'Be brief.' }, ...hello]);
});

test('strict: false is removed for a vendor without strict tools', () => {
  expect(handedOn({ strictTools: false }, { tools: [chatTool(false), chatTool()] })).toEqual({ tools: [chatTool(), chatTool()] });
  expect(JSON.stringify(translated({ strictTools: false }, { tools: [tool(false), { ...tool(), name: 'g' }] }))).not.toContain('strict');
});

describe('reasoning of earlier turns', () => {
  const thought = (text: string, sealed: string | null = null) => ({
    type: 'reasoning',
    summary: [{ type: 'summary_text', text }],
    ...(sealed !== null && { encrypted_content: sealed }),
  });
  const call = (id: string) => ({ type: 'function_call', call_id: id, name: 'f', arguments: '{}' });
  const output = (id: string) => ({ type: 'function_call_output', call_id: id, output: 'ok' });
  const said = (text: string) => ({ role: 'assistant', content: text });
  const input = [
    ...[...hello, thought('First.'), call('a'), output('a'), thought('Second.'), said('Done.'), ...hello, call('b'), output('b')],
    ...[thought('Of another.', 'sealed-elsewhere'), said('Again.'), thought('Late.'), call('c'), output('c')],
  ];
  const thoughtsIn = (body: Body, field: string) => {
    const messages: unknown = body.messages;
    if (!Array.isArray(messages)) throw new Error('no messages');
    return messages.filter(({ role }) => role === 'assistant').map((message) => message[field]);
  };

  test('is sent back with its answer to a vendor that needs it, and is empty for a message with calls that has none', () => {
    const quirks = { sendReasoningBack: true } as const;
    expect(thoughtsIn(translated(quirks, { input }), 'reasoning_content')).toEqual(['First.', 'Second.', '', undefined, 'Late.']);
    expect(thoughtsIn(translated({ ...quirks, reasoningField: 'thoughts' }, { input }), 'thoughts')).toContain('Second.');
  });

  test('is not sent back by default', () => {
    expect(JSON.stringify(translated({ reasoningField: 'reasoning_content' }, { input }))).not.toMatch(/First|Second|reasoning_content/);
  });

  test('is empty for a message with calls of a chat caller that does not have it', () => {
    const made = { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }] };
    const kept = { ...made, reasoning_content: 'Mine.' };
    const messages = [...hello, made, kept, { role: 'assistant', content: 'x' }];
    expect(thoughtsIn(handedOn({ sendReasoningBack: true }, { messages }), 'reasoning_content')).toEqual(['', 'Mine.', undefined]);
  });

  test('is read from reasoningField of the vendor', () => {
    const chunk = (delta: object) => [{ choices: [{ index: 0, delta, finish_reason: 'stop' }] }, null] as const;
    const read = (quirks: Some, delta: object) =>
      readStream(createQuirkDialect({ ...plain, ...quirks }), responsesTurn(), [chunk(delta)]).filter(({ kind }) => kind === 'reasoning');
    expect(read({ reasoningField: 'thoughts' }, { thoughts: 'Hm.', content: 'Hi' })).toEqual([{ kind: 'reasoning', part: 0, text: 'Hm.' }]);
    expect(read({}, { thoughts: 'Hm.', content: 'Hi' })).toEqual([]);
    expect(read({}, { reasoning: 'Hm.' })).toEqual([{ kind: 'reasoning', part: 0, text: 'Hm.' }]);
    const whole = { choices: [{ index: 0, message: { content: 'Hi', thoughts: 'Hm.' }, finish_reason: 'stop' }] };
    expect(createQuirkDialect({ ...plain, reasoningField: 'thoughts' }).readResponse(whole, responsesTurn())).toContainEqual({
      kind: 'reasoning',
      part: 0,
      text: 'Hm.',
    });
  });
});

test('an effort that is left out is named by the caller’s field', () => {
  const ignore: ChatQuirks = { ...plain, reasoningEffort: 'ignore' };
  expect(findFieldsDroppedByQuirks({ reasoning_effort: 'low' }, ignore)).toEqual(['reasoning_effort']);
  expect(findFieldsDroppedByQuirks({ reasoning: { effort: 'low' } }, ignore)).toEqual(['reasoning']);
  for (const nothing of [{}, { reasoning_effort: null }, { reasoning_effort: 'none' }, { reasoning: { summary: 'auto' } }])
    expect(findFieldsDroppedByQuirks(nothing, ignore)).toEqual([]);
  expect(findFieldsDroppedByQuirks({ reasoning_effort: 'low' }, plain)).toEqual([]);
});

test('of hints, those are named that the vendor is not sent', () => {
  const asked = { user: 'u', prompt_cache_key: 'k', text: { verbosity: 'low' } };
  expect(findFieldsDroppedByQuirks(asked, { ...plain, hints: true })).toEqual([]);
  expect(findFieldsDroppedByQuirks(asked, { ...plain, hints: false })).toEqual(['user', 'prompt_cache_key', 'text.verbosity']);
  expect(findFieldsDroppedByQuirks(asked, { ...plain, hints: ['prompt_cache_key', 'verbosity'] })).toEqual(['user']);
});
