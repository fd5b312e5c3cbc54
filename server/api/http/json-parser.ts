/** Reads and parses JSON request bodies, within their share of the memory for bodies. */

import { isUtf8 } from 'node:buffer';
import { errorCodes, type FastifyInstance, type FastifyRequest, type RequestPayload } from 'fastify';
import { contract } from '../../../contract/index.ts';
import { isShallow, isWithin, MAX_LEVELS } from '../../../contract/shared/bounds.ts';
import type { RequestContext } from '../../call/context.ts';
import { BODY_WEIGHT, type BodyShare, COMPRESSED_BODY_WEIGHT } from '../../limits/body-memory.ts';
import { type BodyCode, type BodyName, GatewayError, type OperationError, toPrintable } from '../../primitives/errors.ts';
import { waitForTurn } from '../../primitives/wait-for-turn.ts';
import { createJsonBody, type JsonBody, withoutDuplicateFields } from '../../protocols/wire/json-body.ts';
import { type JsonOutline, readJsonOutline } from '../../protocols/wire/json-outline.ts';
import { getRouteOptions } from './route-options.ts';
import { exceedsValueLimit, MAX_VALUES } from './value-limit.ts';

const createInvalidJsonError = (reason: string): OperationError<BodyName, 400> =>
  new GatewayError('invalid_json', { message: `The request body isn't valid JSON: ${reason}.` });

function parseJsonBody(bytes: Buffer): { value: Readonly<Record<string, unknown>>; outline: JsonOutline } {
  if (bytes.length === 0) throw createInvalidJsonError("it's empty. Send one JSON object");
  // JSON is UTF-8 (RFC 8259, 8.1). Decoding other bytes would validate a different text than the one sent upstream.
  if (!isUtf8(bytes)) throw createInvalidJsonError("it isn't encoded in UTF-8");
  if (exceedsValueLimit(bytes))
    throw new GatewayError<BodyCode>('request_too_large', { message: `The request body contains more than ${MAX_VALUES} values.` });
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString());
  } catch (error) {
    throw createInvalidJsonError(describePosition(error));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw createInvalidJsonError('it must be one JSON object');
  const outline = readJsonOutline(bytes);
  // The outline also counts duplicate fields, which JSON.parse discards. So the parsed value is checked before the request is rejected.
  if (outline.levels > MAX_LEVELS && !isShallow(value, MAX_LEVELS)) throw createTooDeepError(value);
  // `as`: the check above ensures an object.
  return { value: value as Record<string, unknown>, outline };
}

function createTooDeepError(body: object): OperationError<BodyName, 400> {
  const [param = ''] = Object.entries(body).find(([, value]) => !isWithin(value, MAX_LEVELS - 1)) ?? [];
  return new GatewayError('invalid_value', {
    param,
    message: `'${toPrintable(param)}' is nested too deeply: a request body can have at most ${MAX_LEVELS} levels.`,
  });
}

/** Returns the position where the parser stopped. The parser's own message isn't used, because it quotes the text, which may be a prompt. */
function describePosition(error: unknown): string {
  const position = error instanceof Error ? /at position (\d+)/.exec(error.message)?.[1] : undefined;
  return position === undefined ? 'it ends too early or is malformed' : `it's malformed at position ${position}`;
}

const JSON_CONTENT_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

export const isJson = (type: string | undefined): boolean => type !== undefined && JSON_CONTENT_TYPE.test(type);

/** In bytes. A body of this size takes many milliseconds to parse and validate. */
const LARGE_BODY_BYTES = 1_048_576;

