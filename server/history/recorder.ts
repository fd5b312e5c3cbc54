/** Keeps the response that passes: what the gateway adds to it is written in, and it is on disk before its terminal event is sent. */
import type { Fields } from '../../contract/rule.ts';
import type { StreamReader, WholeAnswer } from '../dialects/dialect.ts';
import { PassThroughReader } from '../dialects/pass-through-reader.ts';
import { type EchoedFields, echoInFrames, echoInWhole } from '../dialects/responses/echoed-fields.ts';
import type { GatewayError } from '../errors.ts';

export interface Recording {
  /** What an upstream that keeps nothing cannot know. */
  readonly echo: EchoedFields;
  /** Called with the finished response; null where it is not to be stored. */
  readonly save: ((response: Fields) => void) | null;
  /** Resolves when what was saved is on disk; the terminal event waits for it. */
  readonly saved: () => Promise<void>;
  /** Called with all that passes, to note who sealed the thoughts in it; null where their dialect has sealed them. */
  readonly note: ((bytes: Buffer) => void) | null;
}

/** Whether nothing is written into the response itself. */
const isSilent = ({ echo, save }: Recording): boolean => save === null && Object.keys(echo).length === 0;

/** A whole answer: patched in place, then kept. One that we wrote has its fields, and is not parsed again. */
export function recordWhole({ bytes, written }: Pick<WholeAnswer, 'bytes' | 'written'>, recording: Recording): Buffer {
  const { echo, save, note } = recording;
  note?.(bytes);
  if (isSilent(recording)) return bytes;
  const echoed = written ? { bytes, response: written } : echoInWhole(bytes, echo);
  if (echoed) save?.(echoed.response);
  return echoed?.bytes ?? bytes;
}

/** A stream: each event that carries the response is patched, and the last of them kept. What we write ourselves passes untouched. */
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
