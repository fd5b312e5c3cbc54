/** The most that a request can use, told before it is sent: what is held for it (promise G3). */
import { isFields } from '../contract/rule.ts';
import type { Model } from './catalog.ts';
import { kindOf } from './dialects/images/pictures.ts';
import type { JsonBody } from './dialects/json-body.ts';
import { hasHostedTools } from './dialects/responses/hosted-calls.ts';
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
/** A picture of a few bytes may stand for so many tokens. */
const TOKENS_OF_PICTURE = 10_000;
/** Where nobody says how much a model can answer. */
const MOST_OUTPUT = 128_000;
/** Something that the upstream fetches may fill the whole window. */
const WINDOW = 1_000_000;
/** Where the caller sets no `max_tool_calls`: more than an answer calls, and few enough for a small balance. */
const MOST_TOOL_CALLS = 16;
const BYTES_PER_TOKEN = 4;
/** Of no pictures. */
const ANY_KIND = 'auto/auto';

export function boundsOf({ asked, body, isImage }: Sent, model: Model): Bounds {
  if (isImage || body.kind === 'form')
    return { inputTokens: 0, outputTokens: 0, images: countOf(asked.n) ?? 1, imageKind: kindOf(asked, Buffer.alloc(0)) };
  const toolCalls = looksUp(body.value) ? (countOf(asked.max_tool_calls) ?? MOST_TOOL_CALLS) : 0;
  return { inputTokens: mostInput(body, model), outputTokens: mostOutput(asked, model), images: 0, imageKind: ANY_KIND, toolCalls };
}

/** A rough word on tokens, for limits by the minute. Of a picture it is far less than its bytes. */
export function roughTokens({ body, isImage }: Sent): number {
  if (isImage || body.kind === 'form') return 0;
  const { bytes } = body;
  const inline = enclosedIn(bytes).pictures > 0 ? inlineBytes(body.value) : 0;
  return Math.ceil(Math.max(bytes.length - inline, 0) / BYTES_PER_TOKEN);
}

/** By tools that the upstream runs, or in the words of chat, which has no such tool. */
const looksUp = (value: JsonBody['value']): boolean => hasHostedTools(value) || isFields(value.web_search_options);

/** A tokenizer that works on bytes never makes more tokens than there are bytes. What the upstream looks up by itself has no such bound. */
function mostInput({ value, bytes }: JsonBody, { contextWindow = WINDOW }: Model): number {
  const { pictures, bringsMore: isOpen } = enclosedIn(bytes);
  if (isOpen || looksUp(value) || isFields(value.prompt)) return contextWindow;
  const around = [value.messages, value.input, value.tools, value.contents].reduce<number>(
    (sum, list) => sum + (Array.isArray(list) ? list.length : 1),
    0,
  );
  return Math.min(bytes.length + around * TOKENS_AROUND + pictures * TOKENS_OF_PICTURE, contextWindow);
}

/** What lies in a body beside its words. */
interface Enclosed {
  /** In the words of every dialect: `data:image/…`, `"media_type":"image/…"`, `"mimeType":"image/…"`. */
  readonly pictures: number;
  /** Pictures and files by address or id, and packed documents: few bytes that may stand for many tokens. */
  readonly bringsMore: boolean;
}

/** In one pass: every body is looked through, and a search for each mark by itself costs more than parsing it. */
const MARKS = /data:image|"image\/|"http|"file_id"|"file_data"|application\/pdf/g;
const isPicture = (mark: string): boolean => mark === 'data:image' || mark === '"image/';
const seen = new WeakMap<Buffer, Enclosed>();

function enclosedIn(bytes: Buffer): Enclosed {
  const known = seen.get(bytes);
  if (known) return known;
  const marks = bytes.toString('latin1').match(MARKS) ?? [];
  const enclosed = { pictures: marks.filter(isPicture).length, bringsMore: bringsMore(bytes, new Set(marks)) };
  seen.set(bytes, enclosed);
  return enclosed;
}

function bringsMore(bytes: Buffer, marks: ReadonlySet<string>): boolean {
  if (marks.has('"file_id"') || marks.has('"file_data"') || marks.has('application/pdf')) return true;
  return marks.has('"http') && (bytes.includes('image') || bytes.includes('file'));
}

/** Bytes of texts that no words are in. */
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

function mostOutput(asked: Sent['asked'], { maxOutputTokens }: Model): number {
  const said = [asked.max_completion_tokens, asked.max_tokens, asked.max_output_tokens].flatMap((value) => countOf(value) ?? []);
  const most = Math.min(
    said.length > 0 ? Math.max(...said) : (maxOutputTokens ?? MOST_OUTPUT),
    maxOutputTokens ?? Number.POSITIVE_INFINITY,
  );
  return most * (countOf(asked.n) ?? 1);
}

const countOf = (value: unknown): number | undefined => (typeof value === 'number' && value > 0 ? value : undefined);
