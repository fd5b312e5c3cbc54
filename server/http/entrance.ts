/** Admits requests to `/v1` before their bodies are read: checks the key, its request rate and the body's headers, and rejects a large body early. */
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import type { ImageEditRequest } from '../../contract/images.ts';
import { isOwnRead, operationAt } from '../../contract/shared/operations.ts';
import type { Principal } from '../access/store.ts';
import { withStandIns } from '../dialects/chat/relay.ts';
import { rejectNewer } from '../dialects/turn/newer.ts';
import { asGatewayError, type ErrorOf, GatewayError, type KeyedCode, tryAgainIn } from '../errors.ts';
import type { Gateway } from '../gateway.ts';
import { BODY_WEIGHT, type BodyMemory, type BodyShare, FORM_WEIGHT, PACKED_WEIGHT } from '../limits/body-memory.ts';
import { isFields } from '../primitives/fields.ts';
import { Admission } from '../request/admission.ts';
import type { RequestContext } from '../request/context.ts';
import { type Foreseen, rejectEarly } from '../request/early-refusal.ts';
import type { ForwardedResponse } from '../request/failover.ts';
import { runOnce } from '../request/pipeline.ts';
import type { Operation } from '../upstreams/upstream.ts';
import { setIgnoredHeader } from './answer.ts';
import { isForm, isJson, isPacked, jsonBodyOf, rejectBody } from './body.ts';
import { checkImage, checkMask, formOf, readDataUrl } from './form.ts';
import { routeOptionsOf } from './load-shedding.ts';
import type { AdapterOptions, Handlers } from './ts-rest.ts';

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

/** Whether a body is larger than that, or may be, because its length isn't announced or it is compressed. */
function mayBeLarge(headers: IncomingHttpHeaders): boolean {
  const isPlain = (headers['content-encoding'] ?? 'identity').trim().toLowerCase() === 'identity';
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > (isPlain ? SMALL_BODY : 0);
}

/** The operations that a request calls: one under `/v1`, by its address; several in a tRPC envelope. */
type OperationsOf = (request: FastifyRequest) => readonly string[];

