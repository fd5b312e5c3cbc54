/** The ids of calls from an upstream to a caller of another protocol and back. */
import { describe, expect, test } from 'vitest';
import { anthropicDialect } from '../../../../server/protocols/anthropic/dialect.ts';
import { toCallId } from '../../../../server/protocols/canonical/call-ids.ts';
import type { CanonicalEvent } from '../../../../server/protocols/canonical/canonical-events.ts';
import { geminiDialect } from '../../../../server/protocols/gemini/dialect.ts';
import { responsesUpstreamDialect } from '../../../../server/protocols/responses/dialect.ts';
import { anthropicFrames, anthropicMessage } from '../../../fakes/anthropic.ts';
import { geminiAnswer } from '../../../fakes/gemini.ts';
import { response } from '../../../fakes/responses.ts';
import { asInput, readStream, responsesTurn } from '../foreign-turns.ts';

test.each([
  ['toolu_01AbC', 'call_01AbC'],
  ['toolu_bdrk_01AbC', 'call_bdrk_01AbC'],
  ['call_9', 'call_9'],
  ['call-0b5d-7', 'call-0b5d-7'],
  ['tooluse_k7', 'call_k7'],
  ['callback', 'call_callback'],
  ['fc_9', 'call_9'],
  ['b1946ac9', 'call_b1946ac9'],
  ['', ''],
])('an upstream’s id %j becomes %j', (id, shown) => {
  expect(toCallId(id)).toBe(shown);
  expect(toCallId(shown)).toBe(shown);
});

const turn = responsesTurn({ tools: [{ type: 'function', name: 'f' }] }, 'm');
const idsOf = (events: readonly CanonicalEvent[]) => events.flatMap((event) => (event.kind === 'call' ? [event.callId] : []));

describe('a caller gets the same neutral id over each upstream', () => {
  const toolCalls = [{ id: 'toolu_7', name: 'f', arguments: '{}' }];
  test.each([
    ['anthropic', anthropicDialect.readResponse(anthropicMessage({ toolCalls }), turn)],
    ['anthropic, streamed', readStream(anthropicDialect, anthropicFrames({ toolCalls }), turn)],
    ['gemini', geminiDialect.readResponse(geminiAnswer({ calls: [{ id: 'toolu_7', name: 'f' }] }), turn)],
    ['responses', responsesUpstreamDialect.readResponse(response({ toolCalls }), turn)],
  ])('%s', (_name, events) => expect(idsOf(events)).toEqual(['call_7']));
});

test('F10: signed thinking is sent back unchanged before its call, and call and result have the same id', () => {
  const reply = { thoughts: [{ text: 'Hm.', signature: 'c2ln' }], toolCalls: [{ id: 'toolu_7', name: 'f', arguments: '{}' }] };
  const events = anthropicDialect.readResponse(anthropicMessage(reply), turn);
  const output = { type: 'function_call_output', call_id: idsOf(events)[0], output: 'ok' };
  const tools = [{ type: 'function', name: 'f' }];
  const next = responsesTurn({ tools, input: [{ role: 'user', content: 'Hi' }, ...asInput(events), output] }, 'm');
  expect(anthropicDialect.writeRequest(next).messages).toMatchObject([
    { role: 'user' },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
        { type: 'tool_use', id: 'call_7' },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_7' }] },
  ]);
});
