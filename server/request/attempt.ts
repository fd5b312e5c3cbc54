/** Sends a request to one candidate and reads its response. What it used is settled before the end of the response is sent (promises G1 and G4). */

import { EventEmitter } from 'node:events';
import { type Asked, cutInput, type Evidence, evidenceIn, inputAlone, MeteredReader, saysSomething } from '../billing/metering.ts';
import type { Candidate, Model } from '../config/config.ts';
import { asksForCost, costInFrames, costInWhole, UsageLast } from '../dialects/cost.ts';
import { namesOtherProtocol, readWait, type StreamReader, type WholeAnswer } from '../dialects/failure.ts';
import { CheckedStream } from '../dialects/responses/order.ts';
import { isCodex } from '../dialects/responses/relay.ts';
import { writeErrorFrames } from '../dialects/wire/answers.ts';
import { usageOfFailure } from '../dialects/wire/complete-answer.ts';
import { asGatewayError, type CallCode, GatewayError, providerWordsOf, toDeclaredError } from '../errors.ts';
import type { Gateway } from '../gateway.ts';
import { type Recording, RecordingReader, recordWhole } from '../history/recorder.ts';
import { ownTurn } from '../primitives/shared-timeout.ts';
import type { CallRecording } from '../recordings/recorder.ts';
import { readAsked } from '../simulator/faults.ts';
import { isAboutKey } from '../upstreams/credentials.ts';
import { collect, collectStart } from '../upstreams/http-exchange.ts';
import { noteUnknownAddress, RelayStream, type StreamEnd, sendFailure } from '../upstreams/stream-to-caller.ts';
import type { AnswerBody, Upstream, UpstreamAnswer, UpstreamRequest } from '../upstreams/upstream.ts';
import type { Grant } from './admission.ts';
import type { RequestContext } from './context.ts';
import { AttemptFailed, type ForwardedResponse, forward, forwardFrames } from './failover.ts';
import { isImage, type ParsedRequest, protocolOf, type Transcoder } from './transcoder.ts';

/** Bytes of the largest answer and the largest event. */
const MAX_TEXT_BYTES = 64 * 1024 * 1024;
const MAX_IMAGE_BYTES = 512 * 1024 * 1024;
/** Size in bytes of a response that takes many milliseconds to read. */
const LARGE_ANSWER = 1024 * 1024;
/** How long `response.created` is held back, so that a failure right after it can still be answered by a status. */
const OPENING_MS = 2000;
/** How long to wait for the body of an upstream's error. */
const COMPLAINT_MS = 1000;

/** Throws AttemptFailed when another candidate may be tried, and any other error when the request has failed. */
export function runAttempt(gateway: Gateway, call: RequestContext, tried: Attempt): Promise<ForwardedResponse> {
  return attemptOnce(gateway, call, tried).catch((thrown: unknown) => {
    if (!(thrown instanceof AttemptFailed)) throw thrown;
    gateway.upstreams.find(tried.model.upstream).noteFailure?.(thrown.status, thrown.error);
    throw isSimulated(gateway, tried.model) ? thrown.asSimulatedFailure() : thrown.heardBy(tried.parsed.operation);
  });
}

/** A simulator fails only on demand: that isn't held against the candidate, and no other one is tried. */
const isSimulated = ({ config }: Gateway, { upstream }: Candidate): boolean => config.upstreams[upstream]?.kind === 'simulator';

async function attemptOnce(gateway: Gateway, call: RequestContext, tried: Attempt): Promise<ForwardedResponse> {
  // The caller may have disconnected while we waited for a slot; its close event has fired already, so check here.
  if (isAborted(call) || (call.isGone && call.outcome.attempts.length === 0))
    throw new GatewayError<CallCode>('upstream_error', { cause: new Error('the client disconnected') });
  call.outcome.beginAttempt(tried.model.upstream);
  const drain = openDrain(gateway, call, tried.model);
  const answer = await send(gateway, call, tried, drain);
  return tried.isStream && isEventStream(answer)
    ? forwardFrames(await stream(gateway, call, { ...tried, answer, drain }))
    : forward(await whole(call, { ...tried, answer, drain }));
}

