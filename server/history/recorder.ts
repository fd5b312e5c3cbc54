/** Stores a response while it passes: writes the gateway's fields into it, and has it on disk before its terminal event is sent. */
import type { Fields } from '../../contract/rule.ts';
import type { StreamReader, WholeAnswer } from '../dialects/dialect.ts';
import { PassThroughReader } from '../dialects/pass-through-reader.ts';
import { type EchoedFields, echoInFrames, echoInWhole } from '../dialects/responses/echoed-fields.ts';
import type { GatewayError } from '../errors.ts';

export interface Recording {
  /** The fields that an upstream cannot know because it stores nothing. */
  readonly echo: EchoedFields;
  /** Called with the finished response; null when the response is not stored. */
  readonly save: ((response: Fields) => void) | null;
  /** Resolves when the saved response is on disk; the terminal event waits for it. */
  readonly saved: () => Promise<void>;
  /** Called with all bytes of the answer, to record which upstream made its encrypted reasoning; null when a dialect of the gateway packed the reasoning with its provider. */
  readonly note: ((bytes: Buffer) => void) | null;
}

/** Whether the response is neither changed nor stored. */
const isSilent = ({ echo, save }: Recording): boolean => save === null && Object.keys(echo).length === 0;

/** A whole answer: gets the gateway's fields, then is stored. An answer that the gateway wrote has them already and is not parsed again. */
export function recordWhole({ bytes, written }: Pick<WholeAnswer, 'bytes' | 'written'>, recording: Recording): Buffer {
  const { echo, save, note } = recording;
  note?.(bytes);
  if (isSilent(recording)) return bytes;
  const echoed = written ? { bytes, response: written } : echoInWhole(bytes, echo);
  if (echoed) save?.(echoed.response);
  return echoed?.bytes ?? bytes;
}

/** A stream: each event that holds the response gets the gateway's fields, and the response of the last one is stored. Events that the gateway wrote pass unchanged. */
export class RecordingReader extends PassThroughReader {
  readonly #recording: Recording;
  readonly #isSilent: boolean;

  constructor(inner: StreamReader, recording: Recording) {
    super(inner);
    this.#recording = recording;
    this.#isSilent = isSilent(recording);
  }

  override pass(frames: Buffer): Buffer {
    return this.#record(super.pass(frames));
  }
  override closing(): Buffer {
    const last = this.#record(super.closing());
    const finished = this.inner.written?.finished;
    if (finished) this.#recording.save?.(finished);
    return last;
  }
  override failing(error: GatewayError): Buffer {
    return this.#record(super.failing(error));
  }

  #record(block: Buffer): Buffer {
    const { note, echo, save } = this.#recording;
    note?.(block);
    return this.#isSilent || this.inner.written ? block : echoInFrames(block, echo, (response) => save?.(response));
  }
}
