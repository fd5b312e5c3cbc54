/** Reads a complete Converse response as events. */
import { type CallCode, GatewayError } from '../../primitives/errors.ts';
import { isFields, isKeyIn, toFields, type Unchecked } from '../../primitives/fields.ts';
import { toCallId } from '../canonical/call-ids.ts';
import type { CanonicalEvent, FinishReason } from '../canonical/canonical-events.ts';
import type { CanonicalRequest } from '../canonical/canonical-request.ts';
import { unwrapCustomInput } from '../canonical/custom-input.ts';
import { createFlatToolNames, type FlatToolNames } from '../canonical/flat-tool-names.ts';
import { packReasoning } from '../canonical/packed-reasoning.ts';
import { readCount, toOptionalCount, type Usage } from '../usage.ts';
import { getModelProvider, MAX_TOOL_NAME } from './rules.ts';
import {
  type CacheDetail,
  type CitationsContentBlock,
  type ContentBlock,
  type ConverseResponse,
  type Message,
  PROVIDER,
  type ReasoningContentBlock,
  type ReasoningTextBlock,
  type SignedReasoning,
  type StopReason,
  type TokenUsage,
  type ToolUseBlock,
} from './wire.ts';

const createInvalidResponseError = (message: string) => new GatewayError<CallCode>('upstream_error', { message });

export function readResponse(response: Unchecked<ConverseResponse>, turn: CanonicalRequest): CanonicalEvent[] {
  const { message }: Unchecked<ConverseResponse['output']> = isFields(response.output) ? response.output : {};
  const { content }: Unchecked<Message> = toFields(message);
  if (!Array.isArray(content)) throw createInvalidResponseError("The upstream returned a response without 'output'.");
  const state: ResponseState = {
    names: createFlatToolNames(turn.tools, MAX_TOOL_NAME),
    provider: getModelProvider(turn.model),
    calls: 0,
    thoughts: 0,
  };
  const events = content.filter(isFields).flatMap((block) => readBlock(block, state));
  const reason = readStopReason(response.stopReason, state.calls > 0);
  const usage = readConverseUsage(response.usage);
  return [{ kind: 'start' }, ...events, ...(usage === null ? [] : [{ kind: 'usage', usage } as const]), { kind: 'finish', reason }];
}

interface ResponseState {
  readonly names: FlatToolNames;
  readonly provider: string;
  calls: number;
  /** The number of reasoning paragraphs that still await a signature. */
  thoughts: number;
}

export const toText = (value: unknown): string => (typeof value === 'string' ? value : '');

export const emitText = (value: unknown): CanonicalEvent[] => (toText(value) === '' ? [] : [{ kind: 'text', text: toText(value) }]);

/** A block's only field is its kind. Skips unknown kinds, because callers can't use them. */
function readBlock({ text, toolUse, reasoningContent, citationsContent }: Unchecked<ContentBlock>, state: ResponseState): CanonicalEvent[] {
  if (isFields(toolUse)) return readCall(toolUse, state);
  if (isFields(reasoningContent)) return readReasoning(reasoningContent, state);
  const { content }: Unchecked<CitationsContentBlock> = toFields(citationsContent);
  if (Array.isArray(content))
    return content.filter(isFields).flatMap((cited: Unchecked<CitationsContentBlock['content'][number]>) => emitText(cited.text));
  return emitText(text);
}

function readCall({ toolUseId, name, input }: Unchecked<ToolUseBlock>, state: ResponseState): CanonicalEvent[] {
  const tool = state.names.fromWire(toText(name));
  const index = state.calls++;
  const json = JSON.stringify(toFields(input));
  return [
    { kind: 'call', index, callId: toCallId(toText(toolUseId)), ...tool },
    { kind: 'arguments', index, text: tool.form === 'custom' ? unwrapCustomInput(json) : json },
  ];
}

function readReasoning({ reasoningText, redactedContent }: Unchecked<ReasoningContentBlock>, state: ResponseState): CanonicalEvent[] {
  if (!isFields(reasoningText)) {
    state.thoughts = 0;
    return typeof redactedContent === 'string' ? [createEncryptedEvent({ redactedContent }, state.provider)] : [];
  }
  const received: Unchecked<ReasoningTextBlock> = reasoningText;
  const [reasoning, signature] = [toText(received.text), toText(received.signature)];
  const events: CanonicalEvent[] = reasoning === '' ? [] : [{ kind: 'reasoning', part: state.thoughts, text: reasoning }];
  state.thoughts = signature === '' ? state.thoughts + 1 : 0;
  return signature === '' ? events : [...events, createEncryptedEvent({ reasoningText: { text: reasoning, signature } }, state.provider)];
}

export const createEncryptedEvent = (block: ReasoningContentBlock, provider: string): CanonicalEvent => ({
  kind: 'encrypted',
  encrypted: packReasoning(PROVIDER, { provider, block } satisfies SignedReasoning),
});

const reasons: Readonly<Record<StopReason, FinishReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  tool_use: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  content_filtered: 'content_filter',
  guardrail_intervened: 'content_filter',
};

/** Throws for a stop reason that isn't a response, such as output that the provider couldn't parse. */
export function readStopReason(value: unknown, hasCalls: boolean): FinishReason {
  if (!isKeyIn(value, reasons)) throw createInvalidResponseError("The upstream couldn't complete the response.");
  const reason = reasons[value];
  return reason === 'stop' && hasCalls ? 'tool_calls' : reason;
}

/** Bedrock counts cache reads and writes separately from the input. Here, both are part of the input. */
export function readConverseUsage(value: unknown): Usage | null {
  if (!isFields(value)) return null;
  const usage: Unchecked<TokenUsage> = value;
  const [cached, cacheWrite] = [readCount(usage.cacheReadInputTokens), readCount(usage.cacheWriteInputTokens)];
  return {
    input: readCount(usage.inputTokens) + cached + cacheWrite,
    cached,
    ...toOptionalCount('cacheWrite', cacheWrite),
    ...toOptionalCount('cacheWrite1h', countLongWrites(usage.cacheDetails)),
    output: readCount(usage.outputTokens),
    reasoning: 0,
  };
}

/** Tokens written with a retention of one hour. */
const countLongWrites = (details: unknown): number =>
  (Array.isArray(details) ? details : [])
    .filter(isFields)
    .filter(({ ttl }: Unchecked<CacheDetail>) => ttl === '1h')
    .reduce((total, { inputTokens }: Unchecked<CacheDetail>) => total + readCount(inputTokens), 0);
