/** A response in AWS's event stream as Server-Sent Events, which is what the readers of the dialects know. */
import { EventEmitter } from 'node:events';
import { crc32 } from 'node:zlib';
import { invokesModels, publisherOf } from '../config/clouds/place.ts';
import type { HttpUpstreamConfig } from '../config/config.ts';
import { type JsonBody, withFields } from '../dialects/wire/json-body.ts';
import type { AnswerBody, Operation, UpstreamAnswer, UpstreamRequest } from './upstream.ts';

const EVENT_STREAM = 'application/vnd.amazon.eventstream';

/** Errors before the stream are plain JSON, and stay as they are. */
export function eventsAsSse(answer: UpstreamAnswer): UpstreamAnswer {
  const type = answer.headers['content-type'];
  if (typeof type !== 'string' || !type.startsWith(EVENT_STREAM)) return answer;
  return { ...answer, headers: { ...answer.headers, 'content-type': 'text/event-stream' }, body: new SseBody(answer.body) };
}

/** Hands each chunk on in the turn in which it came: another stream in between would buffer it once more. */
class SseBody extends EventEmitter implements AnswerBody {
  readonly #source: AnswerBody;
  readonly #reader = new EventStreamReader();
  #isStarted = false;
  #isBroken = false;
  closed = false;
  readableEnded = false;

