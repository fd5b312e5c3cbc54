/** Runs a request through all steps, in order: model and permission, candidates, conversation, money and limits, attempts, settling. docs/lifecycle.md draws them. */

import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { mustNotStore, permitCall } from '../access/permissions.ts';
import { Ceiling } from '../billing/cost-ceiling.ts';
import { estimateHold, type HoldEstimate, stillRunning } from '../billing/hold.ts';
import type { Candidate, Model } from '../config/config.ts';
import { previousIdOf, withoutStoring } from '../dialects/responses/read-request.ts';
import { sessionNameOf, sessionOf, shortNameOf } from '../dialects/session-names.ts';
import { type CallCode, type CallName, type ErrorOf, GatewayError, shown, storeFailed } from '../errors.ts';
import type { Gateway } from '../gateway.ts';
import { type Claim, type KeptAnswer, persist } from '../ledger/idempotency.ts';
import type { Posting } from '../ledger/store.ts';
import type { Windows } from '../limits/limiter.ts';
import type { Player } from '../recordings/player.ts';
import { type AskedCall, type CallRecording, playAnswer, type RecordedAnswer } from '../recordings/recorder.ts';
import type { Log } from '../telemetry/log.ts';
import { inOrder } from '../upstreams/circuit-breaker.ts';
import { filesOf } from '../upstreams/upstream.ts';
import { type Grant, type GrantOrder, holdRequestOf, limitsForCall, openGrant } from './admission.ts';
import { isAborted, runAttempt } from './attempt.ts';
import type { Keeping, RequestContext } from './context.ts';
import { AttemptFailed, accountOf, Failover, type ForwardedResponse, forward, forwardFrames, isAnswer, isFault } from './failover.ts';
import { failsOnDemand, isRefusal, type Prepared, passedTo, prepare, prepareFirst, transcode } from './prepare.ts';
import { isImage, type ParsedRequest } from './transcoder.ts';

/** A request whose model is known and allowed. */
interface Admitted {
  readonly model: Model;
  readonly parsed: ParsedRequest;
}

/** One whose candidates are in order, the first of which can take it. */
interface Routed {
  readonly parsed: ParsedRequest;
  readonly session: string | null;
  readonly candidates: readonly Candidate[];
  readonly first: Prepared;
  readonly tape: CallRecording | null;
}

/** One whose money is held and whose limits are taken. */
type Granted = Routed & { readonly grant: Grant };

export async function run(gateway: Gateway, call: RequestContext, asked: ParsedRequest): Promise<ForwardedResponse> {
  const { model, parsed } = admit(gateway, call, asked);
  const { recordings, log } = gateway;
  if (recordings?.kind === 'replay') return await replayRecorded(recordings, log, call, asked);
  const tape = recordings?.begin(asked, secretsOf(call)) ?? null;
  const named = namedSessionOf(call, parsed);
  call.outcome.belongsTo(named === null ? null : shortNameOf(named));
  const session = affineSessionOf(gateway, call, { parsed, named });
  const candidates = await chooseCandidates(gateway, call, { parsed, model, session });
  const first = await prepareFirst(gateway, call, parsed, candidates);
  const grant = await openGrant(gateway, call, grantOrderOf(parsed, first, failsOnDemand(gateway, call, first)));
  try {
    const ready = grant.outputLimit === null ? first : await transcode(gateway, call, parsed, { ...first, limit: grant.outputLimit });
    const answer = await tryCandidates(gateway, call, { parsed, session, candidates, first: ready, tape, grant });
    if (answer.kind === 'whole') tape?.whole(answer.bytes);
    return answer;
  } catch (thrown) {
    const error = await endGrant(grant, call, thrown);
    if (error instanceof GatewayError && !call.isGone) tape?.failed(error);
    throw error;
  }
}

/** Computes the order for admission by the same steps as a call, without holding or sending anything. */
export async function buildDryRunOrder(gateway: Gateway, call: RequestContext, asked: ParsedRequest): Promise<GrantOrder> {
  const { parsed, first } = await prepareDryRun(gateway, call, asked);
  return grantOrderOf(parsed, first, failsOnDemand(gateway, call, first));
}

