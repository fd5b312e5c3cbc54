/** Orders the candidates of a request: a conversation returns to the upstream of its last answer, a session to its upstream (F12, F26). */
import type { Candidate, Model } from '../config/catalog.ts';
import { sessionNameOf } from '../dialects/asked/session.ts';
import { previousIdOf } from '../dialects/responses/continuation.ts';
import type { Gateway } from '../gateway.ts';
import { type Awaitable, after } from '../primitives/awaitable.ts';
import { inOrder } from '../upstreams/load-balancer.ts';
import type { RequestContext } from './context.ts';
import type { ParsedRequest } from './transcoder.ts';

interface Choice {
  readonly parsed: ParsedRequest;
  readonly model: Model;
  readonly session: string | null;
}

export function chooseCandidates(
  gateway: Gateway,
  call: RequestContext,
  { parsed, model, session }: Choice,
): Awaitable<readonly Candidate[]> {
  const candidates = gateway.catalog.candidates(model);
  if (candidates.length < 2) return candidates;
  const ordered = inOrder(candidates, session);
  return after(lastUpstreamOf(gateway, call, parsed), (lastUpstream) =>
    lastUpstream === null ? ordered : ordered.toSorted((a, b) => Number(b.upstream === lastUpstream) - Number(a.upstream === lastUpstream)),
  );
}

/** The session of a request: requests of one session use one candidate, and one of its keys. Null when there is none. */
export function sessionOf({ config }: Gateway, { principal }: RequestContext, { body }: ParsedRequest): string | null {
  const { affinity } = config.routing;
  if (affinity === 'none' || !principal) return null;
  const name = sessionNameOf(body.value);
  // Callers choose the name, so the account is part of the session: two accounts never share one.
  if (name !== null) return `${principal.accountId}\n${name}`;
  return affinity === 'key' ? principal.keyId : null;
}

/** The upstream of the response that the request continues: only that one can decrypt its own reasoning. Null when there is none. */
function lastUpstreamOf({ history }: Gateway, { principal }: RequestContext, { operation, body }: ParsedRequest): Awaitable<string | null> {
  const id = operation === 'createResponse' ? previousIdOf(body.value) : null;
  if (id === null || !principal) return null;
  // An error here changes the order only. Loading the conversation reports a missing response.
  return history.upstreamOf(principal.accountId, id).catch(() => null);
}
