/** Chooses the candidates of a request in order: load balancing, session affinity, and the upstream of the previous response. */

import type { Model } from '../config/config.ts';
import type { Candidate } from '../config/model-catalog.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { findPreviousId } from '../protocols/responses/continuation.ts';
import { findSessionId, findSessionName } from '../protocols/session-names.ts';
import { orderForLoadBalancing } from '../providers/load-balancing.ts';
import type { RequestContext } from './context.ts';
import type { ParsedRequest } from './transcoder.ts';

export async function chooseCandidates(
  gateway: Gateway,
  call: RequestContext,
  { parsed, model, session }: { parsed: ParsedRequest; model: Model; session: string | null },
): Promise<readonly Candidate[]> {
  const candidates = gateway.catalog.candidates(model);
  if (candidates.length < 2) return candidates;
  const ordered = orderForLoadBalancing(candidates, session);
  const last = await findLastUpstream(gateway, call, parsed);
  return last === null ? ordered : ordered.toSorted((a, b) => Number(b.upstream === last) - Number(a.upstream === last));
}

export const getNamedSession = ({ principal }: RequestContext, { body }: ParsedRequest): string | null =>
  principal && findSessionId(principal.accountId, body.value);

/** Requests of one session use the same candidate, and the same one of its keys. Null without a session. */
export function findAffineSession(
  { config }: Gateway,
  { principal }: RequestContext,
  { parsed, named }: { readonly parsed: ParsedRequest; readonly named: string | null },
): string | null {
  const { affinity } = config.routing;
  if (affinity === 'none' || !principal) return null;
  return affinity === 'key' && findSessionName(parsed.body.value) === null ? principal.keyId : named;
}

/** Finds the upstream of the previous response: only that upstream can decrypt its own reasoning. Null for a new conversation. */
async function findLastUpstream(
  { history }: Gateway,
  { principal }: RequestContext,
  { operation, body }: ParsedRequest,
): Promise<string | null> {
  const id = operation === 'createResponse' ? findPreviousId(body.value) : null;
  if (id === null || !principal) return null;
  // An error here only affects the order. Loading the conversation reports a missing response.
  return await history.findUpstream(principal.accountId, id).catch(() => null);
}
