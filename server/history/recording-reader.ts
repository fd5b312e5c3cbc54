/** Stores a response while it passes: writes the gateway's fields into it, and stores it before its terminal event is sent. */

import type { GatewayError } from '../primitives/errors.ts';
import type { Fields } from '../primitives/fields.ts';
import type { CompleteResponse } from '../protocols/relay.ts';
import { type EchoedFields, echoInFrames, echoInResponse } from '../protocols/responses/echoed-fields.ts';
import { PassThroughReader, type StreamReader } from '../protocols/stream-reader.ts';

export interface Recording {
  /** The fields that an upstream can't fill in because it stores nothing. */
  readonly echo: EchoedFields;
  /** Called with the finished response. Null if the response isn't stored. */
  readonly save: ((response: Fields) => void) | null;
  /** Resolves when the saved response is on disk. The terminal event waits for it. */
  readonly saved: () => Promise<void>;
  /**
   * Called with all bytes of the response, to record which upstream encrypted its reasoning. Null if a gateway dialect packed the
   * reasoning together with its provider's name.
   */
  readonly note: ((bytes: Buffer) => void) | null;
}

/** Whether the recording neither edits nor stores the response. */
const isPassThrough = ({ echo, save }: Recording): boolean => save === null && Object.keys(echo).length === 0;

/**
 * Adds the gateway's fields to a complete response, then stores it. A response written by the gateway already has these fields and isn't
 * parsed again.
 */
export function recordWhole({ bytes, written }: Pick<CompleteResponse, 'bytes' | 'written'>, recording: Recording): Buffer {
  const { echo, save, note: recordOrigins } = recording;
  recordOrigins?.(bytes);
  if (isPassThrough(recording)) return bytes;
  const echoedResponse = written ? { bytes, response: written } : echoInResponse(bytes, echo);
  if (echoedResponse) save?.(echoedResponse.response);
  return echoedResponse?.bytes ?? bytes;
}

/**
 * Adds the gateway's fields to each event that contains the response, and stores the response from the terminal event. Events written by
 * the gateway pass unchanged.
 */
export class RecordingReader extends PassThroughReader {
  readonly #recording: Recording;
  readonly #isPassThrough: boolean;

  constructor(inner: StreamReader, recording: Recording) {
    super(inner);
    this.#recording = recording;
    this.#isPassThrough = isPassThrough(recording);
  }

  override transform(frames: Buffer): Buffer {
    return this.#record(super.transform(frames));
  }
  override flush(): Buffer {
    const lastBlock = this.#record(super.flush());
    const finishedResponse = this.inner.written?.finished;
    if (finishedResponse) this.#recording.save?.(finishedResponse);
    return lastBlock;
  }
  override fail(error: GatewayError): Buffer {
    return this.#record(super.fail(error));
  }

  #record(block: Buffer): Buffer {
    const { note: recordOrigins, echo, save } = this.#recording;
    recordOrigins?.(block);
    return this.#isPassThrough || this.inner.written ? block : echoInFrames(block, echo, (response) => save?.(response));
  }
}
