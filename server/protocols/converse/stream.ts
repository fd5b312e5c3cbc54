/** Reads the events of a streamed Converse response, with one small function per event. */

import { type CallCode, CLOSED_EARLY, GatewayError, toGatewayError } from '../../primitives/errors.ts';
import { isFields, toFields, type Unchecked } from '../../primitives/fields.ts';
import { toCallId } from '../canonical/call-ids.ts';
import type { CanonicalEvent } from '../canonical/canonical-events.ts';
import type { CanonicalRequest } from '../canonical/canonical-request.ts';
import { CustomInputDecoder } from '../canonical/custom-input.ts';
import { createFlatToolNames, type FlatToolNames } from '../canonical/flat-tool-names.ts';
import type { CanonicalStreamReader } from '../dialect.ts';
import { readInnerFailure } from './errors.ts';
import { createEncryptedEvent, emitText, readConverseUsage, readStopReason, toText } from './response.ts';
import { getModelProvider, MAX_TOOL_NAME } from './rules.ts';
import type {
  ContentBlockDelta,
  ContentBlockDeltaEvent,
  ContentBlockStartEvent,
  ContentBlockStopEvent,
  ConverseStreamMetadataEvent,
  ConverseStreamOutput,
  MessageStopEvent,
  ReasoningContentBlockDelta,
  ToolUseBlock,
  ToolUseBlockDelta,
} from './wire.ts';

/** An open content block. Text needs none. `index` counts only calls, but the upstream's index counts all blocks. */
type OpenBlock =
  /** `decoder`: set if the arguments wrap free text. */
  | { readonly kind: 'call'; readonly index: number; readonly decoder: CustomInputDecoder | null; isEmpty: boolean }
  | { readonly kind: 'thought'; readonly part: number; text: string; signature: string; redacted: string };

interface StreamState {
  readonly names: FlatToolNames;
  readonly provider: string;
  readonly blocks: Map<unknown, OpenBlock>;
  calls: number;
  /** The number of reasoning paragraphs that still await a signature. */
  thoughts: number;
  hasFinished: boolean;
  isComplete: boolean;
}

const createUpstreamError = (message: string): GatewayError => new GatewayError<CallCode>('upstream_error', { message });

export function openStream(turn: CanonicalRequest): CanonicalStreamReader {
  const state: StreamState = {
    names: createFlatToolNames(turn.tools, MAX_TOOL_NAME),
    provider: getModelProvider(turn.model),
    blocks: new Map(),
    calls: 0,
    thoughts: 0,
    hasFinished: false,
    isComplete: false,
  };
  return {
    read(data) {
      if (state.isComplete) return [];
      if (data.type === 'error') return fail(state, readInnerFailure(data));
      const [name = '', event] = Object.entries(data)[0] ?? [];
      return isEventName(name) && isFields(event) ? readers[name](event, state) : [];
    },
    end: () => (state.isComplete || state.hasFinished ? [] : fail(state, createUpstreamError(CLOSED_EARLY))),
    get isComplete() {
      return state.isComplete;
    },
  };
}

function fail(state: StreamState, error: GatewayError): CanonicalEvent[] {
  state.isComplete = true;
  return [{ kind: 'failed', error }];
}

type EventName = keyof ConverseStreamOutput;

/** Readers by event name, the only field of an event. Ignores other events, because they don't affect the response. */
const readers: {
  readonly [Name in EventName]: (event: Unchecked<ConverseStreamOutput[Name]>, state: StreamState) => CanonicalEvent[];
} = {
  messageStart: () => [{ kind: 'start' }],
  contentBlockStart: openBlock,
  contentBlockDelta: readDelta,
  contentBlockStop: closeBlock,
  messageStop: finish,
  // The last event, after the message ends.
  metadata: readMetadata,
};

const isEventName = (name: string): name is EventName => Object.hasOwn(readers, name);

/** Only calls have a start event. Text and reasoning start with their first delta. */
function openBlock({ contentBlockIndex, start }: Unchecked<ContentBlockStartEvent>, state: StreamState): CanonicalEvent[] {
  const { toolUse }: Unchecked<ContentBlockStartEvent['start']> = toFields(start);
  if (!isFields(toolUse)) return [];
  const { toolUseId, name }: Unchecked<ToolUseBlock> = toolUse;
  const tool = state.names.fromWire(toText(name));
  const index = state.calls++;
  const decoder = tool.form === 'custom' ? new CustomInputDecoder() : null;
  state.blocks.set(contentBlockIndex, { kind: 'call', index, decoder, isEmpty: true });
  return [{ kind: 'call', index, callId: toCallId(toText(toolUseId)), ...tool }];
}

