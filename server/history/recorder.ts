/** Keeps the response that passes: what the gateway adds to it is written in, and it is on disk before its terminal event is sent. */
import type { Response } from '../../contract/responses.ts';
import { type Fields, isFields } from '../../contract/rule.ts';
import type { Written } from '../../contract/written.ts';
import type { StreamReader } from '../dialects/dialect.ts';
import { PassThroughReader } from '../dialects/pass-through-reader.ts';
import { parseAnswer } from '../dialects/wire/answer-json.ts';
import { eachFrame, eventFrame, eventName, frameObject } from '../dialects/wire/frames.ts';
import { withFields } from '../dialects/wire/json-body.ts';
import { GatewayError } from '../errors.ts';

export interface Recording {
  /** What an upstream that keeps nothing cannot know: the id of the response, whether it was stored, what it goes on from. */
  readonly echo: Partial<Pick<Written<Response>, 'id' | 'store' | 'previous_response_id'>>;
  /** Called with the finished response; null where it is not to be stored. */
  readonly save: ((response: Fields) => void) | null;
  /** Resolves when what was saved is on disk; the terminal event waits for it. */
  readonly saved: () => Promise<void>;
  /** Called with all that passes, to note who sealed the thoughts in it; null where their dialect has sealed them. */
  readonly note: ((bytes: Buffer) => void) | null;
}

/** Whether nothing is written into the response itself. */
const isSilent = ({ echo, save }: Recording): boolean => save === null && Object.keys(echo).length === 0;

/** A whole answer: patched in place, then kept. */
export function recordWhole(bytes: Buffer, recording: Recording): Buffer {
  const { echo, save, note } = recording;
  note?.(bytes);
  if (isSilent(recording)) return bytes;
  const value = parse(bytes);
  if (!isFields(value)) return bytes;
  const patched = withFields({ kind: 'json', value, bytes }, echo);
  save?.(patched.value);
  return patched.bytes;
}

function parse(bytes: Buffer): unknown {
  try {
    return parseAnswer(bytes.toString());
  } catch (cause) {
    // A large answer was looked at no closer than its end.
    throw new GatewayError('upstream_error', { message: 'The upstream answered something that is not JSON.', cause });
  }
}

const FINISHED = new Set(['response.completed', 'response.incomplete']);
const CARRIERS = new Set(['response.created', 'response.queued', 'response.in_progress', 'response.failed', ...FINISHED]);

/** A stream: each event that carries the response is patched, and the last of them kept. */
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
    return this.#record(super.closing());
  }
  override failing(error: GatewayError): Buffer {
    return this.#record(super.failing(error));
  }

  #record(block: Buffer): Buffer {
    this.#recording.note?.(block);
    if (this.#isSilent) return block;
    const out: Buffer[] = [];
    let isChanged = false;
    eachFrame(block, (frame) => {
      const next = this.#recordFrame(frame);
      isChanged ||= next !== frame;
      out.push(next);
    });
    return isChanged ? Buffer.concat(out) : block;
  }

  #recordFrame(frame: Buffer): Buffer {
    const name = eventName(frame);
    if (name !== null && !CARRIERS.has(name)) return frame;
    const event = frameObject(frame);
    if (event === null || !isFields(event.response)) return frame;
    const response = { ...event.response, ...this.#recording.echo };
    if (FINISHED.has(String(event.type))) this.#recording.save?.(response);
    return eventFrame<Fields>(String(event.type), { ...event, response });
  }
}
