/** Reads the events of a streamed message of an Anthropic upstream (one small function for each kind of event and block). */

import { type CallCode, CLOSED_EARLY, GatewayError } from '../../errors.ts';
import { type Fields, isFields } from '../../primitives/fields.ts';
import { InputDecoder } from '../chat/custom-input.ts';
import { kindOf, readEnvelope, readErrorBody, readWait, statusBy } from '../failure.ts';
import { asError, openObject, openObjectStream, wantsObject } from '../non-openai/answers.ts';
import { unwrapInput } from '../non-openai/items.ts';
import { type FlatToolNames, flatToolNames, packReasoning } from '../turn/tools.ts';
import { callIdFor, type FinishReason, type Turn, type TurnEvent, type TurnStreamReader, type UpstreamDialect } from '../turn/turn.ts';
import { rareClass, readCount, type Usage } from '../usage.ts';
import { MAX_TOOL_NAME, PROVIDER, type ThinkingBlock } from './wire.ts';
import { writeRequest } from './write-request.ts';

const invalidResponseError = (what: string) =>
  new GatewayError<CallCode>('upstream_error', { message: `The upstream returned a response without ${what}.` });

function readWhole(answer: Fields, turn: Turn): TurnEvent[] {
  if (answer.type === 'error') throw readInnerFailure(answer);
  if (!Array.isArray(answer.content)) throw invalidResponseError("'content'");
  if (typeof answer.stop_reason !== 'string') throw invalidResponseError("'stop_reason'");
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
  /** Paragraphs of the reasoning whose signature hasn't come yet. */
  thoughts: number;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const blockReaders: Readonly<Record<string, (block: Fields, reader: WholeReader) => TurnEvent[]>> = {
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
  typeof block.type === 'string' && Object.hasOwn(blockReaders, block.type) ? (blockReaders[block.type]?.(block, reader) ?? []) : [];

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

const encryptedEvent = (block: ThinkingBlock): TurnEvent => ({
  kind: 'encrypted',
  encrypted: packReasoning(PROVIDER, { provider: PROVIDER, blocks: [block] }),
});

const reasons: Readonly<Record<string, FinishReason>> = {
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'content_filter',
  // Only hosted tools pause a turn, and none are offered; the response isn't complete.
  pause_turn: 'length',
};

function readReason(reason: string, hasCalls: boolean): FinishReason {
  const special = Object.hasOwn(reasons, reason) ? reasons[reason] : undefined;
  return special ?? (hasCalls ? 'tool_calls' : 'stop');
}

/** Anthropic counts input read from or written to a cache apart; here both are part of the input. */
function readUsage(value: unknown): Usage | null {
  if (!isFields(value)) return null;
  const details = isFields(value.output_tokens_details) ? value.output_tokens_details : {};
  const cached = readCount(value.cache_read_input_tokens);
  const cacheWrite = readCount(value.cache_creation_input_tokens);
  const output = readCount(value.output_tokens);
  return {
    input: readCount(value.input_tokens) + cacheWrite + cached,
    cached,
    ...rareClass('cacheWrite', cacheWrite),
    ...rareClass('cacheWrite1h', readCount(isFields(value.cache_creation) ? value.cache_creation.ephemeral_1h_input_tokens : 0)),
    output,
    reasoning: Math.min(output, readCount(details.thinking_tokens ?? details.reasoning_tokens)),
  };
}

/** The status that each type of error has outside of streams. */
const statusOf: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};

interface Said {
  readonly type: string | null;
  readonly message: string;
}

function asSaid(error: Fields, kind?: string): Said {
  return { type: kindOf(error, kind), message: typeof error.message === 'string' ? error.message : '' };
}

/** A response with a status that isn't 2xx. */
export function readAnthropicFailure(status: number, body: string, retryAfter: string | undefined, kind?: string): GatewayError {
  const said = asSaid(readErrorBody(body), kind);
  // An overload has been seen under 500, too: then its type says more than its status.
  const isOverload = said.type === 'overloaded_error';
  return asError({ ...said, status: isOverload ? 529 : statusBy(said.type, status), waitSeconds: readWait(retryAfter) });
}

/** An error object inside a response or a stream that began with status 200. */
export function readInnerFailure(value: unknown): GatewayError {
  const said = asSaid(readEnvelope(value));
  const status = said.type !== null && Object.hasOwn(statusOf, said.type) ? statusOf[said.type] : undefined;
  return asError({ ...said, status: status ?? 500, waitSeconds: null });
}

/** A block that has begun. `index` counts calls alone, where the upstream counts all blocks. */
type Open =
  /** `given`: arguments that came with the start. `decoder`: where they hold free text. */
  | { readonly kind: 'call'; readonly index: number; readonly decoder: InputDecoder | null; readonly given: unknown; isEmpty: boolean }
  | { readonly kind: 'thinking'; readonly part: number; thinking: string; signature: string }
  | { readonly kind: 'redacted'; readonly data: string }
  | { readonly kind: 'other' };

interface State {
  readonly names: FlatToolNames;
  readonly blocks: Map<unknown, Open>;
  calls: number;
  /** Paragraphs of the reasoning whose signature hasn't come yet. */
  thoughts: number;
  usage: Usage | null;
  stopReason: string | null;
  isComplete: boolean;
}

const cut = (message: string): GatewayError => new GatewayError<CallCode>('upstream_error', { message });

function openStream(turn: Turn): TurnStreamReader {
  const state: State = {
    names: flatToolNames(turn.tools, MAX_TOOL_NAME),
    blocks: new Map(),
    calls: 0,
    thoughts: 0,
    usage: null,
    stopReason: null,
    isComplete: false,
  };
  return {
    read(data) {
      const reader = typeof data.type === 'string' && Object.hasOwn(eventReaders, data.type) ? eventReaders[data.type] : undefined;
      return state.isComplete || reader === undefined ? [] : reader(data, state);
    },
    end: () => (state.isComplete ? [] : fail(state, cut(CLOSED_EARLY))),
    get isComplete() {
      return state.isComplete;
    },
  };
}

function fail(state: State, error: GatewayError): TurnEvent[] {
  state.isComplete = true;
  return [{ kind: 'failed', error }];
}

/** Kinds that aren't here, `ping` among them, say nothing of the response. */
const eventReaders: Readonly<Record<string, (data: Fields, state: State) => TurnEvent[]>> = {
  message_start: ({ message }, state) => [{ kind: 'start' }, ...countUsage(isFields(message) ? message.usage : null, state)],
  content_block_start: openBlock,
  content_block_delta: readDelta,
  content_block_stop: closeBlock,
  message_delta: readMessageDelta,
  message_stop: finish,
  error: (data, state) => fail(state, readInnerFailure(data)),
};

/** Counts grow along the stream, and a later event may leave some out: the greatest of each is the last. */
function countUsage(value: unknown, state: State): TurnEvent[] {
  const now = readUsage(value);
  if (now === null) return [];
  const { usage } = state;
  state.usage = usage === null ? now : greatest(usage, now);
  return [{ kind: 'usage', usage: state.usage }];
}

const greatest = (before: Usage, now: Usage): Usage => ({
  input: Math.max(before.input, now.input),
  cached: Math.max(before.cached, now.cached),
  ...rareClass('cacheWrite', Math.max(before.cacheWrite ?? 0, now.cacheWrite ?? 0)),
  output: Math.max(before.output, now.output),
  reasoning: Math.max(before.reasoning, now.reasoning),
});

function openBlock({ index, content_block }: Fields, state: State): TurnEvent[] {
  const block = isFields(content_block) ? content_block : {};
  const open = typeof block.type === 'string' && Object.hasOwn(openers, block.type) ? openers[block.type] : undefined;
  if (open === undefined) {
    state.blocks.set(index, { kind: 'other' });
    return [];
  }
  const [begun, events] = open(block, state);
  state.blocks.set(index, begun);
  return events;
}

const openers: Readonly<Record<string, (block: Fields, state: State) => [Open, TurnEvent[]]>> = {
  text: (block) => [{ kind: 'other' }, say(block.text)],
  tool_use: openCall,
  thinking(block, state) {
    const open: Open = { kind: 'thinking', part: state.thoughts, thinking: '', signature: text(block.signature) };
    return [open, think(text(block.thinking), open)];
  },
  redacted_thinking: (block) => [{ kind: 'redacted', data: text(block.data) }, []],
};

const say = (value: unknown): TurnEvent[] => (text(value) === '' ? [] : [{ kind: 'text', text: text(value) }]);

function openCall(block: Fields, state: State): [Open, TurnEvent[]] {
  const tool = state.names.fromWire(text(block.name));
  const index = state.calls++;
  const decoder = tool.form === 'custom' ? new InputDecoder() : null;
  const open: Open = { kind: 'call', index, decoder, given: block.input, isEmpty: true };
  return [open, [{ kind: 'call', index, callId: callIdFor(text(block.id)), ...tool }]];
}

function think(more: string, open: Extract<Open, { kind: 'thinking' }>): TurnEvent[] {
  open.thinking += more;
  return more === '' ? [] : [{ kind: 'reasoning', part: open.part, text: more }];
}

function readDelta({ index, delta }: Fields, state: State): TurnEvent[] {
  const open = state.blocks.get(index);
  if (!isFields(delta) || open === undefined) return fail(state, cut("The upstream continued a content block that it hadn't started."));
  if (delta.type === 'text_delta') return say(delta.text);
  if (delta.type === 'input_json_delta' && open.kind === 'call') return growArguments(text(delta.partial_json), open);
  if (open.kind !== 'thinking') return [];
  if (delta.type === 'thinking_delta') return think(text(delta.thinking), open);
  if (delta.type === 'signature_delta') open.signature += text(delta.signature);
  return [];
}

function growArguments(piece: string, open: Extract<Open, { kind: 'call' }>): TurnEvent[] {
  if (piece !== '') open.isEmpty = false;
  return argue(open.index, open.decoder ? open.decoder.push(piece) : piece);
}

const argue = (index: number, more: string): TurnEvent[] => (more === '' ? [] : [{ kind: 'arguments', index, text: more }]);

function closeBlock({ index }: Fields, state: State): TurnEvent[] {
  const open = state.blocks.get(index);
  state.blocks.delete(index);
  if (open?.kind === 'call') return closeCall(open);
  if (open?.kind === 'thinking') return closeThought(open, state);
  if (open?.kind !== 'redacted') return [];
  state.thoughts = 0;
  return [encryptedEvent({ type: 'redacted_thinking', data: open.data })];
}

/** A tool that takes nothing may come without any JSON; some providers give all of it at the start. */
function closeCall(open: Extract<Open, { kind: 'call' }>): TurnEvent[] {
  const given = open.isEmpty ? growArguments(JSON.stringify(isFields(open.given) ? open.given : {}), open) : [];
  return [...given, ...argue(open.index, open.decoder?.end() ?? '')];
}

function closeThought({ thinking, signature }: Extract<Open, { kind: 'thinking' }>, state: State): TurnEvent[] {
  state.thoughts = signature === '' ? state.thoughts + 1 : 0;
  return signature === '' ? [] : [encryptedEvent({ type: 'thinking', thinking, signature })];
}

function readMessageDelta({ delta, usage }: Fields, state: State): TurnEvent[] {
  if (isFields(delta) && typeof delta.stop_reason === 'string') state.stopReason = delta.stop_reason;
  return countUsage(usage, state);
}

function finish(_data: Fields, state: State): TurnEvent[] {
  if (state.stopReason === null) return fail(state, cut('The upstream ended the response without a stop reason.'));
  state.isComplete = true;
  return [{ kind: 'finish', reason: readReason(state.stopReason, state.calls > 0) }];
}

export const anthropicUpstream: UpstreamDialect = {
  path: () => '/messages',
  writeRequest: (turn, work) => writeRequest(turn, { work }),
  readWhole: (answer, turn) => (wantsObject(turn) ? openObject()(readWhole(answer, turn)) : readWhole(answer, turn)),
  openStream: (turn) => (wantsObject(turn) ? openObjectStream(openStream(turn)) : openStream(turn)),
};
