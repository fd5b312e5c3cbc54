/** Sends a request to one candidate and reads its response. Its usage is settled before the end of the response is sent (promises G1 and G4). */

import { Readable } from 'node:stream';
import type { Candidate } from '../config/model-catalog.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { RecordingReader, recordWhole } from '../history/recording-reader.ts';
import type { ResponseRun } from '../history/response-run.ts';
import {
  hasTokens,
  MeteredReader,
  type MeteredRequest,
  readEvidence,
  toAbortedInputEvidence,
  toInputEvidence,
} from '../money/metered-reader.ts';
import { type CallCode, GatewayError, toGatewayError } from '../primitives/errors.ts';
import { waitForTurn } from '../primitives/wait-for-turn.ts';
import { isWrongProtocolError } from '../protocols/errors.ts';
import { toImageList, toImageStream } from '../protocols/images/stream.ts';
import type { CompleteResponse } from '../protocols/relay.ts';
import { addCostToResponse, DeferredUsageReader, isCostRequested } from '../protocols/response-cost.ts';
import { isCompactionRequested } from '../protocols/responses/compaction-items.ts';
import { CheckedStream } from '../protocols/responses/order-check.ts';
import { isCodex } from '../protocols/responses/relay.ts';
import { parseWaitSeconds, readRetryAfter } from '../protocols/retry-after.ts';
import type { StreamReader } from '../protocols/stream-reader.ts';
import { readFailureUsage } from '../protocols/wire/complete-response.ts';
import { toFakeStream } from '../protocols/wire/fake-stream.ts';
import { collectBody, collectBodyStart } from '../providers/collect.ts';
import { isKeyStatus } from '../providers/credentials.ts';
import { RelayStream } from '../providers/relay-stream.ts';
import { toSendError } from '../providers/send-error.ts';
import { readSimulatedError } from '../providers/simulator/faults.ts';
import { warnUnknownAddress } from '../providers/unknown-address.ts';
import type { ResponseBody, Upstream, UpstreamResponse } from '../providers/upstream.ts';
import type { AttemptContext, RespondedAttempt } from './attempt-context.ts';
import { AttemptFailed } from './attempt-failed.ts';
import { getAccountId, isAborted, type RequestContext } from './context.ts';
import { type Drain, openDrain } from './drain.ts';
import { endStream } from './end-stream.ts';
import type { ForwardedResponse } from './forwarded-response.ts';
import { getOperationName, getProtocol, isImage, isImageTimeout, type ParsedRequest, type Transcoder } from './transcoder.ts';
import { PreparedUpstreamRequest } from './upstream-request.ts';

/** Maximum size of a response and of an event, in bytes. */
const MAX_TEXT_BYTES = 64 * 1024 * 1024;
const MAX_IMAGE_BYTES = 512 * 1024 * 1024;
/** A response of this size takes many milliseconds to parse. */
const LARGE_RESPONSE_BYTES = 1024 * 1024;
/** How long to hold back `response.created`, so that a failure right after it can still become an error status. */
const OPENING_MS = 2000;
/** How long to wait for the body of an upstream error. */
const ERROR_BODY_TIMEOUT_MS = 1000;

/** Throws AttemptFailed if another candidate can be tried, and any other error if the whole request has failed. */
export function runAttempt(gateway: Gateway, call: RequestContext, attempt: AttemptContext): Promise<ForwardedResponse> {
  return attemptOnce(gateway, call, attempt).catch((thrown: unknown) => {
    if (!(thrown instanceof AttemptFailed)) throw thrown;
    gateway.upstreams.find(attempt.model.upstream).noteFailure?.(thrown.status, thrown.error);
    if (isSimulated(gateway, attempt.model)) throw thrown.toSimulatedFailure();
    // The provider can bill an image for any response with this status, so the image isn't requested again.
    const isBilled = isImage(attempt.parsed) && thrown.status !== null && thrown.status < 300;
    throw (isBilled ? thrown.toFinal() : thrown).toDeclaredError(getOperationName(attempt.parsed));
  });
}

