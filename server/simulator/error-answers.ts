/** Errors on demand: the code and the headers for each status. */
import { ErrorBody, type ErrorCode, errorTable } from '../../contract/errors.ts';
import { type ErrorDetails, GatewayError } from '../errors.ts';
import type { UpstreamRequest } from '../upstreams/upstream.ts';
import { answerJson, type SimulatorAnswer } from './answers.ts';

type Headers = NonNullable<ErrorDetails['headers']>;

/** For statuses for which the table has several codes, or none. */
const codes: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid_value',
  402: 'insufficient_balance',
  403: 'permission_denied',
  404: 'model_not_found',
  409: 'conflict',
  429: 'rate_limit_exceeded',
  503: 'overloaded',
  529: 'overloaded',
};

/** As the gateway itself sends them; 429 and 503 always have `retry-after`. */
const headers: Readonly<Record<number, Headers>> = {
  401: { 'www-authenticate': 'Bearer' },
  405: { allow: 'POST' },
  426: { upgrade: 'HTTP/1.1' },
};

function codeOf(status: number): ErrorCode {
  // `as`: Object.entries widens the keys of the table to strings.
  const found = Object.entries(errorTable).find(([, row]) => row.status === status)?.[0] as ErrorCode | undefined;
  return codes[status] ?? found ?? (status < 500 ? 'invalid_value' : 'upstream_error');
}

export function answerStatus(request: UpstreamRequest, status: number, retryAfterSeconds: number | null = null): SimulatorAnswer {
  const message = `The built-in simulator was asked to fail with status ${status}.`;
  const answer = answerJson(request, new GatewayError(codeOf(status), { message }).body, status);
  if (retryAfterSeconds === null) return answer;
  return { ...answer, headers: { ...answer.headers, 'retry-after': String(retryAfterSeconds) } };
}

/** An error of the simulator is trusted: unlike one of a vendor, it reaches the caller unchanged. */
export function readAsked(status: number, body: string, retryAfter: string | undefined): GatewayError {
  const { message, param, code } = ErrorBody.parse(JSON.parse(body)).error;
  const wait: Headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter, 'retry-after-ms': `${retryAfter}000` };
  return new GatewayError(code, { message, status, headers: { ...headers[status], ...wait }, ...(param !== null && { param }) });
}
