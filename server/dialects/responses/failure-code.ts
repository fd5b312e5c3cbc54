/** Codes that clients of the responses protocol know inside a failed response; coding agents decide by them whether to try again, and when. */
import type { GatewayError } from '../../errors.ts';

/** Who has no room in the middle of an answer seldom has some a second later. */
const ROOM_SECONDS = 5;

/**
 * For want of room Codex gives up at once (`server_is_overloaded`: "Selected model is at capacity"), where it could well try again. What makes it
 * wait and try again is a rate limit whose message says for how long.
 */
export function failedAs(error: GatewayError): { readonly code: string; readonly message: string } {
  const { message } = error.body.error;
  if (error.code === 'overloaded' || error.code === 'no_upstream_available')
    return { code: 'rate_limit_exceeded', message: withWait(message, Math.max(secondsOf(error), ROOM_SECONDS)) };
  if (error.code === 'rate_limit_exceeded' && error.headers['retry-after'] !== undefined)
    return { code: error.code, message: withWait(message, secondsOf(error)) };
  return { code: error.status === 400 || error.status === 429 ? error.code : 'server_error', message };
}

/** Whole, at least one. */
const secondsOf = ({ headers }: GatewayError): number => Math.max(Math.ceil(Number(headers['retry-after'])) || 1, 1);

const withWait = (message: string, seconds: number): string =>
  /try again in \d/i.test(message) ? message : `${message} Try again in ${seconds}s.`;