/** The request as its first candidate would be sent it; nothing is held and nothing is sent. */
export async function prepareDryRun(
  gateway: Gateway,
  call: RequestContext,
  asked: ParsedRequest,
): Promise<Pick<Routed, 'parsed' | 'session' | 'first'>> {
  const { model, parsed } = admit(gateway, call, asked);
  const session = affineSessionOf(gateway, call, { parsed, named: namedSessionOf(call, parsed) });
  const candidates = await chooseCandidates(gateway, call, { parsed, model, session });
  return { parsed, session, first: await prepareFirst(gateway, call, parsed, candidates) };
}

/** Finds the model (404) and checks the permission (403). A key that must not store responses gets `store: false`. */
function admit(gateway: Gateway, call: RequestContext, parsed: ParsedRequest): Admitted {
  const { operation, body } = parsed;
  const id = String(body.value.model);
  const model = gateway.catalog.find(id);
  if (!model) throw unknownModel(id);
  const { principal } = call;
  if (!principal) throw new GatewayError<CallCode>('invalid_api_key');
  // Before the permission is checked, so that the log of a rejected call names the model.
  call.outcome.found(model);
  permitCall(principal, model, operation);
  if (operation !== 'createResponse' || body.kind !== 'json' || !mustNotStore(principal, body.value.store)) return { model, parsed };
  return { model, parsed: { operation, body: withoutStoring(body) } };
}

function unknownModel(id: string): ErrorOf<CallName, 404> {
  const message = `Model '${shown(id)}' not found. GET /v1/models lists the models this key can call.`;
  return new GatewayError('model_not_found', { param: 'model', message });
}

/** Checks that this key may read a kept response: another key of the account may have made the request. Throws 403. */
export function permitReplay({ catalog }: Gateway, { principal }: RequestContext, { operation, body }: ParsedRequest): void {
  const model = catalog.find(String(body.value.model));
  if (principal && model) permitCall(principal, model, operation);
}

/** The caller's secrets, which a recording must not hold. */
const secretsOf = ({ headers: { authorization = '' } }: RequestContext): readonly string[] => [authorization.replace(/^Bearer\s+/i, '')];

function grantOrderOf(parsed: ParsedRequest, { model, transcoder }: Prepared, isFree: boolean): GrantOrder {
  const sent = { asked: parsed.body.value, body: transcoder.body, isImage: isImage(parsed), operation: parsed.operation };
  return { model, operation: parsed.operation, isFree, ceiling: new Ceiling(sent, model) };
}

/** Tries one candidate after another until one answers; see `Failover`. Throws the last AttemptFailed. */
async function tryCandidates(gateway: Gateway, call: RequestContext, granted: Granted): Promise<ForwardedResponse> {
  const { parsed, session, candidates, first, tape, grant } = granted;
  const isStream = parsed.body.value.stream === true;
  const failover = new Failover(call, gateway, candidates.slice(candidates.indexOf(first.model)));
  let given: Prepared | null = first;
  for (let next = failover.next(); next !== null; next = isAborted(call) && failover.hasFailed ? null : failover.next()) {
    const { candidate, waitMs, isLastLeft, isTurned } = next;
    if (waitMs > 0) await pause(waitMs);
    // An attempt uses up its prepared parts: the next one needs its own ID and reader.
    const target = { model: candidate, limit: grant.outputLimit, isTurned };
    const ready = given?.model === candidate ? given : await prepareUnlessRejected(gateway, call, parsed, target);
    given = null;
    const pass = ready && gateway.health.enter(candidate, { account: accountOf(call), isLastLeft });
    if (!pass) {
      if (ready) failover.heldBack(candidate);
      else failover.passedOver(candidate);
      continue;
    }
    call.outcome.tried(candidate, ready.ignored, passedTo(ready));
    try {
      const { transcoder, recording } = ready;
      const answer = await runAttempt(gateway, call, { parsed, model: candidate, transcoder, recording, tape, grant, isStream, session });
      pass.succeeded();
      if (isTurned) noteTurn(gateway, call, candidate, parsed);
      call.outcome.endAttempt(200, null);
      return answer;
    } catch (thrown) {
      pass.failed({ isFault: isFault(thrown), isAnswer: isAnswer(thrown) });
      failover.failed(candidate, thrown);
    }
  }
  throw failover.error();
}

