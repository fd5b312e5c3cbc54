/** Reads the events of a streamed message of an Anthropic upstream, with one small function per kind of event and block. */

import { type CallCode, CLOSED_EARLY, GatewayError } from '../../primitives/errors.ts';
import { isFields, isKeyIn, toFields, type Unchecked } from '../../primitives/fields.ts';
import { toCallId } from '../canonical/call-ids.ts';
import type { CanonicalEvent } from '../canonical/canonical-events.ts';
import type { CanonicalRequest } from '../canonical/canonical-request.ts';
import { CustomInputDecoder } from '../canonical/custom-input.ts';
import { createFlatToolNames, type FlatToolNames } from '../canonical/flat-tool-names.ts';
import type { CanonicalStreamReader } from '../dialect.ts';
import { toOptionalCount, type Usage } from '../usage.ts';
import { readInnerFailure } from './errors.ts';
import { createEncryptedEvent, readAnthropicUsage, readStopReason, toText } from './response.ts';
import { MAX_TOOL_NAME } from './rules.ts';
import type {
  ContentBlock,
  ContentBlockDelta,
  ContentBlockDeltaEvent,
  ContentBlockStartEvent,
  ContentBlockStopEvent,
  Message,
  MessageDeltaEvent,
  MessageStreamEvent,
  ToolUseBlock,
} from './wire.ts';

/** An open content block. `index` counts only calls, but the upstream's index counts all blocks. */
type OpenBlock =
  /** `given`: arguments from the start event. `decoder`: set if the arguments wrap free text. */
  | {
      readonly kind: 'call';
      readonly index: number;
      readonly decoder: CustomInputDecoder | null;
      readonly given: unknown;
      isEmpty: boolean;
    }
  | { readonly kind: 'thinking'; readonly part: number; thinking: string; signature: string }
  | { readonly kind: 'redacted'; readonly data: string }
  | { readonly kind: 'other' };

interface StreamState {
  readonly names: FlatToolNames;
  readonly blocks: Map<unknown, OpenBlock>;
  calls: number;
  /** The number of reasoning paragraphs that still await a signature. */
  thoughts: number;
  usage: Usage | null;
  stopReason: string | null;
  isComplete: boolean;
}

const createUpstreamError = (message: string): GatewayError => new GatewayError<CallCode>('upstream_error', { message });

export function openStream(turn: CanonicalRequest): CanonicalStreamReader {
  const state: StreamState = {
    names: createFlatToolNames(turn.tools, MAX_TOOL_NAME),
    blocks: new Map(),
    calls: 0,
    thoughts: 0,
    usage: null,
    stopReason: null,
    isComplete: false,
  };
  return {
    read: (data) => (!state.isComplete && isKeyIn(data.type, eventReaders) ? eventReaders[data.type](data, state) : []),
    end: () => (state.isComplete ? [] : fail(state, createUpstreamError(CLOSED_EARLY))),
    get isComplete() {
      return state.isComplete;
    },
  };
}

function fail(state: StreamState, error: GatewayError): CanonicalEvent[] {
  state.isComplete = true;
  return [{ kind: 'failed', error }];
}

/** Ignores other event types, including `ping`, because they don't affect the response. */
const eventReaders: Readonly<
  Record<MessageStreamEvent['type'], (data: Unchecked<MessageStreamEvent>, state: StreamState) => CanonicalEvent[]>
> = {
  message_start({ message }, state) {
    const { usage }: Unchecked<Message> = toFields(message);
    return [{ kind: 'start' }, ...countUsage(usage, state)];
  },
  content_block_start: openBlock,
  content_block_delta: readDelta,
  content_block_stop: closeBlock,
  message_delta: readMessageDelta,
  message_stop: finish,
  error: (data, state) => fail(state, readInnerFailure(data)),
};

/** Counts grow during the stream, but a later event can omit some. The maximum of each count is therefore the latest. */
function countUsage(value: unknown, state: StreamState): CanonicalEvent[] {
  const update = readAnthropicUsage(value);
  if (update === null) return [];
  const { usage } = state;
  state.usage = usage === null ? update : mergeUsage(usage, update);
  return [{ kind: 'usage', usage: state.usage }];
}

const mergeUsage = (previous: Usage, update: Usage): Usage => ({
  ...previous,
  ...update,
  input: Math.max(previous.input, update.input),
  cached: Math.max(previous.cached, update.cached),
  ...toOptionalCount('cacheWrite', Math.max(previous.cacheWrite ?? 0, update.cacheWrite ?? 0)),
  ...toOptionalCount('cacheWrite1h', Math.max(previous.cacheWrite1h ?? 0, update.cacheWrite1h ?? 0)),
  output: Math.max(previous.output, update.output),
  reasoning: Math.max(previous.reasoning, update.reasoning),
});

