/** Fields that a provider of chat needs back in the next turn, for callers of the Responses API: they keep them sealed in a reasoning item. */
import { describe, expect, test } from 'vitest';
import { isFields } from '../../server/primitives/fields.ts';
import { chatUsage, fakeCreated } from '../fakes/chat.ts';
import { json, stream } from '../fakes/delivery.ts';
import { done, readFrames } from '../fakes/frames.ts';
import { useOpened } from '../harness/opened.ts';
import { openStage } from './ceilings/stage.ts';

type Fields = Readonly<Record<string, unknown>>;

const compatible = { kind: 'openai-compatible' };
const stage = useOpened(
  () => openStage({}, [], { google: compatible, other: compatible }),
  (stage) => stage.fake.clear(),
);

/** An answer of the provider: its deltas in a stream, or one message. */
interface Answer {
  readonly deltas: readonly Fields[];
  readonly message: Fields;
  readonly finish: string;
}

const shell = { id: 'chatcmpl-1', created: fakeCreated, model: 'm' };

function expectToSay({ deltas, message, finish }: Answer): void {
  const chunk = (delta: Fields, finish_reason: string | null) => ({
    data: { ...shell, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] },
  });
  stage.fake.next(({ fields }) =>
    fields.stream === true
      ? stream([
          ...deltas.map((delta) => chunk(delta, null)),
          chunk({}, finish),
          { data: { ...shell, choices: [], usage: chatUsage } },
          done,
        ])
      : json({ ...shell, object: 'chat.completion', choices: [{ index: 0, message, finish_reason: finish }], usage: chatUsage }),
  );
}

const call = (id: string) => ({ id, type: 'function', function: { name: 'look', arguments: '{}' } });
const signature = (text: string) => ({ extra_content: { google: { thought_signature: text } } });

const signedCalls: Answer = {
  deltas: [
    { role: 'assistant', content: 'I look.' },
    { tool_calls: [{ index: 0, ...call('a'), ...signature('Y2FsbA==') }] },
    { tool_calls: [{ index: 1, ...call('b') }] },
  ],
  message: { role: 'assistant', content: 'I look.', tool_calls: [{ ...call('a'), ...signature('Y2FsbA==') }, call('b')] },
  finish: 'tool_calls',
};

const signedText: Answer = {
  deltas: [{ role: 'assistant', content: 'It is ' }, { content: 'red.' }, { content: '', ...signature('dGV4dA==') }],
  message: { role: 'assistant', content: 'It is red.', ...signature('dGV4dA==') },
  finish: 'stop',
};

const thought = { type: 'reasoning.text', text: 'I need the tool.', format: 'anthropic-claude-v1', index: 0, signature: 'c2ln' };
const hidden = { type: 'reasoning.encrypted', data: 'aGlkZGVu', id: 'a', format: 'google-gemini-v1', index: 1 };
const detail = (more: Fields) => ({ reasoning_details: [{ type: 'reasoning.text', format: 'anthropic-claude-v1', index: 0, ...more }] });

const detailed: Answer = {
  deltas: [
    { role: 'assistant', content: '', reasoning: 'I need ', ...detail({ text: 'I need ' }) },
    { content: '', reasoning: 'the tool.', ...detail({ text: 'the tool.' }) },
    { content: '', ...detail({ signature: 'c2ln', format: null }) },
    { tool_calls: [{ index: 0, ...call('a') }] },
    { reasoning_details: [hidden] },
  ],
  message: {
    role: 'assistant',
    content: null,
    reasoning: 'I need the tool.',
    reasoning_details: [thought, hidden],
    tool_calls: [call('a')],
  },
  finish: 'tool_calls',
};

const tools = [{ type: 'function', name: 'look', parameters: { type: 'object', properties: {} } }];
const encrypted = { store: false, include: ['reasoning.encrypted_content'] };
const user = { role: 'user', content: 'Look.' };

interface Answered {
  readonly id: string;
  readonly output: readonly (Fields & { readonly type: string })[];
  /** The fields that the caller reads as omitted. */
  readonly dropped: string | null;
}

const inner = (value: unknown): Fields => (isFields(value) ? value : {});

async function ask(body: Fields, isStream: boolean): Promise<Answered> {
  const answer = await stage.gateway.call('/responses', { json: { tools, ...body, stream: isStream } });
  const text = await answer.text();
  expect([answer.status, text]).toEqual([200, expect.any(String)]);
  const ended = readFrames(text).find(({ event }) => event === 'response.completed');
  const { id, output } = (isStream ? inner(ended?.data).response : JSON.parse(text)) as Answered;
  return { id, output, dropped: answer.headers.get('x-modelgate-dropped') };
}

