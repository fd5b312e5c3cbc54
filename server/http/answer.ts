/** Translates errors of Fastify, its plugins and Node into errors of the contract, and sends error responses. */
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from '../../contract/errors.ts';
import type { ResponseHeader } from '../../contract/headers.ts';
import { asGatewayError, type ErrorDetails, GatewayError, shown } from '../errors.ts';
import { formatDollars } from '../ledger/charge.ts';
import type { Windows } from '../limits/limiter.ts';
import { newRequestId } from '../primitives/shared-timeout.ts';
import type { RequestContext } from '../request/context.ts';
import { describeAttempts } from '../upstreams/circuit-breaker.ts';
import { linger, lingerIfUnread } from './sockets.ts';

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
  return ['request_too_large', limit === undefined ? {} : { message: `The request body exceeds ${mebibytes(limit)}.` }];
};
const wrongType: Translate = (request) => {
  const type = request.headers['content-type'];
  const taken = request.routeOptions.config.takesForms ? 'application/json or multipart/form-data' : 'application/json';
  return [
    'unsupported_media_type',
    {
      message: `${type === undefined ? "The 'content-type' header is missing." : `Content type '${shown(type)}' isn't supported.`} Send the body as ${taken}.`,
    },
  ];
};
const badForm: Translate = () => ['invalid_value', { message: "The form is malformed: its parts or its boundary can't be read." }];

/** By the error's code in Fastify, its plugins or Node. */
const translations: Readonly<Record<string, Translate>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: tooLarge,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: wrongType,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => [
    'invalid_json',
    { message: "The length of the body doesn't match its 'content-length' header." },
  ],
  FST_ERR_CTP_EMPTY_JSON_BODY: () => ['invalid_json'],
  FST_INVALID_MULTIPART_CONTENT_TYPE: wrongType,
  FST_REQ_FILE_TOO_LARGE: () => ['image_file_too_large', { param: 'image' }],
  FST_FILES_LIMIT: () => ['array_above_max_length', { param: 'image', message: 'The form has too many files.' }],
  FST_FIELDS_LIMIT: () => ['invalid_value', { message: 'The form has too many fields.' }],
  FST_PARTS_LIMIT: () => ['invalid_value', { message: 'The form has too many parts.' }],
  FST_PROTO_VIOLATION: () => ['invalid_value', { message: "The form has a field with a name that isn't allowed." }],
  FST_ERR_BAD_URL: () => ['unknown_url', { message: "The URL isn't valid." }],
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

/** Some clients retry only when the response names a wait. */
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

/** Answers on the socket itself, since there is neither request nor reply; never in the middle of another response. Returns null if it sent no response. */
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
  // Read what the caller still sends: a close with unread bytes would reset the connection, and the response would be lost.
  linger(socket, `${head.join('\r\n')}\r\n\r\n${body}`);
  return { id, failure };
}

export function setHeader(reply: FastifyReply, name: ResponseHeader, value: string | number): void {
  reply.header(name, value);
}

/** Names in `x-modelgate-ignored` what the upstream wasn't sent. */
export function setIgnoredHeader({ outcome: { ignored } }: RequestContext, reply: FastifyReply): void {
  if (ignored.length > 0) setHeader(reply, 'x-modelgate-ignored', ignored.join(', '));
}

export function setLimitHeaders(scope: FastifyInstance): void {
  scope.addHook('onSend', (request, reply, payload, done) => {
    const { cost, attempts, protocol, outputLimit, isReplayed } = request.call.outcome;
    if (attempts.length > 0) setHeader(reply, 'x-modelgate-attempts', describeAttempts(attempts));
    if (protocol !== undefined) setHeader(reply, 'x-modelgate-protocol', protocol);
    if (outputLimit !== null) setHeader(reply, 'x-modelgate-output-limit', outputLimit);
    const windows = request.call.outcome.tellWindows();
    if (windows) setWindowHeaders(reply, windows);
    if (isReplayed) setHeader(reply, 'idempotent-replayed', 'true');
    // The cost of a stream isn't known yet when its headers are sent.
    if (cost !== null) setHeader(reply, 'x-modelgate-cost', formatDollars(cost));
    done(null, payload);
  });
}

function setWindowHeaders(reply: FastifyReply, { requests, tokens }: Windows): void {
  if (requests) {
    setHeader(reply, 'x-ratelimit-limit-requests', requests.limit);
    setHeader(reply, 'x-ratelimit-remaining-requests', requests.remaining);
    setHeader(reply, 'x-ratelimit-reset-requests', duration(requests.resetMs));
  }
  if (tokens) {
    setHeader(reply, 'x-ratelimit-limit-tokens', tokens.limit);
    setHeader(reply, 'x-ratelimit-remaining-tokens', tokens.remaining);
    setHeader(reply, 'x-ratelimit-reset-tokens', duration(tokens.resetMs));
  }
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/** A duration in OpenAI's notation: `120ms`, `1.5s`, `1m0s`. */
export function duration(ms: number): string {
  if (ms < SECOND_MS) return `${ms}ms`;
  const minutes = Math.floor(ms / MINUTE_MS);
  const seconds = (ms - minutes * MINUTE_MS) / SECOND_MS;
  return minutes > 0 ? `${minutes}m${seconds}s` : `${seconds}s`;
}
