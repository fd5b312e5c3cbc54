/** Converts the finish reason of a provider to one of the contract. */

import { type CallCode, GatewayError } from '../../primitives/errors.ts';
import type { ChatFinishReason } from './wire.ts';

export function requireFinishReason(value: unknown): ChatFinishReason | null {
  const reason = readFinishReason(value);
  if (reason !== 'failed') return reason;
  throw new GatewayError<CallCode>('upstream_error', { message: 'The upstream aborted the response.' });
}

/** Some providers send `stop` after tool calls. Agents that trust the reason wouldn't run the calls. */
export const correctFinishReason = <Reason extends ChatFinishReason | null>(reason: Reason, hasCalls: boolean): Reason | 'tool_calls' =>
  reason === 'stop' && hasCalls ? 'tool_calls' : reason;

const knownReasons: Readonly<Record<string, ChatFinishReason>> = {
  stop: 'stop',
  end_turn: 'stop',
  stop_sequence: 'stop',
  stop_token: 'stop',
  eos: 'stop',
  eos_token: 'stop',
  end: 'stop',
  done: 'stop',
  complete: 'stop',
  completed: 'stop',
  finished: 'stop',
  length: 'length',
  max_tokens: 'length',
  max_output_tokens: 'length',
  max_length: 'length',
  model_length: 'length',
  model_context_window_exceeded: 'length',
  tool_calls: 'tool_calls',
  tool_call: 'tool_calls',
  tool_use: 'tool_calls',
  function_call: 'function_call',
  content_filter: 'content_filter',
  content_filtered: 'content_filter',
  sensitive: 'content_filter',
  guardrail_intervened: 'content_filter',
  safety: 'content_filter',
  recitation: 'content_filter',
  refusal: 'content_filter',
};

/** Providers' finish reasons for a failed response. */
const failureReasons = new Set(['error', 'abort', 'network_error', 'insufficient_system_resource', 'load', 'unload']);

/**
 * Maps the reason to the contract's name. Returns `failed` if the provider aborted the response, and null if nothing ended. An unknown reason
 * counts as `length`.
 */
export function readFinishReason(value: unknown): ChatFinishReason | 'failed' | null {
  if (typeof value !== 'string' || value === '') return null;
  const name = value.toLowerCase();
  return failureReasons.has(name) ? 'failed' : ((Object.hasOwn(knownReasons, name) ? knownReasons[name] : undefined) ?? 'length');
}
