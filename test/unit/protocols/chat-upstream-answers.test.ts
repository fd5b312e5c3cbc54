import { describe, expect, it } from 'vitest';
import { chatUpstreamDialect } from '../../../server/protocols/chat/dialect.ts';
import { responsesCallerDialect } from '../../../server/protocols/responses/dialect.ts';
import { type ChatReply, chatCompletion, chatFrames } from '../../fakes/chat.ts';
import { chatCases } from '../../fixtures/chat/upstream-answers.ts';
import { codexRequest, patch } from '../../fixtures/responses/codex-requests.ts';
import { eventsOf, join, readStream, refusalOf, responsesTurn } from './upstream-reading.ts';

const turn = responsesTurn();
const usage = { kind: 'usage', usage: { input: 11, cached: 3, output: 7, reasoning: 2, serviceTier: 'default' } };
const chunk = (delta: object, finish_reason: string | null = null, rest: object = {}) =>
  [{ id: 'c', choices: [{ index: 0, delta, finish_reason }], ...rest }, null] as const;

describe('the reader of a chat upstream', () => {
  const replies: Record<string, ChatReply> = {
    'plain text': {},
    'a refusal': { refusal: 'I will not do that.' },
    'text beside two calls': {
      text: 'Let me look.',
      toolCalls: [
        { id: 'call_1', name: 'f', arguments: ['{"a":', '"b"}'] },
        { id: 'call_2', name: 'g', arguments: '{}' },
      ],
    },
    'a custom call': { toolCalls: [{ id: 'call_1', name: 'raw', arguments: ['sel', 'ect 1'], custom: true }] },
    'an answer at its length': { finishReason: 'length' },
  };

  it.each(Object.entries(replies))('gives the same events for a whole answer and a stream: %s', (_, reply) => {
    const streamed = join(readStream(chatUpstreamDialect, turn, eventsOf(chatFrames({ ...reply, includeUsage: true }))));
    expect(streamed).toEqual(join(chatUpstreamDialect.readResponse(chatCompletion(reply), turn)));
    expect(streamed.at(0)).toEqual({ kind: 'start' });
    expect(streamed.at(-1)).toEqual(usage);
  });

  it('begins with the answer, not with a verdict on the prompt before it', () => {
    const reader = chatUpstreamDialect.openStream(turn);
    expect(reader.read({ id: '', object: '', created: 0, model: '', choices: [], prompt_filter_results: [] }, null)).toEqual([]);
    expect(reader.read(...chunk({ content: 'a' }))).toEqual([{ kind: 'start' }, { kind: 'text', text: 'a' }]);
  });

  it.each(chatCases)('reads the forms of vendors: $name', ({ chunks, message, finish, events }) => {
    expect(
      join(
        readStream(
          chatUpstreamDialect,
          turn,
          chunks.map((data) => [data, null]),
        ),
      ),
    ).toEqual(events);
    if (!message) return;
    const whole = { id: 'chatcmpl-v1', choices: [{ index: 0, message, finish_reason: finish }] };
    expect(join(chatUpstreamDialect.readResponse(whole, turn))).toEqual(events);
  });

  it('keeps log probabilities with their text', () => {
    const content = [{ token: 'Hi', logprob: -0.5, bytes: [72, 105], top_logprobs: [{ token: 'Yo', logprob: -1 }] }];
    const choice = { index: 0, delta: { content: 'Hi' }, logprobs: { content, refusal: null }, finish_reason: 'stop' };
    const logprobs = [{ token: 'Hi', logprob: -0.5, bytes: [72, 105], top: [{ token: 'Yo', logprob: -1, bytes: null }] }];
    expect(readStream(chatUpstreamDialect, turn, [[{ choices: [choice] }, null]])).toContainEqual({ kind: 'text', text: 'Hi', logprobs });
  });

  it('makes a new call id when the upstream repeats one of an earlier answer', () => {
    const input = [
      { type: 'function_call', call_id: 'call_0', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: 'call_0', output: 'x' },
    ];
    const again = chunk({ tool_calls: [{ index: 0, id: 'call_0', function: { name: 'f', arguments: '{}' } }] }, 'tool_calls');
    const [, opened] = readStream(chatUpstreamDialect, responsesTurn({ input }), [again]);
    expect(opened).toMatchObject({ kind: 'call', callId: expect.stringMatching(/^call_[0-9a-f]{24}$/) });
    expect(readStream(chatUpstreamDialect, responsesTurn({ input }), [again])).toEqual(
      readStream(chatUpstreamDialect, responsesTurn({ input }), [again]),
    );
  });

  it('reads usage in any chunk, and is complete after the finish reason and the usage', () => {
    const reader = chatUpstreamDialect.openStream(turn);
    reader.read(...chunk({ content: 'a' }, null, { usage: { prompt_tokens: 1, completion_tokens: 1 } }));
    expect(reader.isComplete).toBe(false);
    reader.read(...chunk({}, 'stop'));
    expect(reader.isComplete).toBe(false);
    expect(reader.read({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } }, null)).toEqual([
      { kind: 'usage', usage: { input: 1, cached: 0, output: 2, reasoning: 0 } },
    ]);
    expect(reader.isComplete).toBe(true);
    expect(reader.end()).toEqual([]);
  });
});

