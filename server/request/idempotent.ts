/** Runs the first request with an idempotency key, and answers later ones with its answer: one upstream request, one charge (F40). */
import { Readable } from 'node:stream';
import { type CallCode, type CallName, type ErrorOf, GatewayError, storeFailed } from '../errors.ts';
import type { Gateway } from '../gateway.ts';
import { fingerprintOf, readKey } from '../idempotency/key.ts';
import type { Claim, KeptAnswer } from '../idempotency/store.ts';
import { type HandedOn, handOn, handOnFrames } from './answer.ts';
import type { RequestContext } from './context.ts';
import { permitReplay, run } from './pipeline.ts';
import type { ParsedRequest } from './transcoder.ts';

/** Larger answers are not kept: a retry then runs as a new request. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024;

/** Runs the request on the current snapshot of the gateway: a reload meanwhile affects later requests only. */
export async function runOnce(gateway: Gateway, call: RequestContext, parsed: ParsedRequest): Promise<HandedOn> {
  const entered = gateway.enter();
  try {
    const header = call.header('idempotency-key');
    return await (header === undefined ? run(entered, call, parsed) : runKeyed(entered, call, parsed, header));
  } finally {
    // The snapshot may close now: everything for the upstream has been sent, and an answer still under way keeps its connection open.
    entered.leave();
  }
}

async function runKeyed(
  gateway: Gateway,
  call: RequestContext,
  parsed: ParsedRequest,
  header: Parameters<typeof readKey>[0],
): Promise<HandedOn> {
  const key = readKey(header);
  const accountId = call.principal?.accountId ?? '';
  const claim: Claim = { accountId, key, fingerprint: fingerprint(parsed), requestId: call.id, node: gateway.node };
  const claimed = await gateway.idempotency.claim(claim).catch(storeFailed);
  switch (claimed.kind) {
    case 'claimed':
      return await runFirst(gateway, call, parsed, claim);
    case 'answered':
      permitReplay(gateway, call, parsed);
      call.outcome.replayed();
      return replay(claimed.answer);
    case 'running':
      throw stillRunning();
    case 'other_request':
      throw new GatewayError<CallCode>('invalid_value', {
        message: 'This idempotency key was used for another request within the last 24 hours. Use a new key for a new request.',
      });
  }
}

const stillRunning = (): ErrorOf<CallName, 409> => new GatewayError('idempotency_conflict', { headers: { 'retry-after': '1' } });

async function runFirst(gateway: Gateway, call: RequestContext, parsed: ParsedRequest, claim: Claim): Promise<HandedOn> {
  const once = new Once(gateway, claim);
  call.once = once;
  try {
    return await run(gateway, call, parsed);
  } catch (error) {
    await once.release();
    throw error;
  }
}

function fingerprint({ operation, body }: ParsedRequest): string {
  if (body.kind === 'json') return fingerprintOf([operation, body.bytes]);
  const files = [...body.images, ...(body.mask ? [body.mask] : [])];
  return fingerprintOf([operation, JSON.stringify(body.value), String(body.images.length), ...files.map(({ bytes }) => bytes)]);
}

function replay({ contentType, bytes }: KeptAnswer): HandedOn {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return contentType === EVENT_STREAM ? handOnFrames(Readable.from([buffer], { objectMode: false })) : handOn(buffer);
}

const EVENT_STREAM = 'text/event-stream';

/** Collects the answer of the first request, and stores it before its end is sent to the caller. */
export class Once {
  readonly #gateway: Gateway;
  readonly #claim: Claim;
  readonly #pieces: Buffer[] = [];
  #size = 0;

  constructor(gateway: Gateway, claim: Claim) {
    this.#gateway = gateway;
    this.#claim = claim;
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
  }

  /** Adds the last frames of the stream and stores the answer. */
  async seal(frames: Buffer): Promise<void> {
    this.add(frames);
    await this.#keep(EVENT_STREAM, Buffer.concat(this.#pieces));
  }

  async keepWhole(bytes: Buffer): Promise<void> {
    this.#size = bytes.length;
    await this.#keep('application/json', bytes);
  }

  /** Frees the key for a retry: nothing was charged, or the answer cannot be kept. */
  async release(): Promise<void> {
    await this.#gateway.idempotency.release(this.#claim).catch((cause: unknown) => {
      this.#gateway.log.error({ id: this.#claim.requestId, err: cause }, 'an idempotency key could not be freed');
    });
  }

  /** Never rejects: the request is charged already, so the caller must get the answer even when the store is down. */
  async #keep(contentType: string, bytes: Buffer): Promise<void> {
    if (this.#size > MAX_KEPT_BYTES) return await this.release();
    await this.#gateway.idempotency.keep(this.#claim, { contentType, bytes }).catch((cause: unknown) => {
      this.#gateway.log.error({ id: this.#claim.requestId, err: cause }, 'an answer could not be kept for its idempotency key');
    });
  }
}
