/** The story of a call, in the order of the specification: what do you ask → may you → do it → answer → note what it used. */
import { mayCall } from './access/permissions.ts';
import type { Call } from './call.ts';
import type { Model } from './catalog.ts';
import { chatRelay } from './dialects/chat/relay.ts';
import type { Relay } from './dialects/dialect.ts';
import { readFailureStatus } from './dialects/failure.ts';
import { imagesRelay } from './dialects/images/relay.ts';
import { type JsonBody, jsonBody } from './dialects/json-body.ts';
import { responsesRelay } from './dialects/responses/relay.ts';
import { GatewayError } from './errors.ts';
import type { Gateway } from './gateway.ts';
import { collect, collectStart } from './upstreams/collect.ts';
import { sendFailure } from './upstreams/http.ts';
import { RelayStream, type StreamEnd } from './upstreams/relay-stream.ts';
import type { FormBody, Operation, UpstreamAnswer } from './upstreams/upstream.ts';

/** What a caller asks: one operation with a body that the contract has approved. */
export interface Ask {
  readonly operation: Operation;
  readonly body: JsonBody | FormBody;
}

/** What a caller gets: the bytes of a whole answer, or a stream of frames. */
export type Answer = { readonly kind: 'whole'; readonly bytes: Buffer } | { readonly kind: 'stream'; readonly frames: RelayStream };

type Protocol = Model['protocols'][number];

const table: Readonly<Record<Operation, { readonly protocol: Protocol; readonly relay: Relay; readonly endpoint: string }>> = {
  createChatCompletion: { protocol: 'chat', relay: chatRelay, endpoint: 'POST /v1/chat/completions' },
  createResponse: { protocol: 'responses', relay: responsesRelay, endpoint: 'POST /v1/responses' },
  generateImages: { protocol: 'images', relay: imagesRelay, endpoint: 'POST /v1/images/generations' },
  editImages: { protocol: 'images', relay: imagesRelay, endpoint: 'POST /v1/images/edits' },
};

/** Largest answer and largest event: texts are small, pictures are not. */
const MAX_TEXT_BYTES = 64 * 1024 * 1024;
const MAX_IMAGE_BYTES = 512 * 1024 * 1024;
/** How long `response.created` is held back so that a failure right behind it still answers with its status. */
const OPENING_MS = 2000;

export async function run(gateway: Gateway, call: Call, ask: Ask): Promise<Answer> {
  const model = admit(gateway, call, ask);
  call.model = model;
  const { relay } = table[ask.operation];
  const names = { asked: model.id, upstream: model.upstreamModel };
  const body = ask.body.kind === 'json' ? relay.writeRequest(ask.body, { model: model.upstreamModel }) : withModel(ask.body, model);
  const isStream = body.value.stream === true;
  const answer = await send(gateway, call, { ask, model, body, isStream });
  return isStream && isEventStream(answer)
    ? { kind: 'stream', frames: await stream(gateway, call, { answer, model, ask, relay }) }
    : { kind: 'whole', bytes: await whole(call, { answer, ask, read: (bytes) => relay.readWhole(bytes, names), isStream }) };
}

/** 404 model → 403 permission → 400 where nothing that serves the model speaks the protocol. */
function admit(gateway: Gateway, call: Call, { operation, body }: Ask): Model {
  const id = String(body.value.model);
  const model = gateway.catalog.find(id);
  if (!model)
    throw new GatewayError('model_not_found', {
      param: 'model',
      message: `There is no model '${shown(id)}'. GET /v1/models lists what this key can call.`,
    });
  if (!call.principal || !mayCall(call.principal, model)) throw new GatewayError('permission_denied', { param: 'model' });
  const { protocol } = table[operation];
  if (!model.protocols.includes(protocol)) throw wrongOperation(model, operation);
  if (protocol === 'responses' && typeof body.value.previous_response_id === 'string')
    throw unknownResponse(body.value.previous_response_id);
  return model;
}

/** Caller's text in a message: short, and on one line. */
const shown = (text: string) => text.slice(0, 100).replace(/[^\x20-\x7e]/g, '?');

