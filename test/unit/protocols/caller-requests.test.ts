import { describe, expect, it } from 'vitest';
import { ChatCompletionRequest } from '../../../contract/chat.ts';
import { ResponseRequest } from '../../../contract/responses.ts';
import { chatCallerDialect } from '../../../server/protocols/chat/dialect.ts';
import { responsesCallerDialect } from '../../../server/protocols/responses/dialect.ts';
import { requestCases as chatCases } from '../../fixtures/chat/caller-requests.ts';
import { requestCases as responsesCases } from '../../fixtures/responses/caller-requests.ts';

const user = { role: 'user', content: 'hi' };
const rejected = (body: Record<string, unknown>, error: object) =>
  expect(() => chatCallerDialect.readRequest({ model: 'm', ...body }, 'm')).toThrow(expect.objectContaining(error));

describe('the request of a chat caller is read:', () => {
  it.each(chatCases)('$what', ({ body, turn }) => {
    const parsed = { ...ChatCompletionRequest.parse({ model: 'any', ...body }) };
    expect(chatCallerDialect.readRequest(parsed, 'upstream-model')).toMatchObject({ caller: 'chat', model: 'upstream-model' });
    for (const [field, value] of Object.entries(turn)) expect(chatCallerDialect.readRequest(parsed, 'm')).toHaveProperty(field, value);
  });
});

describe('the request of a responses caller is read:', () => {
  it.each(responsesCases)('$what', ({ body, turn }) => {
    // The contract cannot check results of calls in earlier responses.
    const parsed = { ...ResponseRequest.parse({ model: 'any', ...body }) };
    expect(responsesCallerDialect.readRequest(parsed, 'upstream-model')).toMatchObject({ caller: 'responses', model: 'upstream-model' });
    for (const [field, value] of Object.entries(turn)) expect(responsesCallerDialect.readRequest(parsed, 'm')).toHaveProperty(field, value);
  });
});

describe('the request of a chat caller is rejected with the path of the field', () => {
  it('when it has the audio of an earlier answer', () => {
    rejected(
      { messages: [user, { role: 'assistant', audio: { id: 'audio_1' } }] },
      { code: 'unsupported_parameter', param: 'messages[1].audio' },
    );
  });

  it('when it has the result of a function that was not called', () => {
    rejected({ messages: [user, { role: 'function', name: 'f', content: '1' }] }, { code: 'invalid_value', param: 'messages[1].name' });
  });

  it('when it has an unknown reasoning effort', () => {
    rejected({ messages: [user], reasoning: { effort: 'heroic' } }, { code: 'invalid_value', param: 'reasoning.effort' });
  });
});
