/** Creates the hook that runs before the body is read: checks the key, its request rate, and the body's headers, and rejects a large body early. */

import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { findOperation } from '../../../contract/shared/operations.ts';
import type { Principal } from '../../access/principal.ts';
import { Admission } from '../../call/admission.ts';
import type { RequestContext } from '../../call/context.ts';
import { type EarlyCheck, rejectEarly } from '../../call/reject-early.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import { BODY_WEIGHT, type BodyMemory, type BodyShare, COMPRESSED_BODY_WEIGHT, FORM_WEIGHT } from '../../limits/body-memory.ts';
import { GatewayError, type KeyedCode, type OperationError, toGatewayError } from '../../primitives/errors.ts';
import { findBodyHeaderError, isCompressed, isForm } from '../http/body-headers.ts';
import { isJson } from '../http/json-parser.ts';
import { getRouteOptions } from '../http/route-options.ts';
import { findOwnRead, OwnReadLimiter } from './own-read-limiter.ts';

declare module 'fastify' {
  interface FastifyRequest {
    call: RequestContext;
  }
}

/** Returns the context of an authenticated request. */
export function getCall(request: FastifyRequest): RequestContext & { readonly principal: Principal } {
  const { call } = request;
  if (!call.principal) throw new GatewayError<KeyedCode>('invalid_api_key');
  // `as`: the check above ensures a principal.
  return call as RequestContext & { readonly principal: Principal };
}

/** Maximum decompressed bytes of a small body. Small bodies are always read, so that their errors are reported in the documented order. */
export const SMALL_BODY_BYTES = 64 * 1024;
/** Maximum compressed bytes of a small body, which can be a thousand times as large when decompressed. */
const SMALL_COMPRESSED_BYTES = 8 * 1024;

/** Whether the body is or may be larger than a small one, because its length isn't announced or it's compressed. */
function mayBeLarge(headers: IncomingHttpHeaders): boolean {
  const isUncompressed = (headers['content-encoding'] ?? 'identity').trim().toLowerCase() === 'identity';
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > (isUncompressed ? SMALL_BODY_BYTES : 0);
}

/** Lists the operations of a request: one under `/v1`, by its path, or several in a tRPC envelope. */
type ListOperations = (request: FastifyRequest) => readonly string[];

