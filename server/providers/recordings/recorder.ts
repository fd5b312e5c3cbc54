/**
 * Records calls as files: the request, and the response to the caller. It writes synchronously before the end of the response is sent, because this is a
 * development tool.
 */

import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GatewayError } from '../../primitives/errors.ts';
import { PassThroughReader, type StreamReader } from '../../protocols/stream-reader.ts';
import { findDeviation } from './find-deviation.ts';
import { createMatchKey, type RecordableCall, toComparable } from './match-key.ts';
import { type RecordedCall, type RecordedResponse, toRecordedFrames, toRecordedResponse, writeCall } from './recorded-call.ts';
import { maskSecrets } from './secrets.ts';

/** One call that is being recorded. Only the first recorded result counts. */
export interface CallRecording {
  recordResponse(bytes: Buffer): void;
  recordError(error: GatewayError): void;
  /** Wraps a reader to record the frames sent to the caller. */
  wrapReader(inner: StreamReader): StreamReader;
}

export interface Recorder {
  readonly kind: 'record';
  /** `secrets`: the caller's secrets. */
  begin(request: RecordableCall, secrets: readonly string[]): CallRecording;
}

/** `secrets`: the gateway's secrets, which no file may contain. */
export function createRecorder(folder: string, secrets: readonly string[]): Recorder {
  mkdirSync(folder, { recursive: true });
  const times = new Map<string, number>();

  function saveRecording(recordable: RecordableCall, answer: RecordedResponse, callSecrets: readonly string[]): void {
    const { request, secrets: bodySecrets } = toComparable(recordable);
    const matchKey = createMatchKey(recordable.operation, request);
    const name = createFileName(recordable, matchKey);
    const time = (times.get(matchKey) ?? 0) + 1;
    times.set(matchKey, time);
    // An earlier run may have recorded this request more often, and its numbered files would be replayed too.
    if (time === 1) removeRecordings(folder, name);
    const { operation } = recordable;
    const deviation = findDeviation({ operation, answer });
    // `as`: the body was parsed from JSON.
    const call = { format: 1, operation, request, ...(deviation !== null && { deviation }), answer } as RecordedCall;
    const file = join(folder, time === 1 ? `${name}.json` : `${name}-${time}.json`);
    writeFileSync(file, maskSecrets(writeCall(call), [...secrets, ...callSecrets, ...bodySecrets]));
  }

  return {
    kind: 'record',
    begin(recordable, callSecrets) {
      let isSaved = false;
      const saveOnce = (answer: () => RecordedResponse): void => {
        if (!isSaved) saveRecording(recordable, answer(), callSecrets);
        isSaved = true;
      };
      return {
        recordResponse: (bytes) => saveOnce(() => toRecordedResponse(bytes)),
        recordError: (error) => saveOnce(() => toRecordedError(error)),
        wrapReader: (inner) => new RecordingReader(inner, (bytes) => saveOnce(() => toRecordedFrames(bytes))),
      };
    },
  };
}

const fileNamePrefixes = { createChatCompletion: 'chat', createResponse: 'response', generateImages: 'image', editImages: 'edit' } as const;

/** The name is the same in every run, so that a new recording shows only real changes. */
function createFileName({ operation, body }: RecordableCall, matchKey: string): string {
  const model = String(body.value.model).replaceAll(/[^\w.-]+/g, '-');
  return `${fileNamePrefixes[operation]}-${model}-${createHash('sha256').update(matchKey).digest('hex').slice(0, 8)}`;
}

function removeRecordings(folder: string, name: string): void {
  const recordingFiles = readdirSync(folder).filter((file) => file.startsWith(name) && /^(?:-\d+)?\.json$/.test(file.slice(name.length)));
  for (const file of recordingFiles) rmSync(join(folder, file));
}

function toRecordedError({ status, headers, body }: GatewayError): RecordedResponse {
  return { status, ...(Object.keys(headers).length > 0 && { headers: { ...headers } }), error: body.error };
}

/** Forwards the inner reader's frames and records them. */
class RecordingReader extends PassThroughReader {
  readonly #onEnd: (bytes: Buffer) => void;
  readonly #pieces: Buffer[] = [];

  constructor(inner: StreamReader, onEnd: (bytes: Buffer) => void) {
    super(inner);
    this.#onEnd = onEnd;
  }

  override transform(frames: Buffer): Buffer {
    return this.#recordFrames(super.transform(frames));
  }
  override flush(): Buffer {
    return this.#finishRecording(super.flush());
  }
  override fail(error: GatewayError): Buffer {
    return this.#finishRecording(super.fail(error));
  }

  #recordFrames(frames: Buffer): Buffer {
    if (frames.length > 0) this.#pieces.push(frames);
    return frames;
  }

  #finishRecording(frames: Buffer): Buffer {
    this.#recordFrames(frames);
    this.#onEnd(Buffer.concat(this.#pieces));
    return frames;
  }
}
