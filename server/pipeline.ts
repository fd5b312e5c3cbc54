/** The story of a call, in the order of the specification: what do you ask → may you → what was said before → do it → answer → note it. */
import { EventEmitter } from 'node:events';
import type { Readable } from 'node:stream';
import { mustNotStore, permitCall } from './access/permissions.ts';
import { boundsOf, roughTokens } from './bounds.ts';
import type { Call } from './call.ts';
import type { Model } from './catalog.ts';
import { type Conversation, openConversation, withSealed } from './conversation.ts';
import { complain } from './dialects/complaint.ts';
import type { WholeAnswer } from './dialects/dialect.ts';
import { withFields } from './dialects/json-body.ts';
import { CheckedStream } from './dialects/responses/checked.ts';
import { isCodex } from './dialects/responses/codex.ts';
import type { AnswerHead } from './dialects/turn.ts';
import { usageOfFailure } from './dialects/whole.ts';
import { GatewayError, shown } from './errors.ts';
import type { Gateway } from './gateway.ts';
import { type Grant, openGrant } from './grant.ts';
import { type Recording, RecordingReader, recordWhole } from './history/recorder.ts';
import { randomHex } from './ids.ts';
import { type Asked, type Evidence, evidenceIn, inputAlone, MeteredReader, saysSomething } from './meter.ts';
import { type Ask, isImage, openPassage, type Passage, protocolOf } from './passage.ts';
import { collect, collectStart } from './upstreams/collect.ts';
import { sendFailure } from './upstreams/http.ts';
import { RelayStream, type StreamEnd } from './upstreams/relay-stream.ts';
import type { UpstreamAnswer } from './upstreams/upstream.ts';

/** What a caller gets: the bytes of a whole answer, or a stream of frames. */
export type Answer = { readonly kind: 'whole'; readonly bytes: Buffer } | { readonly kind: 'stream'; readonly frames: Readable };

/** Largest answer and largest event: texts are small, pictures are not. */
const MAX_TEXT_BYTES = 64 * 1024 * 1024;
const MAX_IMAGE_BYTES = 512 * 1024 * 1024;
/** How long `response.created` is held back so that a failure right behind it still answers with its status. */
const OPENING_MS = 2000;

export async function run(gateway: Gateway, call: Call, asked: Ask): Promise<Answer> {
  const { model, ask } = admit(gateway, call, asked);
  call.model = model;
  const { body, recording, ignored } = await converse(gateway, call, ask, model);
  const passage = openPassage({ ...ask, body }, model, () => headOf(ask, { model, recording, asked: ask.body.value }));
  call.ignored = [...ignored, ...passage.ignored];
  const sent = { asked: ask.body.value, body: passage.body, isImage: isImage(ask) };
  const order = { model, operation: ask.operation, bounds: () => boundsOf(sent, model), tokens: () => roughTokens(sent) };
  const grant = await openGrant(gateway, call, order);
  try {
    return await attempt(gateway, call, { ask, model, passage, recording, grant, isStream: ask.body.value.stream === true });
  } catch (error) {
    // Whatever was used has been settled by now; only the first ending counts.
    await grant.release(isAborted(call) ? 'client_gone' : 'failed');
    throw error;
  }
}

async function attempt(gateway: Gateway, call: Call, tried: Attempt): Promise<Answer> {
  // Whoever left while room was made would not be heard leaving any more.
  if (call.isGone) throw new GatewayError('upstream_error', { cause: new Error('the caller has left') });
  const answer = await send(gateway, call, tried);
  return tried.isStream && isEventStream(answer)
    ? { kind: 'stream', frames: await stream(gateway, call, { ...tried, answer }) }
    : { kind: 'whole', bytes: await whole(call, { ...tried, answer }) };
}

/** 404 model → 403 permission. */
function admit(gateway: Gateway, call: Call, ask: Ask): { readonly model: Model; readonly ask: Ask } {
  const { operation, body } = ask;
  const id = String(body.value.model);
  const model = gateway.catalog.find(id);
  if (!model)
    throw new GatewayError('model_not_found', {
      param: 'model',
      message: `There is no model '${shown(id)}'. GET /v1/models lists what this key can call.`,
    });
  if (!call.principal) throw new GatewayError('invalid_api_key');
  permitCall(call.principal, model, operation);
  if (operation !== 'createResponse' || body.kind !== 'json' || !mustNotStore(call.principal, body.value.store)) return { model, ask };
  return { model, ask: { operation, body: withFields(body, { store: false }) } };
}

