/** Decompresses the response of an upstream. */

import { Readable, type Transform } from 'node:stream';
import { decompressors, type OpenDecompressor } from '../primitives/decompressors.ts';
import { createInterruptedError } from './send-error.ts';
import type { ResponseBody, UpstreamResponse } from './upstream.ts';

/** Some upstreams compress although we ask them not to. A response with an unknown encoding stays unchanged. */
export function decompressResponse(response: UpstreamResponse): UpstreamResponse {
  const openDecompressor = decompressors.get(
    String(response.headers['content-encoding'] ?? '')
      .trim()
      .toLowerCase(),
  );
  return openDecompressor ? { ...response, body: new DecompressedBody(response.body, openDecompressor) } : response;
}

/** Decompresses only as much as is read, so that the readers' limits apply to decompressed bytes. */
class DecompressedBody extends Readable {
  readonly #source: ResponseBody;
  readonly #openDecompressor: OpenDecompressor;
  #decompressor: Transform | null = null;
  #isStarted = false;

  constructor(source: ResponseBody, open: OpenDecompressor) {
    super();
    this.#source = source;
    this.#openDecompressor = open;
    // An error without a listener would crash the process.
    this.on('error', () => {});
    source.on('error', (cause) => this.destroy(cause));
    source.on('close', () => {
      if (!source.readableEnded) this.destroy(createInterruptedError());
    });
  }

  override _read(): void {
    if (this.#isStarted) {
      this.#decompressor?.resume();
      return;
    }
    this.#isStarted = true;
    this.#source.on('data', (chunk) => {
      this.#decompressor ??= this.#createDecompressor(chunk);
      if (!this.#decompressor.write(chunk)) this.#source.pause();
    });
    this.#source.on('end', () => (this.#decompressor ? this.#decompressor.end() : this.push(null)));
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#decompressor?.destroy();
    this.#source.destroy(error ?? undefined);
    done(error);
  }

  #createDecompressor([first = 0]: Buffer): Transform {
    const decompressor = this.#openDecompressor(first);
    decompressor.on('data', (chunk: Buffer) => {
      if (!this.push(chunk)) decompressor.pause();
    });
    decompressor.on('drain', () => this.#source.resume());
    decompressor.on('end', () => this.push(null));
    decompressor.on('error', (cause) => this.destroy(cause));
    return decompressor;
  }
}
