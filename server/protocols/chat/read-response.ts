/** Reads a complete chat completion as events, as if it were the only chunk of a stream. */

import { type CallCode, GatewayError } from '../../primitives/errors.ts';
import { type Fields, isFields } from '../../primitives/fields.ts';
import type { CanonicalEvent } from '../canonical/canonical-events.ts';
import type { CanonicalRequest } from '../canonical/canonical-request.ts';
import { type ReaderOptions, readChatStream } from './read-stream.ts';

/** In a complete response, a call's position in the list is its index. */
function toDelta(message: Fields): Fields {
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls.filter(isFields) : [];
  return { ...message, tool_calls: calls.map((call, index) => ({ ...call, index })) };
}

export function toChunk(response: Fields): Fields {
  const choices = Array.isArray(response.choices) ? response.choices.filter(isFields) : [];
  return { ...response, choices: choices.map(({ message, ...rest }) => ({ ...rest, delta: isFields(message) ? toDelta(message) : {} })) };
}

export function readChatResponse(response: Fields, turn: CanonicalRequest, options?: ReaderOptions): CanonicalEvent[] {
  const reader = readChatStream(turn, options);
  const first = reader.read(toChunk(response), null);
  // A complete response has ended, even if the provider sends no finish reason.
  const events = [...first, ...reader.end(true)];
  const failure = events.find((event) => event.kind === 'failed');
  if (failure === undefined) return events;
  if (response.error || Array.isArray(response.choices)) throw failure.error;
  throw new GatewayError<CallCode>('upstream_error', { message: "The upstream returned a response without 'choices'." });
}
