/** Maps the error of a provider outside the OpenAI family to an error of the contract. */
import { type CallCode, type ErrorDetails, GatewayError } from '../../primitives/errors.ts';
import { ProviderError } from '../../primitives/provider-error.ts';
import { createGatewayRejection, isContextLengthMessage, isGatewayAccountMessage, redactSecrets, rejectionStatuses } from '../errors.ts';
import { createRateLimitMessage, createRetryAfterHeaders } from '../retry-after.ts';

/** A provider's error in a provider-neutral form. */
interface ProviderFailure {
  /** The HTTP status. For failures inside a stream, the provider's usual status for that failure. */
  readonly status: number;
  /** The provider's error type, for the log. */
  readonly type: string | null;
  readonly message: string;
  /** The provider's requested wait in seconds. */
  readonly waitSeconds: number | null;
}

/** Converts a provider's failure to the caller's error. Keeps the provider's message only for the caller's own mistakes. */
export function toProviderError(failure: ProviderFailure): GatewayError {
  const { status, type, message } = failure;
  const errorInfo = { code: type, message: message === '' ? null : redactSecrets(message) };
  const cause = new ProviderError(
    `upstream returned status ${status}${type === null ? '' : `, error type '${type.slice(0, 64)}'`}`,
    errorInfo,
  );
  const createError = errorsByStatus.get(status);
  if (createError !== undefined) return createError(failure, cause);
  if (rejectionStatuses.has(status)) return createGatewayRejection(cause);
  return new GatewayError<CallCode>(status === 408 || status === 504 ? 'upstream_timeout' : 'upstream_error', { cause });
}

/** These providers name the invalid field only in the message: `max_tokens: 9000 > 8192`, `Invalid value at 'contents[0].parts'`. */
const fieldInMessage = /^\W*(?:GenerateContentRequest\.)?([a-z][\w.[\]]*): |\bat '([a-z][\w.[\]]*)'/;

function findNamedField(message: string): string | undefined {
  const [, leading, quoted] = fieldInMessage.exec(message) ?? [];
  return leading ?? quoted;
}

type CreateError = (failure: ProviderFailure, cause: Error) => GatewayError;

/** `param` is the provider's field name here. The translation replaces it with the caller's name. */
const createBadRequest: CreateError = ({ message, type }, cause) => {
  if (isGatewayAccountMessage(message) || isGatewayAccountMessage(type ?? '')) return createGatewayRejection(cause);
  if (isContextLengthMessage(message)) return new GatewayError<CallCode>('context_length_exceeded', { cause });
  const safeMessage = redactSecrets(message).slice(0, 500);
  const text = `This model's upstream rejected the request${safeMessage === '' ? '.' : `: ${safeMessage}`}`;
  const param = findNamedField(message);
  const details: ErrorDetails = { cause, message: text, ...(param !== undefined && { param }) };
  return new GatewayError<CallCode>('invalid_value', details);
};

const createRateLimitError: CreateError = ({ waitSeconds }, cause) =>
  new GatewayError<CallCode>('rate_limit_exceeded', {
    message: createRateLimitMessage(waitSeconds),
    headers: createRetryAfterHeaders(waitSeconds),
    cause,
  });

const createUnavailableError: CreateError = ({ waitSeconds }, cause) =>
  new GatewayError<CallCode>('upstream_unavailable', { headers: createRetryAfterHeaders(waitSeconds), cause });

const createTooLargeError: CreateError = (_failure, cause) =>
  new GatewayError<CallCode>('request_too_large', { message: "The request is too large for this model's upstream.", cause });

const errorsByStatus = new Map<number, CreateError>([
  [400, createBadRequest],
  [422, createBadRequest],
  [413, createTooLargeError],
  [429, createRateLimitError],
  [503, createUnavailableError],
  [529, createUnavailableError],
]);
