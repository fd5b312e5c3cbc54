/** Ids of calls at Gemini: one that the vendor gave goes back as it came, and no other id is sent. */
import { describe, expect, test } from 'vitest';
import type { CanonicalEvent } from '../../../server/protocols/canonical/canonical-events.ts';
import { geminiDialect } from '../../../server/protocols/gemini/dialect.ts';
import { findProviderCallId, toMarkedId } from '../../../server/protocols/gemini/wire.ts';
import { type GeminiCall, type GeminiReply, geminiAnswer, geminiFrames } from '../../fakes/gemini.ts';
import { createHead } from '../../fixtures/turn/heads.ts';
import { type Caller, callers } from './fixture-answers.ts';
import { chatTurn, responsesTurn } from './foreign-turns.ts';

const model = 'gemini-3.5-flash';
const parameters = { type: 'object', properties: {} };
const tools = {
  chat: [{ type: 'function', function: { name: 'look', parameters } }],
  responses: [{ type: 'function', name: 'look', parameters }],
};
const asked = {
  chat: () => chatTurn({ tools: tools.chat }, model),
  responses: () => responsesTurn({ tools: tools.responses }, model),
};

const read = {
  whole: (reply: GeminiReply, caller: Caller) => geminiDialect.readResponse(geminiAnswer(reply), asked[caller]()),
  streamed(reply: GeminiReply, caller: Caller): readonly CanonicalEvent[] {
    const reader = geminiDialect.openStream(asked[caller]());
    return geminiFrames(reply).flatMap(({ data }) => reader.read(data as Record<string, unknown>, null));
  },
};

/** The next request of the caller, with what it was told, and the results of its calls from the last to the first. */
const goOn = {
  chat(events: readonly CanonicalEvent[]) {
    const { choices } = JSON.parse(JSON.stringify(callers.chat.writeResponse(events, createHead('chatcmpl', {}))));
    const ids = choices[0].message.tool_calls.map(({ id }: { id: string }) => id);
    const results = ids.toReversed().map((id: string) => ({ role: 'tool', tool_call_id: id, content: id }));
    const messages = [{ role: 'user', content: 'Look.' }, choices[0].message, ...results];
    return { ids, sent: geminiDialect.writeRequest(chatTurn({ tools: tools.chat, messages }, model)) };
  },
  responses(events: readonly CanonicalEvent[]) {
    const { output } = JSON.parse(JSON.stringify(callers.responses.writeResponse(events, createHead('resp', {}))));
    const ids = output.flatMap(({ call_id: id }: { call_id?: string }) => id ?? []);
    const results = ids.toReversed().map((id: string) => ({ type: 'function_call_output', call_id: id, output: id }));
    const input = [{ role: 'user', content: 'Look.' }, ...output, ...results];
    return { ids, sent: geminiDialect.writeRequest(responsesTurn({ tools: tools.responses, input }, model)) };
  },
};

interface Joined {
  readonly functionCall?: { readonly id?: string };
  readonly functionResponse?: { readonly id?: string; readonly response: { readonly result: string } };
}
const partsOf = (sent: Readonly<Record<string, unknown>>): Joined[] =>
  JSON.parse(JSON.stringify(sent.contents)).flatMap(({ parts }: { parts: Joined[] }) => parts);

const reply = (...ids: (string | undefined)[]): GeminiReply => ({
  text: null,
  calls: ids.map((id): GeminiCall => ({ name: 'look', ...(id !== undefined && { id }) })),
});

describe.each(['chat', 'responses'] as const)('a %s caller', (caller) => {
  describe.each(['whole', 'streamed'] as const)('with an answer that came %s', (form) => {
    test.each([
      ['given ids', ['call_3257537', '9qfsx3vk']],
      ['no ids', [undefined, undefined]],
      ['one id', ['f-1', undefined]],
    ])('sends back %s, and the results in the order of the calls', (_title, given) => {
      const { ids, sent } = goOn[caller](read[form](reply(...given), caller));
      const parts = partsOf(sent);
      const results = parts.flatMap(({ functionResponse }) => functionResponse ?? []);
      expect(ids).toHaveLength(2);
      for (const id of ids) expect(id).toMatch(/^call_/);
      expect(parts.flatMap(({ functionCall }) => (functionCall ? [functionCall.id] : []))).toEqual(given);
      expect(results.map(({ id }) => id)).toEqual(given);
      expect(results.map(({ response }) => response.result)).toEqual(ids);
    });
  });
});

test.each(['call_1', 'call_3257537', 'x', 'a_b_0123abcd', 'ids with ☕\nlines'])('the id %j is read off the one of the caller', (id) => {
  expect(findProviderCallId(toMarkedId(id))).toBe(id);
});

test.each(['call_1', 'call_0123456789abcdef', 'call_a_0123abcd', 'toolu_01A', '', 'call_', 'a_10202895'])(
  'the id %j was not given by the vendor',
  (id) => {
    expect(findProviderCallId(id)).toBeNull();
  },
);

test('an id that does not show whole is not sent back', () => {
  expect(toMarkedId('toolu_7')).toBe('call_7');
  expect(toMarkedId('')).toBe('');
});
