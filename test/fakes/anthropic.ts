/** Builds answers in Anthropic's format, whole and as a stream of named events, for the `json` and `stream` scripts. */
import { cutText, type FakeToolCall, fakeText, joinText } from './chat.ts';
import { json } from './delivery.ts';
import type { SseEvent } from './frames.ts';
import type { Script } from './script.ts';

export const anthropicUsage = {
  input_tokens: 5,
  cache_creation_input_tokens: 3,
  cache_read_input_tokens: 3,
  output_tokens: 7,
  output_tokens_details: { thinking_tokens: 2 },
};

export interface AnthropicThought {
  /** Several pieces become several deltas; null: the vendor hides the text (`redacted_thinking`). */
  readonly text: string | readonly string[] | null;
  /** The signature; of a redacted thought its data. An empty one is left out. */
  readonly signature?: string;
}

export interface AnthropicReply {
  readonly id?: string;
  readonly model?: string;
  /** As in a chat reply. */
  readonly text?: string | readonly string[] | null;
  readonly thoughts?: readonly AnthropicThought[];
  /** The arguments are JSON text. A custom tool is a function with one string parameter. */
  readonly toolCalls?: readonly FakeToolCall[];
  readonly stopReason?: string | null;
  /** Null leaves it out; anything else is sent as it is. */
  readonly usage?: unknown;
  /** The usage of the last event of a stream, if it's another one. */
  readonly lastUsage?: unknown;
}

type Block = Readonly<Record<string, unknown>>;
/** A content block, and the events that stream it: its start and its deltas. */
interface FakeAnswer {
  /** The whole block. A function, because incomplete JSON cannot be parsed and must only be read when it is complete. */
  readonly whole: () => Block;
  readonly opening: Block;
  readonly deltas: readonly Block[];
}

export function anthropicMessage(reply: AnthropicReply = {}): Record<string, unknown> {
  return {
    ...shell(reply),
    content: tellAll(reply).map((told) => told.whole()),
    stop_reason: stopReason(reply),
    ...(reply.usage !== null && { usage: reply.usage ?? anthropicUsage }),
  };
}

/** The events of a stream: no `[DONE]`, a ping after the first event, growing usage. */
export function anthropicFrames(reply: AnthropicReply = {}): SseEvent[] {
  const { usage = anthropicUsage } = reply;
  const first = usage === anthropicUsage ? { ...anthropicUsage, output_tokens: 1, output_tokens_details: null } : usage;
  const begun = { ...shell(reply), content: [], stop_reason: null, ...(usage !== null && { usage: first }) };
  const last = {
    delta: { stop_reason: stopReason(reply), stop_sequence: null },
    ...(usage !== null && { usage: reply.lastUsage ?? usage }),
  };
  return [
    frame('message_start', { message: begun }),
    frame('ping', {}),
    ...tellAll(reply).flatMap(({ opening, deltas }, index) => [
      frame('content_block_start', { index, content_block: opening }),
      ...deltas.map((delta) => frame('content_block_delta', { index, delta })),
      frame('content_block_stop', { index }),
    ]),
    frame('message_delta', last),
    frame('message_stop', {}),
  ];
}

/** An error event, which may come anywhere in a stream. */
export const anthropicErrorFrame = (type: string, message = 'Overloaded'): SseEvent => frame('error', { error: { type, message } });

/** An error answer in the vendor's envelope, with the given status. */
export function anthropicFailure(status: number, type: string, message = 'The fake vendor refuses.'): Script {
  return json(anthropicError(type, message), { status });
}

export const anthropicError = (type: string, message: string) => ({ type: 'error', error: { type, message }, request_id: 'req_fake' });

const frame = (type: string, fields: Block): SseEvent => ({ event: type, data: { type, ...fields } });

const shell = (reply: AnthropicReply) => ({
  id: reply.id ?? 'msg_fake',
  type: 'message',
  role: 'assistant',
  model: reply.model ?? 'claude-fake',
  stop_sequence: null,
});

function stopReason({ stopReason, toolCalls }: AnthropicReply): string | null {
  return stopReason === undefined ? (toolCalls?.length ? 'tool_use' : 'end_turn') : stopReason;
}

function tellAll(reply: AnthropicReply): FakeAnswer[] {
  const { text = reply.toolCalls?.length ? null : fakeText } = reply;
  return [...(reply.thoughts ?? []).map(tellThought), ...(text === null ? [] : [tellText(text)]), ...(reply.toolCalls ?? []).map(tellCall)];
}

function tellText(text: string | readonly string[]): FakeAnswer {
  return {
    whole: () => ({ type: 'text', text: joinText(text), citations: null }),
    opening: { type: 'text', text: '' },
    deltas: cutText(text).map((piece) => ({ type: 'text_delta', text: piece })),
  };
}

function tellThought({ text, signature = 'c2lnbmVk' }: AnthropicThought): FakeAnswer {
  const kept = { type: 'redacted_thinking', data: signature };
  if (text === null) return { whole: () => kept, opening: kept, deltas: [] };
  const pieces = cutText(text).map((piece) => ({ type: 'thinking_delta', thinking: piece }));
  return {
    whole: () => ({ type: 'thinking', thinking: joinText(text), signature }),
    opening: { type: 'thinking', thinking: '', signature: '' },
    deltas: [...pieces, ...(signature === '' ? [] : [{ type: 'signature_delta', signature }])],
  };
}

/** Empty arguments have no delta, as for a tool without parameters. */
function tellCall({ id, name, arguments: pieces }: FakeToolCall): FakeAnswer {
  const written = joinText(pieces);
  const call = { type: 'tool_use', id, name };
  return {
    whole: () => ({ ...call, input: written === '' ? {} : JSON.parse(written) }),
    opening: { ...call, input: {} },
    deltas: cutText(pieces).flatMap((piece) => (piece === '' ? [] : [{ type: 'input_json_delta', partial_json: piece }])),
  };
}
