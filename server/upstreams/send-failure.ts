/** Maps an error of the connection to an upstream to an error of the contract. It compares codes, so that undici need not be loaded. */
import { type CallCode, GatewayError } from '../errors.ts';

/** Codes of undici's timeout errors. */
const timeouts: ReadonlySet<unknown> = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT']);

export function sendFailure(cause: unknown): GatewayError {
  if (cause instanceof GatewayError) return cause;
  const isTimeout = cause instanceof Error && 'code' in cause && timeouts.has(cause.code);
  return new GatewayError<CallCode>(isTimeout ? 'upstream_timeout' : 'upstream_error', { cause });
}