interface Attempt {
  readonly parsed: ParsedRequest;
  /** The candidate that is asked: the model as its upstream serves it. */
  readonly model: Candidate;
  readonly transcoder: Transcoder;
  readonly recording: Recording | null;
  readonly grant: Grant;
  /** Records the request in a file; null unless `serve --record` runs. */
  readonly tape: CallRecording | null;
  /** Requests of one session use one candidate, and one of its keys. Null without a session. */
  readonly session: string | null;
  /** Whether the caller asked for a stream; so does the request to the upstream. */
  readonly isStream: boolean;
}

const askedOf = ({ parsed, transcoder }: Attempt): Asked => ({
  protocol: protocolOf(parsed),
  asked: parsed.body.value,
  request: transcoder.body.value,
});

/** Sends the request and returns the response when its status is 200; throws AttemptFailed otherwise. */
async function send(gateway: Gateway, call: RequestContext, tried: Attempt, drain: Drain | null): Promise<UpstreamAnswer> {
  const upstream = gateway.upstreams.find(tried.model.upstream);
  let answer: UpstreamAnswer;
  try {
    const traceparent = call.trace?.beginAttempt(tried.model.upstream);
    answer = await upstream.send(new Sending(call, { ...tried, drain, traceparent }));
  } catch (cause) {
    drain?.end();
    return await fail(call, tried, cause, null);
  }
  drain?.watch(answer.body);
  if (answer.status !== 200) {
    noteNotFound(gateway, call, tried, answer.status);
    throw await readFailure(answer, readerOf(gateway, tried), upstream, {
      hasSpareKey: upstream.hasSpareKey?.(tried.model.upstreamModel) === true,
      isOver: (start) => isOverOther(gateway, tried, answer.status, start),
    });
  }
  return answer;
}

function noteNotFound({ config, log }: Gateway, { id }: RequestContext, { model, transcoder }: Attempt, status: number): void {
  noteUnknownAddress(log, { id, upstream: config.upstreams[model.upstream], status, request: transcoder, model: model.upstreamModel });
}

/** Whether the provider rejected the caller's protocol and takes such a request over the other one, which wasn't tried yet. */
const isOverOther = ({ protocols }: Gateway, { model, parsed, transcoder }: Attempt, status: number, start: string): boolean =>
  transcoder.operation === parsed.operation &&
  namesOtherProtocol(status, start, parsed.operation) &&
  protocols.turned(model, parsed) !== null;

const readerOf = (gateway: Gateway, { transcoder, model }: Attempt): Pick<Transcoder, 'readFailure'> =>
  isSimulated(gateway, model) ? { readFailure: readAsked } : transcoder;

async function readFailure(
  { status, headers, body }: UpstreamAnswer,
  transcoder: Pick<Transcoder, 'readFailure'>,
  upstream: Upstream,
  { hasSpareKey, isOver }: { readonly hasSpareKey: boolean; isOver(start: string): boolean },
): Promise<AttemptFailed> {
  const retryAfter = textOf(headers['retry-after']);
  // A provider in trouble may never finish its error body.
  const timer = setTimeout(() => body.destroy(), COMPLAINT_MS);
  const said = await collectStart(body, 64 * 1024).finally(() => clearTimeout(timer));
  const start = upstream.withoutKeys?.(said) ?? said;
  const error =
    status < 400
      ? new GatewayError<CallCode>('upstream_error', { cause: new Error(`upstream returned status ${status}`) })
      : transcoder.readFailure(status, start, retryAfter, textOf(headers['x-amzn-errortype']));
  if (hasSpareKey && isAboutKey(status)) return new AttemptFailed(error, { status, isOfOneKey: true });
  if (isOver(start)) return new AttemptFailed(error, { status, isOfProtocol: true });
  return new AttemptFailed(error, { status, restMs: (readWait(retryAfter) ?? 0) * 1_000 });
}

const textOf = (header: unknown): string | undefined => (typeof header === 'string' ? header : undefined);

function contentType(answer: UpstreamAnswer): string {
  return String(answer.headers['content-type'] ?? '').toLowerCase();
}
const isEventStream = (answer: UpstreamAnswer) => contentType(answer).startsWith('text/event-stream');
const maxBytes = (parsed: ParsedRequest) => (isImage(parsed) ? MAX_IMAGE_BYTES : MAX_TEXT_BYTES);

type Answered = Attempt & { readonly answer: UpstreamAnswer; readonly drain: Drain | null };

/** Whether the caller's disconnect aborts the request. It doesn't abort an idempotent one: its response is completed for the retry. */
export const isAborted = ({ isGone, once }: RequestContext): boolean => isGone && once === null;

