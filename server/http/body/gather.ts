/** Collects the bytes of a JSON body as they arrive; each chunk is counted against the memory limits before it is kept (413, 429, 503). */
import { errorCodes, type FastifyRequest, type RequestPayload } from 'fastify';
import { BODY_WEIGHT, type BodyShare, PACKED_WEIGHT } from '../../limits/body-memory.ts';
import { routeOptionsOf } from '../route-options.ts';

type Done = (...result: [failure: Error] | [failure: null, bytes: Buffer]) => void;

export interface Incoming {
  readonly request: FastifyRequest;
  /** The body after decompression. */
  readonly payload: RequestPayload;
  /** Null when memory for bodies is not limited. */
  readonly share: BodyShare | null;
}

/** In bytes: a body of this size is put together as it arrives, so that it is not in memory twice. */
const LARGE = 65_536;

export function gatherBody({ request, payload, share }: Incoming, done: Done): void {
  const limit = routeOptionsOf(request).bodyLimit ?? 0;
  const isPlain = payload === request.raw;
  const weight = isPlain ? BODY_WEIGHT : PACKED_WEIGHT;
  const announced = Number(request.headers['content-length']);
  const pieces: Buffer[] = [];
  // Node reads no more of a plain body than was announced. The system provides memory only for the pages that are written.
  const whole = isPlain && announced > LARGE && announced <= limit ? Buffer.allocUnsafeSlow(announced) : null;
  let size = 0;
  let isOver = false;
  const end = (error: Error | null): void => {
    if (isOver) return;
    isOver = true;
    if (error) {
      pieces.length = 0;
      return void done(error);
    }
    const bytes = whole ?? joined(pieces, size);
    // Free the chunks before parsing, which needs as much memory again.
    pieces.length = 0;
    done(null, bytes);
  };
  const add = (piece: Buffer): void => {
    if (isOver) return;
    size += piece.length;
    const refusal = refuse(piece.length);
    if (!refusal) return void (whole ? piece.copy(whole, size - piece.length) : pieces.push(piece));
    // The rest is discarded as it arrives and not decompressed.
    if (!isPlain) payload.destroy();
    end(refusal);
  };
  const refuse = (bytes: number): Error | null => {
    if (Math.max(size, payload.receivedEncodedLength ?? 0) > limit) return new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
    return share?.take(bytes * weight) ?? null;
  };
  const finish = (): void => {
    const received = payload.receivedEncodedLength || size;
    const isShort = !Number.isNaN(announced) && received !== announced;
    end(isShort ? new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH() : null);
  };
  payload.on('data', add);
  payload.on('end', finish);
  payload.on('error', end);
  payload.resume();
}

/** A copy, unless there is one piece that owns its memory: a view would keep the whole buffer that the socket was read into. */
function joined(pieces: readonly Buffer[], size: number): Buffer {
  const [only] = pieces;
  return only && pieces.length === 1 && only.buffer.byteLength === size ? only : Buffer.concat(pieces, size);
}
