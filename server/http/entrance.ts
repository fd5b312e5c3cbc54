/** The way into `/v1`: key, rate of the key, headers of the body, and what of a large body is worth reading; all of it before a byte of the body is read. */
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { operationAt } from '../../contract/operations.ts';
import type { Principal } from '../access/principal.ts';
import { asGatewayError, type ErrorOf, GatewayError } from '../errors.ts';
import type { Gateway } from '../gateway.ts';
import { type BodyMemory, type BodyShare, bodyWeight, formWeight, packedWeight } from '../limits/body-memory.ts';
import { passDoor } from '../request/admission.ts';
import { type Foreseen, foresee, mayBeLarge, SMALL_BODY, SMALL_PACKED } from '../request/early-refusal.ts';
import { isForm, isPacked, refuseBody } from './body/decompress.ts';
import { isJson } from './body/json.ts';
import { callOf } from './routes/context-of.ts';

/** What the body of an envelope holds calls of; under `/v1` the address says it. */
type OperationsOf = (request: FastifyRequest) => readonly string[];

type Entrance = (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => void;

/**
 * A hook of the callback kind: a key that was seen lately, with a small body, needs no turn of the event loop. An envelope takes nothing of the
 * rate of its key: each of its calls comes in by itself.
 */
export function openEntrance(gateway: Gateway, room: BodyMemory, inEnvelope?: OperationsOf): Entrance {
  const operationsOf = inEnvelope ?? operationOf;
  return (request, reply, done) => {
    const enter = (principal: Principal) => {
      const { call } = request;
      call.principal = principal;
      const passing = inEnvelope ? undefined : attempt(() => passDoor(gateway, call, principal));
      if (passing instanceof Promise) passing.then(lookAtBody, done);
      else if (passing instanceof Error) done(passing);
      else lookAtBody();
    };
    const lookAtBody = () => {
      const refusal = refuseBody(request);
      const share = openShare(request, room);
      if (refusal || !isWriting(request)) return takeBody(refusal);
      if (request.method !== 'POST') share.foresee(needless, SMALL_BODY * bodyWeight);
      else if (mayBeLarge(request.headers) && isRead(request))
        return void lookAhead(gateway, request, { room, share, operations: operationsOf(request) }).then(takeBody, done);
      takeBody();
    };
    const takeBody = (refusal: GatewayError | null | undefined = null) => {
      if (!refusal && request.headers.expect?.toLowerCase() === '100-continue') reply.raw.writeContinue();
      done(refusal ?? undefined);
    };
    const found = attempt(() => gateway.authenticator.authenticate(request.headers.authorization, request.raw));
    if (found instanceof Error) done(found);
    else if (found instanceof Promise) found.then(enter, done);
    else enter(found);
  };
}

const operationOf: OperationsOf = ({ routeOptions }) => [operationAt.get(`POST ${routeOptions.url}`) ?? ''];

/** Of a body that comes with any other method nothing is read. */
const isWriting = ({ method }: FastifyRequest): boolean => method === 'POST' || method === 'DELETE';

const needless = (): ErrorOf<'deleteResponse', 413> =>
  new GatewayError('request_too_large', { message: 'A DELETE takes no body, and this one is large.' });

/** What a call gives or throws, as a value: a hook of the callback kind has to hand errors on. */
function attempt<T>(work: () => T): T | GatewayError {
  try {
    return work();
  } catch (thrown) {
    return asGatewayError(thrown);
  }
}

function openShare(request: FastifyRequest, room: BodyMemory): BodyShare {
  const call = callOf(request);
  const share = room.open(call.principal.keyId, () => {
    call.shed = 'memory';
  });
  // Whoever left while the key was looked up was seen leaving when there was no share yet.
  if (call.isGone) share.close();
  call.share = share;
  return share;
}

/** The call has ended, be it later than its connection: nothing of its body is kept any more. */
export function closeShare({ call: { share, settled } }: FastifyRequest): void {
  if (!share) return;
  if (settled) void settled.then(() => share.close());
  else share.close();
}

/** A body of any other type is refused for that, and not read. */
const isRead = ({ headers, routeOptions: { config } }: FastifyRequest): boolean =>
  isJson(headers['content-type']) || (config.takesForms === true && isForm(headers));

interface Place {
  readonly room: BodyMemory;
  readonly share: BodyShare;
  readonly operations: readonly string[];
}

/** Refuses what nobody has to read, and bounds what is read of a call that will be refused all the same. */
async function lookAhead(gateway: Gateway, request: FastifyRequest, { room, share, operations }: Place): Promise<GatewayError | null> {
  const { headers } = request;
  share.beginReading();
  const refuse = await foreseeAll(gateway, operations, { call: callOf(request), room });
  const length = Number(headers['content-length'] ?? 0);
  const announced = isPacked(request) ? 0 : length;
  const weight = isForm(headers) ? formWeight : isPacked(request) ? packedWeight : bodyWeight;
  if (!refuse) return share.reserve(announced * weight);
  share.endReading();
  if (length > (isPacked(request) ? SMALL_PACKED : SMALL_BODY)) return refuse();
  share.foresee(refuse, SMALL_BODY * weight);
  return null;
}

/** A body is read for any one call in it that may be answered. */
async function foreseeAll(gateway: Gateway, operations: readonly string[], at: Omit<Foreseen, 'operation'>): Promise<Refuse | null> {
  let refuse: Refuse | null = null;
  for (const operation of operations) {
    refuse = await foresee(gateway, { ...at, operation });
    if (!refuse) return null;
  }
  return refuse;
}
type Refuse = () => GatewayError;