/** Whether an image timed out: the provider finishes and bills it anyway, so it isn't requested again. */
const isDrawn = (parsed: ParsedRequest, { code }: GatewayError): boolean => isImage(parsed) && code === 'upstream_timeout';

/** Ends an attempt that failed on the way. When the caller's disconnect aborted it, charges the input: the upstream was at work, and bills. */
async function fail(call: RequestContext, tried: Attempt, cause: unknown, status: number | null): Promise<never> {
  const error = sendFailure(cause);
  // Nothing was sent: the upstream's concurrency limit is reached, or none of its keys is usable.
  if (error.code === 'overloaded' || error.code === 'no_upstream_available')
    throw new AttemptFailed(error, { status, verdict: 'elsewhere' });
  if (!isAborted(call)) throw new AttemptFailed(error, { status, ...(isDrawn(tried.parsed, error) && { verdict: 'caller' }) });
  call.outcome.endAttempt(status, error.code);
  const evidence = cutInput(askedOf(tried));
  if (evidence) await tried.grant.settle(evidence, 'client_disconnected');
  throw error;
}

async function whole(call: RequestContext, tried: Answered): Promise<Buffer> {
  const { answer, parsed, recording, grant, isStream, drain } = tried;
  if (isStream || isEventStream(answer)) {
    answer.body.destroy();
    const message = `The upstream didn't return ${isStream ? 'a stream' : 'JSON'}.`;
    const error = new GatewayError<CallCode>('upstream_error', { message });
    throw new AttemptFailed(error, { status: answer.status });
  }
  let received: Buffer;
  try {
    received = await collect(answer.body, maxBytes(parsed));
  } catch (cause) {
    return await fail(call, tried, cause, answer.status);
  }
  if (received.length >= LARGE_ANSWER) await ownTurn();
  const answered = readWhole(received, tried);
  const { bytes, usage } = answered;
  call.outcome.used(usage);
  const out = recording ? recordWhole(answered, recording) : bytes;
  if (recording) await recording.saved();
  call.outcome.endAttempt(answer.status, null);
  const outcome = drain && call.isGone ? 'client_disconnected' : 'completed';
  const isPriced = asksForCost(parsed.body.value);
  if (!isPriced) call.once?.foreseeWhole(out);
  await (grant.isMeasured ? grant.settle(evidenceIn(bytes, usage, askedOf(tried)), outcome) : grant.release(outcome));
  const told = isPriced ? costInWhole(out, call.outcome.cost) : out;
  if (isPriced) call.once?.foreseeWhole(told);
  await call.once?.sealWhole();
  call.outcome.ended('completed');
  return told;
}

/** Reads a complete response. When it isn't valid but reports usage, AttemptFailed carries that, to be charged if no other attempt succeeds (F33). */
function readWhole(received: Buffer, tried: Answered): WholeAnswer {
  try {
    return tried.transcoder.readWhole(received);
  } catch (thrown) {
    const usage = usageOfFailure(received);
    const evidence = saysSomething(usage) ? inputAlone(askedOf(tried), usage) : null;
    throw new AttemptFailed(asGatewayError(thrown), { status: tried.answer.status, evidence });
  }
}

