/** Reads the events of a streamed response of Converse (one small function for each). */

import { asGatewayError, type CallCode, CLOSED_EARLY, GatewayError } from '../../errors.ts';
import { type Fields, isFields } from '../../primitives/fields.ts';
import { readInnerFailure as readEventFailure } from '../anthropic/answer.ts';
import { InputDecoder } from '../chat/custom-input.ts';
import { kindOf, readErrorBody, readWait, statusBy } from '../failure.ts';
import { asError, openObject, openObjectStream, wantsObject } from '../non-openai/answers.ts';
import { unwrapInput } from '../non-openai/items.ts';
import { type FlatToolNames, flatToolNames, packReasoning } from '../turn/tools.ts';
import { callIdFor, type FinishReason, type Turn, type TurnEvent, type TurnStreamReader, type UpstreamDialect } from '../turn/turn.ts';
import { rareClass, readCount, type Usage } from '../usage.ts';
import { leftOut, MAX_TOOL_NAME, PROVIDER, providerOf, type ReasoningBlock, type Signed, writeRequest } from './request.ts';

/** A block that has begun; text needs none. `index` counts calls alone, where the upstream counts all blocks. */
type Open =
  /** `decoder`: where the arguments hold free text. */
  | { readonly kind: 'call'; readonly index: number; readonly decoder: InputDecoder | null; isEmpty: boolean }
  | { readonly kind: 'thought'; readonly part: number; text: string; signature: string; redacted: string };

interface State {
  readonly names: FlatToolNames;
  readonly provider: string;
  readonly blocks: Map<unknown, Open>;
  calls: number;
  /** Paragraphs of the reasoning whose signature hasn't come yet. */
  thoughts: number;
  hasFinished: boolean;
  isComplete: boolean;
}

const cut = (message: string): GatewayError => new GatewayError<CallCode>('upstream_error', { message });

function openStream(turn: Turn): TurnStreamReader {
  const state: State = {
    names: flatToolNames(turn.tools, MAX_TOOL_NAME),
    provider: providerOf(turn.model),
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
      const reader = Object.hasOwn(readers, name) ? readers[name] : undefined;
      return reader === undefined || !isFields(event) ? [] : reader(event, state);
    },
    end: () => (state.isComplete || state.hasFinished ? [] : fail(state, cut(CLOSED_EARLY))),
    get isComplete() {
      return state.isComplete;
    },
  };
}

function fail(state: State, error: GatewayError): TurnEvent[] {
  state.isComplete = true;
  return [{ kind: 'failed', error }];
}

/** By the name of the event, which is the only field of its object; others say nothing of the response. */
const readers: Readonly<Record<string, (data: Fields, state: State) => TurnEvent[]>> = {
  messageStart: () => [{ kind: 'start' }],
  contentBlockStart: openBlock,
  contentBlockDelta: readDelta,
  contentBlockStop: closeBlock,
  messageStop: finish,
  // The last event, after the end of the message.
  metadata: complete,
};

/** Only calls have a start: text and thoughts begin with their first delta. */
function openBlock({ contentBlockIndex, start }: Fields, state: State): TurnEvent[] {
  const call = isFields(start) ? start.toolUse : undefined;
  if (!isFields(call)) return [];
  const tool = state.names.fromWire(text(call.name));
  const index = state.calls++;
  const decoder = tool.form === 'custom' ? new InputDecoder() : null;
  state.blocks.set(contentBlockIndex, { kind: 'call', index, decoder, isEmpty: true });
  return [{ kind: 'call', index, callId: callIdFor(text(call.toolUseId)), ...tool }];
}

function readDelta({ contentBlockIndex, delta }: Fields, state: State): TurnEvent[] {
  if (!isFields(delta)) return [];
  const { toolUse, reasoningContent } = delta;
  if (isFields(toolUse)) {
    const open = state.blocks.get(contentBlockIndex);
    if (open?.kind !== 'call') return fail(state, cut("The upstream continued a tool call that it hadn't started."));
    return growArguments(text(toolUse.input), open);
  }
  return isFields(reasoningContent) ? think(reasoningContent, thoughtAt(contentBlockIndex, state)) : say(delta.text);
}

