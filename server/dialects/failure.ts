/** Turns what an upstream says went wrong into an error of the contract: our words, our codes, never its body. */

import { type ErrorCode, errorTable } from '../../contract/errors.ts';
import { type Fields, isFields } from '../../contract/rule.ts';
import { type ErrorDetails, GatewayError } from '../errors.ts';

const text = (value: unknown, limit: number): string | undefined =>
  typeof value === 'string' && value !== '' ? value.slice(0, limit) : undefined;

/** Codes that say that the upstream has no room; a caller may try again. */
const busy = new Set(['server_is_overloaded', 'overloaded', 'overloaded_error', 'slow_down', 'engine_overloaded']);
/** Codes about the money or the key of the gateway itself: never the caller's business. */
const ours = new Set([
  'insufficient_quota',
  'credit_balance_exhausted',
  'invalid_api_key',
  'account_deactivated',
  'billing_not_active',
  'usage_not_included',
]);

const isMistake = (code: string | undefined): code is ErrorCode =>
  code !== undefined && Object.hasOwn(errorTable, code) && errorTable[code as ErrorCode].status === 400;

/** For the log: codes and classes, never the message, which may quote a prompt or a key. */
function report(status: string, code: string | undefined, type: unknown): Error {
  return new Error(`upstream error ${status}, code ${code ?? 'none'}, type ${text(type, 64) ?? 'none'}`);
}

/** An error object inside an answer or a stream that began with status 200. */
export function readFailure(error: unknown): GatewayError {
  const fields = isFields(error) ? error : {};
  const code = text(fields.code, 64);
  const cause = report('inside a 200', code, fields.type);
  if (isMistake(code)) return new GatewayError(code, mistakeDetails(fields, cause));
  if (code === 'rate_limit_exceeded')
    return new GatewayError('rate_limit_exceeded', { message: 'The upstream of this model is busy.', cause });
  if (code !== undefined && busy.has(code)) return new GatewayError('overloaded', { cause });
  return new GatewayError('upstream_error', { cause });
}

/** A mistake of the caller keeps its words and its field: they are about the request, and only the upstream knows them. */
function mistakeDetails(error: Fields, cause: unknown): ErrorDetails {
  const message = text(error.message, 1000);
  const param = text(error.param, 256);
  return { cause, ...(message !== undefined && { message: withoutSecrets(message) }), ...(param !== undefined && { param }) };
}

/** Vendors quote keys in some of their messages. */
const withoutSecrets = (message: string) => message.replace(/\b(sk|key|org|proj|Bearer)[-_ ][A-Za-z0-9_*-]{6,}/g, '…');

/** An answer with a status that is not 2xx. `body` is what came, already cut to a sane length. */
export function readFailureStatus(status: number, body: string, retryAfter: string | undefined): GatewayError {
  const error = errorOf(body);
  const code = text(error.code, 64);
  const cause = report(String(status), code, error.type);
  if (status === 400 || status === 422) return new GatewayError(isMistake(code) ? code : 'invalid_value', mistakeDetails(error, cause));
  if (status === 413) return new GatewayError('request_too_large', { message: 'The upstream takes no body of this size.', cause });
  if (status === 408 || status === 504) return new GatewayError('upstream_timeout', { cause });
  const headers = waiting(retryAfter);
  if (status === 429 && !(code !== undefined && ours.has(code))) {
    return new GatewayError('rate_limit_exceeded', {
      message: 'The upstream of this model takes no more requests at the moment.',
      headers,
      cause,
    });
  }
  if (status === 503 || status === 529) return new GatewayError('overloaded', { headers, cause });
  return new GatewayError('upstream_error', { cause });
}

function errorOf(body: string): Fields {
  try {
    const value: unknown = JSON.parse(body);
    return isFields(value) && isFields(value.error) ? value.error : {};
  } catch {
    // HTML or nothing: the status says enough.
    return {};
  }
}

/** Whole seconds, at least one: the form that every client reads; and the same in milliseconds for those that look there first. */
function waiting(retryAfter: string | undefined): Record<string, string> {
  const given = Number(retryAfter);
  const seconds = Number.isFinite(given) && given > 0 ? Math.min(Math.ceil(given), 3600) : 1;
  return { 'retry-after': String(seconds), 'retry-after-ms': String(seconds * 1000) };
}
