/** A new hint is a field of the contract and a line in the list of hints: no writer has a list of its own. */
import { expect, test } from 'vitest';
import { ChatCompletionRequest } from '../../../../contract/chat.ts';
import { ResponseRequest } from '../../../../contract/responses.ts';
import { writeChatRequest } from '../../../../server/dialects/chat/write-request.ts';
import { writeResponseRequest } from '../../../../server/dialects/responses/write-request.ts';
import { sharedHints } from '../../../../server/dialects/turn/hints.ts';
import { unsentFields } from '../../../../server/dialects/turn/unsent-fields.ts';
import { readHints } from '../../../../server/dialects/wire/body-fields.ts';
import { chatTurn } from '../foreign-turns.ts';

/** Shared fields that are no hints: they change the answer, or the gateway itself acts on them. */
const others = [
  ...['model', 'stream', 'stream_options', 'store', 'moderation', 'tools', 'tool_choice', 'parallel_tool_calls', 'reasoning'],
  ...['temperature', 'top_p', 'frequency_penalty', 'presence_penalty', 'top_logprobs'],
];

test('every field that both operations have is in the list of hints, or is no hint', () => {
  const shared = Object.keys(ChatCompletionRequest.shape).filter((name) => Object.hasOwn(ResponseRequest.shape, name));
  expect([...sharedHints, ...others].sort()).toEqual(shared.sort());
});

test.each(sharedHints)('%s is read, written for both protocols of OpenAI, and named where a vendor is not sent it', (name) => {
  const body = { [name]: name === 'metadata' ? { a: 'b' } : 'flex' };
  const hints = readHints(body);
  expect(hints).toEqual(body);
  const turn = { ...chatTurn({}, 'gpt-5.4'), hints };
  expect(writeChatRequest(turn)).toMatchObject(body);
  expect(writeResponseRequest(turn)).toMatchObject(body);
  expect(unsentFields(body, 'chat', 'anthropic')).toEqual([name]);
});
