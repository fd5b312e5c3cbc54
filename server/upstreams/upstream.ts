/** The interface of every upstream: it takes a request body in its own protocol, and answers in the same protocol. */
import type { EventEmitter } from 'node:events';
import type { JsonBody } from '../dialects/wire/json-body.ts';
import type { GatewayError, ProviderWords } from '../errors.ts';

/** The four operations that are sent upstream; the names are those of the contract's routes. */
export type Operation = 'createChatCompletion' | 'createResponse' | 'generateImages' | 'editImages';

/** A file of an image edit, byte-exact as the caller sent it. */
export interface ImageFile {
  readonly filename: string;
  /** Detected from the bytes, never taken from the caller. */
  readonly contentType: 'image/png' | 'image/jpeg' | 'image/webp';
  readonly bytes: Buffer;
}

/** An image edit as a form: text fields with the caller's types, files in the caller's order. */
export interface FormBody {
  readonly kind: 'form';
  readonly value: Readonly<Record<string, unknown>>;
  readonly images: readonly ImageFile[];
  /** Files that say where or how to change the first image. */
  readonly overlays: Readonly<Partial<Record<Overlay, ImageFile>>>;
}

export const overlays = ['mask', 'markup'] as const;
export type Overlay = (typeof overlays)[number];

/** Every file of a form. */
export const filesOf = (form: FormBody): readonly ImageFile[] => [...form.images, ...Object.values(form.overlays)];

export interface UpstreamRequest {
  readonly operation: Operation;
  /** The upstream's own ID of the model. */
  readonly model: string;
  /** Appended to the base URL. Defaults to the path of the operation. */
  readonly path?: string | undefined;
  /** `model` inside is already the upstream's own ID. */
  readonly body: JsonBody | FormBody;
  /** Whether the caller asked for a stream. */
  readonly stream: boolean;
  /** Calls with the same session use the same key when the upstream has several; null: any key. */
  readonly session: string | null;
  /** The caller's account, for a fair share of the upstream's concurrency limit. */
  readonly account?: string | undefined;
  /** The header `x-modelgate-scenario`, for a simulator; other upstreams ignore it. */
  readonly scenario?: string | undefined;
  /** The gateway's request ID, for the upstream's `x-request-id`. */
  readonly requestId: string;
  /** For the `traceparent` header, which joins our traces to the upstream's. */
  readonly traceparent?: string | undefined;
  /** Aborted when the request is to be cancelled. Created when it is first read: an AbortSignal costs more than most of a request. */
  readonly signal: AbortSignal;
  /** Emits `abort` when the request is to be cancelled; the same as `signal`, for undici, at a tenth of the cost. */
  readonly gone: EventEmitter;
  /** Emits `abort` on a disconnect that cancels the request only while it isn't sent yet. Without it, `gone` cancels that, too. */
  readonly left?: EventEmitter | undefined;
}

/** The part of a Node readable stream that the body of a response has; every readable stream is one. */
export interface AnswerBody {
  on(name: 'data', listener: (chunk: Buffer) => void): unknown;
  on(name: 'error', listener: (cause: Error) => void): unknown;
  on(name: 'end' | 'close', listener: () => void): unknown;
  once(name: 'close', listener: () => void): unknown;
  pause(): void;
  resume(): void;
  /** With an error, listeners get an `error` event. */
  destroy(error?: Error): void;
  /** Whether `close` was emitted: no more events come. */
  readonly closed: boolean;
  /** Whether `end` was emitted. */
  readonly readableEnded: boolean;
}

/** A response in the upstream's protocol: JSON, or Server-Sent Events. Status and body are the upstream's own. */
export interface UpstreamAnswer {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** An `error` event means that the body was cut. */
  readonly body: AnswerBody;
}

/** What differs between two equal answers: the random part of IDs, and the time. */
export interface Marks {
  /** Hexadecimal digits, two for each byte. */
  newHex(bytes: number): string;
  /** Milliseconds since 1970. */
  now(): number;
}

/** One of our keys at a provider; with cooldowns for several models, the longest counts. */
export interface KeyState {
  readonly state: 'ready' | 'limited' | 'rejected';
  /** Milliseconds until it is used again for every model; 0: now. */
  readonly restMs: number;
}

export interface UpstreamState {
  readonly keys: readonly (KeyState & { readonly lastFour: string })[];
  /** Requests in flight there, requests waiting for a slot, and the maximum of concurrent ones. */
  readonly running: number;
  readonly waiting: number;
  readonly most: number;
  /** Null: none since the upstream was opened. */
  readonly lastFailure: UpstreamFailure | null;
}

/** The newest failure of a call that was no mistake of its caller. */
export interface UpstreamFailure extends ProviderWords {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Null if no response came. */
  readonly status: number | null;
}

export interface Upstream {
  /** Its name in the configuration, for logs. */
  readonly name: string;
  /** For an upstream with repeatable answers: the IDs and times that the gateway writes into the answer to this request. */
  marksOf?(asked: Pick<UpstreamRequest, 'operation' | 'body' | 'scenario'>): Marks;
  /** Whether it has several keys, and the provider hasn't recently rejected one of them for this model. */
  hasSpareKey?(model: string): boolean;
  /** Its keys and requests, for operators; a simulator has none. */
  state?(): UpstreamState;
  /** Hears of a call that failed there; mistakes of callers aren't kept. */
  noteFailure?(status: number | null, error: GatewayError): void;
  /** What the provider said, without the keys of the configuration. */
  withoutKeys?(text: string): string;
  /** Makes all of its keys usable again; returns how many were cooling down. */
  reset?(): number;
  /** Rejects with a GatewayError when no response came: upstream_error or upstream_timeout; overloaded, rate_limit_exceeded or no_upstream_available when nothing was sent. */
  send(request: UpstreamRequest): Promise<UpstreamAnswer>;
  /** Waits for running requests, then closes the connections. */
  close(): Promise<void>;
}
