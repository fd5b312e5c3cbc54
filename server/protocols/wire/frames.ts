/** Frames of Server-Sent Events as bytes: cuts a stream into complete frames without decoding it, reads and writes single ones. */

import { isWithin, MAX_LEVELS } from '../../../contract/shared/bounds.ts';
import { type CallCode, GatewayError } from '../../primitives/errors.ts';

const LF = 0x0a;
const CR = 0x0d;
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** The index after the last blank line of the chunk, or -1. */
function findLastBoundary(chunk: Buffer): number {
  for (let at = chunk.length - 1; at > 0; at = chunk.lastIndexOf(LF, at - 1)) {
    if (at < 0) return -1;
    if (chunk[at] !== LF) continue;
    if (chunk[at - 1] === LF || (chunk[at - 1] === CR && chunk[at - 2] === LF)) return at + 1;
  }
  return -1;
}

/** The index after the first blank line at or after `from`, or -1. */
function findFrameEnd(block: Buffer, from: number): number {
  for (let at = block.indexOf(LF, from); at >= 0; at = block.indexOf(LF, at + 1)) {
    if (block[at + 1] === LF) return at + 2;
    if (block[at + 1] === CR && block[at + 2] === LF) return at + 3;
  }
  return -1;
}

/** Joins chunks until they contain complete frames. Throws `upstream_error` if a frame is larger than `maxBytes`. */
export class FrameJoiner {
  readonly #maxBytes: number;
  #isFirst = true;
  #pending: Buffer[] = [];
  #size = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Returns all complete frames in one buffer, or null if no frame is complete. */
  push(chunk: Buffer): Buffer | null {
    const end = this.#findEnd(chunk);
    if (end < 0) return this.#keepPending(chunk);
    const head = end === chunk.length ? chunk : chunk.subarray(0, end);
    const complete = this.#size === 0 ? head : Buffer.concat([...this.#pending, head]);
    this.#pending = [];
    this.#size = 0;
    if (end < chunk.length) this.#keepPending(chunk.subarray(end));
    return this.#isFirst ? this.#removeByteOrderMark(complete) : complete;
  }

  /** Removes a byte order mark at the start of the stream, which would make the first frame unreadable. */
  #removeByteOrderMark(frames: Buffer): Buffer {
    this.#isFirst = false;
    return frames.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? frames.subarray(BYTE_ORDER_MARK.length) : frames;
  }

  #keepPending(chunk: Buffer): null {
    this.#pending.push(chunk);
    this.#size += chunk.length;
    if (this.#size > this.#maxBytes) {
      throw new GatewayError<CallCode>('upstream_error', { message: 'The upstream sent an event that is too large.' });
    }
    return null;
  }

  /** A blank line can be split across chunks, so this also searches the last pending bytes. */
  #findEnd(chunk: Buffer): number {
    const end = findLastBoundary(chunk);
    if (end >= 0 || this.#size === 0) return end;
    const pendingTail = Buffer.concat(this.#pending.slice(-3)).subarray(-3);
    const joinedBytes = Buffer.concat([pendingTail, chunk.subarray(0, 3)]);
    const boundary = findLastBoundary(joinedBytes);
    return boundary > pendingTail.length ? boundary - pendingTail.length : -1;
  }
}

/** Calls `each` with every frame of a block of complete frames. */
export function forEachFrame(block: Buffer, each: (frame: Buffer) => void): void {
  for (let from = 0; from < block.length; ) {
    const end = findFrameEnd(block, from);
    const to = end < 0 ? block.length : end;
    each(from === 0 && to === block.length ? block : block.subarray(from, to));
    from = to;
  }
}

/** Transforms each frame of a block until one fails. Also returns the earlier frames, so that the caller still gets them. */
export function transformFrames(block: Buffer, transform: (frame: Buffer) => Buffer): { out: Buffer; failure: GatewayError | null } {
  const out: Buffer[] = [];
  let failure: GatewayError | null = null;
  try {
    forEachFrame(block, (frame) => out.push(transform(frame)));
  } catch (thrown) {
    // An unexpected error in a reader means that the response has an unknown format, which is the upstream's fault, not the gateway's.
    failure = thrown instanceof GatewayError ? thrown : new GatewayError<CallCode>('upstream_error', { cause: thrown });
  }
  return { out: out.length === 1 && out[0] ? out[0] : Buffer.concat(out), failure };
}