type Thought = Extract<Open, { kind: 'thought' }>;

function thoughtAt(index: unknown, state: State): Thought {
  const open = state.blocks.get(index);
  if (open?.kind === 'thought') return open;
  const begun: Thought = { kind: 'thought', part: state.thoughts, text: '', signature: '', redacted: '' };
  state.blocks.set(index, begun);
  return begun;
}

function think(delta: Fields, open: Thought): TurnEvent[] {
  const more = text(delta.text);
  open.text += more;
  open.signature += text(delta.signature);
  open.redacted += text(delta.redactedContent);
  return more === '' ? [] : [{ kind: 'reasoning', part: open.part, text: more }];
}

function growArguments(piece: string, open: Extract<Open, { kind: 'call' }>): TurnEvent[] {
  if (piece !== '') open.isEmpty = false;
  return argue(open.index, open.decoder ? open.decoder.push(piece) : piece);
}

const argue = (index: number, more: string): TurnEvent[] => (more === '' ? [] : [{ kind: 'arguments', index, text: more }]);

function closeBlock({ contentBlockIndex }: Fields, state: State): TurnEvent[] {
  const open = state.blocks.get(contentBlockIndex);
  state.blocks.delete(contentBlockIndex);
  if (open?.kind === 'call') return closeCall(open);
  return open?.kind === 'thought' ? closeThought(open, state) : [];
}

/** A tool that takes nothing may come without any JSON. */
function closeCall(open: Extract<Open, { kind: 'call' }>): TurnEvent[] {
  const given = open.isEmpty ? growArguments('{}', open) : [];
  return [...given, ...argue(open.index, open.decoder?.end() ?? '')];
}

function closeThought({ text: thought, signature, redacted }: Thought, state: State): TurnEvent[] {
  state.thoughts = signature === '' && redacted === '' ? state.thoughts + 1 : 0;
  if (redacted !== '') return [encryptedEvent({ redactedContent: redacted }, state.provider)];
  return signature === '' ? [] : [encryptedEvent({ reasoningText: { text: thought, signature } }, state.provider)];
}

function finish({ stopReason }: Fields, state: State): TurnEvent[] {
  try {
    const reason = readReason(stopReason, state.calls > 0);
    state.hasFinished = true;
    return [{ kind: 'finish', reason }];
  } catch (thrown) {
    return fail(state, asGatewayError(thrown));
  }
}

function complete({ usage }: Fields, state: State): TurnEvent[] {
  const counted = readUsage(usage);
  if (!state.hasFinished) return fail(state, cut('The upstream ended the response without a stop reason.'));
  state.isComplete = true;
  return counted === null ? [] : [{ kind: 'usage', usage: counted }];
}

const broken = (message: string) => new GatewayError<CallCode>('upstream_error', { message });

function readWhole(answer: Fields, turn: Turn): TurnEvent[] {
  const message = isFields(answer.output) ? answer.output.message : undefined;
  if (!isFields(message) || !Array.isArray(message.content)) throw broken("The upstream returned a response without 'output'.");
  const reader: WholeReader = { names: flatToolNames(turn.tools, MAX_TOOL_NAME), provider: providerOf(turn.model), calls: 0, thoughts: 0 };
  const events = message.content.filter(isFields).flatMap((block) => readBlock(block, reader));
  const reason = readReason(answer.stopReason, reader.calls > 0);
  const usage = readUsage(answer.usage);
  return [{ kind: 'start' }, ...events, ...(usage === null ? [] : [{ kind: 'usage', usage } as const]), { kind: 'finish', reason }];
}

