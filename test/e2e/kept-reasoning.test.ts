/** Reasoning of chat callers between turns with tools: chat has no field for it, so the gateway keeps it for the results. */
import { describe, expect, test } from 'vitest';
import { json } from '../fakes/delivery.ts';
import { geminiAnswer } from '../fakes/gemini.ts';
import { useOpened } from '../harness/opened.ts';
import { clearFakes, type kinds, modelOver, openPairs, seals } from '../harness/pairs.ts';

const pairs = useOpened(() => openPairs(), clearFakes);

const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } }];
const user = { role: 'user', content: 'Look.' };
type Message = Readonly<Record<string, unknown>> & { readonly tool_calls: readonly { readonly id: string }[] };

const ask = (kind: (typeof kinds)[number], messages: readonly object[], more: object = {}) =>
  pairs.gateway.call('/chat/completions', { json: { model: modelOver(kind), messages, tools, ...more } });

/** Asks for a call, and sends its result. */
async function bothTurns(kind: (typeof kinds)[number], more: object = {}): Promise<void> {
  const first = await ask(kind, [user], more);
  const { choices } = (await first.json()) as { choices: [{ message: Message }] };
  const [{ message }] = choices;
  pairs.expectToSay(kind, { text: 'Done.' });
  const result = { role: 'tool', tool_call_id: message.tool_calls[0]?.id, content: 'seen' };
  expect((await ask(kind, [user, message, result], more)).status).toBe(200);
}

const reply = { thought: 'A tool.', text: 'I look.', calls: [{ id: 'c1', name: 'look', input: '{}' }] };

describe('a chat caller', () => {
  test.each([
    [
      'anthropic',
      {
        messages: [{}, { content: [{ type: 'thinking', thinking: 'A tool.', signature: seals.anthropic }, {}, { type: 'tool_use' }] }, {}],
      },
    ],
    ['converse', { messages: [{}, { content: [{ reasoningContent: { reasoningText: { text: 'A tool.' } } }, {}, { toolUse: {} }] }, {}] }],
  ] as const)('sends reasoning back with the results over %s', async (kind, sent) => {
    pairs.expectToSay(kind, reply);
    await bothTurns(kind);
    expect(pairs.fakes[kind].last.fields).toMatchObject(sent);
  });

  test('sends signatures back over gemini, each on its part', async () => {
    pairs.fakes.gemini.next(
      json(
        geminiAnswer({ text: 'I look.', textSignature: 'dGV4dA==', calls: [{ id: 'g1', name: 'look', args: {}, signature: 'Y2FsbA==' }] }),
      ),
    );
    await bothTurns('gemini');
    expect(pairs.fakes.gemini.last.fields.contents).toMatchObject([
      { role: 'user' },
      {
        role: 'model',
        parts: [
          { text: 'I look.', thoughtSignature: 'dGV4dA==' },
          { functionCall: { name: 'look' }, thoughtSignature: 'Y2FsbA==' },
        ],
      },
      { role: 'user' },
    ]);
  });

  test('sends no reasoning back with store: false', async () => {
    pairs.expectToSay('anthropic', reply);
    await bothTurns('anthropic', { store: false });
    expect(JSON.stringify(pairs.fakes.anthropic.last.fields)).not.toContain('thinking');
  });
});
