/** Counts the input of a responses call without making it: as the provider counts it, or else by an estimate. */
import { textOf } from '../dialects/asked.ts';
import { withoutStoring } from '../dialects/responses/read-request.ts';
import { isSpoken, upstreamSides } from '../dialects/upstream-sides.ts';
import { readCount } from '../dialects/usage.ts';
import { type JsonBody, jsonBody } from '../dialects/wire/json-body.ts';
import type { Gateway } from '../gateway.ts';
import { collect } from '../upstreams/http-exchange.ts';
import type { UpstreamRequest } from '../upstreams/upstream.ts';
import type { RequestContext } from './context.ts';
import { prepareDryRun } from './pipeline.ts';
import type { Prepared } from './prepare.ts';

/** A caller asks before a call: an estimate now is worth more than a count later. */
const MAX_MS = 5_000;
const MAX_BYTES = 64 * 1024;

interface Counted {
  readonly tokens: number;
  /** Whether the provider has no count. */
  readonly isEstimated: boolean;
}

export async function countInput(live: Gateway, call: RequestContext, body: JsonBody): Promise<Counted> {
  const gateway = live.enter();
  try {
    const { first, session } = await prepareDryRun(gateway, call, { operation: 'createResponse', body: withoutStoring(body) });
    const counted = await countAtProvider(gateway, call, first, session).catch(() => 0);
    if (counted > 0) return { tokens: counted, isEstimated: false };
    const [tokens = 0] = await gateway.estimator.count([textOf(first.transcoder.body.value)]);
    return { tokens: Math.max(tokens, 1), isEstimated: true };
  } finally {
    gateway.leave();
  }
}

/** 0 where the provider has no count, or none was read. */
async function countAtProvider(gateway: Gateway, call: RequestContext, first: Prepared, session: string | null): Promise<number> {
  const { model, spoken, transcoder } = first;
  const protocol = transcoder.path === undefined ? 'responses' : spoken.protocols.find(isSpoken);
  const counter = protocol && upstreamSides[protocol].counter;
  if (!counter || transcoder.body.kind === 'form') return 0;
  const { upstreamModel } = model;
  const gone = call.gone;
  const timer = setTimeout(() => gone.emit('abort'), MAX_MS);
  const request: UpstreamRequest = {
    operation: 'createResponse',
    model: upstreamModel,
    path: counter.path(upstreamModel),
    body: jsonBody(counter.body(transcoder.body.value, upstreamModel)),
    stream: false,
    session,
    account: call.principal?.accountId,
    requestId: call.id,
    signal: call.signal,
    gone,
  };
  try {
    const answer = await gateway.upstreams.find(model.upstream).send(request);
    if (answer.status !== 200) {
      answer.body.destroy();
      return 0;
    }
    const told: unknown = JSON.parse((await collect(answer.body, MAX_BYTES)).toString());
    return readCount(Object(told)[counter.field]);
  } finally {
    clearTimeout(timer);
  }
}
