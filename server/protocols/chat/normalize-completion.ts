/** Normalizes a provider's complete chat completion to the shape of the contract: adds what the provider omitted, and replaces its own spellings. */

import { hash } from 'node:crypto';
import { type Fields, isFields } from '../../primitives/fields.ts';
import { chatUsageNames, correctUsage, withTopLevelUsage } from '../usage.ts';
import { mapList, withValues } from '../wire/with-values.ts';
import { correctFinishReason, requireFinishReason } from './finish-reasons.ts';
import { extractReasoning, extractText } from './reasoning-parts.ts';

export const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** The provider's time in seconds since 1970, or else the current time. */
export const getCreated = ({ created }: Fields): number =>
  typeof created === 'number' && Number.isInteger(created) && created >= 0 ? created : Math.floor(Date.now() / 1000);

/** An ID for an object that the provider sent without one. The same parts give the same ID. */
export const createStableId = (prefix: string, ...parts: readonly unknown[]): string =>
  `${prefix}${hash('sha256', JSON.stringify(parts), 'hex').slice(0, 24)}`;

/** Joins content parts into text, and thinking parts into `reasoning_content`. */
export function withTextContent(message: Fields): Fields {
  const { content, reasoning_content: ownReasoning } = message;
  if (!Array.isArray(content)) return message;
  const reasoning = (typeof ownReasoning === 'string' ? ownReasoning : '') + content.map(extractReasoning).join('');
  const text = content.map(extractText).join('');
  return { ...message, content: text === '' && reasoning !== '' ? null : text, ...(reasoning !== '' && { reasoning_content: reasoning }) };
}

/** Converts a call's arguments to JSON text, because some providers send an object. */
export const withTextArguments = (body: Fields): Fields =>
  isFields(body.arguments) ? { ...body, arguments: JSON.stringify(body.arguments) } : body;

function normalizeCall(call: unknown, at: number, responseId: unknown): unknown {
  if (!isFields(call)) return call;
  const id = isText(call.id) ? call.id : createStableId('call_', responseId, at);
  if (isFields(call.custom)) return withValues(call, { id, type: 'custom' });
  const functionCall = isFields(call.function) ? withTextArguments(call.function) : {};
  const body = typeof functionCall.arguments === 'string' ? functionCall : { ...functionCall, arguments: '{}' };
  return withValues(call, { id, type: 'function', function: body });
}

function normalizeMessage(rawMessage: Fields, responseId: unknown): Fields {
  const hasCalls = Array.isArray(rawMessage.tool_calls) && rawMessage.tool_calls.length > 0;
  // A choice that a content filter emptied can lack the message.
  const message = rawMessage.content === undefined ? { ...rawMessage, content: hasCalls ? null : '' } : rawMessage;
  const corrected = withValues(withTextContent(message), { role: 'assistant' });
  if (!Array.isArray(corrected.tool_calls)) return corrected;
  return withValues(corrected, { tool_calls: mapList(corrected.tool_calls, (call, at) => normalizeCall(call, at, responseId)) });
}

function normalizeChoice(choice: unknown, at: number, responseId: unknown): unknown {
  if (!isFields(choice)) return choice;
  const message = normalizeMessage(isFields(choice.message) ? choice.message : {}, responseId);
  const calls = Array.isArray(message.tool_calls) && message.tool_calls.length > 0;
  const finish_reason = correctFinishReason(requireFinishReason(choice.finish_reason) ?? 'stop', calls);
  return withValues(choice, { index: typeof choice.index === 'number' ? choice.index : at, message, finish_reason });
}

/** Returns the same response if it needs no change. Throws `upstream_error` if the provider aborted the response. */
export function normalizeCompletion(response: Fields): Fields {
  const created = getCreated(response);
  const id = isText(response.id) ? response.id : createStableId('chatcmpl-', created, response);
  const corrected = withValues(withTopLevelUsage(response), { id, object: 'chat.completion', created });
  if (!Array.isArray(corrected.choices)) return corrected;
  const completion = withValues(corrected, { choices: mapList(corrected.choices, (choice, at) => normalizeChoice(choice, at, id)) });
  return isFields(completion.usage) ? withValues(completion, { usage: correctUsage(completion.usage, chatUsageNames) }) : completion;
}
