/** Reads a whole chat completion as events, as if it were the only chunk of a stream. */
import { type Fields, isFields } from '../../../contract/rule.ts';
import { type CallCode, GatewayError } from '../../errors.ts';
import type { Turn, TurnEvent } from '../turn/turn.ts';
import { openChatStream } from './read-stream.ts';

/** In a whole answer a call's position in its list is its index. */
function asDelta(message: Fields): Fields {
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls.filter(isFields) : [];
  return { ...message, tool_calls: calls.map((call, index) => ({ ...call, index })) };
}

function asChunk(answer: Fields): Fields {
  const choices = Array.isArray(answer.choices) ? answer.choices.filter(isFields) : [];
  return { ...answer, choices: choices.map(({ message, ...rest }) => ({ ...rest, delta: isFields(message) ? asDelta(message) : {} })) };
}

export function readChatAnswer(answer: Fields, turn: Turn, thoughtsIn?: string): TurnEvent[] {
  const reader = openChatStream(turn, thoughtsIn);
  const told = reader.read(asChunk(answer), null);
  // A whole answer has ended, also when the vendor does not say how.
  const events = [...told, ...reader.end(true)];
  const failed = events.find((event) => event.kind === 'failed');
  if (failed === undefined) return events;
  if (answer.error || Array.isArray(answer.choices)) throw failed.error;
  throw new GatewayError<CallCode>('upstream_error', { message: "The upstream answered without 'choices'." });
}
