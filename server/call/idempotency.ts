/** Runs a request once per idempotency key. A retry gets the stored response. */

import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { assertCanCall } from '../access/permissions.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { createKeyInUseError } from '../money/hold.ts';
import { type IdempotencyClaim, persist, type StoredResult } from '../money/idempotency.ts';
import type { Posting } from '../money/store.ts';
import { type CallCode, GatewayError, throwStoreDown } from '../primitives/errors.ts';
import { getFormFiles } from '../providers/upstream.ts';
import { isBackground, startBackgroundResponse } from './background-response.ts';
import { getAccountId, type IdempotentRequest, type RequestContext } from './context.ts';
import type { ForwardedResponse } from './forwarded-response.ts';
import { runPipeline } from './pipeline.ts';
import { getOperationName, type ParsedRequest } from './transcoder.ts';

/** Checks that this key can read the stored response, since another key of the account may have made the request. Throws 403. */
function permitReplay({ catalog }: Gateway, { principal }: RequestContext, parsed: ParsedRequest): void {
  const model = catalog.find(String(parsed.body.value.model));
  if (principal && model) assertCanCall(principal, model, getOperationName(parsed));
}

/** Larger responses aren't stored, so a retry runs as a new request. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024;

/** Runs the request on the current gateway snapshot: a reload while it runs affects later requests only. */
export async function runWithIdempotency(gateway: Gateway, call: RequestContext, parsed: ParsedRequest): Promise<ForwardedResponse> {
  const entered = gateway.acquire();
  try {
    const header = call.header('idempotency-key');
    return await (header === undefined ? run(entered, call, parsed) : runKeyed(entered, call, parsed, header));
  } finally {
    // The snapshot can close now: everything for the upstream has been sent, and a response in flight keeps its connection open.
    entered.release();
  }
}

const run = (gateway: Gateway, call: RequestContext, parsed: ParsedRequest): Promise<ForwardedResponse> =>
  isBackground(parsed) ? startBackgroundResponse(gateway, call, parsed) : runPipeline(gateway, call, parsed);

async function runKeyed(
  gateway: Gateway,
  call: RequestContext,
  parsed: ParsedRequest,
  header: Parameters<typeof readIdempotencyKey>[0],
): Promise<ForwardedResponse> {
  const key = readIdempotencyKey(header);
  const accountId = getAccountId(call);
  const claim: IdempotencyClaim = { accountId, key, fingerprint: computeFingerprint(parsed), requestId: call.id, node: gateway.node };
  const found = await gateway.idempotency.find(claim).catch(throwStoreDown);
  switch (found.kind) {
    case 'free':
      return await runFirst(gateway, call, parsed, claim);
    case 'answered':
      permitReplay(gateway, call, parsed);
      call.outcome.isReplayed = true;
      return replayStored(found.answer);
    case 'running':
      throw createKeyInUseError();
    case 'other_request':
      throw new GatewayError<CallCode>('idempotency_key_reused', {
        message: 'This idempotency key was used for a different request within the last 24 hours. Use a new key for each new request.',
      });
  }
}

async function runFirst(
  gateway: Gateway,
  call: RequestContext,
  parsed: ParsedRequest,
  claim: IdempotencyClaim,
): Promise<ForwardedResponse> {
  const idempotentRequest = new KeyedRequest(gateway, claim);
  call.idempotentRequest = idempotentRequest;
  try {
    return await run(gateway, call, parsed);
  } catch (error) {
    await idempotentRequest.release();
    throw error;
  }
}

const MAX_LENGTH = 255;

const isVisible = (char: string): boolean => char >= '!' && char <= '~';

/** Throws `invalid_value` unless the header has 1 to 255 visible characters. */
export function readIdempotencyKey(header: string | string[]): string {
  if (typeof header === 'string' && header !== '' && header.length <= MAX_LENGTH && [...header].every(isVisible)) return header;
  throw new GatewayError<CallCode>('invalid_value', {
    message: `The 'idempotency-key' header must contain one key of 1 to ${MAX_LENGTH} visible characters without spaces.`,
  });
}

function computeFingerprint(parsed: ParsedRequest): string {
  const body = parsed.compaction?.received ?? parsed.body;
  const operation = getOperationName(parsed);
  if (body.kind === 'json') return hashParts([operation, body.bytes]);
  const names = [body.images.length, ...Object.keys(body.overlays)].join();
  return hashParts([operation, JSON.stringify(body.value), names, ...getFormFiles(body).map(({ bytes }) => bytes)]);
}

