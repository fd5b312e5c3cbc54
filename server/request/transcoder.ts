/** Chooses how a request and its response pass between caller and upstream: relayed between like protocols, translated between unlike ones. */

import { EventEmitter } from 'node:events';
import type { Candidate, Model } from '../config/config.ts';
import type { ChatRejection } from '../config/values.ts';
import { chatEffortOf, offersFunctions } from '../dialects/asked.ts';
import { shortestRequest } from '../dialects/chat/custom-input.ts';
import { thoughtsLeftOut } from '../dialects/chat/provider-answer.ts';
import { ignoredBy, quirkedRelay, quirkNames, thoughtsPlace } from '../dialects/chat/quirks.ts';
import {
  chatRelay,
  checkDenied,
  checkProviderValues,
  reasoningLeftOut,
  unkeptFields,
  withKnownFields,
  withKnownTexts,
} from '../dialects/chat/relay.ts';
import { chatCaller } from '../dialects/chat/write-answer.ts';
import { type Relay, readFailureStatus, type StreamReader, type WholeAnswer } from '../dialects/failure.ts';
import { checkImageRules, imagesRelay } from '../dialects/images/images.ts';
import { responsesRelay } from '../dialects/responses/relay.ts';
import { responsesCaller } from '../dialects/responses/write-answer.ts';
import { inOwnNames, renameErrorFields, type UpstreamProtocol, withCallerFieldNames } from '../dialects/turn/caller-field-names.ts';
import { translate } from '../dialects/turn/translation.ts';
import type { AnswerHead, CallerDialect } from '../dialects/turn/turn.ts';
import { fitForHeader, unsentFields } from '../dialects/turn/unsent-fields.ts';
import { isSpoken, upstreamSides } from '../dialects/upstream-sides.ts';
import { longWritesOf, partition, type Usage } from '../dialects/usage.ts';
import { type JsonBody, jsonBody } from '../dialects/wire/json-body.ts';
import { asGatewayError, type CallCode, GatewayError } from '../errors.ts';
import type { KeptThoughts } from '../history/thoughts.ts';
import { providerCostOf } from '../ledger/charge.ts';
import { randomHex } from '../primitives/shared-timeout.ts';
import { collect, collectStart } from '../upstreams/http-exchange.ts';
import type { FormBody, Operation, Upstream } from '../upstreams/upstream.ts';

/** A request: one operation with a body that the contract has validated. */
export interface ParsedRequest {
  readonly operation: Operation;
  readonly body: JsonBody | FormBody;
}

export interface Transcoder {
  /** The operation that the upstream is asked for. */
  readonly operation: Operation;
  /** The body for the upstream. */
  readonly body: JsonBody | FormBody;
  /** Path below the base URL, if the protocol has a separate one. */
  readonly path?: string;
  /** Fields, items and tools that the upstream isn't sent, for `x-modelgate-ignored`. */
  readonly ignored: readonly string[];
  readWhole(bytes: Buffer): WholeAnswer;
  readStream(): StreamReader;
  /** Translates a response whose status isn't 2xx. */
  readFailure(status: number, start: string, retryAfter: string | undefined, kind?: string): GatewayError;
}

type Protocol = Model['protocols'][number];
type CallerProtocol = Exclude<Protocol, UpstreamProtocol> | 'chat' | 'responses';

const table: Readonly<Record<Operation, { readonly protocol: CallerProtocol; readonly relay: Relay; readonly endpoint: string }>> = {
  createChatCompletion: { protocol: 'chat', relay: chatRelay, endpoint: 'POST /v1/chat/completions' },
  createResponse: { protocol: 'responses', relay: responsesRelay, endpoint: 'POST /v1/responses' },
  generateImages: { protocol: 'images', relay: imagesRelay, endpoint: 'POST /v1/images/generations' },
  editImages: { protocol: 'images', relay: imagesRelay, endpoint: 'POST /v1/images/edits' },
};

/** The protocol that the caller speaks. */
export const protocolOf = ({ operation }: ParsedRequest): CallerProtocol => table[operation].protocol;