/** The next requests of this kind use that protocol immediately. */
function noteTurn({ protocols, log }: Gateway, { id, outcome }: RequestContext, candidate: Candidate, parsed: ParsedRequest): void {
  outcome.turned();
  const { upstream, id: model } = candidate;
  protocols.learn(candidate, parsed);
  log.info(
    { id, upstream, model, protocol: outcome.protocol },
    'provider rejects such calls over the protocol of the caller; using the other one',
  );
}

/** Null if the candidate can't take the request. */
async function prepareUnlessRejected(...request: Parameters<typeof prepare>): Promise<Prepared | null> {
  try {
    return await prepare(...request);
  } catch (thrown) {
    if (isRefusal(thrown)) return null;
    throw thrown;
  }
}

/** Ends the grant of a failed request: charges what the last attempt used, and nothing for the attempts before it. A grant that has ended already stays as it is. */
async function endGrant(grant: Grant, call: RequestContext, thrown: unknown): Promise<unknown> {
  const failed = thrown instanceof AttemptFailed ? thrown : null;
  if (failed?.evidence) await grant.settle(failed.evidence, 'failed');
  else await grant.release(isAborted(call) ? 'client_disconnected' : 'failed');
  return failed?.error ?? thrown;
}

/** Larger answers aren't kept: a retry then runs as a new request. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024;

/** Runs the request on the current snapshot of the gateway: a reload in the meantime affects later requests only. */
export async function runOnce(gateway: Gateway, call: RequestContext, parsed: ParsedRequest): Promise<ForwardedResponse> {
  const entered = gateway.enter();
  try {
    const header = call.header('idempotency-key');
    return await (header === undefined ? run(entered, call, parsed) : runKeyed(entered, call, parsed, header));
  } finally {
    // The snapshot may close now: everything for the upstream has been sent, and a response still under way keeps its connection open.
    entered.leave();
  }
}

async function runKeyed(
  gateway: Gateway,
  call: RequestContext,
  parsed: ParsedRequest,
  header: Parameters<typeof readKey>[0],
): Promise<ForwardedResponse> {
  const key = readKey(header);
  const accountId = call.principal?.accountId ?? '';
  const claim: Claim = { accountId, key, fingerprint: fingerprint(parsed), requestId: call.id, node: gateway.node };
  const found = await gateway.idempotency.find(claim).catch(storeFailed);
  switch (found.kind) {
    case 'free':
      return await runFirst(gateway, call, parsed, claim);
    case 'answered':
      permitReplay(gateway, call, parsed);
      call.outcome.replayed();
      return replayKept(found.answer);
    case 'running':
      throw stillRunning();
    case 'other_request':
      throw new GatewayError<CallCode>('invalid_value', {
        message: 'This idempotency key was used for a different request within the last 24 hours. Use a new key for each new request.',
      });
  }
}

async function runFirst(gateway: Gateway, call: RequestContext, parsed: ParsedRequest, claim: Claim): Promise<ForwardedResponse> {
  const once = new Once(gateway, claim);
  call.once = once;
  try {
    return await run(gateway, call, parsed);
  } catch (error) {
    await once.release();
    throw error;
  }
}

const MAX_LENGTH = 255;
const isVisible = (char: string): boolean => char >= '!' && char <= '~';

/** Throws `invalid_value` unless it has 1 to 255 visible characters. */
export function readKey(header: string | string[]): string {
  if (typeof header === 'string' && header !== '' && header.length <= MAX_LENGTH && [...header].every(isVisible)) return header;
  throw new GatewayError<CallCode>('invalid_value', {
    message: `The 'idempotency-key' header must contain one key of 1 to ${MAX_LENGTH} visible characters without spaces.`,
  });
}

