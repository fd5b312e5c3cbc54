/** Checks the headers of a request body before it is read: its announced length (413) and its encoding (415). */

import type { FastifyRequest } from 'fastify';
import { decompressors } from '../../primitives/decompressors.ts';
import { type BodyName, GatewayError, type OperationError, toPrintable } from '../../primitives/errors.ts';
import { getRouteOptions } from './route-options.ts';

const SUPPORTED_ENCODINGS = 'gzip, deflate, br or zstd';

const createUnsupportedMediaTypeError = (message: string): OperationError<BodyName, 415> =>
  new GatewayError('unsupported_media_type', { message });

/** Returns the content encoding in lowercase. Empty if the body isn't compressed. */
export function getEncoding({ headers }: FastifyRequest): string {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  return encoding === 'identity' ? '' : encoding;
}

export const isCompressed = (request: FastifyRequest): boolean => getEncoding(request) !== '';

/** Returns an error based on the body's headers alone, if any. Checked after the key and before the body. */
export function findBodyHeaderError(request: FastifyRequest): GatewayError | undefined {
  return findSizeError(request) ?? findEncodingError(request);
}

/** Fastify would check the type before the size. Skips GET, whose body isn't read, and forms, whose parts are measured as they arrive. */
function findSizeError(request: FastifyRequest): OperationError<BodyName, 413> | undefined {
  const { method, headers } = request;
  const { bodyLimit = 0, config } = getRouteOptions(request);
  const isBodyRead = method !== 'GET' && method !== 'HEAD' && !(config.takesForms && isForm(headers));
  if (!isBodyRead || !(Number(headers['content-length']) > bodyLimit)) return undefined;
  const message = `The request body exceeds ${Math.round(bodyLimit / 1_048_576)} MiB.`;
  return new GatewayError('request_too_large', { message });
}

export const isForm = (headers: FastifyRequest['headers']) =>
  headers['content-type']?.toLowerCase().startsWith('multipart/form-data') === true;

/** Rejects encodings that the gateway can't decompress. */
function findEncodingError(request: FastifyRequest): GatewayError | undefined {
  const encoding = getEncoding(request);
  // The body of a GET isn't read, whatever its encoding.
  if (encoding === '' || request.method === 'GET' || request.method === 'HEAD') return undefined;
  const headerText = `content-encoding '${toPrintable(request.headers['content-encoding'] ?? '').slice(0, 64)}'`;
  if (encoding.includes(','))
    return createUnsupportedMediaTypeError(
      `Stacked content encodings are not supported: ${headerText}. Send the body uncompressed, or with one of ${SUPPORTED_ENCODINGS}.`,
    );
  if (!decompressors.has(encoding))
    return createUnsupportedMediaTypeError(`Unsupported ${headerText}. Send the body uncompressed, or with one of ${SUPPORTED_ENCODINGS}.`);
  // On routes without forms, the type is wrong, and the content-type check reports that.
  if (isForm(request.headers) && request.routeOptions.config.takesForms)
    return createUnsupportedMediaTypeError(`Forms can't be compressed. Send the form without ${headerText}.`);
  return undefined;
}