export const isImage = (parsed: ParsedRequest): boolean => protocolOf(parsed) === 'images';

/** Chooses how the request is sent: relayed when the model speaks the caller's protocol, else translated. Throws `unsupported_value` when neither is possible. */
export function openTranscoder(parsed: ParsedRequest, model: Model, head: () => AnswerHead, thoughts?: KeptThoughts | null): Transcoder {
  const { protocol, relay } = table[parsed.operation];
  if (model.fields) checkDenied(parsed.body.value, model.fields);
  if (protocol === 'chat') checkProviderValues(parsed.body.value, model);
  if (protocol === 'images' && model.images) checkImageRules(imageAskOf(parsed), model.images, model.id);
  if (model.protocols.includes(protocol)) {
    const { quirks } = model;
    const { body, ignored } = handedOn(parsed, model);
    const kept = { ...parsed, body };
    const like = quirks && body.kind === 'json' ? openQuirkedRelay({ ...parsed, body }, model, quirks) : openRelay(kept, relay, model);
    return ignored.length > 0 ? { ...like, ignored: [...ignored, ...like.ignored] } : like;
  }
  const spoken = model.protocols.find(isSpoken);
  if (protocol === 'images' || !spoken || parsed.body.kind !== 'json') throw wrongOperation(model, parsed.operation);
  const caller = callers[protocol];
  const { value: body, bytes } = parsed.body;
  const { dialect, operation = parsed.operation, readFailure } = upstreamSides[spoken];
  const upstream = renameErrorFields(dialect(model), spoken);
  const translation = translate({
    caller,
    upstream,
    body,
    bytes: bytes.length,
    model: model.upstreamModel,
    head: head(),
    thoughts: thoughts ?? undefined,
  });
  const ignored = [...translation.ignored, ...unsentFields(body, protocol, spoken), ...(model.quirks ? ignoredBy(body, model.quirks) : [])];
  return {
    ...translation,
    operation,
    ignored: protocol === 'chat' ? [...ignored, ...onlyChat(body, ignored)] : ignored,
    // Failures are rare: reading the turn again then is cheaper than keeping it for every request.
    readFailure: (...answer) => withCallerFieldNames(readFailure(...answer), spoken, caller.readRequest(body, model.upstreamModel)),
  };
}

/** A form has its files apart. */
const imageAskOf = ({ operation, body }: ParsedRequest) => ({
  ...(operation === 'editImages' && { images: true }),
  ...body.value,
  ...(body.kind === 'form' && body.overlays),
});

/** The body without the fields that the upstream must not get. */
function handedOn({ operation, body }: ParsedRequest, { fields }: Model): Pick<ParsedRequest, 'body'> & Pick<Transcoder, 'ignored'> {
  if (!fields) return { body, ignored: [] };
  if (body.kind === 'json') return withKnownFields(body, operation, fields);
  const { body: value, ignored } = withKnownTexts(body.value, operation, fields);
  return { body: { ...body, value }, ignored };
}

/** The protocols in which callers ask for text. */
const callers: Readonly<Record<Exclude<CallerProtocol, 'images'>, CallerDialect>> = { chat: chatCaller, responses: responsesCaller };

function openRelay({ operation, body }: ParsedRequest, relay: Relay, model: Model): Transcoder {
  const names = { asked: model.id, upstream: model.upstreamModel };
  return {
    operation,
    body: body.kind === 'json' ? relay.writeRequest(body, { model: model.upstreamModel }) : withModel(body, model),
    ignored: operation === 'createChatCompletion' ? unsentChat(body.value, model.quirks) : [],
    readWhole: (bytes) => relay.readWhole(bytes, names, body.value),
    readStream: () => relay.readStream(body.kind === 'json' ? body : jsonBody(body.value), names),
    readFailure: readFailureStatus,
  };
}

type Quirks = NonNullable<Model['quirks']>;

