/** What a caller is told of limits and money on every answer under `/v1` (specification part 8). */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { formatDollars } from '../ledger/money.ts';
import type { Windows } from '../limits/limits.ts';
import { describeAttempts } from '../upstreams/attempt.ts';

export function tellGovernance(scope: FastifyInstance): void {
  scope.addHook('onSend', (request, reply, payload, done) => {
    const { windows, cost, attempts, outputLimit } = request.call;
    if (attempts.length > 0) reply.header('x-modelgate-attempts', describeAttempts(attempts));
    if (outputLimit !== null) reply.header('x-modelgate-output-limit', outputLimit);
    if (windows) tell(reply, windows);
    if (request.call.isReplayed) reply.header('idempotent-replayed', 'true');
    // Of a stream nobody knows yet.
    if (cost !== null) reply.header('x-modelgate-cost', formatDollars(cost));
    done(null, payload);
  });
}

function tell(reply: FastifyReply, { requests, tokens }: Windows): void {
  if (requests) {
    reply.header('x-ratelimit-limit-requests', requests.limit);
    reply.header('x-ratelimit-remaining-requests', requests.remaining);
    reply.header('x-ratelimit-reset-requests', duration(requests.resetMs));
  }
  if (tokens) {
    reply.header('x-ratelimit-limit-tokens', tokens.limit);
    reply.header('x-ratelimit-remaining-tokens', tokens.remaining);
    reply.header('x-ratelimit-reset-tokens', duration(tokens.resetMs));
  }
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/** As OpenAI writes it: `120ms`, `1.5s`, `1m0s`. */
export function duration(ms: number): string {
  if (ms < SECOND_MS) return `${ms}ms`;
  const minutes = Math.floor(ms / MINUTE_MS);
  const seconds = (ms - minutes * MINUTE_MS) / SECOND_MS;
  return minutes > 0 ? `${minutes}m${seconds}s` : `${seconds}s`;
}
