/** Error codes inside a failed response; coding agents decide by them whether and when to retry. */
import type { GatewayError } from '../../errors.ts';

/** The least wait to name: an upstream that is overloaded in the middle of an answer seldom recovers within a second. */
const ROOM_SECONDS = 5;

/**
 * Codex does not retry after `server_is_overloaded` ("Selected model is at capacity"). It waits and retries after a rate limit whose message
 * names the wait, so an overload is reported as one.
 */
export function failedAs(error: GatewayError): { readonly code: string; readonly message: string } {
  const { message } = error.body.error;
  if (error.code === 'overloaded' || error.code === 'no_upstream_available')
    return { code: 'rate_limit_exceeded', message: withWait(message, Math.max(secondsOf(error), ROOM_SECONDS)) };
  if (error.code === 'rate_limit_exceeded' && error.headers['retry-after'] !== undefined)
    return { code: error.code, message: withWait(message, secondsOf(error)) };
  return { code: error.status === 400 || error.status === 429 ? error.code : 'server_error', message };
}

/** The wait in whole seconds, at least one. */
const secondsOf = ({ headers }: GatewayError): number => Math.max(Math.ceil(Number(headers['retry-after'])) || 1, 1);

const withWait = (message: string, seconds: number): string =>
  /try again in \d/i.test(message) ? message : `${message} Try again in ${seconds}s.`;
