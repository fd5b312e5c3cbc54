/** Which places a call may go to, in which order: a conversation goes to where its last answer came from, a session to where it was (F12, F26). */

import type { Candidate, Model } from '../config/catalog.ts';
import type { Gateway } from '../gateway.ts';
import { inOrder } from '../upstreams/load-balancer.ts';
import type { RequestContext } from './context.ts';
import type { ParsedRequest } from './transcoder.ts';

export async function route(gateway: Gateway, call: RequestContext, ask: ParsedRequest, model: Model): Promise<readonly Candidate[]> {
  const candidates = gateway.catalog.candidates(model);
  if (candidates.length < 2) return candidates;
  const ordered = inOrder(candidates, sessionOf(gateway, call, ask));
  const home = await homeOf(gateway, call, ask);
  return home === null ? ordered : ordered.toSorted((a, b) => Number(b.upstream === home) - Number(a.upstream === home));
}

/** Calls of one session keep to one place, and to one key there. */
export function sessionOf({ config }: Gateway, { principal }: RequestContext, { body }: ParsedRequest): string | null {
  const { affinity } = config.routing;
  if (affinity === 'none' || !principal) return null;
  const { prompt_cache_key: name } = body.value;
  // A name is the caller's own: the same one of another account is another session.
  if (typeof name === 'string' && name !== '') return `${principal.accountId}\n${name}`;
  return affinity === 'key' ? principal.keyId : null;
}

/** The upstream of the response that is gone on from: only it can read its own sealed thoughts. */
async function homeOf({ history }: Gateway, { principal }: RequestContext, { operation, body }: ParsedRequest): Promise<string | null> {
  const { previous_response_id: id } = body.value;
  if (operation !== 'createResponse' || typeof id !== 'string' || !principal) return null;
  // Whether it is there, is said when the conversation is read.
  return await history.upstreamOf(principal.accountId, id).catch(() => null);
}