/** A simulator fails only on demand, so its failures don't count against the candidate, and no other candidate is tried. */
const isSimulated = ({ config }: Gateway, { upstream }: Candidate): boolean => config.upstreams[upstream]?.kind === 'simulator';

async function attemptOnce(gateway: Gateway, call: RequestContext, attempt: AttemptContext): Promise<ForwardedResponse> {
  // The caller may have disconnected while we waited for a slot. Its close event has fired already, so check here.
  if (isAborted(call) || (call.isGone && attempt.isFirst))
    throw new GatewayError<CallCode>('upstream_error', { cause: new Error('the client disconnected') });
  call.outcome.beginAttempt(attempt.model.upstream);
  const drain = openDrain(gateway, call, attempt.model, attempt.parsed);
  const response = await send(gateway, call, attempt, drain);
  return attempt.isStream
    ? { kind: 'stream', frames: await relayStream(gateway, call, { ...attempt, response, drain }) }
    : { kind: 'whole', bytes: await completeResponse(call, { ...attempt, response, drain }) };
}

const toMeteredRequest = ({ parsed, transcoder }: AttemptContext): MeteredRequest => ({
  protocol: getProtocol(parsed),
  callerRequest: parsed.body.value,
  request: transcoder.body.value,
});

/** Sends the request and returns a response with status 200. Throws AttemptFailed otherwise. */
async function send(gateway: Gateway, call: RequestContext, attempt: AttemptContext, drain: Drain | null): Promise<UpstreamResponse> {
  const upstream = gateway.upstreams.find(attempt.model.upstream);
  let response: UpstreamResponse;
  try {
    const traceparent = call.trace?.beginAttempt(attempt.model.upstream);
    response = await upstream.send(new PreparedUpstreamRequest(call, { ...attempt, drain, traceparent }));
  } catch (cause) {
    drain?.end();
    return await failAttempt(call, attempt, cause, null);
  }
  drain?.watch(response.body);
  if (response.status !== 200) {
    warnNotFound(gateway, call, attempt, response.status);
    throw await toAttemptFailed(response, getFailureReader(gateway, attempt), upstream, {
      hasSpareKey: upstream.hasSpareKey?.(attempt.model.upstreamModel) === true,
      isProtocolRejected: (start) => needsOtherProtocol(gateway, attempt, response.status, start),
    });
  }
  return response;
}

function warnNotFound({ config, log }: Gateway, { id }: RequestContext, { model, transcoder }: AttemptContext, status: number): void {
  warnUnknownAddress(log, { id, upstream: config.upstreams[model.upstream], status, request: transcoder, model: model.upstreamModel });
}

/** Whether the provider rejected the caller's protocol but accepts the request over the other one, which wasn't tried yet. */
const needsOtherProtocol = (
  { protocols }: Gateway,
  { model, parsed, transcoder }: AttemptContext,
  status: number,
  start: string,
): boolean =>
  transcoder.operation === parsed.operation &&
  isWrongProtocolError(status, start, parsed.operation) &&
  protocols.toOtherProtocol(model, parsed) !== null;

const getFailureReader = (gateway: Gateway, { transcoder, model }: AttemptContext): Pick<Transcoder, 'readFailure'> =>
  isSimulated(gateway, model) ? { readFailure: readSimulatedError } : transcoder;

