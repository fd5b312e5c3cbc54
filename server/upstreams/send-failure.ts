/** What went wrong on the way to an upstream or back, in the words of the contract; known by codes, so that nobody loads undici to ask. */
import { type CallCode, GatewayError } from '../errors.ts';

/** Of undici. */
const timeouts: ReadonlySet<unknown> = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT']);

export function sendFailure(cause: unknown): GatewayError {
  if (cause instanceof GatewayError) return cause;
  const isTimeout = cause instanceof Error && 'code' in cause && timeouts.has(cause.code);
  return new GatewayError<CallCode>(isTimeout ? 'upstream_timeout' : 'upstream_error', { cause });
}