async function stream(gateway: Gateway, call: RequestContext, tried: Answered): Promise<RelayStream> {
  const { answer, model, parsed, transcoder, recording, drain } = tried;
  const isPriced = asksForCost(parsed.body.value);
  const read = transcoder.readStream();
  const passed: StreamReader = isPriced && parsed.operation === 'createChatCompletion' ? new UsageLast(read) : read;
  // Inside the recorder, so that a response whose stream breaks the contract isn't stored.
  const inner = gateway.config.development && parsed.operation === 'createResponse' ? new CheckedStream(passed) : passed;
  const reader = new MeteredReader(recording ? new RecordingReader(inner, recording) : inner, askedOf(tried), tried.grant.isMeasured);
  const frames = new RelayStream({
    source: answer.body,
    reader: tried.tape?.reader(reader) ?? reader,
    // Strict clients fail on unknown events, so only Codex, which needs it, gets the keep-alive event.
    keepAlive: isCodex(call.headers) ? () => inner.keepAlive?.() ?? null : undefined,
    maxFrameBytes: maxBytes(parsed),
    heartbeatMs: gateway.config.server.heartbeatMs,
    firstEventMs: firstEventMs(gateway, model, parsed),
    openingMs: OPENING_MS,
    keep: call.once ?? undefined,
    finish: isPriced ? (last) => costInFrames(last, call.outcome.cost) : undefined,
    isDrained: drain !== null,
    mapFailure: (error) => toDeclaredError(parsed.operation, error),
    complaint: (error, untold) => writeErrorFrames(protocolOf(parsed), error, untold),
    onEnd: async (end) => {
      gateway.streams.remove(open);
      const outcome = (end.kind === 'failed' || drain) && isAborted(call) ? 'client_disconnected' : end.kind;
      if (end.kind === 'failed' && outcome === 'failed' && !end.isShown) {
        call.once?.forget();
        const isOver = end.isFinal || isDrawn(parsed, end.error);
        return new AttemptFailed(end.error, {
          status: answer.status,
          evidence: reader.evidence(outcome),
          ...(isOver && { verdict: 'caller' }),
        });
      }
      call.outcome.endAttempt(answer.status, null, end.kind === 'failed' ? providerWordsOf(end.error) : null);
      if (end.kind === 'failed' && !call.isGone) gateway.upstreams.find(model.upstream).noteFailure?.(answer.status, end.error);
      call.outcome.used(reader.usage);
      noteEnd(gateway, call, end);
      const isWhole = end.kind === 'completed';
      await settleStream(tried, { outcome, isWhole, isShown: !isWhole || end.isShown, evidence: reader.evidence(outcome, isWhole) });
      return undefined;
    },
  });
  const open = gateway.streams.add(frames);
  await frames.begin();
  call.outcome.begun();
  // The client has disconnected: nothing reads this stream, and no later event would end it.
  if (drain && call.isGone) frames.destroy();
  return frames;
}

interface StreamOutcome {
  readonly outcome: StreamEnd['kind'];
  /** Whether the upstream sent all of it, even if the caller had disconnected. */
  readonly isWhole: boolean;
  /** Whether the caller was sent some of it. */
  readonly isShown: boolean;
  readonly evidence: Evidence | null;
}

async function settleStream({ recording, grant }: Attempt, { outcome, isWhole, isShown, evidence }: StreamOutcome): Promise<void> {
  const settle = (): Promise<void> => (evidence ? grant.settle(evidence, outcome) : grant.release(outcome));
  try {
    if (isWhole) await recording?.saved();
  } catch (error) {
    // The response can't be stored. A caller who was sent some of it is charged; one who gets an error status isn't.
    await (isShown ? settle() : grant.release('failed'));
    throw error;
  }
  await settle();
}

/** A simulator answers much faster; this ends a faulty one. */
const SIMULATOR_MS = 60_000;

function firstEventMs({ config }: Gateway, model: Candidate, parsed: ParsedRequest): number {
  const upstream = config.upstreams[model.upstream];
  if (!upstream || upstream.kind === 'simulator') return SIMULATOR_MS;
  return isImage(parsed) ? upstream.imageTimeouts.firstEventMs : upstream.timeouts.firstEventMs;
}

function noteEnd({ log }: Gateway, call: RequestContext, end: StreamEnd): void {
  call.outcome.ended(end.kind);
  if (end.kind !== 'failed') return;
  const { error, isShown } = end;
  call.outcome.failed(error.code, call.isGone ? null : error);
  // The error handler logs errors that are answered by a status. Our own errors inside a stream are logged only here.
  if (isShown && error.code === 'internal_error') log.error({ id: call.id, code: error.code, err: error }, 'stream failed');
}

interface ToSend {
  readonly model: Pick<Model, 'upstreamModel'>;
  readonly transcoder: Transcoder;
  /** Requests of one session use one candidate, and one of its keys. Null without a session. */
  readonly session: string | null;
  /** Whether the caller asked for a stream. */
  readonly isStream: boolean;
  /** Reads the answer to its end after a disconnect; null if a disconnect aborts the upstream immediately, or never. */
  readonly drain: Drain | null;
  readonly traceparent: string | undefined;
}

/** The scenario that the caller asks a simulator for, from the header; several headers are joined by commas. */
export function scenarioOf(call: Pick<RequestContext, 'header'>): string | undefined {
  const said = call.header('x-modelgate-scenario');
  return Array.isArray(said) ? said.join(', ') : said;
}

const never = new AbortController().signal;

