/** Maps an error of Gemini to an error of the contract. */
import type { GatewayError } from '../../primitives/errors.ts';
import { isFields, type Unchecked } from '../../primitives/fields.ts';
import { readEnvelope, readErrorBody } from '../errors.ts';
import { toProviderError } from '../non-openai/errors.ts';
import { parseWaitSeconds } from '../retry-after.ts';
import type { Status, StatusDetail } from './wire.ts';

/** Reads a response with a status other than 2xx. */
export function readGeminiFailure(status: number, body: string, retryAfter: string | undefined): GatewayError {
  return readError(status, readErrorBody(body), parseWaitSeconds(retryAfter));
}

/** Reads an error object inside a response or stream that started with status 200. The error contains its own status. */
export function readInnerFailure(value: unknown): GatewayError {
  const error: Unchecked<Status> = readEnvelope(value);
  return readError(typeof error.code === 'number' ? error.code : 500, error, null);
}

function readError(status: number, error: Unchecked<Status>, waitSeconds: number | null): GatewayError {
  return toProviderError({
    // An invalid key arrives as status 400, with this reason in its details.
    status: isApiKeyError(error) ? 401 : status,
    type: typeof error.status === 'string' ? error.status : null,
    message: typeof error.message === 'string' ? error.message : '',
    waitSeconds: waitSeconds ?? findRetryDelay(error),
  });
}

const getErrorDetails = ({ details }: Unchecked<Status>): Unchecked<StatusDetail>[] =>
  Array.isArray(details) ? details.filter(isFields) : [];

const isApiKeyError = (error: Unchecked<Status>): boolean =>
  getErrorDetails(error).some(({ reason }) => typeof reason === 'string' && /^API_KEY_/.test(reason));

/** `RetryInfo` states the delay as `34s` or `0.5s`. */
function findRetryDelay(error: Unchecked<Status>): number | null {
  const delay = getErrorDetails(error).find(({ retryDelay }) => typeof retryDelay === 'string')?.retryDelay;
  return parseWaitSeconds(/^([\d.]+)s$/.exec(String(delay))?.[1]);
}
