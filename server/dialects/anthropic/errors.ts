/** Reads what an Anthropic upstream says went wrong, as an answer of its own or inside a stream. */
import type { Fields } from '../../../contract/rule.ts';
import type { GatewayError } from '../../errors.ts';
import { asError } from '../non-openai/failures.ts';
import { kindOf, readEnvelope, readErrorBody, statusBy } from '../vendor-envelope.ts';
import { readWait } from '../vendor-words.ts';

/** The status that each type of error has outside of streams. */
const statusOf: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};

interface Said {
  readonly type: string | null;
  readonly message: string;
}

function asSaid(error: Fields, kind?: string): Said {
  return { type: kindOf(error, kind), message: typeof error.message === 'string' ? error.message : '' };
}

/** An answer with a status that is not 2xx. */
export function readAnthropicFailure(status: number, body: string, retryAfter: string | undefined, kind?: string): GatewayError {
  const said = asSaid(readErrorBody(body), kind);
  // An overload has been seen under 500, too: then its type says more than its status.
  const isOverload = said.type === 'overloaded_error';
  return asError({ ...said, status: isOverload ? 529 : statusBy(said.type, status), waitSeconds: readWait(retryAfter) });
}

/** An error object inside an answer or a stream that began with status 200. */
export function readInnerFailure(value: unknown): GatewayError {
  const said = asSaid(readEnvelope(value));
  const status = said.type !== null && Object.hasOwn(statusOf, said.type) ? statusOf[said.type] : undefined;
  return asError({ ...said, status: status ?? 500, waitSeconds: null });
}