interface WholeReader {
  readonly names: FlatToolNames;
  readonly provider: string;
  calls: number;
  /** Paragraphs of the reasoning whose signature hasn't come yet. */
  thoughts: number;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const say = (value: unknown): TurnEvent[] => (text(value) === '' ? [] : [{ kind: 'text', text: text(value) }]);

/** A block is named by its only field; blocks of kinds that aren't here mean nothing to callers. */
function readBlock(block: Fields, reader: WholeReader): TurnEvent[] {
  const { toolUse, reasoningContent, citationsContent } = block;
  if (isFields(toolUse)) return readCall(toolUse, reader);
  if (isFields(reasoningContent)) return readThought(reasoningContent, reader);
  if (isFields(citationsContent) && Array.isArray(citationsContent.content))
    return citationsContent.content.filter(isFields).flatMap((cited) => say(cited.text));
  return say(block.text);
}

function readCall({ toolUseId, name, input }: Fields, reader: WholeReader): TurnEvent[] {
  const tool = reader.names.fromWire(text(name));
  const index = reader.calls++;
  const json = JSON.stringify(isFields(input) ? input : {});
  return [
    { kind: 'call', index, callId: callIdFor(text(toolUseId)), ...tool },
    { kind: 'arguments', index, text: tool.form === 'custom' ? unwrapInput(json) : json },
  ];
}

function readThought({ reasoningText, redactedContent }: Fields, reader: WholeReader): TurnEvent[] {
  if (!isFields(reasoningText)) {
    reader.thoughts = 0;
    return typeof redactedContent === 'string' ? [encryptedEvent({ redactedContent }, reader.provider)] : [];
  }
  const [thought, signature] = [text(reasoningText.text), text(reasoningText.signature)];
  const told: TurnEvent[] = thought === '' ? [] : [{ kind: 'reasoning', part: reader.thoughts, text: thought }];
  reader.thoughts = signature === '' ? reader.thoughts + 1 : 0;
  return signature === '' ? told : [...told, encryptedEvent({ reasoningText: { text: thought, signature } }, reader.provider)];
}

const encryptedEvent = (block: ReasoningBlock, provider: string): TurnEvent => ({
  kind: 'encrypted',
  encrypted: packReasoning(PROVIDER, { provider, block } satisfies Signed),
});

const reasons: Readonly<Record<string, FinishReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  tool_use: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  content_filtered: 'content_filter',
  guardrail_intervened: 'content_filter',
};

/** Throws for an end that isn't a response, as output that the provider itself could not read. */
function readReason(value: unknown, hasCalls: boolean): FinishReason {
  const reason = typeof value === 'string' && Object.hasOwn(reasons, value) ? reasons[value] : undefined;
  if (reason === undefined) throw broken("The upstream couldn't complete the response.");
  return reason === 'stop' && hasCalls ? 'tool_calls' : reason;
}

/** The provider counts input read from or written to a cache apart; here both are part of the input. */
function readUsage(value: unknown): Usage | null {
  if (!isFields(value)) return null;
  const [cached, cacheWrite] = [readCount(value.cacheReadInputTokens), readCount(value.cacheWriteInputTokens)];
  return {
    input: readCount(value.inputTokens) + cached + cacheWrite,
    cached,
    ...rareClass('cacheWrite', cacheWrite),
    ...rareClass('cacheWrite1h', readLongWrites(value.cacheDetails)),
    output: readCount(value.outputTokens),
    reasoning: 0,
  };
}

/** Tokens that were written for an hour. */
const readLongWrites = (details: unknown): number =>
  (Array.isArray(details) ? details : [])
    .filter((each) => isFields(each) && each.ttl === '1h')
    .reduce((sum: number, { inputTokens }) => sum + readCount(inputTokens), 0);

/** A response with a status that isn't 2xx; `kind` is AWS's name of the exception, out of a header. */
export function readConverseFailure(status: number, body: string, retryAfter: string | undefined, kind?: string): GatewayError {
  const error = readErrorBody(body);
  const type = kindOf(error, kind);
  const message = typeof error.message === 'string' ? error.message : '';
  return asError({ type, message, status: statusBy(type, status), waitSeconds: readWait(retryAfter) });
}

/** An exception inside a stream: the framing tells those of all models in one form. */
const readInnerFailure = readEventFailure;

export const converseUpstream: UpstreamDialect = {
  // The ID may be an ARN with colons and slashes.
  path: ({ model, stream }) => `/model/${encodeURIComponent(model)}/${stream ? 'converse-stream' : 'converse'}`,
  writeRequest,
  leftOut,
  readWhole: (answer, turn) => (wantsObject(turn) ? openObject()(readWhole(answer, turn)) : readWhole(answer, turn)),
  openStream: (turn) => (wantsObject(turn) ? openObjectStream(openStream(turn)) : openStream(turn)),
};