describe('the calls of a coding agent over a chat upstream', () => {
  const agent = responsesTurn(codexRequest);
  const argument = JSON.stringify({ input: patch });
  const call = (index: number, id: string, name: string, text: string) => ({
    index,
    id,
    type: 'function',
    function: { name, arguments: text },
  });
  const opened = (name: string, form: string, namespace: string | null) => expect.objectContaining({ kind: 'call', name, form, namespace });

  it('are custom calls with text, and function calls with name and namespace', () => {
    const message = { tool_calls: [call(0, 'a', 'apply_patch', argument), call(1, 'b', 'multi_agent_v1__close_agent', '{"id":"a"}')] };
    const events = chatUpstreamDialect.readResponse({ id: 'c', choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }, agent);
    expect(events).toEqual([
      { kind: 'start' },
      opened('apply_patch', 'custom', null),
      { kind: 'arguments', index: 0, text: patch },
      opened('close_agent', 'function', 'multi_agent_v1'),
      { kind: 'arguments', index: 1, text: '{"id":"a"}' },
      { kind: 'finish', reason: 'tool_calls' },
    ]);
  });

  it('are written as items in the form of the declared tools', () => {
    const message = { tool_calls: [call(0, 'a', 'apply_patch', argument), call(1, 'b', 'multi_agent_v1__close_agent', '{}')] };
    const events = chatUpstreamDialect.readResponse({ id: 'c', choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }, agent);
    const head = { id: 'resp_1', createdAt: 1, model: 'm', request: codexRequest, newId: (prefix: string) => `${prefix}_1`, now: () => 2 };
    expect(responsesCallerDialect.writeResponse(events, head)).toMatchObject({
      status: 'completed',
      output: [
        { type: 'custom_tool_call', call_id: 'a', name: 'apply_patch', input: patch },
        { type: 'function_call', call_id: 'b', name: 'close_agent', namespace: 'multi_agent_v1', arguments: '{}' },
      ],
    });
  });

  it('F07: have the same patch wherever its JSON is cut', () => {
    // With escapes of several kinds and a surrogate pair.
    const text = argument.replace('☕', '\\u2615').replace('🌍', '\\ud83c\\udf0d');
    for (let at = 0; at <= text.length; at++) {
      const pieces = [text.slice(0, at), text.slice(at)].map((piece) =>
        chunk({ tool_calls: [{ index: 0, function: { arguments: piece } }] }),
      );
      const events = readStream(chatUpstreamDialect, agent, [
        chunk({ tool_calls: [call(0, 'a', 'apply_patch', '')] }),
        ...pieces,
        chunk({}, 'tool_calls'),
      ]);
      const texts = events.flatMap((event) => (event.kind === 'arguments' ? [event.text] : []));
      expect(texts.join('')).toBe(patch);
      expect(texts.every((piece) => piece.isWellFormed())).toBe(true);
    }
  });

  it('have the patch piece by piece', () => {
    const reader = chatUpstreamDialect.openStream(agent);
    reader.read(...chunk({ tool_calls: [call(0, 'a', 'apply_patch', '{"input":"*** Beg')] }));
    const [event] = reader.read(...chunk({ tool_calls: [{ index: 0, function: { arguments: 'in\\n' } }] }));
    expect(event).toEqual({ kind: 'arguments', index: 0, text: 'in\n' });
  });

  it.each([
    ['bare text', '*** Begin Patch', '*** Begin Patch'],
    ['a JSON string', '"ls"', 'ls'],
    ['another field first', '{"note":1,"input":"ls"}', 'ls'],
    ['another field instead', '{"patch":"ls"}', '{"patch":"ls"}'],
    ['an escape that JSON does not know', '{"input":"a\\d"}', 'a\\d'],
    ['a cut', '{"input":"a\\u26', 'a'],
  ])('have the intended text when the arguments are %s', (_, given, meant) => {
    const events = readStream(chatUpstreamDialect, agent, [
      chunk({ tool_calls: [call(0, 'a', 'apply_patch', given)] }),
      chunk({}, 'tool_calls'),
    ]);
    expect(join(events)).toContainEqual({ kind: 'arguments', index: 0, text: meant });
  });
});

describe('a chat upstream that fails', () => {
  const failed = (code: string) => [{ kind: 'failed', code }];

  it('F01: is read as a failure when it is cut', () => {
    const frames = eventsOf(chatFrames({ includeUsage: true }));
    const cut = frames.slice(0, -2);
    expect(join(readStream(chatUpstreamDialect, turn, cut)).slice(-1)).toEqual(failed('upstream_error'));
    expect(join(readStream(chatUpstreamDialect, turn, frames)).slice(-1)).not.toEqual(failed('upstream_error'));
  });

  it.each([
    ['an error object', [{ error: { code: 'server_is_overloaded', message: 'busy' } }, null] as const, 'upstream_unavailable'],
    ['an error as text', [{ error: 'no' }, null] as const, 'upstream_error'],
    ['a finish that gives up', chunk({}, 'error'), 'upstream_error'],
    [
      'a call without a name',
      chunk({ tool_calls: [{ index: 0, id: 'a', function: { arguments: '{}' } }] }, 'tool_calls'),
      'upstream_error',
    ],
  ])('gives one failure and no events after it: %s', (_, event, code) => {
    const events = join(readStream(chatUpstreamDialect, turn, [chunk({ content: 'a' }), event, chunk({ content: 'b' }, 'stop')]));
    expect(events.filter(({ kind }) => kind === 'failed')).toEqual(failed(code));
    expect(events.at(-1)).toEqual({ kind: 'failed', code });
  });

  it.each([
    ['no choices', {}, 'upstream_error'],
    ['an empty list of choices', { choices: [] }, 'upstream_error'],
    ['an error inside a 200', { error: { code: 'rate_limit_exceeded', message: 'x' } }, 'rate_limit_exceeded'],
  ])('throws for a whole answer with %s', (_, answer, code) => {
    expect(refusalOf(() => chatUpstreamDialect.readResponse(answer, turn))).toBe(`${code} null`);
  });
});
