/** Admits requests to `/v1` before their bodies are read: checks the key, its request rate and the body's headers, and refuses a large body early. */
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { isOwnRead, operationAt } from '../../contract/operations.ts';
import type { Principal } from '../access/principal.ts';
import { asGatewayError, type ErrorOf, GatewayError, type KeyedCode } from '../errors.ts';
import type { Gateway } from '../gateway.ts';
import { BODY_WEIGHT, type BodyMemory, type BodyShare, FORM_WEIGHT, PACKED_WEIGHT } from '../limits/body-memory.ts';
import { type OwnRead, OwnReads } from '../limits/own-reads.ts';
import { Admission } from '../request/admission.ts';
import type { RequestContext } from '../request/context.ts';
import { type Foreseen, foresee } from '../request/early-refusal.ts';
import { isForm, isPacked, refuseBody } from './body/decompress.ts';
import { isJson } from './body/json.ts';
import { routeOptionsOf } from './route-options.ts';

declare module 'fastify' {
  interface FastifyRequest {
    call: RequestContext;
  }
}

/** The context of a request that was let in. */
export function callOf(request: FastifyRequest): RequestContext & { readonly principal: Principal } {
  const { call } = request;
  if (!call.principal) throw new GatewayError<KeyedCode>('invalid_api_key');
  // It has a principal: checked above.
  return call as RequestContext & { readonly principal: Principal };
}

/** In bytes, decompressed: a body up to this size is always read, so that its mistakes are reported in the documented order. */
export const SMALL_BODY = 64 * 1024;
/** In bytes, compressed: the body may be a thousand times as large when decompressed. */
const SMALL_PACKED = 8 * 1024;

/** Whether a body is larger than that, or may be, because its length is not announced or it is compressed. */
function mayBeLarge(headers: IncomingHttpHeaders): boolean {
  const isPlain = (headers['content-encoding'] ?? 'identity').trim().toLowerCase() === 'identity';
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > (isPlain ? SMALL_BODY : 0);
}

/** The operations that a request calls: one under `/v1`, by its address; several in a tRPC envelope. */
type OperationsOf = (request: FastifyRequest) => readonly string[];