/** Fields of a chat request that aren't sent to a chat upstream. `store` is one of them, because nothing is stored there. */
function unsentChat(body: ParsedRequest['body']['value'], quirks: Quirks | undefined): readonly string[] {
  const reasoning = quirks?.reasoningObject ? [] : reasoningLeftOut(body);
  const thoughts = thoughtsLeftOut(body, quirks ? thoughtsPlace(quirks) : null);
  const unkept = unkeptFields(body);
  return reasoning.length + thoughts.length === 0 ? unkept : [...unkept, ...fitForHeader([...reasoning, ...thoughts])];
}

/** Fields of a chat request that aren't sent over other protocols. */
const onlyChat = (body: ParsedRequest['body']['value'], ignored: readonly string[]): readonly string[] =>
  fitForHeader([...reasoningLeftOut(body), ...thoughtsLeftOut(body, null)].filter((name) => !ignored.includes(name)));

/** Relays chat to a provider whose chat protocol deviates from OpenAI's. */
function openQuirkedRelay(parsed: ParsedRequest & { readonly body: JsonBody }, model: Model, quirks: Quirks): Transcoder {
  const like = openRelay(parsed, quirkedRelay(quirks), model);
  return {
    ...like,
    ignored: [...like.ignored, ...ignoredBy(parsed.body.value, quirks)],
    readFailure: (...answer) => inOwnNames(readFailureStatus(...answer), quirkNames(parsed.body.value, quirks)),
  };
}

const withModel = (form: FormBody, model: Model): FormBody => ({ ...form, value: { ...form.value, model: model.upstreamModel } });

function wrongOperation(model: Model, operation: Operation): GatewayError {
  const served = Object.values(table).filter(({ protocol }) => model.protocols.includes(protocol));
  const remedy = served.map(({ endpoint }) => endpoint).join(' or ');
  return new GatewayError<CallCode>('unsupported_value', {
    param: 'model',
    message: `'${model.id}' isn't available at ${table[operation].endpoint}. Use ${remedy}.`,
  });
}

export interface TestOutcome {
  /** Null if no response came. */
  readonly status: number | null;
  readonly firstMs: number | null;
  readonly totalMs: number;
  readonly usage: Usage | null;
  /** Cost in micro-dollars. Null if unknown. */
  readonly providerCost: bigint | null;
  /** Error that a caller would get. Null if the call succeeded. */
  readonly error: GatewayError | null;
}

const MAX_BYTES = 1024 * 1024;
const COMPLAINT_BYTES = 64 * 1024;
const MAX_MS = 30_000;

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
    const { usage } = transcoder.readWhole(await collect(answer.body, MAX_BYTES));
    return { ...head, totalMs: passedMs(), usage, providerCost: providerCostIn(usage, model), error: null };
  } catch (thrown) {
    return { ...head, totalMs: passedMs(), usage: null, providerCost: null, error: asGatewayError(thrown) };
  }
}

function providerCostIn(usage: Usage | null, { cost }: Candidate): bigint | null {
  if (usage === null) return null;
  const classes = partition(usage);
  const { uncachedInput, imageInput, cachedInput, cacheWrite, output, reasoning } = classes;
  const input = uncachedInput + imageInput;
  return providerCostOf(cost, { input, cachedInput, cacheWrite, ...longWritesOf(classes), output, reasoning, images: {} });
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
  const [gone, signal] = [new EventEmitter(), AbortSignal.timeout(MAX_MS)];
  signal.addEventListener('abort', () => gone.emit('abort'));
  const requestId = `req_${randomHex(16)}`;
  return await upstream.send({ operation, model: model.upstreamModel, path, body, stream: false, session: null, requestId, signal, gone });
}

type Own = 'chat' | 'responses';
const others = { chat: 'responses', responses: 'chat' } as const satisfies Record<Own, Own>;

/**
 * Chooses the protocol in which an upstream is asked that speaks both protocols of OpenAI: the caller's own, so that everything passes unchanged, unless the
 * provider of the model rejects such a request there. What it rejects is configured, known by the model's name, or was learned (decision 0004).
 */