interface Heading {
  readonly model: Model;
  readonly recording: Recording | null;
  /** The body as the caller wrote it. */
  readonly asked: Readonly<Record<string, unknown>>;
}

/** What an answer that is written here is about; a response keeps the id that it is stored under, and what is stored keeps its sealed thoughts. */
function headOf({ operation }: Ask, { model, recording, asked }: Heading): AnswerHead {
  const now = () => Math.floor(Date.now() / 1000);
  const newId = (prefix: string) => `${prefix}_${randomHex(24)}`;
  const id = operation === 'createResponse' ? String(recording?.echo.id ?? newId('resp')) : `chatcmpl-${randomHex(16)}`;
  const include = recording?.save ? withSealed(asked.include) : asked.include;
  return { id, createdAt: now(), model: model.id, request: { ...asked, include }, newId, now };
}

/** A responses call goes on from what is stored; every other call stands for itself. */
async function converse({ history }: Gateway, call: Call, ask: Ask, model: Model): Promise<Omit<Conversation, 'body'> & Pick<Ask, 'body'>> {
  const { operation, body } = ask;
  if (operation !== 'createResponse' || body.kind !== 'json') return { body, recording: null, ignored: [] };
  return openConversation(history, call, body, model);
}

interface Attempt {
  readonly ask: Ask;
  readonly model: Model;
  readonly passage: Passage;
  readonly recording: Recording | null;
  readonly grant: Grant;
  /** Whether the caller asked for a stream; the upstream is asked for the same. */
  readonly isStream: boolean;
}

const askedOf = ({ ask, passage }: Attempt): Asked => ({
  ...{ protocol: protocolOf(ask), asked: ask.body.value, request: passage.body.value },
});

/** The upstream's answer where it is a good one; anything else as an error of ours. */
async function send(gateway: Gateway, call: Call, tried: Attempt): Promise<UpstreamAnswer> {
  const { model, passage, isStream } = tried;
  const { operation, body, path } = passage;
  const sending = gateway.upstreams.find(model.upstream).send({
    operation,
    body,
    stream: isStream,
    requestId: call.id,
    gone: call.once ? nobodyLeaves : call.gone,
    get signal() {
      return call.once ? never : call.signal;
    },
    ...(path !== undefined && { path }),
  });
  const answer = await sending.catch((cause: unknown) => failAttempt(call, tried, cause));
  if (answer.status === 200) return answer;
  const retryAfter = answer.headers['retry-after'];
  const start = await collectStart(answer.body, 64 * 1024);
  if (answer.status < 400) throw new GatewayError('upstream_error', { cause: new Error(`upstream answered status ${answer.status}`) });
  throw passage.readFailure(answer.status, start, typeof retryAfter === 'string' ? retryAfter : undefined);
}

/** Says nothing: an answer that is kept for another try is finished without its caller. */
const nobodyLeaves = new EventEmitter();
const never = new AbortController().signal;

function contentType(answer: UpstreamAnswer): string {
  return String(answer.headers['content-type'] ?? '').toLowerCase();
}
const isEventStream = (answer: UpstreamAnswer) => contentType(answer).startsWith('text/event-stream');
const maxBytes = (ask: Ask) => (isImage(ask) ? MAX_IMAGE_BYTES : MAX_TEXT_BYTES);

type Answered = Attempt & { readonly answer: UpstreamAnswer };

/** Whether a failure is nothing but the abort for a caller who left: an answer that is kept for another try is not aborted. */
const isAborted = ({ isGone, once }: Call): boolean => isGone && once === null;

/** Where it failed because the caller left, the upstream was at work, and bills. */
async function failAttempt(call: Call, tried: Attempt, cause: unknown): Promise<never> {
  const evidence = isAborted(call) ? inputAlone(askedOf(tried), null) : null;
  if (evidence) await tried.grant.settle(evidence, 'client_gone');
  throw sendFailure(cause);
}

