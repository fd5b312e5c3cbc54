/** C9: JSON mode over an upstream that has none: the instructions ask for it, and an answer that is no object is a failure. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { anthropicDialect } from '../../../server/protocols/anthropic/dialect.ts';
import type { CanonicalEvent, FinishReason } from '../../../server/protocols/canonical/canonical-events.ts';
import { chatCallerDialect } from '../../../server/protocols/chat/dialect.ts';
import { createObjectFilter } from '../../../server/protocols/non-openai/json-mode.ts';

const ask = {
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Who?' },
  ],
};
const turn = chatCallerDialect.readRequest({ ...ask, response_format: { type: 'json_object' } }, 'claude');

/** The text that the caller gets for these pieces, or null for a failure. */
function said(pieces: readonly string[], reason: FinishReason = 'stop'): string | null {
  const narrow = createObjectFilter();
  const events = [...pieces.map((text): CanonicalEvent => ({ kind: 'text', text })), { kind: 'finish', reason } as const].flatMap((event) =>
    narrow([event]),
  );
  const end = events.at(-1);
  if (end?.kind === 'failed') {
    expect(end.error).toMatchObject({ code: 'upstream_error' });
    return null;
  }
  expect(end).toEqual({ kind: 'finish', reason });
  return events.flatMap((event) => (event.kind === 'text' ? [event.text] : [])).join('');
}

describe('a caller who asks for a JSON object over an Anthropic upstream', () => {
  test.each([
    ['{"a":1}', '{"a":1}'],
    ['Here it is:\n```json\n{"a": {"b": [1, "}"]}}\n```\nAnything else?', '{"a": {"b": [1, "}"]}}'],
    ['\n{"quote": "\\"}{[\\\\"}', '{"quote": "\\"}{[\\\\"}'],
    ['{"a":1} [see above]', '{"a":1}'],
  ])('C9: gets the object of %j, in any pieces', (text, object) => {
    expect(said([text])).toBe(object);
    expect(said([...text])).toBe(object);
    const whole = anthropicDialect.readResponse({ content: [{ type: 'text', text }], stop_reason: 'end_turn' }, turn);
    expect(whole).toContainEqual({ kind: 'text', text: object });
  });

  test.each(['Ada.', '', '[{"a":1},{"b":2}]', '{"a":1}\n{"b":2}', '{a: 1}', '{"a":1', '{"a":1]', '"text"'])(
    'C9: gets upstream_error for %j',
    (text) => {
      expect(said([text])).toBeNull();
      expect(said([...text])).toBeNull();
      const whole = anthropicDialect.readResponse({ content: [{ type: 'text', text }], stop_reason: 'end_turn' }, turn);
      expect(whole.at(-1)).toMatchObject({ kind: 'failed', error: { code: 'upstream_error' } });
    },
  );

  test('C9: gets the beginning of an object that was cut, and no text with a call or a filter', () => {
    expect(said(['{"a":', '"b'], 'length')).toBe('{"a":"b');
    expect(said(['I look it up.'], 'tool_calls')).toBe('');
    expect(said(['Sorry.'], 'content_filter')).toBe('');
  });

  test('C9: gets any object unchanged, with any text around it and in any pieces', () => {
    const fence = fc.constantFrom('', '```json\n', 'Sure! ', '\n');
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fence, fc.array(fc.nat(20)), (value, before, cuts) => {
        const object = JSON.stringify(value);
        const text = `${before}${object}\n\`\`\``;
        const pieces: string[] = [];
        let at = 0;
        for (const cut of cuts) {
          pieces.push(text.slice(at, at + cut));
          at += cut;
        }
        expect(said([...pieces, text.slice(at)])).toBe(object);
      }),
    );
  });
});
