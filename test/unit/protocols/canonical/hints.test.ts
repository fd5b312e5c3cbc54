/** The list of hints has all shared fields of the contract that are hints, and all writers use it. */
import { expect, test } from 'vitest';
import { ChatCompletionRequest } from '../../../../contract/chat.ts';
import { ResponseRequest } from '../../../../contract/responses.ts';
import { findDroppedFields } from '../../../../server/protocols/canonical/dropped-fields.ts';
import { readHints, sharedHints } from '../../../../server/protocols/canonical/hints.ts';
import { writeChatRequest } from '../../../../server/protocols/chat/write-request.ts';
import { writeResponseRequest } from '../../../../server/protocols/responses/write-request.ts';
import { chatTurn } from '../upstream-reading.ts';

/** Shared fields that are no hints: they change the answer, or the gateway handles them. */
const others = [
  ...['model', 'stream', 'stream_options', 'store', 'moderation', 'tools', 'tool_choice', 'parallel_tool_calls', 'reasoning', 'usage'],
  ...['temperature', 'top_p', 'frequency_penalty', 'presence_penalty', 'top_logprobs'],
];

test('lists each field of both operations as a hint, or as another field', () => {
  const shared = Object.keys(ChatCompletionRequest.shape).filter((name) => Object.hasOwn(ResponseRequest.shape, name));
  expect([...sharedHints, ...others].sort()).toEqual(shared.sort());
});

test.each(sharedHints)("reads %s, writes it for both protocols of OpenAI, and names it when it isn't sent", (name) => {
  const body = { [name]: name === 'metadata' ? { a: 'b' } : 'flex' };
  const hints = readHints(body);
  expect(hints).toEqual(body);
  const turn = { ...chatTurn({}, 'gpt-5.4'), hints };
  expect(writeChatRequest(turn)).toMatchObject(body);
  expect(writeResponseRequest(turn)).toMatchObject(body);
  expect(findDroppedFields(body, 'chat', 'gemini')).toEqual([name]);
});
