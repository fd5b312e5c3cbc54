/** Translates errors of Fastify, its plugins and Node into errors of the contract, and sends error responses. */

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from '../../../contract/errors.ts';
import { type AnyCode, type ErrorDetails, GatewayError, toGatewayError, toPrintable } from '../../primitives/errors.ts';
import { nodeHttp } from '../../primitives/node-http.ts';
import { createRequestId } from '../../primitives/request-id.ts';
import { linger, lingerIfUnread } from './linger.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Writes the error body for routes with another protocol than the contract's (tRPC). */
    readonly writeError?: (error: GatewayError, request: FastifyRequest) => unknown;
  }
}

const formatMebibytes = (bytes: number) => `${Math.round(bytes / 1_048_576)} MiB`;
type ErrorTranslator = (request: FastifyRequest) => readonly [ErrorCode, ErrorDetails?];

const translateTooLarge: ErrorTranslator = (request) => {
  const limit = request.routeOptions.bodyLimit;
  return ['request_too_large', limit === undefined ? {} : { message: `The request body exceeds ${formatMebibytes(limit)}.` }];
};
const translateWrongType: ErrorTranslator = (request) => {
  const type = request.headers['content-type'];
  const supportedTypes = request.routeOptions.config.takesForms ? 'application/json or multipart/form-data' : 'application/json';
  return [
    'unsupported_media_type',
    {
      message: `${type === undefined ? "The 'content-type' header is missing." : `Content type '${toPrintable(type)}' isn't supported.`} Send the body as ${supportedTypes}.`,
    },
  ];
};
const translateBadForm: ErrorTranslator = () => [
  'invalid_value',
  { message: "The form is malformed: its parts or its boundary can't be read." },
];

/** By error code of Fastify, its plugins or Node. */
const errorTranslators: Readonly<Record<string, ErrorTranslator>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: translateTooLarge,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: translateWrongType,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => [
    'invalid_json',
    { message: "The length of the body doesn't match its 'content-length' header." },
  ],
  FST_ERR_CTP_EMPTY_JSON_BODY: () => ['invalid_json'],
  FST_INVALID_MULTIPART_CONTENT_TYPE: translateWrongType,
  FST_REQ_FILE_TOO_LARGE: () => ['image_file_too_large', { param: 'image' }],
  FST_FILES_LIMIT: () => ['array_above_max_length', { param: 'image', message: 'The form has too many files.' }],
  FST_FIELDS_LIMIT: () => ['invalid_value', { message: 'The form has too many fields.' }],
  FST_PARTS_LIMIT: () => ['invalid_value', { message: 'The form has too many parts.' }],
  FST_PROTO_VIOLATION: () => ['invalid_value', { message: "The form has a field with a name that isn't allowed." }],
  FST_ERR_BAD_URL: () => ['unknown_url', { message: "The URL isn't valid." }],
  ECONNRESET: () => ['request_timeout', { message: 'The request ended before its body was complete.' }],
};

/** Returns the contract's error for anything thrown while handling a request. */
export function toContractError(thrown: unknown, request: FastifyRequest): GatewayError {
  if (thrown instanceof GatewayError) return thrown;
  const error = thrown as Partial<FastifyError>;
  const translation = errorTranslators[error.code ?? ''] ?? (isFormError(error, request) ? translateBadForm : undefined);
  if (!translation) return toGatewayError(thrown);
  const [code, details] = translation(request);
  return new GatewayError(code, { cause: thrown, ...details });
}

/** The form parser throws errors without a code for a missing boundary and for a form that ends early. */
function isFormError(error: Partial<FastifyError>, request: FastifyRequest): boolean {
  const isForm = String(request.headers['content-type']).startsWith('multipart/form-data');
  return isForm && /multipart|boundary|unexpected end|malformed|premature/i.test(error.message ?? '');
}

export function sendError(error: GatewayError, reply: FastifyReply): FastifyReply {
  lingerIfUnread(reply, error.status);
  return reply
    .code(error.status)
    .headers({ ...toRetryHeaders(error), ...error.headers })
    .type('application/json; charset=utf-8')
    .send(reply.routeOptions.config.writeError?.(error, reply.request) ?? error.body);
}

/** For requests during a shutdown. */
export const createShutdownError = (): GatewayError<AnyCode> =>
  new GatewayError('overloaded', { message: 'The gateway is shutting down.', headers: { 'retry-after': '5' } });

/** Some clients retry only if the response specifies a wait. */
export function toRetryHeaders({ status, headers }: GatewayError): Record<string, string> {
  if (status !== 429 && status !== 503) return {};
  const seconds = headers['retry-after'] ?? '1';
  return { 'retry-after': seconds, 'retry-after-ms': `${seconds}000` };
}

/** By error code of Node's HTTP parser and timers, for messages that never became a request. */
const socketErrorCodes: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'request_too_large',
};

/** Node keeps the socket's current response in this private field and has no public API for it. */
const hasSentHeaders = (socket: Socket & { _httpMessage?: ServerResponse | null }) => socket._httpMessage?.headersSent === true;

/** Responds on the socket itself, since there's neither a request nor a reply, and never inside another response. Returns null if it sent nothing. */
export function rejectBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): { id: string; failure: GatewayError } | null {
  if (error.code === 'ECONNRESET' || !socket.writable || hasSentHeaders(socket)) {
    socket.destroy();
    return null;
  }
  const failure = new GatewayError(socketErrorCodes[error.code ?? ''] ?? 'malformed_request');
  return { id: writeErrorToSocket(failure, socket), failure };
}

/** Writes an error response to a socket without a reply, and closes the socket. Returns the request's ID. */
export function writeErrorToSocket(failure: GatewayError, socket: Socket): string {
  const id = createRequestId();
  const body = JSON.stringify(failure.body);
  const headLines = [
    `HTTP/1.1 ${failure.status} ${nodeHttp.STATUS_CODES[failure.status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${id}`,
    ...Object.entries({ ...toRetryHeaders(failure), ...failure.headers }).map(([name, value]) => `${name}: ${value}`),
    'connection: close',
  ];
  // Reads what the caller still sends: closing with unread bytes would reset the connection and lose the response.
  linger(socket, `${headLines.join('\r\n')}\r\n\r\n${body}`);
  return id;
}
