/** One request to the fake vendor with its answer: bytes and times of both. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import { type Part, readMultipart } from './multipart.ts';

/** A received request. All times are `performance.now()` of the test's process, in milliseconds. */
export interface FakeRequest {
  /** Index in `fake.requests`. */
  readonly index: number;
  readonly method: string;
  /** Path and query, as in the request line. */
  readonly url: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** Names and values alternately, as received: shows repeated headers and upper case. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  /** The parsed body; undefined when it is not JSON. */
  readonly json: unknown;
  /** The exact parts of a form; undefined when the body is no form. Throws when the form is malformed. */
  readonly parts: readonly Part[] | undefined;
  /** The fields of a JSON object, or the text parts of a form: `stream` is `true` in one and `'true'` in the other. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly arrivedAt: number;
  /** When the body was complete. */
  readonly bodyAt: number | null;
  /** When the fake vendor had finished its script; null before. */
  readonly endedAt: number | null;
  /** When the client disconnected before the end of the answer; null when it did not. */
  readonly closedAt: number | null;
  /** Status of the answer; null until it has begun. */
  readonly status: number | null;
  /** Every byte of the answer's body so far, before HTTP chunking. */
  readonly sent: Buffer;
}

/** The writable form of a request, used only by the fake vendor. */
export class Exchange implements FakeRequest {
  readonly index: number;
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly arrivedAt = performance.now();
  bodyAt: number | null = null;
  endedAt: number | null = null;
  closedAt: number | null = null;
  status: number | null = null;
  readonly #body: Buffer[] = [];
  readonly #sent: Uint8Array[] = [];
  readonly #over = new AbortController();
  readonly #hungUp = Promise.withResolvers<number>();

  constructor(index: number, incoming: IncomingMessage, response: ServerResponse) {
    this.index = index;
    this.incoming = incoming;
    this.response = response;
    response.on('close', () => this.#close());
  }

  /** Aborted when the connection is closed or the answer has ended. */
  get over(): AbortSignal {
    return this.#over.signal;
  }
  /** Resolves only when the client disconnects. */
  get hungUp(): Promise<number> {
    return this.#hungUp.promise;
  }

  /** Reads the body. False when the client disconnected before its end. */
  async readBody(): Promise<boolean> {
    try {
      for await (const bytes of this.incoming) this.#body.push(bytes);
    } catch {
      return false;
    }
    this.bodyAt = performance.now();
    return true;
  }

  note(bytes: Uint8Array): void {
    this.#sent.push(bytes);
  }

  end(): void {
    this.endedAt ??= performance.now();
  }

  #close(): void {
    this.#over.abort();
    if (this.endedAt !== null) return;
    this.closedAt = performance.now();
    this.#hungUp.resolve(this.closedAt);
  }

  get method(): string {
    return this.incoming.method ?? '';
  }
  get url(): string {
    return this.incoming.url ?? '';
  }
  get path(): string {
    return this.url.split('?', 1)[0] ?? '';
  }
  get query(): URLSearchParams {
    return new URLSearchParams(this.url.slice(this.path.length));
  }
  get headers(): IncomingHttpHeaders {
    return this.incoming.headers;
  }
  get rawHeaders(): readonly string[] {
    return this.incoming.rawHeaders;
  }
  get body(): Buffer {
    return Buffer.concat(this.#body);
  }
  get sent(): Buffer {
    return Buffer.concat(this.#sent);
  }
  get json(): unknown {
    try {
      return JSON.parse(this.body.toString('utf8'));
    } catch {
      return undefined;
    }
  }
  get parts(): readonly Part[] | undefined {
    const type = this.headers['content-type'] ?? '';
    return /^multipart\/form-data/i.test(type) ? readMultipart(this.body, type) : undefined;
  }
  get fields(): Readonly<Record<string, unknown>> {
    const { json, parts } = this;
    if (parts === undefined) return typeof json === 'object' && json !== null ? { ...json } : {};
    return Object.fromEntries(parts.filter((part) => part.filename === null).map((part) => [part.name, part.bytes.toString('utf8')]));
  }
}