type Entrance = (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => void;

export interface EntranceOptions {
  /** The operations in a tRPC envelope. Defaults to the operation of the path. */
  readonly inEnvelope?: OperationsOf;
  /** The caller. Defaults to the owner of the key in the header. */
  readonly identify?: (request: FastifyRequest) => Principal | Promise<Principal>;
}

/**
 * Makes the `onRequest` hook. It takes a callback, so that a cached key with a small body passes without waiting for the event loop. A tRPC envelope
 * takes nothing from the request rate of its key: each call in it enters by itself and does. Reading one's own bill has a separate limit.
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
      const refusal = rejectBody(request);
      const share = openShare(request, bodyMemory);
      if (refusal || !isWriting(request)) return takeBody(refusal);
      if (request.method !== 'POST') share.rejectEarly(bodyNotAllowedError, SMALL_BODY * BODY_WEIGHT);
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

const bodyNotAllowedError = (): ErrorOf<'deleteResponse', 413> =>
  new GatewayError('request_too_large', { message: "DELETE requests can't have a large body." });

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

/** Whether the body has a type that the route accepts. A body of another type is rejected unread. */
const isRead = ({ headers, routeOptions: { config } }: FastifyRequest): boolean =>
  isJson(headers['content-type']) || (config.takesForms === true && isForm(headers));

interface LookAhead {
  readonly bodyMemory: BodyMemory;
  readonly share: BodyShare;
  readonly operations: readonly string[];
}

/** Reserves memory for a large body. When the request must fail anyway, rejects it unread or bounds how much of it is read. */
async function lookAhead(
  gateway: Gateway,
  request: FastifyRequest,
  { bodyMemory, share, operations }: LookAhead,
): Promise<GatewayError | null> {
  const { headers } = request;
  share.beginReading();
  const createError = await foreseeAll(gateway, operations, { call: callOf(request), bodyMemory });
  const length = Number(headers['content-length'] ?? 0);
  const announced = isPacked(request) ? 0 : length;
  const weight = isForm(headers) ? FORM_WEIGHT : isPacked(request) ? PACKED_WEIGHT : BODY_WEIGHT;
  if (!createError) return share.reserve(announced * weight);
  share.endReading();
  if (length > (isPacked(request) ? SMALL_PACKED : SMALL_BODY)) return createError();
  share.rejectEarly(createError, SMALL_BODY * weight);
  return null;
}

/** Rejects an envelope only when every operation in it must fail. */
async function foreseeAll(gateway: Gateway, operations: readonly string[], at: Omit<Foreseen, 'operation'>): Promise<CreateError | null> {
  let createError: CreateError | null = null;
  for (const operation of operations) {
    createError = await rejectEarly(gateway, { ...at, operation });
    if (!createError) return null;
  }
  return createError;
}
type CreateError = () => GatewayError;

const MINUTE_MS = 60_000;
/** A page that is open asks every few seconds; a program needs far less. */
export const MAX_OWN_READS = 120;
/** Receipts that count as much as one other read: a program may need one for each of its calls, and each is looked up by ID. */
export const RECEIPTS_PER_READ = 50;
/** Keys that are remembered; the one that began first is forgotten first. */
const MAX_KEYS = 10_000;

/** `receipt`: of one call. */
export type OwnRead = 'receipt' | 'other';

interface Reads {
  readonly since: number;
  /** In receipts. */
  weight: number;
}

export class OwnReads {
  readonly #now: () => number;
  readonly #reads = new Map<string, Reads>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Counts a read. Throws `rate_limit_exceeded` for more than the bound within a minute. */
  count(keyId: string, read: OwnRead): void {
    const weight = read === 'receipt' ? 1 : RECEIPTS_PER_READ;
    const reads = this.#reads.get(keyId);
    const now = this.#now();
    const passed = reads === undefined ? MINUTE_MS : now - reads.since;
    // A clock that was set back would make a minute last too long.
    if (reads === undefined || passed < 0 || passed >= MINUTE_MS) {
      this.#begin(keyId, { since: now, weight });
      return;
    }
    if (reads.weight + weight > MAX_OWN_READS * RECEIPTS_PER_READ) throw tooMany(MINUTE_MS - passed);
    reads.weight += weight;
  }

  #begin(keyId: string, reads: Reads): void {
    this.#reads.delete(keyId);
    const [oldest] = this.#reads.keys();
    if (this.#reads.size >= MAX_KEYS && oldest !== undefined) this.#reads.delete(oldest);
    this.#reads.set(keyId, reads);
  }
}

function tooMany(waitMs: number): GatewayError {
  const seconds = Math.ceil(waitMs / 1_000);
  return new GatewayError<KeyedCode>('rate_limit_exceeded', {
    message: `Too many account reads: a key can make ${MAX_OWN_READS} per minute, or ${(MAX_OWN_READS * RECEIPTS_PER_READ).toLocaleString('en')} receipts. ${tryAgainIn(seconds)}`,
    headers: { 'retry-after': String(seconds), 'retry-after-ms': String(waitMs) },
  });
}

/** Checks the bytes of images in data URLs; the contract has checked only that they are data URLs. */
function checkPictures({ images, mask }: ImageEditRequest): void {
  const decoded = images.map(({ image_url }, index) => {
    const param = `images[${index}].image_url`;
    const bytes = readDataUrl(image_url ?? '', param);
    checkImage(bytes, param);
    return bytes;
  });
  if (mask) checkMask(readDataUrl(mask.image_url ?? '', 'mask.image_url'), decoded[0]);
}

export function imageHandlers(gateway: Gateway): Handlers<'generateImages' | 'editImages'> {
  const handle = async (parsed: Parameters<typeof runOnce>[2], request: FastifyRequest, reply: FastifyReply) => {
    const call = callOf(request);
    const answer = await runOnce(gateway, call, parsed);
    setIgnoredHeader(call, reply);
    return answer;
  };
  return {
    async generateImages({ request, reply, pass }) {
      return pass(reply, await handle({ operation: 'generateImages', body: jsonBodyOf(request) }, request, reply));
    },
    async editImages({ request, reply, body, pass }) {
      const form = formOf(request);
      if (!form) checkPictures(body);
      return pass(reply, await handle({ operation: 'editImages', body: form ?? jsonBodyOf(request) }, request, reply));
    },
  };
}

interface Passing<A> {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly pass: (reply: FastifyReply, answer: ForwardedResponse) => A;
}

export function textHandlers(gateway: Gateway): Handlers<'createChatCompletion' | 'createResponse'> {
  const handle = async <A>(operation: 'createChatCompletion' | 'createResponse', { request, reply, pass }: Passing<A>): Promise<A> => {
    const call = callOf(request);
    const answer = await runOnce(gateway, call, { operation, body: jsonBodyOf(request) });
    setIgnoredHeader(call, reply);
    return pass(reply, answer);
  };
  return {
    createChatCompletion: (context) => handle('createChatCompletion', context),
    createResponse: (context) => handle('createResponse', context),
  };
}

type Text = 'createChatCompletion' | 'createResponse';

export const checkingCopies = (gateway: Gateway, operation: Text): Pick<AdapterOptions, 'beforeCheck' | 'explain'> => ({
  beforeCheck: (request) => replaceBody(gateway, operation, request),
  ...(operation === 'createChatCompletion' && { explain: (refusal, request) => namingModels(gateway, refusal, request.body) }),
});

/** Gives the contract a body that it can check; the pipeline reads the one that was sent. */
function replaceBody(gateway: Gateway, operation: Text, request: FastifyRequest): void {
  const { body } = request;
  const checkable = checkableBody(gateway, operation, body);
  if (checkable === body || !isFields(body)) return;
  request.bodyAsSent = body;
  request.body = checkable;
}

const protocols = { createResponse: 'responses', createChatCompletion: 'chat' } as const;

/** The body of a request as the contract can check it. Throws 400 for values that are newer than the contract where no upstream of the model has this API. */
export function checkableBody({ catalog, config }: Gateway, operation: Operation, body: unknown): unknown {
  if (operation !== 'createResponse' && operation !== 'createChatCompletion') return body;
  if (!isFields(body) || typeof body.model !== 'string') return body;
  const model = catalog.find(body.model);
  if (model === undefined) return body;
  const isTaken = catalog
    .candidates(model)
    .some((one) => one.protocols.includes(protocols[operation]) && config.upstreams[one.upstream]?.kind !== 'simulator');
  if (!isTaken) rejectNewer(body, operation);
  return operation === 'createChatCompletion' && model.accepts ? withStandIns(body, model.accepts).body : body;
}

const MAX_NAMED = 5;

/** A refusal of the contract, with the models that take the value, where there are some. */
function namingModels({ catalog }: Gateway, refusal: GatewayError, body: unknown): GatewayError {
  if (!isFields(body) || refusal.param === null) return refusal;
  const isMeant = (param: string): boolean => param === refusal.param || param.startsWith(`${refusal.param}.`);
  const names = catalog.list().flatMap(({ id, accepts }) => {
    const takesIt = accepts !== undefined && withStandIns(body, accepts).found.some(({ param }) => isMeant(param));
    return takesIt ? [`'${id}'`] : [];
  });
  if (names.length === 0) return refusal;
  const more = names.length > MAX_NAMED ? ', …' : '';
  const message = `${refusal.message} Only these models accept it: ${names.slice(0, MAX_NAMED).join(', ')}${more}.`;
  return new GatewayError(refusal.code, { param: refusal.param, message });
}
