/** Makes an operator's test call: one minimal request to a model of an upstream. */

import { EventEmitter } from 'node:events';
import type { Candidate } from '../config/model-catalog.ts';
import { computeProviderCost } from '../money/cost.ts';
import { type GatewayError, toGatewayError } from '../primitives/errors.ts';
import { randomHex } from '../primitives/random-hex.ts';
import { createMinimalRequest } from '../protocols/chat/write-request.ts';
import { getBilledTokens, type Usage } from '../protocols/usage.ts';
import { collectBody, collectBodyStart } from '../providers/collect.ts';
import type { Upstream } from '../providers/upstream.ts';
import { openTranscoder, type Transcoder } from './transcoder.ts';

export interface TestOutcome {
  /** Null if the upstream didn't respond. */
  readonly status: number | null;
  readonly firstMs: number | null;
  readonly totalMs: number;
  readonly usage: Usage | null;
  /** Cost in micro-dollars. Null if unknown. */
  readonly providerCost: bigint | null;
  /** The error that a caller would get. Null if the call succeeded. */
  readonly error: GatewayError | null;
}

const MAX_BYTES = 1024 * 1024;

const COMPLAINT_BYTES = 64 * 1024;

const MAX_MS = 30_000;

/** Never rejects: a failure is returned as an outcome. */
export async function testCall(upstream: Upstream, model: Candidate): Promise<TestOutcome> {
  const begin = performance.now();
  const getElapsedMs = (): number => Math.round(performance.now() - begin);
  let head: Pick<TestOutcome, 'status' | 'firstMs'> = { status: null, firstMs: null };
  try {
    const transcoder = openTranscoder({ operation: 'createChatCompletion', body: createMinimalRequest(model.id, model.protocols) }, model, {
      createHead: () => createHead(model),
      sealSummary: (summary) => summary,
    });
    const response = await sendTestRequest(upstream, model, transcoder);
    head = { status: response.status, firstMs: getElapsedMs() };
    if (response.status !== 200) {
      const text = await collectBodyStart(response.body, COMPLAINT_BYTES);
      throw transcoder.readFailure(response.status, upstream.withoutKeys?.(text) ?? text, undefined);
    }
    const { usage } = transcoder.readResponse(await collectBody(response.body, MAX_BYTES));
    return { ...head, totalMs: getElapsedMs(), usage, providerCost: providerCostIn(usage, model), error: null };
  } catch (thrown) {
    return { ...head, totalMs: getElapsedMs(), usage: null, providerCost: null, error: toGatewayError(thrown) };
  }
}

function providerCostIn(usage: Usage | null, { cost }: Candidate): bigint | null {
  return usage && computeProviderCost(cost, { ...getBilledTokens(usage), images: {} });
}

function createHead({ id }: Candidate) {
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

/** Aborts after 30 seconds, whatever timeouts the upstream has. */
async function sendTestRequest(upstream: Upstream, model: Candidate, { operation, path, body }: Transcoder) {
  const [gone, signal] = [new EventEmitter(), AbortSignal.timeout(MAX_MS)];
  signal.addEventListener('abort', () => gone.emit('abort'));
  const requestId = `req_${randomHex(16)}`;
  return await upstream.send({ operation, model: model.upstreamModel, path, body, stream: false, session: null, requestId, signal, gone });
}
