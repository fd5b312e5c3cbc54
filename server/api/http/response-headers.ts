/** Sets the response headers of a call: rate limits, cost, attempts, and dropped fields. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ResponseHeader } from '../../../contract/headers.ts';
import type { RequestContext } from '../../call/context.ts';
import type { Windows } from '../../limits/limiter.ts';
import { formatDollars } from '../../money/dollars.ts';
import { describeAttempts } from '../../providers/attempt-record.ts';

export function setHeader(reply: FastifyReply, name: ResponseHeader, value: string | number): void {
  reply.header(name, value);
}

/** Lists the fields not sent to the upstream in `x-modelgate-dropped`. */
export function setDroppedHeader({ outcome: { dropped } }: RequestContext, reply: FastifyReply): void {
  if (dropped.length > 0) setHeader(reply, 'x-modelgate-dropped', dropped.join(', '));
}

export function setResponseHeaders(scope: FastifyInstance): void {
  scope.addHook('onSend', (request, reply, payload, done) => {
    const { cost, attempts, protocol, outputLimit, isReplayed } = request.call.outcome;
    if (attempts.length > 0) setHeader(reply, 'x-modelgate-attempts', describeAttempts(attempts));
    if (protocol !== undefined) setHeader(reply, 'x-modelgate-protocol', protocol);
    if (outputLimit !== null) setHeader(reply, 'x-modelgate-output-limit', outputLimit);
    const windows = request.call.outcome.reportWindows();
    if (windows) setWindowHeaders(reply, windows);
    if (isReplayed) setHeader(reply, 'idempotent-replayed', 'true');
    // A stream's cost isn't known yet when its headers are sent.
    if (cost !== null) setHeader(reply, 'x-modelgate-cost', formatDollars(cost));
    done(null, payload);
  });
}

function setWindowHeaders(reply: FastifyReply, { requests, tokens }: Windows): void {
  if (requests) {
    setHeader(reply, 'x-ratelimit-limit-requests', requests.limit);
    setHeader(reply, 'x-ratelimit-remaining-requests', requests.remaining);
    setHeader(reply, 'x-ratelimit-reset-requests', formatDuration(requests.resetMs));
  }
  if (tokens) {
    setHeader(reply, 'x-ratelimit-limit-tokens', tokens.limit);
    setHeader(reply, 'x-ratelimit-remaining-tokens', tokens.remaining);
    setHeader(reply, 'x-ratelimit-reset-tokens', formatDuration(tokens.resetMs));
  }
}

const SECOND_MS = 1_000;

const MINUTE_MS = 60_000;

/** Formats a duration like OpenAI: `120ms`, `1.5s`, `1m0s`. */
export function formatDuration(ms: number): string {
  if (ms < SECOND_MS) return `${ms}ms`;
  const minutes = Math.floor(ms / MINUTE_MS);
  const seconds = (ms - minutes * MINUTE_MS) / SECOND_MS;
  return minutes > 0 ? `${minutes}m${seconds}s` : `${seconds}s`;
}
