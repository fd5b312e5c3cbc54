/** Builds chat completions in the vendor's format, whole and as a stream. */
import { done, type Frame, type SseEvent } from './frames.ts';
import { oddField } from './odd.ts';

/** The default answer of the fake: characters of one, two, three and four bytes. */
export const fakeText = 'Grüße from the fake vendor: 3 < 5, “quoted”, ☕ and 🌍. Done.';
export const fakeCreated = 1_790_000_000;

export const chatUsage = {
  prompt_tokens: 11,
  completion_tokens: 7,
  total_tokens: 18,
  prompt_tokens_details: { cached_tokens: 3, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 2, audio_tokens: 0, accepted_prediction_tokens: 0, rejected_prediction_tokens: 0 },
};

export interface FakeToolCall {
  readonly id: string;
  readonly name: string;
  /** Several pieces become several deltas; together they are the arguments, or the input of a custom tool. */
  readonly arguments: string | readonly string[];
  readonly custom?: boolean;
}

export interface ChatReply {
  readonly id?: string;
  readonly model?: string;
  /** Several pieces become several deltas. A string is cut at its spaces. Null: no text. */
  readonly text?: string | readonly string[] | null;
  readonly refusal?: string;
  readonly toolCalls?: readonly FakeToolCall[];
  readonly finishReason?: string;
  /** The number of choices, all equal. */
  readonly n?: number;
  /** Null leaves it out. Any other value is sent unchanged, even a wrong one. */
  readonly usage?: unknown;
  /** Whether a stream has the usage chunk. */
  readonly includeUsage?: boolean;
  /** Fields that are in no specification; null leaves them out. */
  readonly extra?: Readonly<Record<string, unknown>> | null;
}

export function chatCompletion(reply: ChatReply = {}): Record<string, unknown> {
  const choices = indexes(reply.n).map((index) => ({ index, message: message(reply), logprobs: null, finish_reason: finishReason(reply) }));
  return { ...frame(reply, 'chat.completion'), choices, ...usageField(reply), service_tier: 'default', system_fingerprint: 'fp_fake' };
}

/** The events of a stream, with `[DONE]`. */
export function chatFrames(reply: ChatReply = {}): SseEvent[] {
  const asked = reply.includeUsage === true && reply.usage !== null;
  const chunk = (choices: unknown[], usage: unknown): Frame & SseEvent => ({
    data: { ...frame(reply, 'chat.completion.chunk'), choices, ...(asked && { usage }), service_tier: 'default' },
  });
  const first = { role: 'assistant', content: textPieces(reply) === null ? null : '', refusal: null };
  const frames = indexes(reply.n).flatMap((index) => [
    ...[first, ...deltas(reply)].map((delta) => chunk([{ index, delta, logprobs: null, finish_reason: null }], null)),
    chunk([{ index, delta: {}, logprobs: null, finish_reason: finishReason(reply) }], null),
  ]);
  return [...frames, ...(asked ? [chunk([], reply.usage ?? chatUsage)] : []), done];
}

/** Cuts a text after each space. */
export function cutText(text: string | readonly string[]): readonly string[] {
  return typeof text === 'string' ? (text.match(/\S*\s|\S+$/g) ?? [text]) : text;
}

export function joinText(text: string | readonly string[]): string {
  return typeof text === 'string' ? text : text.join('');
}

function frame({ id, model, extra }: ChatReply, object: string): Record<string, unknown> {
  return {
    id: id ?? 'chatcmpl-fake',
    object,
    created: fakeCreated,
    model: model ?? 'gpt-5.4',
    ...(extra === undefined ? oddField : extra),
  };
}

function indexes(n = 1): number[] {
  return Array.from({ length: n }, (_, index) => index);
}

function finishReason({ finishReason, toolCalls }: ChatReply): string {
  return finishReason ?? (toolCalls?.length ? 'tool_calls' : 'stop');
}

/** Answers with tool calls or a refusal have no text unless one is given. */
function textPieces({ text, toolCalls, refusal }: ChatReply): readonly string[] | null {
  if (text === null || (text === undefined && (toolCalls?.length || refusal !== undefined))) return null;
  return cutText(text ?? fakeText);
}

function message(reply: ChatReply): Record<string, unknown> {
  const calls = reply.toolCalls?.map((call) => ({ id: call.id, ...callBody(call, joinText(call.arguments), call.name) }));
  const content = textPieces(reply)?.join('') ?? null;
  return { role: 'assistant', content, refusal: reply.refusal ?? null, annotations: [], ...(calls?.length && { tool_calls: calls }) };
}

function deltas(reply: ChatReply): Record<string, unknown>[] {
  const text = (textPieces(reply) ?? []).map((content) => ({ content }));
  const refusal = cutText(reply.refusal ?? []).map((piece) => ({ refusal: piece }));
  const calls = (reply.toolCalls ?? []).flatMap((call, index) => [
    { index, id: call.id, ...callBody(call, '', call.name) },
    ...cutText(call.arguments).map((piece) => ({ index, ...pieceBody(call, piece) })),
  ]);
  return [...text, ...refusal, ...calls.map((call) => ({ tool_calls: [call] }))];
}

function callBody(call: FakeToolCall, input: string, name: string): Record<string, unknown> {
  return call.custom ? { type: 'custom', custom: { name, input } } : { type: 'function', function: { name, arguments: input } };
}

function pieceBody(call: FakeToolCall, piece: string): Record<string, unknown> {
  return call.custom ? { custom: { input: piece } } : { function: { arguments: piece } };
}

function usageField({ usage }: ChatReply): Record<string, unknown> {
  return usage === null ? {} : { usage: usage ?? chatUsage };
}