/** Body memory is limited if the auth hook opened a share for the call. The operators' listener has no calls. */
export function registerJsonParser(app: FastifyInstance): void {
  app.decorateRequest('bodyBytes', null);
  app.decorateRequest('bodyOutline', null);
  app.decorateRequest('bodyAsSent', null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(JSON_CONTENT_TYPE, (request, payload, done) => {
    const call: RequestContext | undefined = request.call;
    const share = call?.share ?? null;
    readBody({ request, payload, share }, (...[failure, bytes]) => {
      if (failure !== null) return done(failure);
      // Some clients send a content type without a body.
      if (bytes.length === 0 && hasNoBody(request)) return done(null, undefined);
      const parseBytes = () => {
        try {
          const { value, outline } = parseJsonBody(bytes);
          request.bodyBytes = bytes;
          request.bodyOutline = outline;
          share?.endReading();
          share?.shrinkTo(bytes.length * BODY_WEIGHT);
          done(null, value);
        } catch (error) {
          // `as`: `parse` throws only GatewayError.
          done(error as GatewayError);
        }
      };
      if (bytes.length < LARGE_BODY_BYTES) parseBytes();
      else void waitForTurn().then(parseBytes);
    });
  });
}

const hasNoBody = (request: FastifyRequest): boolean =>
  request.method === 'DELETE' || getRouteOptions(request).url === contract.cancelResponse.path;

/** Returns the parsed body together with its bytes. */
export function getJsonBody(request: FastifyRequest): JsonBody {
  // `as`: the parser accepts only objects.
  const value = request.bodyAsSent ?? (request.body as Readonly<Record<string, unknown>>);
  const { bodyBytes: bytes, bodyOutline: outline } = request;
  return bytes && outline ? withoutDuplicateFields({ kind: 'json', value, bytes }, outline) : createJsonBody(value);
}

type BodyCallback = (...result: [failure: Error] | [failure: null, bytes: Buffer]) => void;

interface IncomingBody {
  readonly request: FastifyRequest;
  /** The body after decompression. */
  readonly payload: RequestPayload;
  /** Null if body memory is unlimited. */
  readonly share: BodyShare | null;
}

/** In bytes. A body of this size is assembled as it arrives, so that it isn't in memory twice. */
const LARGE_CHUNK_BYTES = 65_536;

function readBody({ request, payload, share }: IncomingBody, done: BodyCallback): void {
  const limit = getRouteOptions(request).bodyLimit ?? 0;
  const isUncompressed = payload === request.raw;
  const weight = isUncompressed ? BODY_WEIGHT : COMPRESSED_BODY_WEIGHT;
  const declaredLength = Number(request.headers['content-length']);
  const pieces: Buffer[] = [];
  // Node reads no more of an uncompressed body than `content-length` announced. The operating system allocates only the pages that are written.
  const bodyBuffer =
    isUncompressed && declaredLength > LARGE_CHUNK_BYTES && declaredLength <= limit ? Buffer.allocUnsafeSlow(declaredLength) : null;
  let size = 0;
  let isEnded = false;
  const end = (error: Error | null): void => {
    if (isEnded) return;
    isEnded = true;
    if (error) {
      pieces.length = 0;
      return void done(error);
    }
    const bytes = bodyBuffer ?? joinPieces(pieces, size);
    // Frees the chunks before parsing, which needs as much memory again.
    pieces.length = 0;
    done(null, bytes);
  };
  const addPiece = (piece: Buffer): void => {
    if (isEnded) return;
    size += piece.length;
    const error = findBodyError(piece.length);
    if (!error) return void (bodyBuffer ? piece.copy(bodyBuffer, size - piece.length) : pieces.push(piece));
    // The remainder is discarded as it arrives, without decompression.
    if (!isUncompressed) payload.destroy();
    end(error);
  };
  const findBodyError = (bytes: number): Error | null => {
    if (Math.max(size, payload.receivedEncodedLength ?? 0) > limit) return new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
    return share?.acquire(bytes * weight) ?? null;
  };
  const finish = (): void => {
    // They would keep the reply for as long as the call runs, even in the background. Without listeners, Node emits no errors of a request.
    if (isUncompressed) payload.off('data', addPiece).off('end', finish).off('error', end);
    const receivedBytes = payload.receivedEncodedLength || size;
    const isShort = !Number.isNaN(declaredLength) && receivedBytes !== declaredLength;
    end(isShort ? new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH() : null);
  };
  payload.on('data', addPiece);
  payload.on('end', finish);
  payload.on('error', end);
  payload.resume();
}

/** Copies the chunks, unless a single one owns its memory: a view would retain the complete socket buffer. */
function joinPieces(pieces: readonly Buffer[], size: number): Buffer {
  const [onlyPiece] = pieces;
  return onlyPiece && pieces.length === 1 && onlyPiece.buffer.byteLength === size ? onlyPiece : Buffer.concat(pieces, size);
}