function fingerprint({ operation, body }: ParsedRequest): string {
  if (body.kind === 'json') return fingerprintOf([operation, body.bytes]);
  const names = [body.images.length, ...Object.keys(body.overlays)].join();
  return fingerprintOf([operation, JSON.stringify(body.value), names, ...filesOf(body).map(({ bytes }) => bytes)]);
}

/** `parts`: the operation, then everything that was sent, as it was sent. */
export function fingerprintOf(parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest('base64url');
}

function replayKept({ contentType, bytes }: KeptAnswer): ForwardedResponse {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return contentType === EVENT_STREAM ? forwardFrames(Readable.from([buffer], { objectMode: false })) : forward(buffer);
}

const EVENT_STREAM = 'text/event-stream';

/** Larger answers are stored after their charge, and not with it. */
const MAX_KEPT_WITH_CHARGE = 256 * 1024;

/** Collects the response of the first request, and stores it before its end is sent to the caller: with the charge, or else after it. */
export class Once implements Keeping {
  readonly claim: Claim;
  readonly #gateway: Gateway;
  readonly #pieces: Buffer[] = [];
  #size = 0;
  #answer: KeptAnswer | null = null;
  /** The last frames of the response. */
  #end: Buffer | null = null;
  #isKept = false;
  /** Whether the key stays in use if the call fails: it has no hold, or it was charged. */
  #isOwed = false;

  constructor(gateway: Gateway, claim: Claim) {
    this.#gateway = gateway;
    this.claim = claim;
  }

  async claimAlone(): Promise<void> {
    const { idempotency } = this.#gateway;
    this.#isOwed = true;
    const isClaimed = await idempotency.claim(this.claim).catch(storeFailed);
    if (isClaimed) return;
    this.#isOwed = false;
    throw stillRunning();
  }

