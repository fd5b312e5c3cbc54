/** A new hint is a field of the contract and a line in the list of hints: no writer has a list of its own. */
import { expect, test } from 'vitest';
import { ChatCompletionRequest } from '../../../../contract/chat.ts';
import { ResponseRequest } from '../../../../contract/responses.ts';
import { HINT } from '../../../../contract/wording.ts';
import { writeChatRequest } from '../../../../server/dialects/chat/write-request.ts';
import { writeResponseRequest } from '../../../../server/dialects/responses/write-request.ts';
import { sharedHints } from '../../../../server/dialects/turn/hints.ts';
import { unsentFields } from '../../../../server/dialects/turn/unsent-fields.ts';
import { readHints } from '../../../../server/dialects/wire/body-fields.ts';
import { chatTurn } from '../foreign-turns.ts';

const isHint = (field: { readonly description?: string | undefined }): boolean => field.description?.includes(HINT) === true;

test('every field that the contract calls a hint in both operations is in the list', () => {
  const described = Object.entries(ChatCompletionRequest.shape).flatMap(([name, field]) => (isHint(field) ? [name] : []));
  const shared = described.filter((name) => Object.hasOwn(ResponseRequest.shape, name));
  expect(shared.length).toBeGreaterThan(3);
  expect(sharedHints).toEqual(expect.arrayContaining(shared));
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
