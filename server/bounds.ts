/** The most that a request can use, told before it is sent: what is held for it (promise G3). */
import type { Model } from './catalog.ts';
import type { JsonBody } from './dialects/json-body.ts';
import type { Bounds } from './ledger/charge.ts';
import type { FormBody } from './upstreams/upstream.ts';

export interface Sent {
  /** As the caller wrote it. */
  readonly asked: Readonly<Record<string, unknown>>;
  /** What goes upstream, the conversation before it included. */
  readonly body: JsonBody | FormBody;
  readonly isImage: boolean;
}

/** What vendors wrap around each message and tool. */
const TOKENS_AROUND = 16;
/** Where nobody says how much a model can answer. */
const MOST_OUTPUT = 128_000;
/** Something that the upstream fetches may fill the whole window. */
const WINDOW = 1_000_000;
const BYTES_PER_TOKEN = 4;

export function boundsOf({ asked, body, isImage }: Sent, model: Model): Bounds {
  const imageKind = `${wordOf(asked.size)}/${wordOf(asked.quality)}`;
  if (isImage || body.kind === 'form') return { inputTokens: 0, outputTokens: 0, images: countOf(asked.n) ?? 1, imageKind };
  return { inputTokens: mostInput(body, model), outputTokens: mostOutput(asked, model), images: 0, imageKind };
}

/** A rough word on tokens, for limits by the minute. */
export const roughTokens = ({ body, isImage }: Sent): number =>
  isImage || body.kind === 'form' ? 0 : Math.ceil(body.bytes.length / BYTES_PER_TOKEN);

/** A tokenizer that works on bytes never makes more tokens than there are bytes. */
function mostInput({ value, bytes }: JsonBody, { contextWindow = WINDOW }: Model): number {
  if (bringsAddresses(bytes)) return contextWindow;
  const around = [value.messages, value.input, value.tools, value.contents].reduce<number>(
    (sum, list) => sum + (Array.isArray(list) ? list.length : 1),
    0,
  );
  return Math.min(bytes.length + around * TOKENS_AROUND, contextWindow);
}

/** Pictures and files by address or id: a few bytes that may stand for many tokens. */
const bringsAddresses = (bytes: Buffer): boolean =>
  (bytes.includes('"http') && (bytes.includes('image') || bytes.includes('file'))) || bytes.includes('"file_id"');

function mostOutput(asked: Sent['asked'], { maxOutputTokens }: Model): number {
  const said = countOf(asked.max_completion_tokens) ?? countOf(asked.max_tokens) ?? countOf(asked.max_output_tokens);
  const most = Math.min(said ?? maxOutputTokens ?? MOST_OUTPUT, maxOutputTokens ?? Number.POSITIVE_INFINITY);
  return most * (countOf(asked.n) ?? 1);
}

const countOf = (value: unknown): number | undefined => (typeof value === 'number' && value > 0 ? value : undefined);
const wordOf = (value: unknown): string => (typeof value === 'string' ? value : 'auto');
