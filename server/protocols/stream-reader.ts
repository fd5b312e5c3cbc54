/** The interface of stream readers, and the base class of readers that change what another reader returns. */
import type { GatewayError } from '../primitives/errors.ts';
import type { WrittenStream } from './delivered-output.ts';
import type { Usage } from './usage.ts';

/** Omits `keepAlive`, because only the reader that counts the stream's sequence numbers can create that event. */
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

  transform(frames: Buffer): Buffer {
    return this.inner.transform(frames);
  }
  flush(): Buffer {
    return this.inner.flush();
  }
  fail(error: GatewayError): Buffer {
    return this.inner.fail(error);
  }
}

/** Reads the frames of one stream and returns the bytes for the caller. Decodes only what it must. */
export interface StreamReader {
  /** Accepts complete frames and returns the caller's frames, possibly none. If a frame contains a failure, returns only the frames before it. */
  transform(frames: Buffer): Buffer;
  /** The failure that the upstream reported, or that made a frame unreadable. No frames are forwarded after it. */
  readonly failure: GatewayError | null;
  /** False while only the stream's opening has arrived. Until then, a failure can still become an HTTP status. */
  readonly hasBegun: boolean;
  /** True after the upstream marked the response as complete. Later frames aren't read. */
  readonly isComplete: boolean;
  /** Returns the last bytes of a complete stream, for example `[DONE]`. */
  flush(): Buffer;
  /** Returns the frames that end a broken stream, so that it doesn't look complete. */
  fail(error: GatewayError): Buffer;
  /** Returns a heartbeat event, for clients that ignore comments, or null if the protocol doesn't allow one at this point. */
  keepAlive?(): Buffer | null;
  readonly usage: Usage | null;
  /** Set if the gateway writes the frames itself. Omitted if frames are forwarded. */
  readonly written?: WrittenStream | undefined;
}
