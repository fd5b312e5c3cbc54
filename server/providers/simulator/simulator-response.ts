/** Creates the HTTP responses of the simulator. */

import { Readable } from 'node:stream';
import type { GatewayError } from '../../primitives/errors.ts';
import type { UpstreamRequest, UpstreamResponse } from '../upstream.ts';

/** A response whose body is a full Node stream. */
export interface SimulatorResponse extends UpstreamResponse {
  readonly body: Readable;
}

export function createJsonResponse(request: UpstreamRequest, value: object, status = 200): SimulatorResponse {
  return createBytesResponse(request, Buffer.from(JSON.stringify(value)), status);
}

export function createBytesResponse(request: UpstreamRequest, bytes: Buffer, status = 200): SimulatorResponse {
  const headers = {
    'content-type': 'application/json',
    'content-length': String(bytes.length),
    'x-request-id': request.requestId,
  };
  return { status, headers, body: Readable.from([bytes]) };
}

export function createStreamResponse(request: UpstreamRequest, body: Readable): SimulatorResponse {
  const headers = {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'x-request-id': request.requestId,
  };
  return { status: 200, headers, body };
}

/** Creates an error in OpenAI's envelope, with its HTTP status. */
export function createErrorResponse(request: UpstreamRequest, error: GatewayError): SimulatorResponse {
  return createJsonResponse(request, error.body, error.status);
}