/** Reads the error body of a response, and decides what is at fault: the request, one of our keys, or the caller's protocol. */
async function toAttemptFailed(
  { status, headers, body }: UpstreamResponse,
  { readFailure }: Pick<Transcoder, 'readFailure'>,
  upstream: Upstream,
  { hasSpareKey, isProtocolRejected }: { readonly hasSpareKey: boolean; isProtocolRejected(start: string): boolean },
): Promise<AttemptFailed> {
  const retryAfter = readRetryAfter(headers);
  // A failing provider may never finish its error body.
  const timer = setTimeout(() => body.destroy(), ERROR_BODY_TIMEOUT_MS);
  const text = await collectBodyStart(body, 64 * 1024).finally(() => clearTimeout(timer));
  const start = upstream.withoutKeys?.(text) ?? text;
  const error =
    status < 400
      ? new GatewayError<CallCode>('upstream_error', { cause: new Error(`upstream returned status ${status}`) })
      : readFailure(status, start, retryAfter, getHeaderText(headers['x-amzn-errortype']));
  if (hasSpareKey && isKeyStatus(status)) return new AttemptFailed(error, { status, isKeyRejected: true });
  if (isProtocolRejected(start)) return new AttemptFailed(error, { status, isProtocolRejected: true });
  return new AttemptFailed(error, { status, retryAfterMs: (parseWaitSeconds(retryAfter) ?? 0) * 1_000 });
}

const getHeaderText = (header: unknown): string | undefined => (typeof header === 'string' ? header : undefined);

function contentType(response: UpstreamResponse): string {
  return String(response.headers['content-type'] ?? '').toLowerCase();
}
const isEventStream = (response: UpstreamResponse) => contentType(response).startsWith('text/event-stream');
const maxBytes = (parsed: ParsedRequest) => (isImage(parsed) ? MAX_IMAGE_BYTES : MAX_TEXT_BYTES);

/** Ends an attempt that failed before the response was complete. If the caller's disconnect aborted it, charges the input, because the provider bills it. */
async function failAttempt(call: RequestContext, attempt: AttemptContext, cause: unknown, status: number | null): Promise<never> {
  const error = toSendError(cause);
  // Nothing was sent: the upstream's concurrency limit was reached, or no key was usable.
  if (error.code === 'overloaded' || error.code === 'no_upstream_available')
    throw new AttemptFailed(error, { status, verdict: 'elsewhere' });
  if (!isAborted(call)) throw new AttemptFailed(error, { status, ...(isImageTimeout(attempt.parsed, error) && { verdict: 'caller' }) });
  call.outcome.endAttempt(status, error.code);
  const evidence = toAbortedInputEvidence(toMeteredRequest(attempt));
  if (evidence) await attempt.grant.settle(evidence, 'client_disconnected');
  throw error;
}

async function completeResponse(call: RequestContext, attempt: RespondedAttempt): Promise<Buffer> {
  const { response, parsed, recording, grant, drain } = attempt;
  let received: Buffer;
  try {
    received = await collectBody(response.body, maxBytes(parsed));
  } catch (cause) {
    return await failAttempt(call, attempt, cause, response.status);
  }
  if (received.length >= LARGE_RESPONSE_BYTES) await waitForTurn();
  const complete = readWhole(received, attempt);
  const { bytes, usage } = complete;
  call.outcome.usage = usage;
  const out = recording ? recordWhole(complete, recording) : bytes;
  if (recording) await recording.saved();
  call.outcome.endAttempt(response.status, null);
  const outcome = drain && call.isGone ? 'client_disconnected' : 'completed';
  const isPriced = isCostRequested(parsed.body.value);
  if (!isPriced) call.idempotentRequest?.setFinalBody(out);
  // A sealed summary doesn't show the text of the model.
  const shown = isCompactionRequested(parsed.body.value) ? received : bytes;
  const settled = await grant.settle(grant.isMeasured ? readEvidence(shown, usage, toMeteredRequest(attempt)) : null, outcome);
  const withCost = isPriced && settled ? addCostToResponse(out, settled.cost) : out;
  if (isPriced) call.idempotentRequest?.setFinalBody(withCost);
  await call.idempotentRequest?.finishBody();
  call.outcome.end = 'completed';
  return withCost;
}

/** Reads a complete response. If it's invalid but reports usage, AttemptFailed carries that usage, charged if no other attempt succeeds (F33). */
function readWhole(received: Buffer, attempt: RespondedAttempt): CompleteResponse {
  try {
    return attempt.transcoder.readResponse(isEventStream(attempt.response) && isImage(attempt.parsed) ? toImageList(received) : received);
  } catch (thrown) {
    const usage = readFailureUsage(received);
    const evidence = hasTokens(usage) ? toInputEvidence(toMeteredRequest(attempt), usage) : null;
    throw new AttemptFailed(toGatewayError(thrown), { status: attempt.response.status, evidence });
  }
}