async function whole(call: Call, tried: Answered): Promise<Buffer> {
  const { answer, ask, recording, grant, isStream } = tried;
  if (isStream || isEventStream(answer)) {
    answer.body.destroy();
    throw new GatewayError('upstream_error', { message: `The upstream did not answer with ${isStream ? 'a stream' : 'JSON'}.` });
  }
  const received = await collect(answer.body, maxBytes(ask)).catch((cause: unknown) => failAttempt(call, tried, cause));
  const { bytes, usage } = await readWhole(received, tried);
  call.usage = usage;
  const out = recording ? recordWhole(bytes, recording) : bytes;
  await recording?.saved();
  await grant.settle(evidenceIn(bytes, usage, askedOf(tried)), 'completed');
  await call.once?.keepWhole(out);
  call.end = 'completed';
  return out;
}

/** What a failed answer says that it used is owed (F33). */
async function readWhole(received: Buffer, tried: Answered): Promise<WholeAnswer> {
  try {
    return tried.passage.readWhole(received);
  } catch (error) {
    const usage = usageOfFailure(received);
    const evidence = saysSomething(usage) ? inputAlone(askedOf(tried), usage) : null;
    if (evidence) await tried.grant.settle(evidence, 'failed');
    throw error;
  }
}

async function stream(gateway: Gateway, call: Call, tried: Answered): Promise<RelayStream> {
  const { answer, model, ask, passage, recording } = tried;
  const passed = passage.readStream();
  // Inside of what records it: a response whose stream broke is not kept.
  const inner = gateway.config.development && ask.operation === 'createResponse' ? new CheckedStream(passed) : passed;
  const reader = new MeteredReader(recording ? new RecordingReader(inner, recording) : inner, askedOf(tried), tried.grant.isMeasured);
  const frames = new RelayStream({
    source: answer.body,
    reader,
    // Strict clients fail on an event that they do not know: only who needs the event gets it.
    keepAlive: isCodex(call.headers) ? () => inner.keepAlive?.() ?? null : undefined,
    maxFrameBytes: maxBytes(ask),
    heartbeatMs: gateway.config.server.heartbeatMs,
    firstEventMs: firstEventMs(gateway, model, ask),
    openingMs: OPENING_MS,
    keep: call.once ?? undefined,
    complaint: (error, untold) => complain(protocolOf(ask), error, untold),
    onEnd: async (end) => {
      gateway.streams.delete(frames);
      call.usage = reader.usage;
      noteEnd(gateway, call, end);
      const outcome = end.kind === 'failed' && isAborted(call) ? 'client_gone' : end.kind;
      await settleStream(tried, { outcome, isShown: end.kind !== 'completed' || end.isShown, evidence: reader.evidence(outcome) });
    },
  });
  gateway.streams.add(frames);
  await frames.begin();
  call.firstEventMs = call.elapsedMs();
  return frames;
}

interface StreamOutcome {
  readonly outcome: StreamEnd['kind'];
  /** Whether the caller has read some of it. */
  readonly isShown: boolean;
  readonly evidence: Evidence | null;
}

async function settleStream({ recording, grant }: Attempt, { outcome, isShown, evidence }: StreamOutcome): Promise<void> {
  const settle = (): Promise<void> => (evidence ? grant.settle(evidence, outcome) : grant.release(outcome));
  try {
    if (outcome === 'completed') await recording?.saved();
  } catch (error) {
    // It was made and cannot be stored: whoever has read it owes it, whoever is told by a status owes nothing.
    await (isShown ? settle() : grant.release('failed'));
    throw error;
  }
  await settle();
}

/** The simulator is quick, or something is wrong. */
const SIMULATOR_MS = 60_000;

function firstEventMs({ config }: Gateway, model: Model, ask: Ask): number {
  const upstream = config.upstreams[model.upstream];
  if (!upstream || upstream.kind === 'simulator') return SIMULATOR_MS;
  return isImage(ask) ? upstream.imageTimeouts.firstEventMs : upstream.timeouts.firstEventMs;
}

function noteEnd({ log }: Gateway, call: Call, end: StreamEnd): void {
  call.end = end.kind;
  if (end.kind !== 'failed') return;
  const { error, isShown } = end;
  call.code = error.code;
  // What is answered by a status is reported with that; a fault of ours that the caller reads in the stream only here.
  if (isShown && error.code === 'internal_error') log.error({ id: call.id, code: error.code, err: error }, 'stream failed');
}
