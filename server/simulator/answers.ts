/** The simulator's answers in the form that the gateway reads: status, headers and a body of bytes. */
import { Readable } from 'node:stream';
import type { GatewayError } from '../errors.ts';
import type { UpstreamAnswer, UpstreamRequest } from '../upstreams/upstream.ts';

/** Its body is a whole stream of Node's. */
export interface SimulatorAnswer extends UpstreamAnswer {
  readonly body: Readable;
}

export function answerJson(request: UpstreamRequest, value: object, status = 200): SimulatorAnswer {
  return answerBytes(request, Buffer.from(JSON.stringify(value)), status);
}

export function answerBytes(request: UpstreamRequest, bytes: Buffer, status = 200): SimulatorAnswer {
  const headers = {
    'content-type': 'application/json',
    'content-length': String(bytes.length),
    'x-request-id': request.requestId,
  };
  return { status, headers, body: Readable.from([bytes]) };
}

export function answerStream(request: UpstreamRequest, body: Readable): SimulatorAnswer {
  const headers = {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'x-request-id': request.requestId,
  };
  return { status: 200, headers, body };
}

/** An error in OpenAI's envelope, with its HTTP status. */
export function answerError(request: UpstreamRequest, error: GatewayError): SimulatorAnswer {
  return answerJson(request, error.body, error.status);
}