function openBlock({ index, content_block }: Unchecked<ContentBlockStartEvent>, state: StreamState): CanonicalEvent[] {
  const block: Unchecked<ContentBlock> = toFields(content_block);
  const [openedBlock, events]: [OpenBlock, CanonicalEvent[]] = isKeyIn(block.type, blockOpeners)
    ? blockOpeners[block.type](block, state)
    : [{ kind: 'other' }, []];
  state.blocks.set(index, openedBlock);
  return events;
}

const blockOpeners: Readonly<
  Record<ContentBlock['type'], (block: Unchecked<ContentBlock>, state: StreamState) => [OpenBlock, CanonicalEvent[]]>
> = {
  text: (block) => [{ kind: 'other' }, emitText(block.text)],
  tool_use: openCall,
  thinking(block, state) {
    const thinkingBlock: OpenBlock = { kind: 'thinking', part: state.thoughts, thinking: '', signature: toText(block.signature) };
    return [thinkingBlock, emitReasoning(toText(block.thinking), thinkingBlock)];
  },
  redacted_thinking: (block) => [{ kind: 'redacted', data: toText(block.data) }, []],
};

const emitText = (value: unknown): CanonicalEvent[] => (toText(value) === '' ? [] : [{ kind: 'text', text: toText(value) }]);

function openCall(block: Unchecked<ToolUseBlock>, state: StreamState): [OpenBlock, CanonicalEvent[]] {
  const tool = state.names.fromWire(toText(block.name));
  const index = state.calls++;
  const decoder = tool.form === 'custom' ? new CustomInputDecoder() : null;
  const callBlock: OpenBlock = { kind: 'call', index, decoder, given: block.input, isEmpty: true };
  return [callBlock, [{ kind: 'call', index, callId: toCallId(toText(block.id)), ...tool }]];
}

function emitReasoning(newText: string, block: Extract<OpenBlock, { kind: 'thinking' }>): CanonicalEvent[] {
  block.thinking += newText;
  return newText === '' ? [] : [{ kind: 'reasoning', part: block.part, text: newText }];
}

function readDelta(event: Unchecked<ContentBlockDeltaEvent>, state: StreamState): CanonicalEvent[] {
  const block = state.blocks.get(event.index);
  if (!isFields(event.delta) || block === undefined)
    return fail(state, createUpstreamError("The upstream continued a content block that it hadn't started."));
  const delta: Unchecked<ContentBlockDelta> = event.delta;
  if (delta.type === 'text_delta') return emitText(delta.text);
  if (delta.type === 'input_json_delta' && block.kind === 'call') return appendArguments(toText(delta.partial_json), block);
  if (block.kind !== 'thinking') return [];
  if (delta.type === 'thinking_delta') return emitReasoning(toText(delta.thinking), block);
  if (delta.type === 'signature_delta') block.signature += toText(delta.signature);
  return [];
}

function appendArguments(piece: string, block: Extract<OpenBlock, { kind: 'call' }>): CanonicalEvent[] {
  if (piece !== '') block.isEmpty = false;
  return emitArguments(block.index, block.decoder ? block.decoder.push(piece) : piece);
}

const emitArguments = (index: number, newText: string): CanonicalEvent[] =>
  newText === '' ? [] : [{ kind: 'arguments', index, text: newText }];

function closeBlock({ index }: Unchecked<ContentBlockStopEvent>, state: StreamState): CanonicalEvent[] {
  const block = state.blocks.get(index);
  state.blocks.delete(index);
  if (block?.kind === 'call') return closeCall(block);
  if (block?.kind === 'thinking') return closeReasoning(block, state);
  if (block?.kind !== 'redacted') return [];
  state.thoughts = 0;
  return [createEncryptedEvent({ type: 'redacted_thinking', data: block.data })];
}

/** A call without arguments can arrive without any JSON. Some providers send all arguments in the start event. */
function closeCall(block: Extract<OpenBlock, { kind: 'call' }>): CanonicalEvent[] {
  const startEvents = block.isEmpty ? appendArguments(JSON.stringify(toFields(block.given)), block) : [];
  return [...startEvents, ...emitArguments(block.index, block.decoder?.end() ?? '')];
}

function closeReasoning({ thinking, signature }: Extract<OpenBlock, { kind: 'thinking' }>, state: StreamState): CanonicalEvent[] {
  state.thoughts = signature === '' ? state.thoughts + 1 : 0;
  return signature === '' ? [] : [createEncryptedEvent({ type: 'thinking', thinking, signature })];
}

function readMessageDelta({ delta, usage }: Unchecked<MessageDeltaEvent>, state: StreamState): CanonicalEvent[] {
  const { stop_reason: stopReason }: Unchecked<MessageDeltaEvent['delta']> = toFields(delta);
  if (typeof stopReason === 'string') state.stopReason = stopReason;
  return countUsage(usage, state);
}

function finish(_event: unknown, state: StreamState): CanonicalEvent[] {
  if (state.stopReason === null) return fail(state, createUpstreamError('The upstream ended the response without a stop reason.'));
  state.isComplete = true;
  return [{ kind: 'finish', reason: readStopReason(state.stopReason, state.calls > 0) }];
}
