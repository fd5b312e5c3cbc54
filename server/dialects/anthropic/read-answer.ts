/** Reads a whole message of an Anthropic upstream, and what whole and streamed messages share: usage and the reason of the end. */
import { type Fields, isFields } from '../../../contract/rule.ts';
import { type CallCode, GatewayError } from '../../errors.ts';
import { unwrapInput } from '../non-openai/tools.ts';
import { callIdFor } from '../turn/call-id.ts';
import { packReasoning } from '../turn/encrypted-reasoning.ts';
import { type FlatToolNames, flatToolNames } from '../turn/tool-names.ts';
import type { FinishReason, Turn, TurnEvent } from '../turn/turn.ts';
import { rareClass, readCount, type Usage } from '../usage.ts';
import { readInnerFailure } from './errors.ts';
import { MAX_TOOL_NAME, PROVIDER, type ThinkingBlock } from './wire.ts';

const nonsense = (what: string) => new GatewayError<CallCode>('upstream_error', { message: `The upstream answered without ${what}.` });

export function readWhole(answer: Fields, turn: Turn): TurnEvent[] {
  if (answer.type === 'error') throw readInnerFailure(answer);
  if (!Array.isArray(answer.content)) throw nonsense("'content'");
  if (typeof answer.stop_reason !== 'string') throw nonsense("'stop_reason'");
  const reader: WholeReader = { names: flatToolNames(turn.tools, MAX_TOOL_NAME), calls: 0, thoughts: 0 };
  const events = answer.content.filter(isFields).flatMap((block) => readBlock(block, reader));
  const usage = readUsage(answer.usage);
  return [
    { kind: 'start' },
    ...events,
    ...(usage === null ? [] : [{ kind: 'usage', usage } as const]),
    { kind: 'finish', reason: readReason(answer.stop_reason, reader.calls > 0) },
  ];
}

interface WholeReader {
  readonly names: FlatToolNames;
  calls: number;
  /** Paragraphs of the reasoning whose signature has not come yet. */
  thoughts: number;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const readers: Readonly<Record<string, (block: Fields, reader: WholeReader) => TurnEvent[]>> = {
  text: (block) => (text(block.text) === '' ? [] : [{ kind: 'text', text: text(block.text) }]),
  tool_use: readCall,
  thinking: readThinking,
  redacted_thinking: (block, reader) => {
    reader.thoughts = 0;
    return [encryptedEvent({ type: 'redacted_thinking', data: text(block.data) })];
  },
};

/** Blocks of tools that the upstream runs are never asked for, and mean nothing to callers. */
const readBlock = (block: Fields, reader: WholeReader): TurnEvent[] =>
  typeof block.type === 'string' && Object.hasOwn(readers, block.type) ? (readers[block.type]?.(block, reader) ?? []) : [];

function readCall(block: Fields, reader: WholeReader): TurnEvent[] {
  const tool = reader.names.fromWire(text(block.name));
  const index = reader.calls++;
  const json = JSON.stringify(isFields(block.input) ? block.input : {});
  return [
    { kind: 'call', index, callId: callIdFor(text(block.id)), ...tool },
    { kind: 'arguments', index, text: tool.form === 'custom' ? unwrapInput(json) : json },
  ];
}

function readThinking(block: Fields, reader: WholeReader): TurnEvent[] {
  const thinking = text(block.thinking);
  const signature = text(block.signature);
  const thought: TurnEvent[] = thinking === '' ? [] : [{ kind: 'reasoning', part: reader.thoughts, text: thinking }];
  reader.thoughts = signature === '' ? reader.thoughts + 1 : 0;
  return signature === '' ? thought : [...thought, encryptedEvent({ type: 'thinking', thinking, signature })];
}

export const encryptedEvent = (block: ThinkingBlock): TurnEvent => ({
  kind: 'encrypted',
  encrypted: packReasoning(PROVIDER, { provider: PROVIDER, blocks: [block] }),
});

const reasons: Readonly<Record<string, FinishReason>> = {
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'content_filter',
  // Only hosted tools pause a turn, and none are offered; the answer is not complete.
  pause_turn: 'length',
};

export function readReason(reason: string, hasCalls: boolean): FinishReason {
  const special = Object.hasOwn(reasons, reason) ? reasons[reason] : undefined;
  return special ?? (hasCalls ? 'tool_calls' : 'stop');
}

/** Anthropic counts input read from or written to a cache apart; here both are part of the input. */
export function readUsage(value: unknown): Usage | null {
  if (!isFields(value)) return null;
  const details = isFields(value.output_tokens_details) ? value.output_tokens_details : {};
  const cached = readCount(value.cache_read_input_tokens);
  const cacheWrite = readCount(value.cache_creation_input_tokens);
  const output = readCount(value.output_tokens);
  return {
    input: readCount(value.input_tokens) + cacheWrite + cached,
    cached,
    ...rareClass('cacheWrite', cacheWrite),
    output,
    reasoning: Math.min(output, readCount(details.thinking_tokens ?? details.reasoning_tokens)),
  };
}
