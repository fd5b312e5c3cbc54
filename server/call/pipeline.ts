/**
 * Runs a request through all steps, in order: model and permission, candidates, conversation, money and limits, attempts, settlement (docs/lifecycle.md).
 */

import { assertCanCall, formatModelNotFound, mustNotStore } from '../access/permissions.ts';
import type { Principal } from '../access/principal.ts';
import type { Model } from '../config/config.ts';
import type { ModelCatalog } from '../config/model-catalog.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { UsageCeiling } from '../money/usage-ceiling.ts';
import { type CallCode, type CallName, GatewayError, type OperationError } from '../primitives/errors.ts';
import { findEndUser } from '../protocols/end-user.ts';
import { withoutStoring } from '../protocols/responses/continuation.ts';
import { shortenSession } from '../protocols/session-names.ts';
import { type Grant, type GrantRequest, openGrant } from './admission.ts';

import { AttemptFailed } from './attempt-failed.ts';
import { chooseCandidates, findAffineSession, getNamedSession } from './candidates.ts';
import { isAborted, type RequestContext } from './context.ts';
import { type GrantedRequest, tryCandidates } from './failover.ts';
import type { ForwardedResponse } from './forwarded-response.ts';
import { failsOnDemand, type PreparedRequest, prepareFirst, transcode } from './prepare.ts';
import { replayRecorded } from './replay.ts';
import { getOperationName, isImage, type ParsedRequest } from './transcoder.ts';

/** A request with a known, permitted model. */
interface AdmittedRequest {
  readonly model: Model;
  readonly parsed: ParsedRequest;
}

/** Holds money and limit capacity for a request, until `completeCall` settles it. */
export async function openCall(gateway: Gateway, call: RequestContext, received: ParsedRequest): Promise<GrantedRequest> {
  const { model, parsed } = admit(gateway, call, received);
  const { recordings } = gateway;
  const callRecording = recordings?.kind === 'record' ? recordings.begin(received, listSecrets(call)) : null;
  const named = getNamedSession(call, parsed);
  call.outcome.session = named === null ? null : shortenSession(named);
  call.outcome.endUser = findEndUser(parsed.body.value);
  const session = findAffineSession(gateway, call, { parsed, named });
  const candidates = await chooseCandidates(gateway, call, { parsed, model, session });
  const first = await prepareFirst(gateway, call, parsed, candidates);
  rejectDroppedFields(gateway, first);
  const grant = await openGrant(gateway, call, toGrantRequest(parsed, first, failsOnDemand(gateway, call, first)));
  return { parsed, session, candidates, first, callRecording, grant };
}

/** A strict simulator rejects what a provider might reject. */
function rejectDroppedFields({ config }: Gateway, { model, dropped: [param] }: PreparedRequest): void {
  const upstream = config.upstreams[model.upstream];
  if (param === undefined || upstream?.kind !== 'simulator' || upstream.strict !== true) return;
  const message = `Unknown parameter: '${param}'. The gateway would omit it, and this simulator is strict.`;
  throw new GatewayError<CallCode>('unknown_parameter', { param, message });
}

/** Calls the candidates and settles the request. Ends the grant in any case. */
export async function completeCall(gateway: Gateway, call: RequestContext, granted: GrantedRequest): Promise<ForwardedResponse> {
  const { parsed, first, callRecording, grant } = granted;
  try {
    const ready = grant.outputLimit === null ? first : await transcode(gateway, call, parsed, { ...first, limit: grant.outputLimit });
    const response = await tryCandidates(gateway, call, { ...granted, first: ready });
    if (response.kind === 'whole') callRecording?.recordResponse(response.bytes);
    return response;
  } catch (thrown) {
    const error = await endGrant(grant, call, thrown);
    if (error instanceof GatewayError && !call.isGone) callRecording?.recordError(error);
    throw error;
  }
}

export async function runPipeline(gateway: Gateway, call: RequestContext, received: ParsedRequest): Promise<ForwardedResponse> {
  const { recordings, log } = gateway;
  if (recordings?.kind === 'replay') {
    admit(gateway, call, received);
    return await replayRecorded(recordings, log, call, received);
  }
  return await completeCall(gateway, call, await openCall(gateway, call, received));
}

/** Finds the model (404) and checks the permission (403). Sets `store: false` for a key that must not store responses. */
export function admit(gateway: Gateway, call: RequestContext, parsed: ParsedRequest): AdmittedRequest {
  const { operation, body } = parsed;
  const id = String(body.value.model);
  const model = gateway.catalog.find(id);
  const { principal } = call;
  if (!principal) throw new GatewayError<CallCode>('invalid_api_key');
  if (!model) throw createUnknownModelError(id, principal, gateway.catalog);
  // Set before the permission check, so that the log of a rejected request names the model.
  call.outcome.model = model;
  assertCanCall(principal, model, getOperationName(parsed));
  if (operation !== 'createResponse' || body.kind !== 'json' || !mustNotStore(principal, body.value.store)) return { model, parsed };
  return { model, parsed: { operation, body: withoutStoring(body) } };
}

export const createUnknownModelError = (id: string, principal: Principal, catalog: ModelCatalog): OperationError<CallName, 404> =>
  new GatewayError('model_not_found', { param: 'model', message: formatModelNotFound(id, principal, catalog) });

/** The caller's secrets, which a recording must not contain. */
const listSecrets = ({ headers: { authorization = '' } }: RequestContext): readonly string[] => [authorization.replace(/^Bearer\s+/i, '')];

export function toGrantRequest(parsed: ParsedRequest, { model, transcoder }: PreparedRequest, isFree: boolean): GrantRequest {
  const sent = { request: parsed.body.value, body: transcoder.body, isImage: isImage(parsed), operation: parsed.operation };
  return { model, operation: getOperationName(parsed), isFree, ceiling: new UsageCeiling(sent, model) };
}

/** Ends the grant of a failed request. Charges the usage of the last attempt, and nothing for earlier ones. A grant that has ended stays unchanged. */
async function endGrant(grant: Grant, call: RequestContext, thrown: unknown): Promise<unknown> {
  const failed = thrown instanceof AttemptFailed ? thrown : null;
  const outcome = isAborted(call) && !failed?.evidence ? 'client_disconnected' : 'failed';
  await grant.settle(failed?.evidence ?? null, outcome);
  return failed?.error ?? thrown;
}
