import { describe, expect, it } from 'vitest';
import { ChatCompletionRequest } from '../../../contract/chat.ts';
import { ResponseRequest } from '../../../contract/responses.ts';
import { chatCaller } from '../../../server/dialects/chat/caller.ts';
import { responsesCaller } from '../../../server/dialects/responses/caller.ts';
import { requestCases as chatCases } from '../../fixtures/chat/caller-requests.ts';
import { requestCases as responsesCases } from '../../fixtures/responses/caller-requests.ts';

const user = { role: 'user', content: 'hi' };
const refused = (body: Record<string, unknown>, error: object) =>
  expect(() => chatCaller.readRequest({ model: 'm', ...body }, 'm')).toThrow(expect.objectContaining(error));

describe('a chat caller is understood who sends', () => {
  it.each(chatCases)('$what', ({ body, turn }) => {
    const parsed = { ...ChatCompletionRequest.parse({ model: 'any', ...body }) };
    expect(chatCaller.readRequest(parsed, 'upstream-model')).toMatchObject({ caller: 'chat', model: 'upstream-model' });
    for (const [field, value] of Object.entries(turn)) expect(chatCaller.readRequest(parsed, 'm')).toHaveProperty(field, value);
  });
});

describe('a responses caller is understood who sends', () => {
  it.each(responsesCases)('$what', ({ body, turn }) => {
    // A chain or an item of another protocol may answer calls that the contract cannot see: not its business here.
    const parsed = { ...ResponseRequest.parse({ model: 'any', ...body }) };
    expect(responsesCaller.readRequest(parsed, 'upstream-model')).toMatchObject({ caller: 'responses', model: 'upstream-model' });
    for (const [field, value] of Object.entries(turn)) expect(responsesCaller.readRequest(parsed, 'm')).toHaveProperty(field, value);
  });
});

describe('a chat caller is refused by the path of the field', () => {
  it('who sends back audio that only its maker knows', () => {
    refused(
      { messages: [user, { role: 'assistant', audio: { id: 'audio_1' } }] },
      { code: 'unsupported_parameter', param: 'messages[1].audio' },
    );
  });

  it('who sends the result of a function that nobody called', () => {
    refused({ messages: [user, { role: 'function', name: 'f', content: '1' }] }, { code: 'invalid_value', param: 'messages[1].name' });
  });

  it('who thinks of an effort that does not exist', () => {
    refused({ messages: [user], reasoning: { effort: 'heroic' } }, { code: 'invalid_value', param: 'reasoning.effort' });
  });
});