/** What only some upstreams need is computed when they read it. A class: the getters of an object literal would be created for every request, which costs more than the rest of it. */
class Sending implements UpstreamRequest {
  readonly operation: UpstreamRequest['operation'];
  readonly model: string;
  readonly path: string | undefined;
  readonly body: UpstreamRequest['body'];
  readonly stream: boolean;
  readonly account: string | undefined;
  readonly requestId: string;
  readonly traceparent: string | undefined;
  readonly gone: EventEmitter;
  readonly left: EventEmitter | undefined;
  readonly session: string | null;
  readonly #call: RequestContext;

  constructor(call: RequestContext, { model, transcoder, session, isStream, drain, traceparent }: ToSend) {
    this.operation = transcoder.operation;
    this.model = model.upstreamModel;
    this.path = transcoder.path;
    this.body = transcoder.body;
    this.stream = isStream;
    this.account = call.principal?.accountId;
    this.requestId = call.id;
    this.traceparent = traceparent;
    // The response to an idempotent request is completed for the retry, so a disconnect aborts nothing.
    this.gone = call.once ? new EventEmitter() : (drain?.gone ?? call.gone);
    this.left = drain ? call.gone : undefined;
    this.session = session;
    this.#call = call;
  }

  get scenario(): string | undefined {
    return scenarioOf(this.#call);
  }

  get signal(): AbortSignal {
    return this.#call.once ? never : this.#call.signal;
  }
}

type UpstreamSettings = Exclude<Gateway['config']['upstreams'][string], { kind: 'simulator' }>;

/** Whether a response is read to its end after a disconnect. By default it is when requests are charged: leaving early must not make them cheaper. */
const isDrained = ({ config }: Gateway, { onClientDisconnect }: UpstreamSettings): boolean =>
  (onClientDisconnect ?? (config.billing === 'off' ? 'abort' : 'drain')) === 'drain';

/** Null if a disconnect aborts the upstream immediately, or never (an idempotent answer is completed for the retry). */
function openDrain(gateway: Gateway, call: RequestContext, model: Candidate): Drain | null {
  const { config, draining } = gateway;
  const upstream = config.upstreams[model.upstream];
  if (!upstream || upstream.kind === 'simulator' || !isDrained(gateway, upstream) || call.once) return null;
  const drain = new Drain(call.gone, upstream);
  call.gone.once('abort', () => register(draining, call, drain));
  return drain;
}

/** Registers a response that is read to its end, until it is settled: a gateway that stops can then end it early. */
function register(draining: Gateway['draining'], call: RequestContext, drain: Drain): void {
  const settled = call.admission?.settled;
  if (!settled) return;
  call.outcome.drained();
  draining.add({ settled, cut: () => drain.stop() });
}

interface DrainBounds {
  /** Milliseconds that a response is read after the disconnect. */
  readonly drainMs: number;
  /** Bytes of a response that are read after the disconnect. */
  readonly drainBytes: number;
}

class Drain {
  /** Emits `abort` when the upstream's request is to be cancelled. */
  readonly gone = new EventEmitter();
  readonly #bounds: DrainBounds;
  #body: AnswerBody | null = null;
  #timer: NodeJS.Timeout | null = null;
  #isOver = false;

  /** `left` emits `abort` on the caller's disconnect. */
  constructor(left: EventEmitter, bounds: DrainBounds) {
    this.#bounds = bounds;
    left.once('abort', () => this.#begin());
  }

  /** The response has begun. */
  watch(body: AnswerBody): void {
    this.#body = body;
    body.once('close', () => this.#clear());
    // A listener for `data` starts the flow: the response's reader must listen first.
    if (this.#timer) setImmediate(() => this.#count(body));
  }

  #begin(): void {
    if (this.#isOver || this.#body?.closed) return;
    this.#timer = setTimeout(() => this.stop(), this.#bounds.drainMs).unref();
    if (this.#body) this.#count(this.#body);
  }

  #count(body: AnswerBody): void {
    let heard = 0;
    body.on('data', ({ length }) => {
      heard += length;
      if (heard > this.#bounds.drainBytes) this.stop();
    });
  }

  /** Cancels the upstream's request. */
  stop(): void {
    this.#clear();
    this.gone.emit('abort');
  }

  /** No response arrived, so nothing needs draining. */
  end(): void {
    this.#isOver = true;
    this.#clear();
  }

  #clear(): void {
    if (this.#timer) clearTimeout(this.#timer);
  }
}
