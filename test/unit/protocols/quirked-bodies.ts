/** Bodies that a vendor with quirks gets: forwarded from a chat caller, and translated from a responses caller. */
import { expect } from 'vitest';
import { type ChatQuirks, createQuirkDialect, createQuirkRelay } from '../../../server/protocols/chat/quirks.ts';
import { createJsonBody } from '../../../server/protocols/wire/json-body.ts';
import { responsesTurn } from './upstream-reading.ts';

export type Body = Readonly<Record<string, unknown>>;
export type Some = Partial<ChatQuirks>;

export const plain: ChatQuirks = {
  maxTokensField: 'max_completion_tokens',
  seedField: 'seed',
  developerRole: true,
  streamUsage: true,
  structuredOutput: 'schema',
  parallelToolCalls: true,
  strictTools: true,
  reasoningEffort: 'send',
  sendReasoningBack: false,
  reasoningObject: false,
  thinkingParts: false,
  hints: true,
  unsupported: [],
};
export const hello = [{ role: 'user', content: 'hi' }];

/** The body of a chat caller as it is sent. */
export function handedOn(quirks: Some, body: Body): Body {
  const sent = createQuirkRelay({ ...plain, ...quirks }).writeRequest(createJsonBody({ model: 'm', messages: hello, ...body }), {
    model: 'm',
  });
  const read: Body = JSON.parse(sent.bytes.toString());
  expect(read).toEqual(JSON.parse(JSON.stringify(sent.value)));
  const { model: _, messages, ...rest } = read;
  return messages === undefined || JSON.stringify(messages) === JSON.stringify(hello) ? rest : { messages, ...rest };
}
/** The body of a responses caller as it is sent. */
export function translated(quirks: Some, body: Body): Body {
  const { model: _, messages, ...rest } = createQuirkDialect({ ...plain, ...quirks }).writeRequest(responsesTurn(body));
  return JSON.stringify(messages) === JSON.stringify(hello) ? rest : { messages, ...rest };
}
