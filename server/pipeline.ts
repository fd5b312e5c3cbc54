/** The story of a call, in the order of the specification: what do you ask → may you → what was said before → do it → answer → note it. */
import { randomBytes } from 'node:crypto';
import { mayCall } from './access/permissions.ts';
import type { Call } from './call.ts';
import type { Model } from './catalog.ts';
import { openConversation, withSealed } from './conversation.ts';
import type { StreamReader } from './dialects/dialect.ts';
import type { AnswerHead } from './dialects/turn.ts';
import { GatewayError, shown } from './errors.ts';
import type { Gateway } from './gateway.ts';
import { type Recording, RecordingReader, recordWhole } from './history/recorder.ts';
import { type Ask, isImage, openPassage, type Passage } from './passage.ts';
import { collect, collectStart } from './upstreams/collect.ts';
import { sendFailure } from './upstreams/http.ts';
import { RelayStream, type StreamEnd } from './upstreams/relay-stream.ts';
import type { UpstreamAnswer } from './upstreams/upstream.ts';

/** What a caller gets: the bytes of a whole answer, or a stream of frames. */
export type Answer = { readonly kind: 'whole'; readonly bytes: Buffer } | { readonly kind: 'stream'; readonly frames: RelayStream };

/** Largest answer and largest event: texts are small, pictures are not. */
const MAX_TEXT_BYTES = 64 * 1024 * 1024;
const MAX_IMAGE_BYTES = 512 * 1024 * 1024;
/** How long `response.created` is held back so that a failure right behind it still answers with its status. */
const OPENING_MS = 2000;

export async function run(gateway: Gateway, call: Call, ask: Ask): Promise<Answer> {
  const model = admit(gateway, call, ask);
  call.model = model;
  const { body, recording } = converse(gateway, call, ask, model);
  const passage = openPassage({ ...ask, body }, model, () => headOf(ask, { model, recording, asked: ask.body.value }));
  call.ignored = passage.ignored;
  const attempt: Attempt = { ask, model, passage, recording, isStream: ask.body.value.stream === true };
  const answer = await send(gateway, call, attempt);
  return attempt.isStream && isEventStream(answer)
    ? { kind: 'stream', frames: await stream(gateway, call, { ...attempt, answer }) }
    : { kind: 'whole', bytes: await whole(call, { ...attempt, answer }) };
}

/** 404 model → 403 permission. */
function admit(gateway: Gateway, call: Call, { body }: Ask): Model {
  const id = String(body.value.model);
  const model = gateway.catalog.find(id);
  if (!model)
    throw new GatewayError('model_not_found', {
      param: 'model',
      message: `There is no model '${shown(id)}'. GET /v1/models lists what this key can call.`,
    });
  if (!call.principal || !mayCall(call.principal, model)) throw new GatewayError('permission_denied', { param: 'model' });
  return model;
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
  const newId = (prefix: string) => `${prefix}_${randomBytes(24).toString('hex')}`;
  const id = operation === 'createResponse' ? String(recording?.echo.id ?? newId('resp')) : `chatcmpl-${randomBytes(16).toString('hex')}`;
  const include = recording?.save ? withSealed(asked.include) : asked.include;
  return { id, createdAt: now(), model: model.id, request: { ...asked, include }, newId, now };
}

/** A responses call goes on from what is stored; every other call stands for itself. */
function converse({ history }: Gateway, call: Call, ask: Ask, model: Model): { body: Ask['body']; recording: Recording | null } {
  const { operation, body } = ask;
  if (operation !== 'createResponse' || body.kind !== 'json') return { body, recording: null };
  return openConversation(history, call, body, model);
}

interface Attempt {
  readonly ask: Ask;
  readonly model: Model;
  readonly passage: Passage;
  readonly recording: Recording | null;
  /** Whether the caller asked for a stream; the upstream is asked for the same. */
  readonly isStream: boolean;
}

/** The upstream's answer where it is a good one; anything else as an error of ours. */
async function send(gateway: Gateway, call: Call, { model, passage, isStream }: Attempt): Promise<UpstreamAnswer> {
  const { operation, body, path } = passage;
  const answer = await gateway.upstreams.find(model.upstream).send({
    operation,
    body,
    stream: isStream,
    requestId: call.id,
    gone: call.gone,
    get signal() {
      return call.signal;
    },
    ...(path !== undefined && { path }),
  });
  if (answer.status === 200) return answer;
  const retryAfter = answer.headers['retry-after'];
  const start = await collectStart(answer.body, 64 * 1024);
  if (answer.status < 400) throw new GatewayError('upstream_error', { cause: new Error(`upstream answered status ${answer.status}`) });
  throw passage.readFailure(answer.status, start, typeof retryAfter === 'string' ? retryAfter : undefined);
}

function contentType(answer: UpstreamAnswer): string {
  return String(answer.headers['content-type'] ?? '').toLowerCase();
}
const isEventStream = (answer: UpstreamAnswer) => contentType(answer).startsWith('text/event-stream');
const maxBytes = (ask: Ask) => (isImage(ask) ? MAX_IMAGE_BYTES : MAX_TEXT_BYTES);

type Answered = Attempt & { readonly answer: UpstreamAnswer };

async function whole(call: Call, { answer, ask, passage, recording, isStream }: Answered): Promise<Buffer> {
  if (isStream || isEventStream(answer)) {
    answer.body.destroy();
    throw new GatewayError('upstream_error', { message: `The upstream did not answer with ${isStream ? 'a stream' : 'JSON'}.` });
  }
  const received = await collect(answer.body, maxBytes(ask)).catch((cause: unknown) => {
    throw sendFailure(cause);
  });
  const { bytes, usage } = passage.readWhole(received);
  call.usage = usage;
  const out = recording ? recordWhole(bytes, recording) : bytes;
  call.end = 'completed';
  return out;
}

async function stream(gateway: Gateway, call: Call, { answer, model, ask, passage, recording }: Answered): Promise<RelayStream> {
  const inner = passage.readStream();
  const reader: StreamReader = recording ? new RecordingReader(inner, recording) : inner;
  const frames = new RelayStream({
    source: answer.body,
    reader,
    maxFrameBytes: maxBytes(ask),
    heartbeatMs: gateway.config.server.heartbeatMs,
    firstEventMs: firstEventMs(gateway, model, ask),
    openingMs: OPENING_MS,
    onEnd: (end) => {
      gateway.streams.delete(frames);
      call.usage = reader.usage;
      noteEnd(call, end);
    },
  });
  gateway.streams.add(frames);
  await frames.begin();
  call.firstEventMs = call.elapsedMs();
  return frames;
}

/** The simulator is quick, or something is wrong. */
const SIMULATOR_MS = 60_000;

function firstEventMs({ config }: Gateway, model: Model, ask: Ask): number {
  const upstream = config.upstreams[model.upstream];
  if (!upstream || upstream.kind === 'simulator') return SIMULATOR_MS;
  return isImage(ask) ? upstream.imageTimeouts.firstEventMs : upstream.timeouts.firstEventMs;
}

function noteEnd(call: Call, end: StreamEnd): void {
  call.end = end.kind;
  if (end.kind === 'failed') call.code = end.error.code;
}