  /** Adds frames of a stream, as they are sent to the caller. */
  add(frames: Buffer): void {
    this.#size += frames.length;
    if (this.#size <= MAX_KEPT_BYTES) this.#pieces.push(frames);
  }

  /** Drops what was collected: the caller was sent none of it, and another attempt begins. */
  forget(): void {
    this.#pieces.length = 0;
    this.#size = 0;
    this.#answer = null;
  }

  foresee(end: Buffer): void {
    this.#end = end;
    this.#answer =
      this.#size + end.length > MAX_KEPT_BYTES ? null : { contentType: EVENT_STREAM, bytes: Buffer.concat([...this.#pieces, end]) };
  }

  foreseeWhole(bytes: Buffer): void {
    this.#answer = bytes.length > MAX_KEPT_BYTES ? null : { contentType: 'application/json', bytes };
  }

  toKeep(): Posting['keep'] {
    this.#isOwed = true;
    const answer = this.#answer;
    return answer && answer.bytes.length <= MAX_KEPT_WITH_CHARGE ? answer : undefined;
  }

  noteKept(kept: Posting['keep']): void {
    this.#isKept = kept !== undefined;
  }

  async seal(frames: Buffer): Promise<void> {
    if (this.#isKept) return;
    // A copy of all frames is made once.
    if (frames !== this.#end) this.foresee(frames);
    await this.sealWhole();
  }

  /** The request is charged already, so the caller must get the response even when the store is down. */
  async sealWhole(): Promise<void> {
    const answer = this.#answer;
    if (this.#isKept) return;
    const { idempotency } = this.#gateway;
    const write = () => (answer ? idempotency.keep(this.claim, answer) : idempotency.release(this.claim));
    await persist(write, answer?.bytes.length).catch((cause: unknown) =>
      this.#report(cause, 'response not stored for its idempotency key'),
    );
  }

  /** Frees the key for a retry: nothing was charged, or the response can't be kept. A hold that was given back frees it by itself. */
  async release(): Promise<void> {
    if (!this.#isOwed) return;
    const release = () => this.#gateway.idempotency.release(this.claim);
    await persist(release).catch((cause: unknown) => this.#report(cause, 'idempotency key not released'));
  }

  #report(cause: unknown, what: string): void {
    this.#gateway.log.error({ id: this.claim.requestId, err: cause }, what);
  }
}

interface Choice {
  readonly parsed: ParsedRequest;
  readonly model: Model;
  readonly session: string | null;
}

export async function chooseCandidates(
  gateway: Gateway,
  call: RequestContext,
  { parsed, model, session }: Choice,
): Promise<readonly Candidate[]> {
  const candidates = gateway.catalog.candidates(model);
  if (candidates.length < 2) return candidates;
  const ordered = inOrder(candidates, session);
  const last = await lastUpstreamOf(gateway, call, parsed);
  return last === null ? ordered : ordered.toSorted((a, b) => Number(b.upstream === last) - Number(a.upstream === last));
}

const namedSessionOf = ({ principal }: RequestContext, { body }: ParsedRequest): string | null =>
  principal && sessionOf(principal.accountId, body.value);

/** Requests of one session use one candidate, and one of its keys. Null without a session. */
function affineSessionOf(
  { config }: Gateway,
  { principal }: RequestContext,
  { parsed, named }: { readonly parsed: ParsedRequest; readonly named: string | null },
): string | null {
  const { affinity } = config.routing;
  if (affinity === 'none' || !principal) return null;
  return affinity === 'key' && sessionNameOf(parsed.body.value) === null ? principal.keyId : named;
}

/** The upstream of the response that the request continues: only that one can decrypt its own reasoning. Null for a new conversation. */
async function lastUpstreamOf(
  { history }: Gateway,
  { principal }: RequestContext,
  { operation, body }: ParsedRequest,
): Promise<string | null> {
  const id = operation === 'createResponse' ? previousIdOf(body.value) : null;
  if (id === null || !principal) return null;
  // An error here changes the order only. Loading the conversation reports a missing response.
  return await history.upstreamOf(principal.accountId, id).catch(() => null);
}

export async function replayRecorded(player: Player, log: Log, call: RequestContext, asked: AskedCall): Promise<ForwardedResponse> {
  await call.once?.claimAlone();
  call.outcome.beginAttempt('replay');
  const taken = player.take(asked);
  if ('nearest' in taken) {
    const { operation, body } = asked;
    log.warn(
      { id: call.id, operation, model: String(body.value.model), nearest: taken.nearest },
      'no recorded request matches this request',
    );
    call.outcome.endAttempt(null, taken.error.code);
    throw taken.error;
  }
  return await play(call, taken);
}

async function play(call: RequestContext, recorded: RecordedAnswer): Promise<ForwardedResponse> {
  const played = playAnswer(recorded);
  if (played.kind === 'error') {
    const { status, headers = {}, error } = played.answer;
    call.outcome.endAttempt(status, error.code);
    throw new GatewayError(error.code, { message: error.message, status, headers, ...(error.param !== null && { param: error.param }) });
  }
  call.outcome.endAttempt(200, null);
  call.outcome.ended('completed');
  if (played.kind === 'whole') {
    call.once?.foreseeWhole(played.bytes);
    await call.once?.sealWhole();
    return forward(played.bytes);
  }
  await call.once?.seal(Buffer.concat(played.frames));
  return forwardFrames(Readable.from(played.frames, { objectMode: false }));
}

export interface EstimatedRequest {
  /** Null if calls cost nothing, or this one does. */
  readonly money: HoldEstimate | null;
  readonly windows: Windows;
}

/** Throws what the call would be rejected with. `call` has a principal, and was never counted. */
export async function estimateRequest(gateway: Gateway, call: RequestContext, asked: ParsedRequest): Promise<EstimatedRequest> {
  const order = await buildDryRunOrder(gateway, call, asked);
  const request = holdRequestOf(gateway, call, order);
  const money = gateway.money && order.isFree !== true ? await estimateHold(gateway.money, request) : null;
  return { money, windows: await gateway.limits.look(limitsForCall(gateway, request.principal, order.model)) };
}