  constructor(source: AnswerBody) {
    super();
    this.#source = source;
    source.on('error', (cause) => this.#fail(cause));
    source.on('end', () => this.#end());
    source.on('close', () => {
      this.closed = true;
      this.emit('close');
    });
  }

  /** A listener for `data` starts the flow. */
  override on(name: string, listener: (...told: never[]) => void): this {
    // An emitter calls each listener with the arguments of its event; `AnswerBody` types them.
    super.on(name, listener as (...told: unknown[]) => void);
    if (name === 'data' && !this.#isStarted) {
      this.#isStarted = true;
      this.#source.on('data', (chunk) => this.#take(chunk));
    }
    return this;
  }

  pause(): void {
    this.#source.pause();
  }

  resume(): void {
    this.#source.resume();
  }

  destroy(error?: Error): void {
    this.#source.destroy(error);
  }

  #take(chunk: Buffer): void {
    if (this.#isBroken) return;
    try {
      const [first, ...rest] = this.#reader.take(chunk).map(frameOf);
      if (first) this.emit('data', rest.length === 0 ? first : Buffer.concat([first, ...rest]));
    } catch (cause) {
      this.#isBroken = true;
      // `as`: only errors are thrown there.
      this.#source.destroy(cause as Error);
    }
  }

  /** Half a message at the end is a response that was cut. */
  #end(): void {
    if (this.#reader.isInside) this.#fail(new Error('The event stream ended inside a message.'));
    else {
      this.readableEnded = true;
      this.emit('end');
    }
  }

  /** An error without a listener would end the process. */
  #fail(cause: Error): void {
    if (this.listenerCount('error') > 0) this.emit('error', cause);
  }
}

/** Kinds of exceptions, as Anthropic's own streams name them. */
const kinds: Readonly<Record<string, string>> = {
  throttlingexception: 'rate_limit_error',
  servicequotaexceededexception: 'rate_limit_error',
  validationexception: 'invalid_request_error',
  modeltimeoutexception: 'timeout_error',
  serviceunavailableexception: 'overloaded_error',
  modelstreamerrorexception: 'api_error',
  internalserverexception: 'api_error',
};

function frameOf({ headers, payload }: Message): Buffer {
  const isEvent = headers.get(':message-type') === 'event';
  if (isEvent && headers.get(':event-type') === 'chunk') return chunkFrame(baseIn(payload));
  const name = headers.get(':exception-type') ?? headers.get(':error-code') ?? headers.get(':event-type') ?? '';
  const isFailure = !isEvent || name.toLowerCase() in kinds;
  if (isFailure) return Buffer.from(failureFrame(name, headers.get(':error-message') ?? wordsIn(payload)));
  return Buffer.from(namedFrame(name, payload));
}

const OPENING = '{"bytes":"';

/** The base64 of a model's event, with padding alongside it; empty if it has none. The provider writes it first; it needs no escapes, so it is cut out without parsing. */
function baseIn(payload: Buffer): string {
  const text = payload.toString('latin1');
  const end = text.startsWith(OPENING) ? text.indexOf('"', OPENING.length) : -1;
  if (end >= 0) return text.slice(OPENING.length, end);
  const bytes = fieldIn(payload, 'bytes');
  return typeof bytes === 'string' ? bytes : '';
}

const DATA = 'data: ';

/** Decoded into its frame; empty without an event. */
function chunkFrame(base64: string): Buffer {
  if (base64 === '') return Buffer.alloc(0);
  const frame = Buffer.allocUnsafe(DATA.length + Math.ceil((base64.length * 3) / 4) + 2);
  const end = DATA.length + frame.write(base64, frame.write(DATA, 'latin1'), 'base64');
  return frame.subarray(0, end + frame.write('\n\n', end, 'latin1'));
}

/** An event of Converse, whose name is a header: an object with this one field, as the provider's reference writes it. */
const namedFrame = (name: string, payload: Buffer): string =>
  /^\w+$/.test(name) ? `data: {"${name}":${payload.toString('utf8').replaceAll('\n', ' ')}}\n\n` : '';

const failureFrame = (name: string, message: string): string =>
  `event: error\ndata: ${JSON.stringify({ type: 'error', error: { type: kinds[name.toLowerCase()] ?? 'api_error', message } })}\n\n`;

function wordsIn(payload: Buffer): string {
  const message = fieldIn(payload, 'message') ?? fieldIn(payload, 'originalMessage');
  return typeof message === 'string' ? message : 'The upstream ended the stream with an error.';
}

function fieldIn(payload: Buffer, name: string): unknown {
  const value: unknown = JSON.parse(payload.toString('utf8'));
  // `as`: an object with unchecked fields.
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

interface Message {
  /** By name; only texts. */
  readonly headers: ReadonlyMap<string, string>;
  readonly payload: Buffer;
}

const PRELUDE = 12;
const TRAILER = 4;
/** As much as a frame of Server-Sent Events may have. */
const MAX_BYTES = 16 * 1024 * 1024;

export class EventStreamReader {
  readonly #known = new KnownHeaders();
  #waiting: Buffer[] = [];
  #size = 0;
  /** Joined again only when this many bytes are here: a long message comes in many chunks. */
  #needed = PRELUDE;

  /** Whole messages, in order. Throws for a sum that is wrong, and for a message that is too long. */
  take(chunk: Buffer): readonly Message[] {
    this.#waiting.push(chunk);
    this.#size += chunk.length;
    if (this.#size < this.#needed) return [];
    let bytes = this.#waiting.length === 1 ? chunk : Buffer.concat(this.#waiting);
    const messages: Message[] = [];
    let length = lengthOf(bytes);
    while (length <= bytes.length) {
      messages.push(readMessage(bytes.subarray(0, length), this.#known));
      bytes = bytes.subarray(length);
      length = lengthOf(bytes);
    }
    this.#waiting = bytes.length === 0 ? [] : [bytes];
    this.#size = bytes.length;
    this.#needed = length;
    return messages;
  }

  /** Whether the bytes ended inside a message. */
  get isInside(): boolean {
    return this.#size > 0;
  }
}

/** How many bytes are needed for the next message; for its opening while that isn't here. The first sum is checked before a length is waited for; of a message that is here, the second sum covers all. */
function lengthOf(bytes: Buffer): number {
  if (bytes.length < PRELUDE) return PRELUDE;
  const length = bytes.readUInt32BE(0);
  if (length > bytes.length && crc32(bytes.subarray(0, 8)) !== bytes.readUInt32BE(8))
    throw broken('the checksum of a message prelude is wrong');
  if (length < PRELUDE + TRAILER || length > MAX_BYTES) throw broken(`a message has an invalid length of ${length} bytes`);
  return length;
}

const broken = (why: string): Error => new Error(`The event stream is invalid: ${why}.`);

function readMessage(bytes: Buffer, known: KnownHeaders): Message {
  const end = bytes.length - TRAILER;
  if (crc32(bytes.subarray(0, end)) !== bytes.readUInt32BE(end)) throw broken('the checksum of a message is wrong');
  const headersEnd = PRELUDE + bytes.readUInt32BE(4);
  if (headersEnd > end) throw broken('the headers of a message are longer than the message');
  return { headers: known.read(bytes.subarray(PRELUDE, headersEnd)), payload: bytes.subarray(headersEnd, end) };
}

/** The headers of the message before: those of events of one kind are the same bytes, and are read once. */
class KnownHeaders {
  #bytes = Buffer.alloc(0);
  #headers: ReadonlyMap<string, string> = new Map();

  read(bytes: Buffer): ReadonlyMap<string, string> {
    if (bytes.equals(this.#bytes)) return this.#headers;
    this.#headers = readHeaders(bytes);
    this.#bytes = Buffer.from(bytes);
    return this.#headers;
  }
}

/** How long a value is by its type; 6 and 7 begin with their length. */
const sizes: Readonly<Record<number, number>> = { 0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16 };
const TEXT = 7;

function readHeaders(bytes: Buffer): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  let at = 0;
  const need = (count: number): void => {
    if (at + count > bytes.length) throw broken('a header is longer than the headers');
  };
  while (at < bytes.length) {
    const nameEnd = at + 1 + bytes.readUInt8(at);
    need(nameEnd - at + 1);
    const name = bytes.toString('utf8', at + 1, nameEnd);
    const type = bytes.readUInt8(nameEnd);
    at = nameEnd + 1;
    const isLong = type === TEXT || type === 6;
    if (isLong) need(2);
    const size = isLong ? bytes.readUInt16BE(at) : sizes[type];
    if (size === undefined) throw broken(`a header has the unknown type ${type}`);
    if (isLong) at += 2;
    need(size);
    if (type === TEXT) headers.set(name, bytes.toString('utf8', at, at + size));
    at += size;
  }
  return headers;
}

const paths: Readonly<Record<Operation, string>> = {
  createChatCompletion: '/chat/completions',
  createResponse: '/responses',
  generateImages: '/images/generations',
  editImages: '/images/edits',
};

/** The path of a request, appended to that of the base URL. */
export const pathOf = ({ operation, path }: Pick<UpstreamRequest, 'operation' | 'path'>): string => path ?? paths[operation];

/** Null for Mantle and for the OpenAI-compatible paths, which use the protocols of their providers unchanged. */
function bedrockEnvelope(upstream: HttpUpstreamConfig): Envelope | null {
  if (!invokesModels(upstream)) return null;
  return { path, body: bodyWith(betasOf(upstream)), ...framed };
}

const framed = { accept: 'application/vnd.amazon.eventstream', answer: eventsAsSse } as const;

/** The dialect writes path and body itself. */
const converseEnvelope: Envelope = { path: pathOf, ...framed };

/** Encodes the model's ID, which may be an ARN with colons and slashes. */
const path = ({ model, stream }: Addressee): string =>
  `/model/${encodeURIComponent(model)}/${stream ? 'invoke-with-response-stream' : 'invoke'}`;

const bodyWith = (betas: readonly string[]) => {
  const own = {
    model: undefined,
    stream: undefined,
    anthropic_version: 'bedrock-2023-05-31',
    ...(betas.length > 0 && { anthropic_beta: betas }),
  };
  return (written: JsonBody): Buffer => withFields(written, own).bytes;
};

/** The beta features of the header `anthropic-beta` in the configuration: Bedrock reads them from the body alone. */
function betasOf({ headers }: HttpUpstreamConfig): readonly string[] {
  const written = Object.entries(headers).find(([name]) => name.toLowerCase() === 'anthropic-beta')?.[1] ?? '';
  return written
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** Null for the OpenAI-compatible endpoint, where the model is in the body. */
function vertexEnvelope({ kind }: HttpUpstreamConfig): Envelope | null {
  const publisher = publisherOf(kind);
  if (publisher === undefined) return null;
  return publisher === 'google' ? { path: geminiPath } : { path: claudePath, body: claudeBody };
}

/** Whether the model is a tuned one: its endpoint belongs to the project, not to a publisher. */
const tuned = /^endpoints\/([\w-]+)$/;

function geminiPath(request: Addressee): string {
  const path = pathOf(request);
  const endpoint = tuned.exec(request.model)?.[1];
  // The dialect ends the path with `:` and the method.
  return endpoint === undefined ? `/publishers/google${path}` : `/endpoints/${endpoint}${path.slice(path.lastIndexOf(':'))}`;
}

function claudePath({ model, stream }: Addressee): string {
  // The version of a model follows an at sign, which isn't encoded.
  const id = encodeURIComponent(model).replaceAll('%40', '@');
  return `/publishers/anthropic/models/${id}:${stream ? 'streamRawPredict' : 'rawPredict'}`;
}

const claudeBody = (body: JsonBody): Buffer => withFields(body, { model: undefined, anthropic_version: 'vertex-2023-10-16' }).bytes;

/** Null if the dialect is sent as it is. */
export function envelopeOf(upstream: HttpUpstreamConfig): Envelope | null {
  if (upstream.kind === 'converse') return converseEnvelope;
  if (upstream.aws) return bedrockEnvelope(upstream);
  if (upstream.azure) return azureEnvelope(upstream);
  if (upstream.google) return vertexEnvelope(upstream);
  return null;
}

/** The address of a request, for the log: it holds no secret, since the configuration rejects addresses with one. */
export const addressOf = (upstream: HttpUpstreamConfig, request: Addressee): string =>
  `${upstream.baseUrl}${envelopeOf(upstream)?.path(request) ?? pathOf(request)}`;

/** The values that a path depends on. */
type Addressee = Pick<UpstreamRequest, 'operation' | 'path' | 'model' | 'stream'>;

export interface Envelope {
  /** The path below the base URL, with a query if the place needs one. */
  path(request: Addressee): string;
  /** Changes the body for the cloud. Without it, the body is sent as the dialect wrote it. */
  body?(body: JsonBody): Buffer;
  /** The `accept` header of a stream. Defaults to `text/event-stream`. */
  readonly accept?: string;
  /** Converts the response for the dialect. Without it, the dialect reads it unchanged. */
  answer?(answer: UpstreamAnswer): UpstreamAnswer;
}

/** Null for `/openai/v1`, where the deployment is the `model` of the body. */
function azureEnvelope({ azure }: HttpUpstreamConfig): Envelope | null {
  const version = azure?.apiVersion;
  if (version === undefined) return null;
  return {
    // Azure stores a chat only on request, and versions of 2024 reject a body with this field.
    body: (body) => withFields(body, { store: undefined }).bytes,
    path: (request: Addressee) => `/deployments/${encodeURIComponent(request.model)}${pathOf(request)}?api-version=${version}`,
  };
}
