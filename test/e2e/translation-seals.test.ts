/** Reasoning and items that callers send back, and which vendors get them. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { kinds, modelOver, type Pairs, seals } from '../harness/pairs.ts';
import { expectNoForeignSeals, finalAnswer, openLoops, runResponses, turns } from './translation-loops.ts';

let pairs: Pairs;
beforeAll(async () => {
  pairs = await openLoops();
});
afterAll(() => pairs.close());
beforeEach(() => {
  for (const kind of kinds) pairs.fakes[kind].requests.length = 0;
});

describe.each([false, true])('streamed: %s', (isStream) => {
  test('F12: encrypted reasoning that a caller sends back goes only to the vendor that made it', async () => {
    const over = ['anthropic', 'responses', 'gemini', 'responses', 'chat', 'responses'] as const;
    expect(await runResponses(pairs, 'stateless', { over, isStream })).toBe(finalAnswer);
    expectNoForeignSeals(pairs);
  });

  test.each(['anthropic', 'gemini'] as const)(
    'F10: a conversation of stored responses over %s keeps its reasoning without a field of the caller',
    async (kind) => {
      await runResponses(pairs, 'previous_response_id', { over: [kind], isStream });
      const seen = pairs.fakes[kind].requests.map(({ body }) => body.toString().split(seals[kind]).length - 1);
      expect(seen).toEqual(Array.from({ length: turns + 1 }, (_, turn) => turn));
    },
  );
});

test('F14: a responses upstream gets the items that a caller sends back without reasoning that is not encrypted', async () => {
  const input = [
    { role: 'user', content: 'Hello' },
    { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm.' }] },
    {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Hi.', annotations: [] }],
    },
    { role: 'user', content: 'Go on.' },
  ];
  const answer = await pairs.gateway.call('/responses', { json: { model: modelOver('responses'), input } });
  expect(answer.status).toBe(200);
  const sent = JSON.stringify(pairs.fakes.responses.last.fields.input);
  expect(sent).toContain('Go on.');
  expect(sent).not.toContain('"reasoning"');
});
