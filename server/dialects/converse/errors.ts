/** Reads what Converse says went wrong, as an answer of its own or inside a stream. */
import type { GatewayError } from '../../errors.ts';
import { readInnerFailure as readEventFailure } from '../anthropic/errors.ts';
import { asError } from '../non-openai/failures.ts';
import { kindOf, readErrorBody, statusBy } from '../vendor-envelope.ts';
import { readWait } from '../vendor-words.ts';

/** An answer with a status that is not 2xx; `kind` is AWS's name of the exception, out of a header. */
export function readConverseFailure(status: number, body: string, retryAfter: string | undefined, kind?: string): GatewayError {
  const error = readErrorBody(body);
  const type = kindOf(error, kind);
  const message = typeof error.message === 'string' ? error.message : '';
  return asError({ type, message, status: statusBy(type, status), waitSeconds: readWait(retryAfter) });
}

/** An exception inside a stream: the framing tells those of all models in one form. */
export const readInnerFailure = readEventFailure;
