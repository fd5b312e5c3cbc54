/** Reads the events of a streamed answer of Converse (one small function for each). */
import { type Fields, isFields } from '../../../contract/rule.ts';
import { asGatewayError, type CallCode, GatewayError } from '../../errors.ts';
import { InputDecoder } from '../chat/custom-input.ts';
import { callIdFor } from '../turn/call-id.ts';
import { type FlatToolNames, flatToolNames } from '../turn/tool-names.ts';
import type { Turn, TurnEvent, TurnStreamReader } from '../turn/turn.ts';
import { readInnerFailure } from './errors.ts';
import { encryptedEvent, readReason, readUsage, say, text } from './read-answer.ts';
import { MAX_TOOL_NAME, vendorOf } from './wire.ts';

/** A block that has begun; text needs none. `index` counts calls alone, where the upstream counts all blocks. */
type Open =
  /** `decoder`: where the arguments hold free text. */
  | { readonly kind: 'call'; readonly index: number; readonly decoder: InputDecoder | null; isEmpty: boolean }
  | { readonly kind: 'thought'; readonly part: number; text: string; signature: string; redacted: string };

interface State {
  readonly names: FlatToolNames;
  readonly vendor: string;
  readonly blocks: Map<unknown, Open>;
  calls: number;
  /** Paragraphs of the reasoning whose signature has not come yet. */
  thoughts: number;
  hasFinished: boolean;
  isComplete: boolean;
}

const cut = (message: string): GatewayError => new GatewayError<CallCode>('upstream_error', { message });

export function openStream(turn: Turn): TurnStreamReader {
  const state: State = {
    names: flatToolNames(turn.tools, MAX_TOOL_NAME),
    vendor: vendorOf(turn.model),
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
    end: () => (state.isComplete || state.hasFinished ? [] : fail(state, cut('The upstream broke off its answer.'))),
    get isComplete() {
      return state.isComplete;
    },
  };
}

function fail(state: State, error: GatewayError): TurnEvent[] {
  state.isComplete = true;
  return [{ kind: 'failed', error }];
}

/** By the name of the event, which is the only field of its object; others say nothing of the answer. */
const readers: Readonly<Record<string, (data: Fields, state: State) => TurnEvent[]>> = {
  messageStart: () => [{ kind: 'start' }],
  contentBlockStart: openBlock,
  contentBlockDelta: readDelta,
  contentBlockStop: closeBlock,
  messageStop: finish,
  // The last event, behind the end of the message.
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
    if (open?.kind !== 'call') return fail(state, cut('The upstream went on with a call that it had not begun.'));
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
  if (redacted !== '') return [encryptedEvent({ redactedContent: redacted }, state.vendor)];
  return signature === '' ? [] : [encryptedEvent({ reasoningText: { text: thought, signature } }, state.vendor)];
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
  if (!state.hasFinished) return fail(state, cut('The upstream ended its answer without a reason.'));
  state.isComplete = true;
  return counted === null ? [] : [{ kind: 'usage', usage: counted }];
}