/** The `data` of a frame as text. Null if the frame has no data, such as a comment. */
export function readFrameData(frame: Buffer): string | null {
  const lines = frame.toString().split(/\r\n|\n|\r/);
  const data = lines.filter((line) => line === 'data' || line.startsWith('data:')).map((line) => line.slice(5).replace(/^ /, ''));
  return data.length === 0 ? null : data.join('\n');
}

const DATA_FIELD = Buffer.from('\ndata: ');

/** The data of a frame as the gateway writes it, `event: …\ndata: …\n\n`, without decoding it. Null for any other frame. */
export function findDataBytes(frame: Buffer): Buffer | null {
  const at = frame.indexOf(DATA_FIELD);
  return at > 0 && frame.indexOf(LF, at + 1) === frame.length - 2 ? frame.subarray(at + DATA_FIELD.length, frame.length - 2) : null;
}

/** The JSON object in a frame. Null if the frame has no data or is `[DONE]`. */
export function parseFrame(frame: Buffer, parseJson?: ParseJson): Record<string, unknown> | null {
  const data = readFrameData(frame);
  if (data === null || data === '' || data === '[DONE]') return null;
  const value = parse(data, parseJson);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw createInvalidEventError();
  // The check above guarantees an object that isn't an array.
  return value as Record<string, unknown>;
}

function parse(data: string, parseJson?: ParseJson): unknown {
  try {
    return parseResponseJson(data, parseJson);
  } catch (cause) {
    throw createInvalidEventError(cause);
  }
}

const createInvalidEventError = (cause?: unknown) =>
  new GatewayError<CallCode>('upstream_error', { message: "The upstream sent an event that isn't a JSON object.", cause });

export const NOTHING = Buffer.alloc(0);

/**
 * Handles a frame without an object. Comments are forwarded. Empty data isn't, because it breaks some clients. The gateway writes `[DONE]` itself.
 */
export function dropEmptyData(frame: Buffer): Buffer {
  return readFrameData(frame) === null ? frame : NOTHING;
}

export const DONE = Buffer.from('data: [DONE]\n\n');
export const HEARTBEAT = Buffer.from(': keepalive\n\n');

/** The type argument is the frame's shape: a type from the contract or from another provider's format. */
export function writeDataFrame<Shape extends object = never>(value: NoInfer<Shape>): Buffer {
  return Buffer.from(`data: ${JSON.stringify(value)}\n\n`);
}

export function writeEventFrame<Shape extends object = never>(name: string, value: NoInfer<Shape>): Buffer {
  return Buffer.from(`event: ${name}\ndata: ${JSON.stringify(value)}\n\n`);
}

const COLON = 0x3a;

export const isComment = (frame: Buffer): boolean => frame[0] === COLON;

/** True if a frame is `data: [DONE]`, the end of a stream in both text protocols. */
export const isDone = (frame: Buffer): boolean => frame.length < 32 && readFrameData(frame) === '[DONE]';

const EVENT_PREFIX = Buffer.from('event: ');

/** The event name of a frame, read without decoding its data. Null if the frame doesn't start with a name. */
export function readEventName(frame: Buffer): string | null {
  if (frame.length < EVENT_PREFIX.length || EVENT_PREFIX.compare(frame, 0, EVENT_PREFIX.length) !== 0) return null;
  return frame.toString('latin1', EVENT_PREFIX.length, frame.indexOf(LF)).trimEnd();
}

type ParseJson = (text: string) => unknown;

/** Throws if the text isn't JSON or is nested too deeply. */
export function parseResponseJson(text: string, parseJson: ParseJson = JSON.parse): unknown {
  const value = parseJson(text);
  // Each level takes at least two characters, so most events are too short to be nested too deeply.
  if (text.length > 2 * MAX_LEVELS && !isWithin(value, MAX_LEVELS)) throw new Error(`nested more than ${MAX_LEVELS} levels deep`);
  return value;
}
