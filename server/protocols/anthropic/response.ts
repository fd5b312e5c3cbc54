/** Reads a complete message of an Anthropic upstream as events. */
import { type CallCode, GatewayError } from '../../primitives/errors.ts';
import { isFields, isKeyIn, toFields, type Unchecked } from '../../primitives/fields.ts';
import { toCallId } from '../canonical/call-ids.ts';
import type { CanonicalEvent, FinishReason } from '../canonical/canonical-events.ts';
import type { CanonicalRequest } from '../canonical/canonical-request.ts';
import { unwrapCustomInput } from '../canonical/custom-input.ts';
import { createFlatToolNames, type FlatToolNames } from '../canonical/flat-tool-names.ts';
import { packReasoning } from '../canonical/packed-reasoning.ts';
import { readCount, readServiceTier, toOptionalCount, type Usage } from '../usage.ts';
import { readInnerFailure } from './errors.ts';
import { MAX_TOOL_NAME } from './rules.ts';
import {
  type CacheCreation,
  type ContentBlock,
  type ErrorResponse,
  type Message,
  type MessageUsage,
  type OutputTokensDetails,
  PROVIDER,
  type ReasoningBlock,
  type StopReason,
  type ThinkingBlock,
  type ToolUseBlock,
} from './wire.ts';

const createInvalidResponseError = (what: string) =>
  new GatewayError<CallCode>('upstream_error', { message: `The upstream returned a response without ${what}.` });

export function readResponse(response: Unchecked<Message | ErrorResponse>, turn: CanonicalRequest): CanonicalEvent[] {
  if (response.type === 'error') throw readInnerFailure(response);
  if (!Array.isArray(response.content)) throw createInvalidResponseError("'content'");
  if (typeof response.stop_reason !== 'string') throw createInvalidResponseError("'stop_reason'");
  const state: ResponseState = { names: createFlatToolNames(turn.tools, MAX_TOOL_NAME), calls: 0, thoughts: 0 };
  const events = response.content.filter(isFields).flatMap((block) => readBlock(block, state));
  const usage = readAnthropicUsage(response.usage);
  return [
    { kind: 'start' },
    ...events,
    ...(usage === null ? [] : [{ kind: 'usage', usage } as const]),
    { kind: 'finish', reason: readStopReason(response.stop_reason, state.calls > 0) },
  ];
}

interface ResponseState {
  readonly names: FlatToolNames;
  calls: number;
  /** The number of reasoning paragraphs that still await a signature. */
  thoughts: number;
}

export const toText = (value: unknown): string => (typeof value === 'string' ? value : '');
const blockReaders: Readonly<Record<ContentBlock['type'], (block: Unchecked<ContentBlock>, state: ResponseState) => CanonicalEvent[]>> = {
  text: (block) => (toText(block.text) === '' ? [] : [{ kind: 'text', text: toText(block.text) }]),
  tool_use: readCall,
  thinking: readThinking,
  redacted_thinking: (block, state) => {
    state.thoughts = 0;
    return [createEncryptedEvent({ type: 'redacted_thinking', data: toText(block.data) })];
  },
};

/** Skips blocks of hosted tools: the gateway never requests them, and callers can't use them. */
const readBlock = (block: Unchecked<ContentBlock>, state: ResponseState): CanonicalEvent[] =>
  isKeyIn(block.type, blockReaders) ? blockReaders[block.type](block, state) : [];

function readCall(block: Unchecked<ToolUseBlock>, state: ResponseState): CanonicalEvent[] {
  const tool = state.names.fromWire(toText(block.name));
  const index = state.calls++;
  const json = JSON.stringify(toFields(block.input));
  return [
    { kind: 'call', index, callId: toCallId(toText(block.id)), ...tool },
    { kind: 'arguments', index, text: tool.form === 'custom' ? unwrapCustomInput(json) : json },
  ];
}

function readThinking(block: Unchecked<ThinkingBlock>, state: ResponseState): CanonicalEvent[] {
  const thinking = toText(block.thinking);
  const signature = toText(block.signature);
  const reasoning: CanonicalEvent[] = thinking === '' ? [] : [{ kind: 'reasoning', part: state.thoughts, text: thinking }];
  state.thoughts = signature === '' ? state.thoughts + 1 : 0;
  return signature === '' ? reasoning : [...reasoning, createEncryptedEvent({ type: 'thinking', thinking, signature })];
}

export const createEncryptedEvent = (block: ReasoningBlock): CanonicalEvent => ({
  kind: 'encrypted',
  encrypted: packReasoning(PROVIDER, { provider: PROVIDER, blocks: [block] }),
});

const reasons: Readonly<Record<StopReason, FinishReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  tool_use: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'content_filter',
  // Only hosted tools pause a turn, and the gateway offers none. The response is incomplete.
  pause_turn: 'length',
};

/** An unknown reason counts as `length`, because the response might be cut off. */
export function readStopReason(stopReason: string, hasCalls: boolean): FinishReason {
  const reason = isKeyIn(stopReason, reasons) ? reasons[stopReason] : 'length';
  return reason === 'stop' && hasCalls ? 'tool_calls' : reason;
}

/** Anthropic counts cache reads and writes separately from the input. Here, both are part of the input. */
export function readAnthropicUsage(value: unknown): Usage | null {
  if (!isFields(value)) return null;
  const usage: Unchecked<MessageUsage> = value;
  const details: Unchecked<OutputTokensDetails> = toFields(usage.output_tokens_details);
  const longCacheWrite: Unchecked<CacheCreation> = toFields(usage.cache_creation);
  const cached = readCount(usage.cache_read_input_tokens);
  const cacheWrite = readCount(usage.cache_creation_input_tokens);
  const output = readCount(usage.output_tokens);
  return {
    input: readCount(usage.input_tokens) + cacheWrite + cached,
    cached,
    ...toOptionalCount('cacheWrite', cacheWrite),
    ...toOptionalCount('cacheWrite1h', readCount(longCacheWrite.ephemeral_1h_input_tokens)),
    output,
    reasoning: Math.min(output, readCount(details.thinking_tokens ?? details.reasoning_tokens)),
    ...readServiceTier(usage),
  };
}