/** Returns the response as a stream. If the upstream sends JSON instead, converts it to events. */
async function openSource(call: RequestContext, attempt: RespondedAttempt): Promise<ResponseBody> {
  const { response, parsed } = attempt;
  if (isEventStream(response)) return response.body;
  try {
    const received = await collectBody(response.body, maxBytes(parsed));
    return Readable.from([isImage(parsed) ? toImageStream(received, parsed.operation) : toFakeStream(received)]);
  } catch (cause) {
    return await failAttempt(call, attempt, cause, response.status);
  }
}

async function relayStream(gateway: Gateway, call: RequestContext, attempt: RespondedAttempt): Promise<RelayStream> {
  const { model, parsed, transcoder, recording, drain } = attempt;
  const source = await openSource(call, attempt);
  const read = transcoder.readStream();
  const passed: StreamReader =
    isCostRequested(parsed.body.value) && parsed.operation === 'createChatCompletion' ? new DeferredUsageReader(read) : read;
  // Wrapped inside the recorder, so that a stream that violates the contract isn't stored.
  const inner = gateway.config.validateResponses && parsed.operation === 'createResponse' ? new CheckedStream(passed) : passed;
  const meter = new MeteredReader(
    recording ? new RecordingReader(inner, recording) : inner,
    toMeteredRequest(attempt),
    attempt.grant.isMeasured,
  );
  const reader = attempt.callRecording?.wrapReader(meter) ?? meter;
  const run = openRun(gateway, call, attempt);
  const relay = new RelayStream({
    source,
    reader,
    // Strict clients fail on unknown events, so only Codex, which needs the keep-alive event, gets it.
    keepAlive: isCodex(call.headers) ? () => inner.keepAlive?.() ?? null : undefined,
    operation: parsed.operation,
    maxFrameBytes: maxBytes(parsed),
    heartbeatMs: gateway.config.server.heartbeatMs,
    firstEventMs: getFirstEventTimeoutMs(gateway, model, parsed),
    openingMs: OPENING_MS,
    watchers: [call.idempotentRequest, run].filter((watcher) => watcher !== null),
    isReadToEnd: drain !== null || call.isKept,
    onEnd: (end) => {
      gateway.streams.remove(open);
      return endStream(gateway, call, { ...attempt, end, meter, reader, run });
    },
  });
  const open = gateway.streams.add(relay);
  await relay.begin();
  call.outcome.firstEventMs = call.outcome.getElapsedMs();
  // The client has disconnected: nothing reads this stream, and no later event would end it.
  if (drain && call.isGone) relay.destroy();
  return relay;
}

/** Keeps the events of a stored response, so that its caller can read them again. Null if it isn't stored, or runs in the background. */
function openRun({ runs }: Gateway, call: RequestContext, { parsed, recording }: RespondedAttempt): ResponseRun | null {
  if (parsed.operation !== 'createResponse' || parsed.responseId !== undefined || !recording?.save) return null;
  const run = runs.open({ accountId: getAccountId(call), responseId: String(recording.echo.id) });
  // The response may continue without its caller, who reads it over another connection.
  call.gone.once('abort', () => run.goLive());
  return run;
}

/** A simulator responds much faster; this ends a faulty one. */
const SIMULATOR_TIMEOUT_MS = 60_000;

function getFirstEventTimeoutMs({ config }: Gateway, model: Candidate, parsed: ParsedRequest): number {
  const upstream = config.upstreams[model.upstream];
  if (!upstream || upstream.kind === 'simulator') return SIMULATOR_TIMEOUT_MS;
  return isImage(parsed) ? upstream.imageTimeouts.firstEventMs : upstream.timeouts.firstEventMs;
}
