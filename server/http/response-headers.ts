/** The headers of answers, by the contract's names: any other name does not compile. Those about limits, attempts and cost are on every answer under `/v1`. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ResponseHeader } from '../../contract/headers.ts';
import { formatDollars } from '../ledger/money.ts';
import type { Windows } from '../limits/limiter.ts';
import type { RequestContext } from '../request/context.ts';
import { describeAttempts } from '../upstreams/failure-classification.ts';

export function setHeader(reply: FastifyReply, name: ResponseHeader, value: string | number): void {
  reply.header(name, value);
}

/** Names in `x-modelgate-ignored` what the upstream was not sent. */
export function tellIgnored({ outcome: { ignored } }: RequestContext, reply: FastifyReply): void {
  if (ignored.length > 0) setHeader(reply, 'x-modelgate-ignored', ignored.join(', '));
}

export function tellGovernance(scope: FastifyInstance): void {
  scope.addHook('onSend', (request, reply, payload, done) => {
    const { cost, attempts, outputLimit, isReplayed } = request.call.outcome;
    if (attempts.length > 0) setHeader(reply, 'x-modelgate-attempts', describeAttempts(attempts));
    if (outputLimit !== null) setHeader(reply, 'x-modelgate-output-limit', outputLimit);
    const windows = request.call.outcome.tellWindows();
    if (windows) tell(reply, windows);
    if (isReplayed) setHeader(reply, 'idempotent-replayed', 'true');
    // The cost of a stream is not known yet when its headers are sent.
    if (cost !== null) setHeader(reply, 'x-modelgate-cost', formatDollars(cost));
    done(null, payload);
  });
}

function tell(reply: FastifyReply, { requests, tokens }: Windows): void {
  if (requests) {
    setHeader(reply, 'x-ratelimit-limit-requests', requests.limit);
    setHeader(reply, 'x-ratelimit-remaining-requests', requests.remaining);
    setHeader(reply, 'x-ratelimit-reset-requests', duration(requests.resetMs));
  }
  if (tokens) {
    setHeader(reply, 'x-ratelimit-limit-tokens', tokens.limit);
    setHeader(reply, 'x-ratelimit-remaining-tokens', tokens.remaining);
    setHeader(reply, 'x-ratelimit-reset-tokens', duration(tokens.resetMs));
  }
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/** A duration in OpenAI's notation: `120ms`, `1.5s`, `1m0s`. */
export function duration(ms: number): string {
  if (ms < SECOND_MS) return `${ms}ms`;
  const minutes = Math.floor(ms / MINUTE_MS);
  const seconds = (ms - minutes * MINUTE_MS) / SECOND_MS;
  return minutes > 0 ? `${minutes}m${seconds}s` : `${seconds}s`;
}
