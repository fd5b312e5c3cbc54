/** One request as the fake vendor saw it, with what it answered: the bytes both ways and the times. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import { type Part, readMultipart } from './multipart.ts';

/** All times are of `performance.now()` in the test's own process. */
export interface FakeRequest {
  /** Its place in `fake.requests`. */
  readonly index: number;
  readonly method: string;
  /** As on the request line: path and query. */
  readonly url: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** Names and values by turns, as they came: shows doubled headers and their case. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  /** The parsed body; undefined where it is not JSON. */
  readonly json: unknown;
  /** The parts of a form, byte-exact; undefined where it is none. Throws where the form is malformed. */
  readonly parts: readonly Part[] | undefined;
  /** The fields of a JSON object, or the text parts of a form: `stream` is `true` in one and `'true'` in the other. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly arrivedAt: number;
  /** When the body was complete. */
  readonly bodyAt: number | null;
  /** When the fake vendor had done all that its script says. */
  readonly endedAt: number | null;
  /** When the client hung up before the answer was at its end; null where it did not. */
  readonly closedAt: number | null;
  /** Status of the answer; null until it has begun. */
  readonly status: number | null;
  /** Every byte of the answer's body so far, before HTTP chunking. */
  readonly sent: Buffer;
}

/** The writing side of a request: only the fake vendor holds it. */
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

  /** Aborted when the connection of this request is gone or the answer has ended. */
  get over(): AbortSignal {
    return this.#over.signal;
  }
  /** Settles only if the client hangs up. */
  get hungUp(): Promise<number> {
    return this.#hungUp.promise;
  }

  /** False where the client left before the body was complete. */
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
