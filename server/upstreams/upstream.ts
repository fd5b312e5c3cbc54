/** What every upstream is to the gateway: a place that takes a wire body and answers in the same protocol. */
import type { EventEmitter } from 'node:events';
import type { JsonBody } from '../dialects/wire/json-body.ts';

/** The four operations that are sent upstream; the names are those of the contract's routes. */
export type Operation = 'createChatCompletion' | 'createResponse' | 'generateImages' | 'editImages';

/** A file of an image edit, byte-exact as the caller sent it. */
export interface ImageFile {
  readonly filename: string;
  /** Sniffed from the bytes, never taken from the caller. */
  readonly contentType: 'image/png' | 'image/jpeg' | 'image/webp';
  readonly bytes: Buffer;
}

/** An image edit as a form: text fields in the caller's types, files in order. */
export interface FormBody {
  readonly kind: 'form';
  readonly value: Readonly<Record<string, unknown>>;
  readonly images: readonly ImageFile[];
  readonly mask: ImageFile | null;
}

export interface UpstreamRequest {
  readonly operation: Operation;
  /** The upstream's own id of it. */
  readonly model: string;
  /** Behind the base URL; that of the operation where left out. */
  readonly path?: string | undefined;
  /** `model` inside is already the upstream's own id. */
  readonly body: JsonBody | FormBody;
  /** Whether the caller asked for a stream. */
  readonly stream: boolean;
  /** Which calls belong together, so that they keep to one key; null where that is all the same. Asked where there are several. */
  readonly session: string | null;
  /** Whose it is: accounts share the room of an upstream. */
  readonly account?: string | undefined;
  /** What the caller wants a simulator to do, by the header `x-modelgate-scenario`; no other upstream looks at it. */
  readonly scenario?: string | undefined;
  /** The gateway's request id, for the upstream's `x-request-id`. */
  readonly requestId: string;
  /** Where the upstream's operator may join our traces to theirs. */
  readonly traceparent?: string | undefined;
  /** Aborted when the caller is gone. Made where it is read: an AbortSignal costs more than most of a request. */
  readonly signal: AbortSignal;
  /** Says `abort` when the caller is gone; the same as `signal`, for undici, at a tenth of the price. */
  readonly gone: EventEmitter;
  /** The same where the caller's leaving does not end what was sent: it ends what was not sent yet. `gone` says it where this is left out. */
  readonly left?: EventEmitter | undefined;
}

/** What of a Node stream is asked of a body that arrives; a stream is one. */
export interface AnswerBody {
  on(name: 'data', listener: (chunk: Buffer) => void): unknown;
  on(name: 'error', listener: (cause: Error) => void): unknown;
  on(name: 'end' | 'close', listener: () => void): unknown;
  once(name: 'close', listener: () => void): unknown;
  pause(): void;
  resume(): void;
  /** With an error, its readers are told that. */
  destroy(error?: Error): void;
  /** Whether all has been told, or nothing more will be. */
  readonly closed: boolean;
  /** Whether it was told to its end. */
  readonly readableEnded: boolean;
}

/** An answer in the wire format of the operation: JSON, or Server-Sent Events. Status and body are the upstream's own. */
export interface UpstreamAnswer {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Ends when the upstream ends; an error event means that it was cut. */
  readonly body: AnswerBody;
}

/** What tells an answer from all others: the random part of ids, and the time. */
export interface Marks {
  /** Two hexadecimal digits for each of so many bytes. */
  newHex(bytes: number): string;
  /** Milliseconds since 1970. */
  now(): number;
}

export interface Upstream {
  /** Its name in the configuration, for logs. */
  readonly name: string;
  /** Where its answers are to be the same each time: the marks that the gateway itself sets on the answer to this request. */
  marksOf?(asked: Pick<UpstreamRequest, 'operation' | 'body' | 'scenario'>): Marks;
  /** Whether it has several keys, and one that its vendor has not refused lately for this model. */
  hasSpareKey?(model: string): boolean;
  /** Rejects with GatewayError upstream_error or upstream_timeout where no answer came. */
  send(request: UpstreamRequest): Promise<UpstreamAnswer>;
  /** Lets running requests end, then closes the connections. */
  close(): Promise<void>;
}
