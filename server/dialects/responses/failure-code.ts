/** Codes that clients of the responses protocol know inside a failed response; coding agents decide by them whether to try again. */
import type { GatewayError } from '../../errors.ts';

export function failureCode(error: GatewayError): string {
  if (error.code === 'overloaded' || error.code === 'no_upstream_available') return 'server_is_overloaded';
  return error.status === 400 || error.status === 429 ? error.code : 'server_error';
}
