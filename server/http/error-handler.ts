/** Translates errors of Fastify, its plugins and Node into errors of the contract, and sends error answers. */
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from '../../contract/errors.ts';
import { asGatewayError, type ErrorDetails, GatewayError } from '../errors.ts';
import { newRequestId } from '../primitives/random-id.ts';
import { linger, lingerIfUnread } from './sockets/lingering-close.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Writes the error body of routes that speak another protocol than the contract's (tRPC). */
    readonly writeError?: (error: GatewayError, request: FastifyRequest) => unknown;
  }
}

const mebibytes = (bytes: number) => `${Math.round(bytes / 1_048_576)} MiB`;
type Translate = (request: FastifyRequest) => readonly [ErrorCode, ErrorDetails?];

const tooLarge: Translate = (request) => {
  const limit = request.routeOptions.bodyLimit;
  return ['request_too_large', limit === undefined ? {} : { message: `The request body is over the limit of ${mebibytes(limit)}.` }];
};
const wrongType: Translate = (request) => {
  const type = request.headers['content-type'];
  const taken = request.routeOptions.config.takesForms ? 'application/json or multipart/form-data' : 'application/json';
  return [
    'unsupported_media_type',
    { message: `Send the body as ${taken}${type === undefined ? ': there is no content-type header' : ''}.` },
  ];
};
const badForm: Translate = () => ['invalid_value', { message: 'The form is malformed: its parts or its boundary cannot be read.' }];

/** By the error's code in Fastify, its plugins or Node. */
const translations: Readonly<Record<string, Translate>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: tooLarge,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: wrongType,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => ['invalid_json', { message: 'The body is not as long as its content-length says.' }],
  FST_ERR_CTP_EMPTY_JSON_BODY: () => ['invalid_json'],
  FST_INVALID_MULTIPART_CONTENT_TYPE: wrongType,
  FST_REQ_FILE_TOO_LARGE: () => ['image_file_too_large', { param: 'image' }],
  FST_FILES_LIMIT: () => ['array_above_max_length', { param: 'image', message: 'The form has too many files.' }],
  FST_FIELDS_LIMIT: () => ['invalid_value', { message: 'The form has too many fields.' }],
  FST_PARTS_LIMIT: () => ['invalid_value', { message: 'The form has too many parts.' }],
  FST_PROTO_VIOLATION: () => ['invalid_value', { message: 'The form has a field whose name is not allowed.' }],
  FST_ERR_BAD_URL: () => ['unknown_url', { message: 'The address is not valid.' }],
  ECONNRESET: () => ['request_timeout', { message: 'The request ended before its body was complete.' }],
};

/** Returns the contract's error for whatever was thrown while a request was handled. */
export function translate(thrown: unknown, request: FastifyRequest): GatewayError {
  if (thrown instanceof GatewayError) return thrown;
  const error = thrown as Partial<FastifyError>;
  const translation = translations[error.code ?? ''] ?? (isFormError(error, request) ? badForm : undefined);
  if (!translation) return asGatewayError(thrown);
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
    .headers({ ...retryHeaders(error), ...error.headers })
    .type('application/json; charset=utf-8')
    .send(reply.routeOptions.config.writeError?.(error, reply.request) ?? error.body);
}

/** Some clients retry only when the answer names a wait. */
function retryHeaders({ status, headers }: GatewayError): Record<string, string> {
  if (status !== 429 && status !== 503) return {};
  const seconds = headers['retry-after'] ?? '1';
  return { 'retry-after': seconds, 'retry-after-ms': `${seconds}000` };
}

/** By the error's code in Node's HTTP parser and timers, for messages that never became a request. */
const socketErrors: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'request_too_large',
};

/** Node keeps the response that a socket currently carries in this private field; it offers no other way to ask. */
const carriesAnswer = (socket: Socket & { _httpMessage?: ServerResponse | null }) => socket._httpMessage?.headersSent === true;

export interface BrokenRequest {
  readonly id: string;
  readonly failure: GatewayError;
}

/** Answers on the socket itself, since there is neither request nor reply; never in the middle of another answer. Returns null when it sent no answer. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): BrokenRequest | null {
  if (error.code === 'ECONNRESET' || !socket.writable || carriesAnswer(socket)) {
    socket.destroy();
    return null;
  }
  const known = socketErrors[error.code ?? ''];
  const failure = new GatewayError(known ?? 'malformed_request');
  const id = newRequestId();
  const body = JSON.stringify(failure.body);
  const head = [
    `HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${id}`,
    'connection: close',
  ];
  // Read what the caller still sends: a close with unread bytes would reset the connection, and the answer would be lost.
  linger(socket, `${head.join('\r\n')}\r\n\r\n${body}`);
  return { id, failure };
}