function wrongOperation(model: Model, operation: Operation): GatewayError {
  const served = Object.values(table).filter(({ protocol }) => model.protocols.includes(protocol));
  const remedy = served.map(({ endpoint }) => endpoint).join(' or ');
  return new GatewayError('unsupported_value', {
    param: 'model',
    message: `'${model.id}' is not served by ${table[operation].endpoint}. Use ${remedy}.`,
  });
}

function unknownResponse(id: string): GatewayError {
  return new GatewayError('previous_response_not_found', {
    param: 'previous_response_id',
    message: `No response with the id '${shown(id)}' is stored for this account. Resend the conversation in 'input'.`,
  });
}

const withModel = (form: FormBody, model: Model): FormBody => ({ ...form, value: { ...form.value, model: model.upstreamModel } });

interface Sending {
  readonly ask: Ask;
  readonly model: Model;
  readonly body: JsonBody | FormBody;
  readonly isStream: boolean;
}

/** The upstream's answer where it is a good one; anything else as an error of ours. */
async function send(gateway: Gateway, call: Call, { ask, model, body, isStream }: Sending): Promise<UpstreamAnswer> {
  const upstream = gateway.upstreams.find(model.upstream);
  const answer = await upstream.send({ operation: ask.operation, body, stream: isStream, requestId: call.id, signal: call.signal });
  if (answer.status === 200) return answer;
  const retryAfter = answer.headers['retry-after'];
  const start = await collectStart(answer.body, 64 * 1024);
  if (answer.status < 400) throw new GatewayError('upstream_error', { cause: new Error(`upstream answered status ${answer.status}`) });
  throw readFailureStatus(answer.status, start, typeof retryAfter === 'string' ? retryAfter : undefined);
}

function contentType(answer: UpstreamAnswer): string {
  return String(answer.headers['content-type'] ?? '').toLowerCase();
}
const isEventStream = (answer: UpstreamAnswer) => contentType(answer).startsWith('text/event-stream');
const maxBytes = (ask: Ask) => (table[ask.operation].protocol === 'images' ? MAX_IMAGE_BYTES : MAX_TEXT_BYTES);

interface Reading {
  readonly answer: UpstreamAnswer;
  readonly ask: Ask;
  readonly read: (bytes: Buffer) => { bytes: Buffer; usage: Call['usage'] };
  readonly isStream: boolean;
}

async function whole(call: Call, { answer, ask, read, isStream }: Reading): Promise<Buffer> {
  if (isStream || isEventStream(answer)) {
    answer.body.destroy();
    throw new GatewayError('upstream_error', { message: `The upstream did not answer with ${isStream ? 'a stream' : 'JSON'}.` });
  }
  const bytes = await collect(answer.body, maxBytes(ask)).catch((cause: unknown) => {
    throw sendFailure(cause);
  });
  const { bytes: out, usage } = read(bytes);
  call.usage = usage;
  call.end = 'completed';
  return out;
}

interface Streaming {
  readonly answer: UpstreamAnswer;
  readonly model: Model;
  readonly ask: Ask;
  readonly relay: Relay;
}

async function stream(gateway: Gateway, call: Call, { answer, model, ask, relay }: Streaming): Promise<RelayStream> {
  const reader = relay.readStream(asJson(ask.body), { asked: model.id, upstream: model.upstreamModel });
  const waits = streamWaits(gateway, model, ask);
  const frames = new RelayStream({
    source: answer.body,
    reader,
    maxFrameBytes: maxBytes(ask),
    heartbeatMs: gateway.config.server.heartbeatMs,
    firstEventMs: waits,
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

const asJson = (body: JsonBody | FormBody): JsonBody => (body.kind === 'json' ? body : jsonBody(body.value));

function streamWaits({ config }: Gateway, model: Model, ask: Ask): number {
  const upstream = config.upstreams[model.upstream];
  if (upstream?.kind !== 'openai') return 60_000;
  return table[ask.operation].protocol === 'images' ? upstream.imageTimeouts.firstEventMs : upstream.timeouts.firstEventMs;
}

function noteEnd(call: Call, end: StreamEnd): void {
  call.end = end.kind;
  if (end.kind === 'failed') call.code = end.error.code;
}
