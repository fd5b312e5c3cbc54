/** Records calls as files: the request, and the answer to the caller. It writes synchronously before the end of the answer is sent, because this is a development tool. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ErrorBody } from '../../contract/shared/error-bodies.ts';
import { PassThroughReader, type StreamReader } from '../dialects/failure.ts';
import { eachFrame, frameData } from '../dialects/wire/frames.ts';
import type { GatewayError } from '../errors.ts';
import type { FormBody, ImageFile, Operation } from '../upstreams/upstream.ts';

/** One call that is being recorded. Only the first call of `end` counts. */
export interface CallRecording {
  whole(bytes: Buffer): void;
  failed(error: GatewayError): void;
  /** Records what a caller reads of this. */
  reader(inner: StreamReader): StreamReader;
}

export interface Recorder {
  readonly kind: 'record';
  /** `secrets`: of the caller. */
  begin(asked: AskedCall, secrets: readonly string[]): CallRecording;
}

/** `secrets`: of the gateway; no file may contain them. */
export function openRecorder(folder: string, secrets: readonly string[]): Recorder {
  mkdirSync(folder, { recursive: true });
  const times = new Map<string, number>();

  function keep(asked: AskedCall, answer: RecordedAnswer, own: readonly string[]): void {
    const { request, secrets: found } = comparableOf(asked);
    const matchKey = matchKeyOf(asked.operation, request);
    const name = nameOf(asked, matchKey);
    const time = (times.get(matchKey) ?? 0) + 1;
    times.set(matchKey, time);
    // An earlier run may have left more numbered files.
    if (time === 1) removeAll(folder, name);
    // `as`: the body was parsed from JSON.
    const call = { format: 1, operation: asked.operation, request, answer } as RecordedCall;
    const file = join(folder, time === 1 ? `${name}.json` : `${name}-${time}.json`);
    writeFileSync(file, maskSecrets(writeCall(call), [...secrets, ...own, ...found]));
  }

  return {
    kind: 'record',
    begin(asked, own) {
      let isKept = false;
      const keepOnce = (answer: () => RecordedAnswer): void => {
        if (!isKept) keep(asked, answer(), own);
        isKept = true;
      };
      return {
        whole: (bytes) => keepOnce(() => recordWhole(bytes)),
        failed: (error) => keepOnce(() => recordFailure(error)),
        reader: (inner) => new TapeReader(inner, (bytes) => keepOnce(() => recordFrames(bytes))),
      };
    },
  };
}

const words = { createChatCompletion: 'chat', createResponse: 'response', generateImages: 'image', editImages: 'edit' } as const;

/** The same in every run, so that a new recording shows only real changes. */
function nameOf({ operation, body }: AskedCall, matchKey: string): string {
  const model = String(body.value.model).replaceAll(/[^\w.-]+/g, '-');
  return `${words[operation]}-${model}-${createHash('sha256').update(matchKey).digest('hex').slice(0, 8)}`;
}

function removeAll(folder: string, name: string): void {
  const own = readdirSync(folder).filter((file) => file.startsWith(name) && /^(?:-\d+)?\.json$/.test(file.slice(name.length)));
  for (const file of own) rmSync(join(folder, file));
}

function recordFailure({ status, headers, body }: GatewayError): RecordedAnswer {
  return { status, ...(Object.keys(headers).length > 0 && { headers: { ...headers } }), error: body.error };
}

/** Forwards the frames of the inner reader, and keeps them. */
class TapeReader extends PassThroughReader {
  readonly #ended: (bytes: Buffer) => void;
  readonly #pieces: Buffer[] = [];

  constructor(inner: StreamReader, ended: (bytes: Buffer) => void) {
    super(inner);
    this.#ended = ended;
  }

  override pass(frames: Buffer): Buffer {
    return this.#keep(super.pass(frames));
  }
  override closing(): Buffer {
    return this.#end(super.closing());
  }
  override failing(error: GatewayError): Buffer {
    return this.#end(super.failing(error));
  }

  #keep(frames: Buffer): Buffer {
    if (frames.length > 0) this.#pieces.push(frames);
    return frames;
  }

  #end(frames: Buffer): Buffer {
    this.#keep(frames);
    this.#ended(Buffer.concat(this.#pieces));
    return frames;
  }
}

