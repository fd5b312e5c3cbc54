/** Counts the input tokens of a responses call without making it: at the provider, or else by an estimate. */

import type { Gateway } from '../gateway/gateway.ts';
import { extractRequestText } from '../protocols/input-tokens.ts';
import { withoutStoring } from '../protocols/responses/continuation.ts';
import { isUpstreamProtocol, upstreamProtocols } from '../protocols/upstream-protocols.ts';
import { readCount } from '../protocols/usage.ts';
import { createJsonBody, type JsonBody } from '../protocols/wire/json-body.ts';
import { collectBody } from '../providers/collect.ts';
import type { UpstreamRequest } from '../providers/upstream.ts';
import type { RequestContext } from './context.ts';
import { prepareDryRun } from './dry-run.ts';
import type { PreparedRequest } from './prepare.ts';

/** Callers count before they send a request: a fast estimate is better than a late count. */
const MAX_MS = 5_000;
const MAX_BYTES = 64 * 1024;

interface InputTokenCount {
  readonly tokens: number;
  /** Whether the count is our estimate, because the provider returned none. */
  readonly isEstimated: boolean;
}

export async function countInputTokens(live: Gateway, call: RequestContext, body: JsonBody): Promise<InputTokenCount> {
  const gateway = live.acquire();
  try {
    const { first, session } = await prepareDryRun(gateway, call, { operation: 'createResponse', body: withoutStoring(body) });
    const counted = await countAtProvider(gateway, call, first, session).catch(() => 0);
    if (counted > 0) return { tokens: counted, isEstimated: false };
    const [tokens = 0] = await gateway.estimator.count([extractRequestText(first.transcoder.body.value)]);
    return { tokens: Math.max(tokens, 1), isEstimated: true };
  } finally {
    gateway.release();
  }
}

/** Returns 0 if the provider has no count endpoint or returned no count. */
async function countAtProvider(gateway: Gateway, call: RequestContext, first: PreparedRequest, session: string | null): Promise<number> {
  const { model, narrowed, transcoder } = first;
  const protocol = transcoder.path === undefined ? 'responses' : narrowed.protocols.find(isUpstreamProtocol);
  const counter = protocol && upstreamProtocols[protocol].counter;
  if (!counter || transcoder.body.kind === 'form') return 0;
  const { upstreamModel } = model;
  const gone = call.gone;
  const timer = setTimeout(() => gone.emit('abort'), MAX_MS);
  const request: UpstreamRequest = {
    operation: 'createResponse',
    model: upstreamModel,
    path: counter.getPath(upstreamModel),
    body: createJsonBody(counter.toBody(transcoder.body.value, upstreamModel)),
    stream: false,
    session,
    account: call.principal?.accountId,
    requestId: call.id,
    signal: call.signal,
    gone,
  };
  try {
    const response = await gateway.upstreams.find(model.upstream).send(request);
    if (response.status !== 200) {
      response.body.destroy();
      return 0;
    }
    const parsed: unknown = JSON.parse((await collectBody(response.body, MAX_BYTES)).toString());
    return readCount(Object(parsed)[counter.field]);
  } finally {
    clearTimeout(timer);
  }
}