type Entrance = (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => void;

export interface EntranceOptions {
  /** The operations in a tRPC envelope. Absent: the one of the address. */
  readonly inEnvelope?: OperationsOf;
  /** Who calls. Absent: the holder of the key in the header. */
  readonly identify?: (request: FastifyRequest) => Principal | Promise<Principal>;
}

/**
 * Makes the `onRequest` hook. It takes a callback, so that a cached key with a small body passes without waiting for the event loop. A tRPC envelope
 * takes nothing from the request rate of its key: each call in it enters by itself and does. Reading the own bill has a bound of its own.
 */
export function openEntrance(gateway: Gateway, bodyMemory: BodyMemory, { inEnvelope, identify }: EntranceOptions = {}): Entrance {
  const operationsOf = inEnvelope ?? operationOf;
  const ownReads = new OwnReads(Date.now);
  const byKey = ({ headers, raw }: FastifyRequest) => gateway.authenticator.authenticate(headers.authorization, raw);
  const callerOf = identify ?? byKey;
  return (request, reply, done) => {
    const enter = (principal: Principal) => {
      const { call } = request;
      const admission = new Admission(gateway, call, principal);
      call.admission = admission;
      const read = ownReadOf(request);
      const passing = inEnvelope ? undefined : attempt(() => (read ? ownReads.count(principal.keyId, read) : admission.enter()));
      if (passing instanceof Promise) passing.then(lookAtBody, done);
      else if (passing instanceof Error) done(passing);
      else lookAtBody();
    };
    const lookAtBody = () => {
      const refusal = refuseBody(request);
      const share = openShare(request, bodyMemory);
      if (refusal || !isWriting(request)) return takeBody(refusal);
      if (request.method !== 'POST') share.foresee(needless, SMALL_BODY * BODY_WEIGHT);
      else if (mayBeLarge(request.headers) && isRead(request))
        return void lookAhead(gateway, request, { bodyMemory, share, operations: operationsOf(request) }).then(takeBody, done);
      takeBody();
    };
    const takeBody = (refusal: GatewayError | null | undefined = null) => {
      if (!refusal && request.headers.expect?.toLowerCase() === '100-continue') reply.raw.writeContinue();
      done(refusal ?? undefined);
    };
    const found = attempt(() => callerOf(request));
    if (found instanceof Error) done(found);
    else if (found instanceof Promise) found.then(enter, done);
    else enter(found);
  };
}

const operationOf: OperationsOf = (request) => [operationAt('POST', routeOptionsOf(request).url ?? '') ?? ''];

function ownReadOf(request: FastifyRequest): OwnRead | null {
  const { url = '' } = routeOptionsOf(request);
  if (!isOwnRead(request.method, url)) return null;
  return url.endsWith('/:request_id') ? 'receipt' : 'other';
}

/** Bodies are read with these methods only. */
const isWriting = ({ method }: FastifyRequest): boolean => method === 'POST' || method === 'DELETE';

const needless = (): ErrorOf<'deleteResponse', 413> =>
  new GatewayError('request_too_large', { message: 'A DELETE takes no body, and this one is large.' });

/** Returns what `work` throws: a hook with a callback has to pass errors on. */
function attempt<T>(work: () => T): T | GatewayError {
  try {
    return work();
  } catch (thrown) {
    return asGatewayError(thrown);
  }
}

function openShare(request: FastifyRequest, bodyMemory: BodyMemory): BodyShare {
  const call = callOf(request);
  const share = bodyMemory.open(call.principal.keyId, () => {
    call.outcome.shedFor('memory');
  });
  // The caller may have disconnected during the key look-up; the close event has fired already, so check here.
  if (call.isGone) share.close();
  call.share = share;
  return share;
}

/** Frees the memory of the body when the request is settled, which may be after its connection has closed. */
export function closeShare({ call: { share, admission } }: FastifyRequest): void {
  if (!share) return;
  const settled = admission?.settled;
  if (settled) void settled.then(() => share.close());
  else share.close();
}

/** Whether the body has a type that the route accepts. A body of another type is refused unread. */
const isRead = ({ headers, routeOptions: { config } }: FastifyRequest): boolean =>
  isJson(headers['content-type']) || (config.takesForms === true && isForm(headers));

interface LookAhead {
  readonly bodyMemory: BodyMemory;
  readonly share: BodyShare;
  readonly operations: readonly string[];
}

/** Reserves memory for a large body. When the request must fail anyway, refuses it unread or bounds how much of it is read. */
async function lookAhead(
  gateway: Gateway,
  request: FastifyRequest,
  { bodyMemory, share, operations }: LookAhead,
): Promise<GatewayError | null> {
  const { headers } = request;
  share.beginReading();
  const refuse = await foreseeAll(gateway, operations, { call: callOf(request), bodyMemory });
  const length = Number(headers['content-length'] ?? 0);
  const announced = isPacked(request) ? 0 : length;
  const weight = isForm(headers) ? FORM_WEIGHT : isPacked(request) ? PACKED_WEIGHT : BODY_WEIGHT;
  if (!refuse) return share.reserve(announced * weight);
  share.endReading();
  if (length > (isPacked(request) ? SMALL_PACKED : SMALL_BODY)) return refuse();
  share.foresee(refuse, SMALL_BODY * weight);
  return null;
}

/** Refuses an envelope only when every operation in it must fail. */
async function foreseeAll(gateway: Gateway, operations: readonly string[], at: Omit<Foreseen, 'operation'>): Promise<Refuse | null> {
  let refuse: Refuse | null = null;
  for (const operation of operations) {
    refuse = await foresee(gateway, { ...at, operation });
    if (!refuse) return null;
  }
  return refuse;
}
type Refuse = () => GatewayError;
