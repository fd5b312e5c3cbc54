/** Turns a body into the steps that send it: complete or cut short, at once or slowly, by frame or in pieces of any size. */
import { type Frame, type Framing, frameBytes } from './frames.ts';
import type { HeaderValues, Script, Step } from './script.ts';

export type Ending =
  /** The HTTP message ends correctly, even when its content is incomplete. */
  | 'end'
  /** A body without content-length or chunks ends by FIN, so HTTP does not show that it is incomplete. */
  | 'fin'
  | 'cut'
  | 'reset'
  | 'stall';

/** How a body is sent. */
export interface Delivery extends Framing {
  readonly status?: number;
  readonly headers?: HeaderValues;
  /** Where the body is cut short. Absent: the whole body is sent. `until` frames do not count. */
  readonly stopAfter?: { readonly frames: number } | { readonly bytes: number };
  readonly ending?: Ending;
  /** Milliseconds of pause before each frame, or before each chunk when `chunkBytes` is given. */
  readonly gapMs?: number;
  /** Sends the body in writes of so many bytes, regardless of the borders of frames. */
  readonly chunkBytes?: number;
}

type Piece = Buffer | Promise<unknown>;

/** An answer that is not a stream. A string or bytes are sent unchanged, any other value as JSON. */
export function json(value: unknown, delivery: Delivery = {}): Script {
  return body(typeof value === 'string' || value instanceof Uint8Array ? value : JSON.stringify(value), 'application/json', delivery);
}

export function body(content: string | Uint8Array, contentType: string, delivery: Delivery = {}): Script {
  const whole = Buffer.from(content);
  const pieces = shorten([whole], delivery.stopAfter);
  const promised = (delivery.ending ?? 'end') === 'end' ? sizeOf(pieces) : whole.length;
  const length: HeaderValues = delivery.ending === 'fin' ? {} : { 'content-length': String(promised) };
  const headers = { 'content-type': contentType, ...length, ...delivery.headers };
  return [head(headers, delivery, 'length'), ...deliver(pieces, delivery)];
}

/** A Server-Sent Events answer. */
export function stream(frames: readonly Frame[], delivery: Delivery = {}): Script {
  const pieces = frames.map((frame): Piece => ('until' in frame ? frame.until : frameBytes(frame, delivery)));
  const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache', ...delivery.headers };
  return [head(headers, delivery, 'chunked'), ...deliver(shorten(pieces, delivery.stopAfter), delivery)];
}

function head(headers: HeaderValues, delivery: Delivery, framing: 'length' | 'chunked'): Step {
  return { kind: 'head', status: delivery.status ?? 200, headers, framing: delivery.ending === 'fin' ? 'close' : framing };
}

function deliver(pieces: readonly Piece[], delivery: Delivery): Step[] {
  const steps: Step[] = [];
  for (const piece of chunk(pieces, delivery.chunkBytes)) {
    if (piece instanceof Promise) {
      steps.push({ kind: 'until', gate: piece });
      continue;
    }
    if (delivery.gapMs !== undefined) steps.push({ kind: 'wait', ms: delivery.gapMs });
    steps.push({ kind: 'write', bytes: piece });
  }
  const ending = delivery.ending ?? 'end';
  return [...steps, { kind: ending === 'fin' ? 'end' : ending }];
}

function shorten(pieces: readonly Piece[], limit: Delivery['stopAfter']): Piece[] {
  if (limit === undefined) return [...pieces];
  let left = 'frames' in limit ? limit.frames : limit.bytes;
  const kept: Piece[] = [];
  for (const piece of pieces) {
    if (left <= 0) break;
    if (piece instanceof Promise) kept.push(piece);
    else {
      kept.push('frames' in limit ? piece : piece.subarray(0, left));
      left -= 'frames' in limit ? 1 : piece.length;
    }
  }
  return kept;
}

/** Cuts the bytes between two waits into chunks. */
function chunk(pieces: readonly Piece[], size: number | undefined): Piece[] {
  if (size === undefined) return [...pieces];
  const cut: Piece[] = [];
  let run: Buffer[] = [];
  const flush = (): void => {
    const whole = Buffer.concat(run);
    for (let at = 0; at < whole.length; at += size) cut.push(whole.subarray(at, at + size));
    run = [];
  };
  for (const piece of pieces) {
    if (piece instanceof Promise) {
      flush();
      cut.push(piece);
    } else run.push(piece);
  }
  flush();
  return cut;
}

function sizeOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => sum + (piece instanceof Promise ? 0 : piece.length), 0);
}
