/** Reads what a Gemini upstream says went wrong, as an answer of its own or inside a stream. */
import { type Fields, isFields } from '../../../contract/rule.ts';
import type { GatewayError } from '../../errors.ts';
import { asError } from '../non-openai/failures.ts';
import { readEnvelope, readErrorBody } from '../vendor-envelope.ts';
import { readWait } from '../vendor-words.ts';

/** An answer with a status that is not 2xx. */
export function readGeminiFailure(status: number, body: string, retryAfter: string | undefined): GatewayError {
  return readError(status, readErrorBody(body), readWait(retryAfter));
}

/** An error object inside an answer or a stream that began with status 200; it holds its own status. */
export function readInnerFailure(value: unknown): GatewayError {
  const error = readEnvelope(value);
  return readError(typeof error.code === 'number' ? error.code : 500, error, null);
}

function readError(status: number, error: Fields, waitSeconds: number | null): GatewayError {
  return asError({
    // A key that is not valid comes as 400, with this reason in its details.
    status: isAboutKey(error) ? 401 : status,
    type: typeof error.status === 'string' ? error.status : null,
    message: typeof error.message === 'string' ? error.message : '',
    waitSeconds: waitSeconds ?? retryDelay(error),
  });
}

const detailsOf = (error: Fields): Fields[] => (Array.isArray(error.details) ? error.details.filter(isFields) : []);

const isAboutKey = (error: Fields): boolean =>
  detailsOf(error).some(({ reason }) => typeof reason === 'string' && /^API_KEY_/.test(reason));

/** `RetryInfo` says it as `34s` or `0.5s`. */
function retryDelay(error: Fields): number | null {
  const delay = detailsOf(error).find(({ retryDelay }) => typeof retryDelay === 'string')?.retryDelay;
  return readWait(/^([\d.]+)s$/.exec(String(delay))?.[1]);
}
