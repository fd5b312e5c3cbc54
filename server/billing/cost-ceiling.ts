/** Computes the most that a request can use, before it is sent: the hold covers its cost (promise G3). */
import { isFields } from '../../contract/rule.ts';
import type { Model } from '../config/catalog.ts';
import { kindOf } from '../dialects/images/pictures.ts';
import { offeredTools } from '../dialects/responses/hosted-calls.ts';
import { highestLimit, longestAnswer } from '../dialects/turn/longest-answer.ts';
import { enclosedIn, TOKENS_OF_PICTURE } from '../dialects/wire/attachments.ts';
import { type JsonBody, jsonBody, withFields } from '../dialects/wire/json-body.ts';
import type { Bounds, Extra } from '../ledger/charge.ts';
import type { FormBody, Operation } from '../upstreams/upstream.ts';

export interface Sent {
  /** The body as the caller wrote it. */
  readonly asked: Readonly<Record<string, unknown>>;
  /** The body for the upstream, with the conversation before it. */
  readonly body: JsonBody | FormBody;
  readonly isImage: boolean;
  /** The caller's operation: only its own names of the output limit count. Without it, any name counts. */
  readonly operation?: Operation;
}

/** Tokens that vendors add around each message and tool. */
const TOKENS_AROUND = 16;
/** Tokens: what the upstream fetches may fill the whole context window. */
const WINDOW = 1_000_000;
/** Used without `max_tool_calls`: more calls than answers make, and few enough for a small balance. */
const MOST_TOOL_CALLS = 16;
const BYTES_PER_TOKEN = 4;
/** The image kind of a request without images. */
const ANY_KIND = 'auto/auto';

export function boundsOf({ asked, body, isImage, operation }: Sent, model: Model): Bounds {
  if (isImage || body.kind === 'form')
    return { inputTokens: 0, outputTokens: 0, images: countOf(asked.n) ?? 1, imageKind: kindOf(asked, Buffer.alloc(0)) };
  const offered = offeredTools(body.value);
  const looksUp = offered.length > 0;
  const [answers, limits] = [countOf(asked.n) ?? 1, limitsIn(asked, operation)];
  return {
    inputTokens: looksUp ? windowOf(model) : mostInput(body, model),
    outputTokens: mostOutput(limits, model) * answers,
    ...(limits.length === 0 && { open: { answers, longest: highestLimit(model) } }),
    images: 0,
    imageKind: ANY_KIND,
    toolCalls: looksUp ? (countOf(asked.max_tool_calls) ?? MOST_TOOL_CALLS) : 0,
    extras: [...offered.map(({ call, path }) => ({ kind: 'tool', name: call, path }) as const), ...tierOf(body.value)],
  };
}

/** The bounds of a short request without an output limit: what `explain` weighs. */
export function boundsOfShortCall(model: Model): Bounds {
  const asked = { model: model.id, input: 'Say hello.' };
  return boundsOf({ asked, body: jsonBody(asked), isImage: model.kind === 'image' }, model);
}

/** Values of `service_tier` that mean the vendor's default. */
const ordinary: readonly unknown[] = [undefined, null, 'auto', 'default'];

const tierOf = ({ service_tier: tier }: JsonBody['value']): Extra[] =>
  ordinary.includes(tier) ? [] : [{ kind: 'tier', name: String(tier), path: 'service_tier' }];

/** The input bound when the upstream fetches something itself, for a tool or an address: its length is unknown. */
const windowOf = ({ contextWindow = WINDOW }: Model): number => contextWindow;

/** A rough estimate of input tokens, for token limits. Leaves out inline images: they have far fewer tokens than bytes. */
export function roughTokens({ body, isImage }: Sent): number {
  if (isImage || body.kind === 'form') return 0;
  const { value, bytes } = body;
  const inline = enclosedIn(value).pictures > 0 ? inlineBytes(value) : 0;
  return Math.ceil(Math.max(bytes.length - inline, 0) / BYTES_PER_TOKEN);
}

/** The most input tokens: a tokenizer makes at most one token of each byte. What the upstream looks up itself has no such bound. */
function mostInput({ value, bytes }: JsonBody, model: Model): number {
  const { pictures, bringsMore: isOpen } = enclosedIn(value);
  if (isOpen || isFields(value.prompt)) return windowOf(model);
  const around = [value.messages, value.input, value.tools, value.contents].reduce<number>(
    (sum, list) => sum + (Array.isArray(list) ? list.length : 1),
    0,
  );
  return Math.min(bytes.length + around * TOKENS_AROUND + pictures * TOKENS_OF_PICTURE, windowOf(model));
}

/** Bytes of inline files: data URLs and base64. */
function inlineBytes(body: unknown): number {
  let sum = 0;
  const left = [body];
  while (left.length > 0) {
    const part = left.pop();
    if (typeof part === 'string') sum += part.startsWith('data:') || isBase64(part) ? part.length : 0;
    else if (isFields(part)) for (const each of Object.values(part)) left.push(each);
  }
  return sum;
}
const isBase64 = (text: string): boolean => text.length > 1024 && !text.includes(' ') && /^[A-Za-z0-9+/=_-]+$/.test(text);

const limitNames: Readonly<Partial<Record<Operation, readonly string[]>>> = {
  createChatCompletion: ['max_completion_tokens', 'max_tokens'],
  createResponse: ['max_output_tokens'],
};
const anyName = Object.values(limitNames).flat();

/** The output limits in the caller's body, under the names that the operation has. */
const limitsIn = (asked: Sent['asked'], operation: Sent['operation']): number[] =>
  ((operation && limitNames[operation]) ?? anyName).flatMap((name) => countOf(asked[name]) ?? []);

function mostOutput(limits: readonly number[], model: Model): number {
  return Math.min(limits.length > 0 ? Math.max(...limits) : longestAnswer(model), model.maxOutputTokens ?? Number.POSITIVE_INFINITY);
}

/** The body with this output limit, in the field of the caller's operation. */
export const withOutputLimit = (body: JsonBody, limit: number, operation: Operation): JsonBody =>
  withFields(body, { [limitNames[operation]?.[0] ?? 'max_output_tokens']: limit });

const countOf = (value: unknown): number | undefined => (typeof value === 'number' && value > 0 ? value : undefined);
