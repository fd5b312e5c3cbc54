/** One short call to an upstream, to see whether it works: without a caller, without a charge, and past its circuit breaker. */
import { EventEmitter } from 'node:events';
import type { Candidate } from '../config/catalog.ts';
import { shortestRequest } from '../dialects/chat/shortest-request.ts';
import { partition, type Usage } from '../dialects/usage.ts';
import { asGatewayError, type GatewayError } from '../errors.ts';
import { vendorCostOf } from '../ledger/vendor-cost.ts';
import { randomHex } from '../primitives/random-id.ts';
import { collect, collectStart } from '../upstreams/read-body.ts';
import type { Upstream } from '../upstreams/upstream.ts';
import { openTranscoder, type Transcoder } from './transcoder.ts';

export interface TestOutcome {
  /** Null when no answer came. */
  readonly status: number | null;
  readonly firstMs: number | null;
  readonly totalMs: number;
  readonly usage: Usage | null;
  /** In micro-dollars; null when that is not known. */
  readonly vendorCost: bigint | null;
  /** What a caller would get; null when it worked. */
  readonly error: GatewayError | null;
}

const MOST_BYTES = 1024 * 1024;
const COMPLAINT_BYTES = 64 * 1024;
const LONGEST_MS = 30_000;

/** Never rejects: a failure is an outcome. */
export async function testCall(upstream: Upstream, model: Candidate): Promise<TestOutcome> {
  const begin = performance.now();
  const passedMs = (): number => Math.round(performance.now() - begin);
  let head: Pick<TestOutcome, 'status' | 'firstMs'> = { status: null, firstMs: null };
  try {
    const transcoder = openTranscoder({ operation: 'createChatCompletion', body: shortestRequest(model.id, model.protocols) }, model, () =>
      headOf(model),
    );
    const answer = await sendIt(upstream, model, transcoder);
    head = { status: answer.status, firstMs: passedMs() };
    if (answer.status !== 200) {
      const said = await collectStart(answer.body, COMPLAINT_BYTES);
      throw transcoder.readFailure(answer.status, upstream.withoutKeys?.(said) ?? said, undefined);
    }
    const { usage } = transcoder.readWhole(await collect(answer.body, MOST_BYTES));
    return { ...head, totalMs: passedMs(), usage, vendorCost: vendorCostIn(usage, model), error: null };
  } catch (thrown) {
    return { ...head, totalMs: passedMs(), usage: null, vendorCost: null, error: asGatewayError(thrown) };
  }
}

function vendorCostIn(usage: Usage | null, { cost }: Candidate): bigint | null {
  if (usage === null) return null;
  const { uncachedInput, imageInput, cachedInput, cacheWrite, output, reasoning } = partition(usage);
  return vendorCostOf(cost, { input: uncachedInput + imageInput, cachedInput, cacheWrite, output, reasoning, images: {} });
}

function headOf({ id }: Candidate) {
  const now = () => Math.floor(Date.now() / 1000);
  return {
    id: `chatcmpl-${randomHex(16)}`,
    createdAt: now(),
    model: id,
    request: {},
    newId: (prefix: string) => `${prefix}_${randomHex(24)}`,
    now,
  };
}

/** Ended after half a minute, whatever the time limits of the upstream are. */
async function sendIt(upstream: Upstream, model: Candidate, { operation, path, body }: Transcoder) {
  const [gone, signal] = [new EventEmitter(), AbortSignal.timeout(LONGEST_MS)];
  signal.addEventListener('abort', () => gone.emit('abort'));
  const requestId = `req_${randomHex(16)}`;
  return await upstream.send({ operation, model: model.upstreamModel, path, body, stream: false, session: null, requestId, signal, gone });
}
