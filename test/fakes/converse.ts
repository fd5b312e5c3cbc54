/** Imitates Converse of Amazon Bedrock: builds answers, whole and as events, and refuses requests that the vendor would refuse. */
import { type BedrockRules, bedrockFailure, refusalOf } from './bedrock.ts';
import { cutText, type FakeToolCall, fakeText, joinText } from './chat.ts';
import { checkConverse } from './converse-check.ts';
import { type Delivery, json, stream } from './delivery.ts';
import { eventMessage, exceptionMessage } from './event-stream.ts';
import type { FakeRequest } from './exchange.ts';
import type { Frame, SseEvent } from './frames.ts';
import type { Script } from './script.ts';

export const converseUsage = {
  inputTokens: 5,
  cacheReadInputTokens: 3,
  cacheWriteInputTokens: 3,
  outputTokens: 7,
  totalTokens: 18,
};

export interface ConverseThought {
  /** Several pieces become several deltas; null: the vendor hides the text. */
  readonly text: string | readonly string[] | null;
  /** The signature; of a hidden thought its data. An empty one is left out. */
  readonly signature?: string;
}

export interface ConverseReply {
  /** As in a chat reply. */
  readonly text?: string | readonly string[] | null;
  readonly thoughts?: readonly ConverseThought[];
  /** The arguments are JSON text. */
  readonly toolCalls?: readonly FakeToolCall[];
  readonly stopReason?: string | null;
  /** Null leaves it out; anything else is sent as it is. */
  readonly usage?: unknown;
}

type Fields = Readonly<Record<string, unknown>>;
/** A block, and the events that stream it. */
interface FakeAnswer {
  readonly whole: () => Fields;
  /** Only calls have one. */
  readonly start?: Fields;
  readonly deltas: readonly Fields[];
}

const metrics = { latencyMs: 951 };

export function converseAnswer(reply: ConverseReply = {}): Record<string, unknown> {
  return {
    metrics,
    output: { message: { content: tellAll(reply).map(({ whole }) => whole()), role: 'assistant' } },
    stopReason: stopReason(reply),
    ...(reply.usage !== null && { usage: reply.usage ?? converseUsage }),
  };
}

/** The events of a stream, by name. */
export function converseEvents(reply: ConverseReply = {}): SseEvent[] {
  const blocks = tellAll(reply).flatMap(({ start, deltas }, contentBlockIndex) => [
    ...(start ? [event('contentBlockStart', { contentBlockIndex, start })] : []),
    ...deltas.map((delta) => event('contentBlockDelta', { contentBlockIndex, delta })),
    event('contentBlockStop', { contentBlockIndex }),
  ]);
  const reason = stopReason(reply);
  return [
    event('messageStart', { role: 'assistant' }),
    ...blocks,
    ...(reason === null ? [] : [event('messageStop', { stopReason: reason })]),
    ...(reply.usage === null ? [] : [event('metadata', { metrics, usage: reply.usage ?? converseUsage })]),
  ];
}

const event = (name: string, fields: Fields): SseEvent => ({ event: name, data: { ...fields, p: 'abcdef' } });

const stopReason = ({ stopReason, toolCalls }: ConverseReply): string | null =>
  stopReason === undefined ? (toolCalls?.length ? 'tool_use' : 'end_turn') : stopReason;

function tellAll(reply: ConverseReply): FakeAnswer[] {
  const { text = reply.toolCalls?.length ? null : fakeText } = reply;
  return [...(reply.thoughts ?? []).map(tellThought), ...(text === null ? [] : [tellText(text)]), ...(reply.toolCalls ?? []).map(tellCall)];
}

const tellText = (text: string | readonly string[]): FakeAnswer => ({
  whole: () => ({ text: joinText(text) }),
  deltas: cutText(text).map((piece) => ({ text: piece })),
});

function tellThought({ text, signature = 'c2lnbmVk' }: ConverseThought): FakeAnswer {
  if (text === null)
    return {
      whole: () => ({ reasoningContent: { redactedContent: signature } }),
      deltas: [{ reasoningContent: { redactedContent: signature } }],
    };
  const sealed = signature === '' ? {} : { signature };
  return {
    whole: () => ({ reasoningContent: { reasoningText: { text: joinText(text), ...sealed } } }),
    deltas: [
      ...cutText(text).map((piece) => ({ reasoningContent: { text: piece } })),
      ...(signature === '' ? [] : [{ reasoningContent: { signature } }]),
    ],
  };
}

function tellCall({ id, name, arguments: pieces }: FakeToolCall): FakeAnswer {
  const written = joinText(pieces);
  return {
    whole: () => ({ toolUse: { toolUseId: id, name, input: written === '' ? {} : JSON.parse(written) } }),
    start: { toolUse: { toolUseId: id, name } },
    deltas: cutText(pieces).flatMap((piece) => (piece === '' ? [] : [{ toolUse: { input: piece } }])),
  };
}

/** The message of AWS's framing for one event; that of an exception where its data say so. */
export function framedEvent({ event: name = '', data }: SseEvent): Buffer {
  if (name.endsWith('Exception')) return exceptionMessage(name, String(data));
  const headers = { ':event-type': name, ':content-type': 'application/json', ':message-type': 'event' };
  return eventMessage(headers, typeof data === 'string' ? data : JSON.stringify(data));
}

/** The frames of a stream in AWS's framing; raw bytes stay as they are. */
export const converseStream = (frames: readonly Frame[], delivery: Delivery = {}): Script =>
  stream(
    frames.map((frame) => ('until' in frame || 'raw' in frame ? frame : { raw: framedEvent(frame) })),
    { ...delivery, headers: { 'content-type': 'application/vnd.amazon.eventstream', ...delivery.headers } },
  );

export const isConverseStream = ({ path }: Pick<FakeRequest, 'path'>): boolean => path.endsWith('/converse-stream');

/** Answers as the vendor would; refuses without credentials, and what is no Converse request. */
export const converse =
  (rules: BedrockRules, reply: ConverseReply = {}) =>
  (request: FakeRequest): Script => {
    const rejected = refusalOf(request, rules);
    if (rejected) return rejected;
    const [, id = '', method] = /^\/model\/([^/]+)\/(converse|converse-stream)$/.exec(request.url) ?? [];
    if (method === undefined) return bedrockFailure(404, 'UnknownOperationException', '');
    if (rules.models && !rules.models.includes(decodeURIComponent(id)))
      return bedrockFailure(400, 'ValidationException', 'The provided model identifier is invalid.');
    const wrong = checkConverse(request);
    if (wrong !== null) return bedrockFailure(400, 'ValidationException', wrong);
    return method === 'converse' ? json(converseAnswer(reply)) : converseStream(converseEvents(reply));
  };