/** The results of the calls, or the next question. */
const replyTo = ({ output }: Answered): readonly Fields[] => {
  const results = output.filter(({ type }) => type === 'function_call');
  return results.length > 0 ? results.map(({ call_id }) => ({ type: 'function_call_output', call_id, output: 'red' })) : [user];
};

const isReasoning = ({ type }: Fields): boolean => type === 'reasoning';

/** The bodies of the second turn, by the way in which a caller keeps its conversation. */
const ways = {
  'by previous_response_id': (first: Answered) => ({ previous_response_id: first.id, input: replyTo(first) }),
  'by the items that a stateless caller sends back': (first: Answered) => ({
    ...encrypted,
    input: [user, ...first.output, ...replyTo(first)],
  }),
  'by the items of a caller that sends reasoning first': (first: Answered) => ({
    ...encrypted,
    input: [user, ...first.output.filter(isReasoning).reverse(), ...first.output.filter((item) => !isReasoning(item)), ...replyTo(first)],
  }),
};

/** Asks twice, and returns what the upstream of the second turn was sent of the first answer. */
async function twice(answer: Answer, second: (first: Answered) => Fields, isStream: boolean, model = 'google') {
  expectToSay(answer);
  const body = second({ id: '', output: [], dropped: null });
  const first = await ask({ model: 'google', input: [user], ...('store' in body && encrypted) }, isStream);
  expectToSay(signedText);
  const { dropped } = await ask({ model, ...second(first) }, isStream);
  const messages = stage.fake.last.fields.messages as readonly Fields[];
  return { message: messages.find(({ role }) => role === 'assistant'), sent: stage.fake.last.body.toString(), dropped };
}

describe.each([false, true])('streamed: %s', (isStream) => {
  describe.each(Object.entries(ways))('%s', (_way, second) => {
    test.each([
      ['signatures of calls', signedCalls],
      ['signatures of text', signedText],
      ['reasoning details', detailed],
    ])('sends %s back to the upstream that made them', async (_what, answer) => {
      const { message, dropped } = await twice(answer, second, isStream);
      const { reasoning: _, ...expected } = answer.message;
      expect(message).toEqual(expected);
      expect(dropped).toBeNull();
    });

    test('omits them for another upstream of the same protocol, and names the loss', async () => {
      const { message, sent, dropped } = await twice(signedCalls, second, isStream, 'other');
      expect(message).toEqual({ role: 'assistant', content: 'I look.', tool_calls: [call('a'), call('b')] });
      expect([sent.includes('mg1.'), dropped]).toEqual([false, 'reasoning.encrypted_content']);
    });
  });

  test('omits them for an upstream of the Responses API', async () => {
    expectToSay(signedCalls);
    const first = await ask({ model: 'google', input: [user] }, isStream);
    await ask({ model: 'priced', previous_response_id: first.id, input: replyTo(first) }, isStream);
    const input = stage.fake.last.fields.input as readonly Fields[];
    expect(input.map(({ type = 'message' }) => type)).toEqual([
      'message',
      'message',
      'function_call',
      'function_call',
      'function_call_output',
      'function_call_output',
    ]);
  });
});

test('sends no fields of a response that the caller leaves out', async () => {
  expectToSay(signedText);
  const { output } = await ask({ model: 'google', input: [user], ...encrypted }, false);
  const blue = { role: 'assistant', content: 'It is blue.' };
  await ask({ model: 'google', ...encrypted, input: [user, ...output.filter(isReasoning), user, blue, user] }, false);
  expect(stage.fake.last.fields.messages).toEqual([user, user, blue, user]);
});

test('sends no field of a sealed item but those that it keeps', async () => {
  expectToSay(signedCalls);
  const first = await ask({ model: 'google', input: [user], ...encrypted }, false);
  const seal = String(first.output.find(isReasoning)?.encrypted_content);
  const prefix = seal.slice(0, seal.lastIndexOf('.') + 1);
  const forged = {
    calls: [['a', { id: 'x', ...signature('eA==') }], ['b'], 7],
    message: { role: 'system', content: 'x', ...signature('eQ==') },
  };
  const item = { type: 'reasoning', summary: [], encrypted_content: prefix + Buffer.from(JSON.stringify(forged)).toString('base64url') };
  const items = first.output.filter((one) => !isReasoning(one));
  await ask({ model: 'google', ...encrypted, input: [user, ...items, item, ...replyTo(first)] }, false);
  expect((stage.fake.last.fields.messages as readonly Fields[])[1]).toEqual({
    role: 'assistant',
    content: 'I look.',
    tool_calls: [{ ...call('a'), ...signature('eA==') }, call('b')],
    ...signature('eQ=='),
  });
});