/** `parts`: the operation, then the request content exactly as sent. */
export function hashParts(parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest('base64url');
}

function replayStored({ contentType, bytes }: StoredResult): ForwardedResponse {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return contentType === EVENT_STREAM
    ? { kind: 'stream', frames: Readable.from([buffer], { objectMode: false }) }
    : { kind: 'whole', bytes: buffer };
}

const EVENT_STREAM = 'text/event-stream';

/** Larger responses are stored after their charge, not with it. */
const MAX_KEPT_WITH_CHARGE = 256 * 1024;

/** Collects the response of the first request and stores it before the end is sent to the caller: with the charge, or after it. */
class KeyedRequest implements IdempotentRequest {
  readonly claim: IdempotencyClaim;
  readonly #gateway: Gateway;
  readonly #pieces: Buffer[] = [];
  #size = 0;
  #answer: StoredResult | null = null;
  /** The last frames of the response. */
  #end: Buffer | null = null;
  #isKept = false;
  #isAnswered = false;
  /** Whether a failed request must release the key itself. True without a hold, or after the charge. */
  #isOwed = false;

  constructor(gateway: Gateway, claim: IdempotencyClaim) {
    this.#gateway = gateway;
    this.claim = claim;
  }

  async claimKey(): Promise<void> {
    const { idempotency } = this.#gateway;
    this.#isOwed = true;
    const isClaimed = await idempotency.claim(this.claim).catch(throwStoreDown);
    if (isClaimed) return;
    this.#isOwed = false;
    throw createKeyInUseError();
  }

  /** Adds stream frames as they're sent to the caller. */
  add(frames: Buffer): void {
    if (this.#isAnswered) return;
    this.#size += frames.length;
    if (this.#size <= MAX_KEPT_BYTES) this.#pieces.push(frames);
  }

  /** Drops the collected frames: the caller received nothing, and another attempt starts. */
  forget(): void {
    if (this.#isAnswered) return;
    this.#pieces.length = 0;
    this.#size = 0;
    this.#answer = null;
  }

  setFinalChunk(end: Buffer): void {
    if (this.#isAnswered) return;
    this.#end = end;
    this.#answer =
      this.#size + end.length > MAX_KEPT_BYTES ? null : { contentType: EVENT_STREAM, bytes: Buffer.concat([...this.#pieces, end]) };
  }

  setFinalBody(bytes: Buffer): void {
    if (this.#isAnswered) return;
    this.#answer = bytes.length > MAX_KEPT_BYTES ? null : { contentType: 'application/json', bytes };
  }

  answer(bytes: Buffer): void {
    this.setFinalBody(bytes);
    this.#isAnswered = true;
  }

  getResponseToStore(): Posting['keep'] {
    this.#isOwed = true;
    const response = this.#answer;
    return response && response.bytes.length <= MAX_KEPT_WITH_CHARGE ? response : undefined;
  }

  markStored(): void {
    this.#isKept = true;
  }

  async finishStream(frames: Buffer): Promise<void> {
    if (this.#isKept) return;
    // Avoids a second copy of all frames.
    if (frames !== this.#end) this.setFinalChunk(frames);
    await this.finishBody();
  }

  /** The request is charged already, so the caller must get the response even if the store is down. */
  async finishBody(): Promise<void> {
    const response = this.#answer;
    if (this.#isKept) return;
    const { idempotency } = this.#gateway;
    const write = () => (response ? idempotency.saveResult(this.claim, response) : idempotency.release(this.claim));
    await persist(write, response?.bytes.length).catch((cause: unknown) =>
      this.#report(cause, 'response not stored for its idempotency key'),
    );
  }

  /** Frees the key for a retry if nothing was charged or the response can't be stored. A released hold frees the key itself. */
  async release(): Promise<void> {
    if (!this.#isOwed) return;
    const release = () => this.#gateway.idempotency.release(this.claim);
    await persist(release).catch((cause: unknown) => this.#report(cause, 'idempotency key not released'));
  }

  #report(cause: unknown, what: string): void {
    this.#gateway.log.error({ id: this.claim.requestId, err: cause }, what);
  }
}