export interface ProtocolChoice {
  /** The candidate as it is asked: with the other protocol alone where the provider rejects such a request over the caller's. */
  narrow(candidate: Candidate, parsed: ParsedRequest): Candidate;
  /** The candidate with the other protocol alone; null if it has no other, or the request went over that already. */
  turned(candidate: Candidate, parsed: ParsedRequest): Candidate | null;
  /** The provider rejected the request over the caller's protocol, and took it over the other one. */
  learn(candidate: Candidate, parsed: ParsedRequest): void;
}

/** After this time, a learned rule is tested again, because providers lift such rules. */
const REMEMBERED_MS = 3_600_000;

interface Learned {
  readonly rejects: ChatRejection;
  readonly until: number;
}

/** `now`: a steady clock, in milliseconds. */
export function openProtocolChoice(now: () => number = () => performance.now()): ProtocolChoice {
  /** By upstream, model there and the caller's protocol: as many as the configuration has candidates. */
  const learned = new Map<string, Learned>();
  const learnedOf = (candidate: Candidate, own: Own): ChatRejection => {
    const found = learned.size > 0 ? learned.get(keyOf(candidate, own)) : undefined;
    return found && found.until > now() ? found.rejects : 'nothing';
  };
  return {
    narrow(candidate, parsed) {
      const own = ownWithOther(candidate, parsed);
      if (own === null) return candidate;
      const known = own === 'chat' ? (candidate.chatRejects ?? 'nothing') : 'nothing';
      const isRejected = [known, learnedOf(candidate, own)].some((rejects) => covers(rejects, parsed));
      return isRejected ? only(candidate, others[own]) : candidate;
    },
    turned(candidate, parsed) {
      const own = ownWithOther(candidate, parsed);
      return own === null || candidate.chatRejects === 'nothing' ? null : only(candidate, others[own]);
    },
    learn(candidate, parsed) {
      const own = ownWithOther(candidate, parsed);
      if (own === null) return;
      const before = learnedOf(candidate, own);
      const rejects = own === 'chat' ? narrowest(parsed) : 'everything';
      const most = ranks.indexOf(before) > ranks.indexOf(rejects) ? before : rejects;
      learned.set(keyOf(candidate, own), { rejects: most, until: now() + REMEMBERED_MS });
    },
  };
}

const ranks: readonly ChatRejection[] = ['nothing', 'tools-with-effort', 'tools', 'everything'];

const keyOf = ({ upstream, upstreamModel }: Candidate, own: Own): string => `${own} ${upstream} ${upstreamModel}`;

/** The caller's protocol, where the candidate has that and the other one. */
function ownWithOther({ protocols }: Candidate, parsed: ParsedRequest): Own | null {
  const own = protocolOf(parsed);
  if (own === 'images' || parsed.body.kind !== 'json' || !isOwn(own)) return null;
  return protocols.includes(own) && protocols.includes(others[own]) ? own : null;
}

const isOwn = (protocol: string): protocol is Own => Object.hasOwn(others, protocol);

/** Classifies a request by the smallest `chatRejects` value that covers it. */
function narrowest({ body: { value } }: ParsedRequest): ChatRejection {
  if (!offersFunctions(value)) return 'everything';
  const effort = chatEffortOf(value);
  if (effort === null) return 'tools';
  return effort === 'none' ? 'everything' : 'tools-with-effort';
}

const covers = (rejects: ChatRejection, parsed: ParsedRequest): boolean =>
  rejects !== 'nothing' && (rejects === 'everything' || ranks.indexOf(narrowest(parsed)) <= ranks.indexOf(rejects));

/** One object for each candidate and protocol, since callers compare candidates by identity. */
const narrowed = new WeakMap<Candidate, Map<Own, Candidate>>();

function only(candidate: Candidate, protocol: Own): Candidate {
  const known = narrowed.get(candidate) ?? new Map<Own, Candidate>();
  narrowed.set(candidate, known);
  const made = known.get(protocol) ?? { ...candidate, protocols: [protocol] };
  known.set(protocol, made);
  return made;
}
