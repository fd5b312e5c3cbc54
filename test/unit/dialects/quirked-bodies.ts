/** Bodies as a vendor with quirks gets them: of a chat caller, handed on, and of a responses caller, translated. */
import { expect } from 'vitest';
import { quirkedRelay, quirkedUpstream } from '../../../server/dialects/chat/quirked.ts';
import type { ChatQuirks } from '../../../server/dialects/chat/quirks.ts';
import { jsonBody } from '../../../server/dialects/wire/json-body.ts';
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
  hints: true,
  unsupported: [],
};
export const hello = [{ role: 'user', content: 'hi' }];

/** What a chat caller's body is when it leaves: the bytes, read again. */
export function handedOn(quirks: Some, body: Body): Body {
  const sent = quirkedRelay({ ...plain, ...quirks }).writeRequest(jsonBody({ model: 'm', messages: hello, ...body }), { model: 'm' });
  const read: Body = JSON.parse(sent.bytes.toString());
  expect(read).toEqual(JSON.parse(JSON.stringify(sent.value)));
  const { model: _, messages, ...rest } = read;
  return messages === undefined || JSON.stringify(messages) === JSON.stringify(hello) ? rest : { messages, ...rest };
}
/** What a responses caller's body becomes. */
export function translated(quirks: Some, body: Body): Body {
  const { model: _, messages, ...rest } = quirkedUpstream({ ...plain, ...quirks }).writeRequest(responsesTurn(body));
  return JSON.stringify(messages) === JSON.stringify(hello) ? rest : { messages, ...rest };
}
