/** Parses JSON bodies once, and keeps their bytes for the upstream. Any other content type is refused with 415. */
import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isShallow, isWithin, MAX_LEVELS } from '../../../contract/bounds.ts';
import { type JsonBody, jsonBody, withoutTwins } from '../../dialects/wire/json-body.ts';
import { type Outline, outlineOf } from '../../dialects/wire/json-outline.ts';
import { type BodyCode, type BodyName, type ErrorOf, GatewayError, shown } from '../../errors.ts';
import { BODY_WEIGHT, type BodyShare } from '../../limits/body-memory.ts';
import { ownTurn } from '../../primitives/serial-work.ts';
import { gatherBody } from './gather.ts';
import { isTooDense, MOST_VALUES } from './json-complexity.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The bytes of a JSON body as received; null for any other body. */
    bodyBytes: Buffer | null;
    /** Where the top-level fields are in these bytes. */
    bodyOutline: Outline | null;
    /** The body as it was sent, where the contract checks one in which values of a vendor are replaced. */
    bodyAsSent: Readonly<Record<string, unknown>> | null;
  }
}

const notJson = (why: string): ErrorOf<BodyName, 400> =>
  new GatewayError('invalid_json', { message: `The request body is not valid JSON: ${why}.` });

interface Parsed {
  readonly value: Readonly<Record<string, unknown>>;
  readonly outline: Outline;
}

function parse(bytes: Buffer): Parsed {
  if (bytes.length === 0) throw notJson('it is empty; send one JSON object');
  // JSON is UTF-8 (RFC 8259, 8.1). Decoding other bytes would validate another text than the one that goes to the upstream.
  if (!isUtf8(bytes)) throw notJson('it is not in UTF-8');
  if (isTooDense(bytes))
    throw new GatewayError<BodyCode>('request_too_large', { message: `The request body holds more than ${MOST_VALUES} values.` });
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString());
  } catch (error) {
    throw notJson(placeOf(error));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw notJson('it has to be one JSON object');
  const outline = outlineOf(bytes);
  // The deepest value may stand under a name that is there twice, of which the parser has kept the other one.
  if (outline.levels > MAX_LEVELS && !isShallow(value, MAX_LEVELS)) throw tooDeep(value);
  // An object: checked above.
  return { value: value as Record<string, unknown>, outline };
}

function tooDeep(body: object): ErrorOf<BodyName, 400> {
  const [param = ''] = Object.entries(body).find(([, value]) => !isWithin(value, MAX_LEVELS - 1)) ?? [];
  return new GatewayError('invalid_value', {
    param,
    message: `'${shown(param)}' is nested too deeply: a body has ${MAX_LEVELS} levels at most.`,
  });
}

/** The position where the parser stopped. The parser's own message is not used: it quotes the text, which may be a prompt. */
function placeOf(error: unknown): string {
  const at = error instanceof Error ? /at position (\d+)/.exec(error.message)?.[1] : undefined;
  return at === undefined ? 'it ends too early or is malformed' : `it is malformed at position ${at}`;
}

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;
export const isJson = (type: string | undefined): boolean => type !== undefined && JSON_TYPE.test(type);

/** In bytes: a body of this size takes many milliseconds to parse and to validate. */
const LARGE = 1_048_576;

/** The memory that a request has for its body; null when it is not limited. */
type ShareOf = (request: FastifyRequest) => BodyShare | null;

/** Without `shareOf`, memory for bodies is not limited: the operators' listener does that. */
export function acceptJson(app: FastifyInstance, shareOf: ShareOf = () => null): void {
  app.decorateRequest('bodyBytes', null);
  app.decorateRequest('bodyOutline', null);
  app.decorateRequest('bodyAsSent', null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(JSON_TYPE, (request, payload, done) => {
    const share = shareOf(request);
    gatherBody({ request, payload, share }, (...[failure, bytes]) => {
      if (failure !== null) return done(failure);
      // A DELETE has no body; some clients send a content type anyway.
      if (request.method === 'DELETE' && bytes.length === 0) return done(null, undefined);
      const read = () => {
        try {
          const { value, outline } = parse(bytes);
          request.bodyBytes = bytes;
          request.bodyOutline = outline;
          share?.endReading();
          share?.lowerTo(bytes.length * BODY_WEIGHT);
          done(null, value);
        } catch (error) {
          // `parse` throws GatewayError only.
          done(error as GatewayError);
        }
      };
      if (bytes.length < LARGE) read();
      else void ownTurn().then(read);
    });
  });
}

/** The parsed body together with its bytes. */
export function jsonBodyOf(request: FastifyRequest): JsonBody {
  // The parser accepts objects only.
  const value = request.bodyAsSent ?? (request.body as Readonly<Record<string, unknown>>);
  const { bodyBytes: bytes, bodyOutline: outline } = request;
  return bytes && outline ? withoutTwins({ kind: 'json', value, bytes }, outline) : jsonBody(value);
}