/** A frame of a stream: parsed when that can be reversed exactly, otherwise as text. */
const Frame = z.union([z.strictObject({ event: z.string().optional(), data: z.json() }), z.strictObject({ text: z.string() })]);
type Frame = z.infer<typeof Frame>;

const Answer = z.union([
  z.strictObject({ status: z.literal(200), body: z.json() }),
  z.strictObject({ status: z.literal(200), text: z.string() }),
  z.strictObject({ status: z.literal(200), frames: z.array(Frame) }),
  z.strictObject({
    status: z.int().min(400).max(599),
    headers: z.record(z.string(), z.string()).optional(),
    error: ErrorBody.shape.error,
  }),
]);
export type RecordedAnswer = z.infer<typeof Answer>;

export const RecordedCall = z.strictObject({
  /** Version of the file format. */
  format: z.literal(1),
  operation: z.enum(['createChatCompletion', 'createResponse', 'generateImages', 'editImages']),
  /** The body as it is compared, the model in it. */
  request: z.record(z.string(), z.json()),
  answer: Answer,
});
export type RecordedCall = z.infer<typeof RecordedCall>;

/** Indented JSON, but with one frame of a stream per line. */
export function writeCall({ answer, ...call }: RecordedCall): string {
  const frames = 'frames' in answer ? answer.frames : null;
  if (frames === null) return `${JSON.stringify({ ...call, answer }, null, 2)}\n`;
  const marked = JSON.stringify({ ...call, answer: { ...answer, frames: [] } }, null, 2);
  const lines = frames.map((frame) => `      ${JSON.stringify(frame)}`).join(',\n');
  // `frames` is the last key of the last key, so no text of the request can match after it.
  const at = marked.lastIndexOf('[]');
  return `${marked.slice(0, at)}[\n${lines}\n    ]${marked.slice(at + 2)}\n`;
}

export function recordWhole(bytes: Buffer): RecordedAnswer {
  const text = bytes.toString();
  const body = parse(text);
  return body !== undefined && JSON.stringify(body) === text ? { status: 200, body } : { status: 200, text };
}

export function recordFrames(bytes: Buffer): RecordedAnswer {
  const frames: Frame[] = [];
  eachFrame(bytes, (frame) => frames.push(recordFrame(frame)));
  return { status: 200, frames };
}

function recordFrame(frame: Buffer): Frame {
  const text = frame.toString();
  const data = parse(frameData(frame) ?? '');
  const event = /^event: (.*)\n/.exec(text)?.[1];
  const parts: Frame = data === undefined ? { text } : { ...(event !== undefined && { event }), data };
  return frameText(parts) === text ? parts : { text };
}

const frameText = (frame: Frame): string => {
  if ('text' in frame) return frame.text;
  return `${frame.event === undefined ? '' : `event: ${frame.event}\n`}data: ${JSON.stringify(frame.data)}\n\n`;
};

type Played =
  | { readonly kind: 'whole'; readonly bytes: Buffer }
  | { readonly kind: 'frames'; readonly frames: readonly Buffer[] }
  | { readonly kind: 'error'; readonly answer: Extract<RecordedAnswer, { error: unknown }> };

export function playAnswer(answer: RecordedAnswer): Played {
  if ('error' in answer) return { kind: 'error', answer };
  if ('frames' in answer) return { kind: 'frames', frames: answer.frames.map((frame) => Buffer.from(frameText(frame))) };
  return { kind: 'whole', bytes: Buffer.from('text' in answer ? answer.text : JSON.stringify(answer.body)) };
}

function parse(text: string): z.infer<(typeof Frame.options)[0]>['data'] | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export type Fields = Readonly<Record<string, unknown>>;