function readDelta({ contentBlockIndex, delta }: Unchecked<ContentBlockDeltaEvent>, state: StreamState): CanonicalEvent[] {
  const { text, toolUse, reasoningContent }: Unchecked<ContentBlockDelta> = toFields(delta);
  if (isFields(toolUse)) {
    const block = state.blocks.get(contentBlockIndex);
    if (block?.kind !== 'call') return fail(state, createUpstreamError("The upstream continued a tool call that it hadn't started."));
    const { input }: Unchecked<ToolUseBlockDelta> = toolUse;
    return appendArguments(toText(input), block);
  }
  return isFields(reasoningContent) ? emitReasoning(reasoningContent, getOpenReasoning(contentBlockIndex, state)) : emitText(text);
}

type OpenReasoning = Extract<OpenBlock, { kind: 'thought' }>;

function getOpenReasoning(index: unknown, state: StreamState): OpenReasoning {
  const block = state.blocks.get(index);
  if (block?.kind === 'thought') return block;
  const newBlock: OpenReasoning = { kind: 'thought', part: state.thoughts, text: '', signature: '', redacted: '' };
  state.blocks.set(index, newBlock);
  return newBlock;
}

function emitReasoning(delta: Unchecked<ReasoningContentBlockDelta>, block: OpenReasoning): CanonicalEvent[] {
  const newText = toText(delta.text);
  block.text += newText;
  block.signature += toText(delta.signature);
  block.redacted += toText(delta.redactedContent);
  return newText === '' ? [] : [{ kind: 'reasoning', part: block.part, text: newText }];
}

function appendArguments(piece: string, block: Extract<OpenBlock, { kind: 'call' }>): CanonicalEvent[] {
  if (piece !== '') block.isEmpty = false;
  return emitArguments(block.index, block.decoder ? block.decoder.push(piece) : piece);
}

const emitArguments = (index: number, newText: string): CanonicalEvent[] =>
  newText === '' ? [] : [{ kind: 'arguments', index, text: newText }];

function closeBlock({ contentBlockIndex }: Unchecked<ContentBlockStopEvent>, state: StreamState): CanonicalEvent[] {
  const block = state.blocks.get(contentBlockIndex);
  state.blocks.delete(contentBlockIndex);
  if (block?.kind === 'call') return closeCall(block);
  return block?.kind === 'thought' ? closeReasoning(block, state) : [];
}

/** A call without arguments can arrive without any JSON. */
function closeCall(block: Extract<OpenBlock, { kind: 'call' }>): CanonicalEvent[] {
  const emptyArguments = block.isEmpty ? appendArguments('{}', block) : [];
  return [...emptyArguments, ...emitArguments(block.index, block.decoder?.end() ?? '')];
}

function closeReasoning({ text: reasoning, signature, redacted }: OpenReasoning, state: StreamState): CanonicalEvent[] {
  state.thoughts = signature === '' && redacted === '' ? state.thoughts + 1 : 0;
  if (redacted !== '') return [createEncryptedEvent({ redactedContent: redacted }, state.provider)];
  return signature === '' ? [] : [createEncryptedEvent({ reasoningText: { text: reasoning, signature } }, state.provider)];
}

function finish({ stopReason }: Unchecked<MessageStopEvent>, state: StreamState): CanonicalEvent[] {
  try {
    const reason = readStopReason(stopReason, state.calls > 0);
    state.hasFinished = true;
    return [{ kind: 'finish', reason }];
  } catch (error) {
    return fail(state, toGatewayError(error));
  }
}

function readMetadata({ usage }: Unchecked<ConverseStreamMetadataEvent>, state: StreamState): CanonicalEvent[] {
  const finalUsage = readConverseUsage(usage);
  if (!state.hasFinished) return fail(state, createUpstreamError('The upstream ended the response without a stop reason.'));
  state.isComplete = true;
  return finalUsage === null ? [] : [{ kind: 'usage', usage: finalUsage }];
}