type AuthHook = (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => void;

interface AuthHookOptions {
  /** Lists the operations in a tRPC envelope. Defaults to the operation of the path. */
  readonly inEnvelope?: ListOperations;
  /** Identifies the caller. By default, by the key in the header. */
  readonly identify?: (request: FastifyRequest) => Principal | Promise<Principal>;
}

/**
 * Creates the `onRequest` hook. It uses a callback, so that a cached key with a small body passes without waiting for the event loop. A tRPC envelope
 * doesn't count against its key's request rate, because each call inside is admitted and counted separately. Reads of one's own account have a separate
 * limit.
 */
export function createAuthHook(gateway: Gateway, bodyMemory: BodyMemory, { inEnvelope, identify }: AuthHookOptions = {}): AuthHook {
  const listOperations = inEnvelope ?? getOperations;
  const ownReads = new OwnReadLimiter(Date.now);
  const authenticateKey = ({ headers, raw }: FastifyRequest) => gateway.authenticator.authenticate(headers.authorization, raw);
  const authenticateCaller = identify ?? authenticateKey;
  return (request, reply, done) => {
    const admit = (principal: Principal) => {
      const { call } = request;
      const admission = new Admission(gateway, call, principal);
      call.admission = admission;
      const ownRead = findOwnRead(request);
      const rateResult = inEnvelope
        ? undefined
        : tryCall(() => (ownRead ? ownReads.count(principal.keyId, ownRead) : admission.acquireRate()));
      if (rateResult instanceof Promise) rateResult.then(checkBody, done);
      else if (rateResult instanceof Error) done(rateResult);
      else checkBody();
    };
    const checkBody = () => {
      const headerError = findBodyHeaderError(request);
      const share = openShare(request, bodyMemory);
      if (headerError || !hasBody(request)) return finishBodyCheck(headerError);
      if (request.method !== 'POST') share.rejectEarly(bodyNotAllowedError, SMALL_BODY_BYTES * BODY_WEIGHT);
      else if (mayBeLarge(request.headers) && hasAcceptedType(request))
        return void checkBeforeBody(gateway, request, { bodyMemory, share, operations: listOperations(request) }).then(
          finishBodyCheck,
          done,
        );
      finishBodyCheck();
    };
    const finishBodyCheck = (error: GatewayError | null | undefined = null) => {
      if (!error && request.headers.expect?.toLowerCase() === '100-continue') reply.raw.writeContinue();
      done(error ?? undefined);
    };
    const authResult = tryCall(() => authenticateCaller(request));
    if (authResult instanceof Error) done(authResult);
    else if (authResult instanceof Promise) authResult.then(admit, done);
    else admit(authResult);
  };
}

const getOperations: ListOperations = (request) => [findOperation('POST', getRouteOptions(request).url ?? '') ?? ''];

/** Only these methods have a body that is read. */
const hasBody = ({ method }: FastifyRequest): boolean => method === 'POST' || method === 'DELETE';

const bodyNotAllowedError = (): OperationError<'deleteResponse', 413> =>
  new GatewayError('request_too_large', { message: "DELETE requests can't have a large body." });

/** Returns what `work` throws: a hook with a callback must pass errors on. */
function tryCall<T>(work: () => T): T | GatewayError {
  try {
    return work();
  } catch (thrown) {
    return toGatewayError(thrown);
  }
}

function openShare(request: FastifyRequest, bodyMemory: BodyMemory): BodyShare {
  const call = getCall(request);
  const share = bodyMemory.open(call.principal.keyId, () => {
    call.outcome.shed = 'memory';
  });
  // The caller may have disconnected during the key lookup. The close event has fired already, so check here.
  if (call.isGone) share.close();
  call.share = share;
  return share;
}

/** Frees the body's memory when the request is settled, which can be after its connection closes. */
export function closeShare({ call: { share, admission } }: FastifyRequest): void {
  if (!share) return;
  const settlement = admission?.settled;
  if (settlement) void settlement.then(() => share.close());
  else share.close();
}

/** Whether the route accepts the body's type. A body of another type is rejected unread. */
const hasAcceptedType = ({ headers, routeOptions: { config } }: FastifyRequest): boolean =>
  isJson(headers['content-type']) || (config.takesForms === true && isForm(headers));

/** Reserves memory for a large body. If the request must fail anyway, rejects the body unread or limits how much of it is read. */
async function checkBeforeBody(
  gateway: Gateway,
  request: FastifyRequest,
  { bodyMemory, share, operations }: { bodyMemory: BodyMemory; share: BodyShare; operations: readonly string[] },
): Promise<GatewayError | null> {
  const { headers } = request;
  share.beginReading();
  const createError = await findCommonError(gateway, operations, { call: getCall(request), bodyMemory });
  const contentLength = Number(headers['content-length'] ?? 0);
  const declaredLength = isCompressed(request) ? 0 : contentLength;
  const weight = isForm(headers) ? FORM_WEIGHT : isCompressed(request) ? COMPRESSED_BODY_WEIGHT : BODY_WEIGHT;
  if (!createError) return share.reserve(declaredLength * weight);
  share.endReading();
  if (contentLength > (isCompressed(request) ? SMALL_COMPRESSED_BYTES : SMALL_BODY_BYTES)) return createError();
  share.rejectEarly(createError, SMALL_BODY_BYTES * weight);
  return null;
}

/** Returns an error only if every operation in the envelope must fail. */
async function findCommonError(
  gateway: Gateway,
  operations: readonly string[],
  check: Omit<EarlyCheck, 'operation'>,
): Promise<CreateError | null> {
  let createError: CreateError | null = null;
  for (const operation of operations) {
    createError = await rejectEarly(gateway, { ...check, operation });
    if (!createError) return null;
  }
  return createError;
}
type CreateError = () => GatewayError;