const MASK = '[secret]';
const names = /^(?:authorization|proxy-authorization|cookie|set-cookie|api[-_]?key|x-api-key|access[-_]?token|secret|password)$/i;
/** Shorter values occur in ordinary words. */
const MIN_CHARACTERS = 8;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value without its secrets, and the secrets. */
export function withoutSecrets(value: unknown): { readonly value: unknown; readonly secrets: readonly string[] } {
  const secrets: string[] = [];
  const walk = (part: unknown, isSecret: boolean): unknown => {
    if (typeof part === 'string') {
      if (!isSecret) return maskPatterns(part);
      secrets.push(part);
      return MASK;
    }
    if (Array.isArray(part)) return part.map((entry) => walk(entry, isSecret));
    if (!isFields(part)) return part;
    // Headers for an MCP server.
    const hasHeaders = part.type === 'mcp';
    const entries = Object.entries(part).map(([name, inner]) => {
      const isOwn = (typeof inner === 'string' && names.test(name)) || (hasHeaders && name === 'headers');
      return [name, walk(inner, isSecret || isOwn)];
    });
    return Object.fromEntries(entries);
  };
  return { value: walk(value, false), secrets };
}

/** The text of a JSON file without these secrets. */
export function maskSecrets(json: string, secrets: readonly string[]): string {
  const long = secrets.filter((secret) => secret.length >= MIN_CHARACTERS);
  const known = long.reduce((text, secret) => text.replaceAll(JSON.stringify(secret).slice(1, -1), MASK), json);
  // An answer may repeat a secret of the prompt.
  return maskPatterns(known);
}

/** Keys as this gateway and OpenAI write them, and a token behind `Bearer`. A token needs a digit: 'bearer certificates' is plain text. */
const maskPatterns = (text: string): string =>
  text.replaceAll(/\bBearer\s+(?=[\w.~+/=-]*\d)[\w.~+/=-]{16,}/gi, `Bearer ${MASK}`).replaceAll(/\b(?:mga?|sk)-[\w-]{16,}/g, MASK);

/** The part of a request that a recording needs. */
export interface AskedCall {
  readonly operation: Operation;
  readonly body: { readonly kind: 'json'; readonly value: Fields } | FormBody;
}

/** These fields identify the caller, and change with each run. */
const ignoredFields = ['user', 'safety_identifier', 'prompt_cache_key'];

interface Comparable {
  readonly request: Fields;
  readonly secrets: readonly string[];
}

/** The body as it is stored and compared: without secrets, and with hashes instead of binary data. */
export function comparableOf({ body }: AskedCall): Comparable {
  const { value, secrets } = withoutSecrets(body.value);
  const kept = Object.entries(isFields(value) ? value : {}).filter(([name, field]) => field !== null && !ignoredFields.includes(name));
  const files = body.kind === 'form' ? describeFiles(body) : {};
  return { request: { ...Object.fromEntries(kept.map(([name, field]) => [name, shorten(field)])), ...files }, secrets };
}

const describeFiles = ({ images, overlays: { mask, markup } }: FormBody) => ({
  files: images.map(describeFile),
  mask_file: mask ? describeFile(mask) : null,
  ...(markup && { markup_file: describeFile(markup) }),
});

const describeFile = ({ contentType, bytes }: ImageFile): string => `${contentType}, ${hashOf(bytes)}`;

/** Images and other binary data in a text. */
const MAX_WORD = 1_000;

function shorten(value: unknown): unknown {
  if (typeof value === 'string') return value.length > MAX_WORD && !/\s/.test(value) ? hashOf(value) : value;
  if (Array.isArray(value)) return value.map(shorten);
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shorten(inner)]));
}

const hashOf = (data: string | Uint8Array): string => `${data.length} in all, sha256 ${createHash('sha256').update(data).digest('hex')}`;

/** The same value for the same request. */
export const matchKeyOf = (operation: string, request: Fields): string => JSON.stringify([operation, inOrder(request)]);

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isFields(value)) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, inOrder(inner)] as const);
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** Paths at which two requests differ: `messages[1].content`. */
export function differencesOf(one: unknown, other: unknown, path = ''): readonly string[] {
  if (Array.isArray(one) && Array.isArray(other)) {
    return Array.from({ length: Math.max(one.length, other.length) }).flatMap((_, index) =>
      differencesOf(one[index], other[index], `${path}[${index}]`),
    );
  }
  if (isFields(one) && isFields(other)) {
    const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
    return names.flatMap((name) => differencesOf(one[name], other[name], path === '' ? name : `${path}.${name}`));
  }
  return JSON.stringify(one) === JSON.stringify(other) ? [] : [path];
}
