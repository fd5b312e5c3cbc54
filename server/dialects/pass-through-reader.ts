/** A stream reader that delegates to another one; a subclass reads or changes what passes. */
import type { GatewayError } from '../errors.ts';
import type { StreamReader } from './dialect.ts';
import type { WrittenStream } from './shown-output.ts';
import type { Usage } from './usage.ts';

/** It has no `keepAlive`: only the reader that counts the stream's sequence numbers can make that event. */
export class PassThroughReader implements StreamReader {
  protected readonly inner: StreamReader;

  constructor(inner: StreamReader) {
    this.inner = inner;
  }

  get hasBegun(): boolean {
    return this.inner.hasBegun;
  }
  get isComplete(): boolean {
    return this.inner.isComplete;
  }
  get failure(): GatewayError | null {
    return this.inner.failure;
  }
  get usage(): Usage | null {
    return this.inner.usage;
  }
  get written(): WrittenStream | undefined {
    return this.inner.written;
  }

  pass(frames: Buffer): Buffer {
    return this.inner.pass(frames);
  }
  closing(): Buffer {
    return this.inner.closing();
  }
  failing(error: GatewayError): Buffer {
    return this.inner.failing(error);
  }
}
