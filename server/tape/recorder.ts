/** Records calls as files: the request, and the answer to the caller. It writes synchronously before the end of the answer is sent, because this is a development tool. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StreamReader } from '../dialects/dialect.ts';
import { PassThroughReader } from '../dialects/pass-through-reader.ts';
import type { GatewayError } from '../errors.ts';
import { type RecordedAnswer, type RecordedCall, recordFrames, recordWhole, writeCall } from './format.ts';
import { type AskedCall, comparableOf, matchKeyOf } from './request-matcher.ts';
import { maskSecrets } from './secrets.ts';

/** One call that is being recorded. Only the first call of `end` counts. */
export interface CallRecording {
  whole(bytes: Buffer): void;
  failed(error: GatewayError): void;
  /** Records what a caller reads of this. */
  reader(inner: StreamReader): StreamReader;
}

export interface Recorder {
  readonly kind: 'record';
  /** `secrets`: of the caller. */
  begin(asked: AskedCall, secrets: readonly string[]): CallRecording;
}

/** `secrets`: of the gateway; no file may contain them. */
export function openRecorder(folder: string, secrets: readonly string[]): Recorder {
  mkdirSync(folder, { recursive: true });
  const times = new Map<string, number>();

  function keep(asked: AskedCall, answer: RecordedAnswer, own: readonly string[]): void {
    const { request, secrets: found } = comparableOf(asked);
    const matchKey = matchKeyOf(asked.operation, request);
    const name = nameOf(asked, matchKey);
    const time = (times.get(matchKey) ?? 0) + 1;
    times.set(matchKey, time);
    // An earlier run may have left more numbered files.
    if (time === 1) removeAll(folder, name);
    // `as`: the body was parsed from JSON.
    const call = { format: 1, operation: asked.operation, request, answer } as RecordedCall;
    const file = join(folder, time === 1 ? `${name}.json` : `${name}-${time}.json`);
    writeFileSync(file, maskSecrets(writeCall(call), [...secrets, ...own, ...found]));
  }

  return {
    kind: 'record',
    begin(asked, own) {
      let isKept = false;
      const keepOnce = (answer: () => RecordedAnswer): void => {
        if (!isKept) keep(asked, answer(), own);
        isKept = true;
      };
      return {
        whole: (bytes) => keepOnce(() => recordWhole(bytes)),
        failed: (error) => keepOnce(() => recordFailure(error)),
        reader: (inner) => new TapeReader(inner, (bytes) => keepOnce(() => recordFrames(bytes))),
      };
    },
  };
}

const words = { createChatCompletion: 'chat', createResponse: 'response', generateImages: 'image', editImages: 'edit' } as const;

/** The same in every run, so that a new recording shows only real changes. */
function nameOf({ operation, body }: AskedCall, matchKey: string): string {
  const model = String(body.value.model).replaceAll(/[^\w.-]+/g, '-');
  return `${words[operation]}-${model}-${createHash('sha256').update(matchKey).digest('hex').slice(0, 8)}`;
}

function removeAll(folder: string, name: string): void {
  const own = readdirSync(folder).filter((file) => file.startsWith(name) && /^(?:-\d+)?\.json$/.test(file.slice(name.length)));
  for (const file of own) rmSync(join(folder, file));
}

function recordFailure({ status, headers, body }: GatewayError): RecordedAnswer {
  return { status, ...(Object.keys(headers).length > 0 && { headers: { ...headers } }), error: body.error };
}

/** Forwards the frames of the inner reader, and keeps them. */
class TapeReader extends PassThroughReader {
  readonly #ended: (bytes: Buffer) => void;
  readonly #pieces: Buffer[] = [];

  constructor(inner: StreamReader, ended: (bytes: Buffer) => void) {
    super(inner);
    this.#ended = ended;
  }

  override pass(frames: Buffer): Buffer {
    return this.#keep(super.pass(frames));
  }
  override closing(): Buffer {
    return this.#end(super.closing());
  }
  override failing(error: GatewayError): Buffer {
    return this.#end(super.failing(error));
  }

  #keep(frames: Buffer): Buffer {
    if (frames.length > 0) this.#pieces.push(frames);
    return frames;
  }

  #end(frames: Buffer): Buffer {
    this.#keep(frames);
    this.#ended(Buffer.concat(this.#pieces));
    return frames;
  }
}
