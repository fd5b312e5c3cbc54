/** Reads the events of a streamed message of an Anthropic upstream (one small function for each kind of event and block). */
import { type Fields, isFields } from '../../../contract/rule.ts';
import { type CallCode, GatewayError } from '../../errors.ts';
import { InputDecoder } from '../chat/custom-input.ts';
import { callIdFor } from '../turn/call-id.ts';
import { type FlatToolNames, flatToolNames } from '../turn/tool-names.ts';
import type { Turn, TurnEvent, TurnStreamReader } from '../turn/turn.ts';
import { rareClass, type Usage } from '../usage.ts';
import { readInnerFailure } from './errors.ts';
import { encryptedEvent, readReason, readUsage } from './read-answer.ts';
import { MAX_TOOL_NAME } from './wire.ts';

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
  /** Paragraphs of the reasoning whose signature has not come yet. */
  thoughts: number;
  usage: Usage | null;
  stopReason: string | null;
  isComplete: boolean;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const cut = (message: string): GatewayError => new GatewayError<CallCode>('upstream_error', { message });

export function openStream(turn: Turn): TurnStreamReader {
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
      const reader = typeof data.type === 'string' && Object.hasOwn(readers, data.type) ? readers[data.type] : undefined;
      return state.isComplete || reader === undefined ? [] : reader(data, state);
    },
    end: () => (state.isComplete ? [] : fail(state, cut('The upstream broke off its answer.'))),
    get isComplete() {
      return state.isComplete;
    },
  };
}

function fail(state: State, error: GatewayError): TurnEvent[] {
  state.isComplete = true;
  return [{ kind: 'failed', error }];
}

/** Kinds that are not here, `ping` among them, say nothing of the answer. */
const readers: Readonly<Record<string, (data: Fields, state: State) => TurnEvent[]>> = {
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
  if (!isFields(delta) || open === undefined) return fail(state, cut('The upstream went on with a block that it had not begun.'));
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

/** A tool that takes nothing may come without any JSON; some vendors give all of it at the start. */
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
  if (state.stopReason === null) return fail(state, cut('The upstream ended its answer without a reason.'));
  state.isComplete = true;
  return [{ kind: 'finish', reason: readReason(state.stopReason, state.calls > 0) }];
}
