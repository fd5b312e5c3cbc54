/** The interface of every upstream: it accepts a request body in its own protocol, and responds in the same protocol. */
import type { EventEmitter } from 'node:events';
import type { GatewayError } from '../primitives/errors.ts';
import type { ProviderErrorInfo } from '../primitives/provider-error.ts';
import type { JsonBody } from '../protocols/wire/json-body.ts';

/** The four operations that are sent upstream, named like the contract's routes. */
export type Operation = 'createChatCompletion' | 'createResponse' | 'generateImages' | 'editImages';

/** A file of an image edit, with the caller's exact bytes. */
export interface ImageFile {
  readonly filename: string;
  /** Detected from the bytes; the caller's content type is ignored. */
  readonly contentType: 'image/png' | 'image/jpeg' | 'image/webp';
  readonly bytes: Buffer;
}

/** An image edit as a form: text fields with the caller's types, files in the caller's order. */
export interface FormBody {
  readonly kind: 'form';
  readonly value: Readonly<Record<string, unknown>>;
  readonly images: readonly ImageFile[];
  /** Files that show where or how to change the first image. */
  readonly overlays: Readonly<Partial<Record<Overlay, ImageFile>>>;
}

export const overlays = ['mask', 'markup'] as const;
export type Overlay = (typeof overlays)[number];

/** Every file of a form. */
export const getFormFiles = (form: FormBody): readonly ImageFile[] => [...form.images, ...Object.values(form.overlays)];

export interface UpstreamRequest {
  readonly operation: Operation;
  /** The upstream's own model ID. */
  readonly model: string;
  /** Appended to the base URL. Defaults to the operation's path. */
  readonly path?: string | undefined;
  /** Its `model` is already the upstream's own ID. */
  readonly body: JsonBody | FormBody;
  /** Whether the caller requested a stream. */
  readonly stream: boolean;
  /** Requests with the same session use the same key of the upstream. Null allows any key. */
  readonly session: string | null;
  /** The caller's account, for a fair share of the upstream's concurrency limit. */
  readonly account?: string | undefined;
  /** The `x-modelgate-scenario` header, for a simulator. Other upstreams ignore it. */
  readonly scenario?: string | undefined;
  /** The gateway's request ID, for the upstream's `x-request-id`. */
  readonly requestId: string;
  /** The `traceparent` header, which joins our traces to the upstream's. */
  readonly traceparent?: string | undefined;
  /** Aborts to cancel the request. Created on first read: an AbortSignal costs more than most of a request. */
  readonly signal: AbortSignal;
  /** Emits `abort` to cancel the request. Same as `signal`, for undici, at a tenth of the cost. */
  readonly gone: EventEmitter;
  /** Emits `abort` on a disconnect, which cancels the request only if it hasn't been sent. If omitted, `gone` does that too. */
  readonly left?: EventEmitter | undefined;
}

/** The part of a Node readable stream that a response body needs. Every readable stream qualifies. */
export interface ResponseBody {
  on(name: 'data', listener: (chunk: Buffer) => void): unknown;
  on(name: 'error', listener: (cause: Error) => void): unknown;
  on(name: 'end' | 'close', listener: () => void): unknown;
  once(name: 'close', listener: () => void): unknown;
  pause(): void;
  resume(): void;
  /** With an error, emits an `error` event. */
  destroy(error?: Error): void;
  /** Whether `close` was emitted, after which no more events follow. */
  readonly closed: boolean;
  /** Whether `end` was emitted. */
  readonly readableEnded: boolean;
}

/** A response in the upstream's protocol: JSON or Server-Sent Events. Status and body are unchanged. */
export interface UpstreamResponse {
  readonly status: number;
  /** Lowercase names. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** An `error` event means that the body was cut. */
  readonly body: ResponseBody;
}

/** The varying parts of otherwise equal responses: random IDs and the time. */
export interface IdsAndClock {
  /** Returns hexadecimal digits, two per byte. */
  newHex(bytes: number): string;
  /** Milliseconds since 1970. */
  now(): number;
}

/** One of the gateway's keys at a provider. With cooldowns for several models, the longest counts. */
export interface KeyState {
  readonly state: 'ready' | 'limited' | 'rejected';
  /** Milliseconds until the key is usable for every model. 0 if it's usable now. */
  readonly restMs: number;
}

export interface UpstreamState {
  readonly keys: readonly (KeyState & { readonly lastFour: string })[];
  /** Requests in flight, requests waiting for a slot, and the maximum number in flight. */
  readonly running: number;
  readonly waiting: number;
  readonly most: number;
  /** When the upstream was opened with its present settings, in milliseconds since 1970. */
  readonly openedAt: number;
  /** Null if no request failed since the upstream was opened. */
  readonly lastFailure: UpstreamFailure | null;
}

/** The latest failure that wasn't the caller's mistake. */
export interface UpstreamFailure extends ProviderErrorInfo {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Null if the upstream didn't respond. */
  readonly status: number | null;
}

export interface Upstream {
  /** The configured name, for logs. */
  readonly name: string;
  /** Returns the IDs and times that the gateway writes into the response. Only for upstreams with repeatable responses. */
  getIdsAndClock?(request: Pick<UpstreamRequest, 'operation' | 'body' | 'scenario'>): IdsAndClock;
  /** Whether the request asks for a failure, which is free. Only simulators have this. */
  isFailureRequested?(request: Pick<UpstreamRequest, 'operation' | 'body' | 'scenario'>): boolean;
  /** Whether the upstream has several keys, and at least one is usable for this model now. */
  hasSpareKey?(model: string): boolean;
  /** Returns the state of keys and requests, for operators. Simulators have none. */
  getState?(): UpstreamState;
  /** Records a failed request, but ignores callers' mistakes. */
  noteFailure?(status: number | null, error: GatewayError): void;
  /** Removes the configured keys from a provider's text. */
  withoutKeys?(text: string): string;
  /** Makes all keys usable again. Returns how many were cooling down. */
  reset?(): number;
  /**
   * Rejects with a GatewayError if the upstream doesn't respond: `upstream_error` or `upstream_timeout`. If nothing was sent: `overloaded`,
   * `rate_limit_exceeded` or `no_upstream_available`.
   */
  send(request: UpstreamRequest): Promise<UpstreamResponse>;
  /** Waits for running requests, then closes the connections. */
  close(): Promise<void>;
}
