/** Chooses how a request and its response pass between caller and upstream: relayed if both have the same protocol, otherwise translated. */

import type { Model } from '../config/config.ts';
import type { ChatReasoning } from '../history/chat-reasoning.ts';
import { type CallCode, type CallName, GatewayError } from '../primitives/errors.ts';
import { withoutUnsupported } from '../protocols/canonical/apply-model-rules.ts';
import { renameErrorFields, withCallerFieldNames, withRenamedFields } from '../protocols/canonical/caller-field-names.ts';
import { findDroppedFields, toHeaderNames } from '../protocols/canonical/dropped-fields.ts';
import { readExactSchemas, translate } from '../protocols/canonical/translate.ts';
import { checkProviderValues } from '../protocols/chat/accepted-values.ts';
import { chatCallerDialect } from '../protocols/chat/dialect.ts';
import { createQuirkRelay, findFieldsDroppedByQuirks, getCallerNames, getReasoningFormat } from '../protocols/chat/quirks.ts';
import { findDroppedReasoningParts } from '../protocols/chat/reasoning-parts.ts';
import { chatRelay, findDroppedReasoningFields, findDroppedStore } from '../protocols/chat/relay.ts';
import type { CallerDialect, ResponseHead, UpstreamProtocol } from '../protocols/dialect.ts';
import { readFailureStatus } from '../protocols/errors.ts';
import { imagesRelay } from '../protocols/images/relay.ts';
import { checkImageRules } from '../protocols/images/rules.ts';
import { rejectDeniedFields, withKnownFields, withKnownTexts } from '../protocols/known-fields.ts';
import type { CompleteResponse, Relay } from '../protocols/relay.ts';
import { toCompactedResponse } from '../protocols/responses/compacted-response.ts';
import { createCompactionDialect, type SealSummary } from '../protocols/responses/compaction.ts';
import { isCompactionRequested } from '../protocols/responses/compaction-items.ts';
import { responsesCallerDialect } from '../protocols/responses/dialect.ts';
import { responsesRelay } from '../protocols/responses/relay.ts';
import type { StreamReader } from '../protocols/stream-reader.ts';
import { isUpstreamProtocol, upstreamProtocols } from '../protocols/upstream-protocols.ts';
import { createJsonBody, type JsonBody } from '../protocols/wire/json-body.ts';
import type { FormBody, Operation } from '../providers/upstream.ts';

/** A request: one operation with a body that passed contract validation. */
export interface ParsedRequest {
  readonly operation: Operation;
  readonly body: JsonBody | FormBody;
  /** The ID of a response that runs in the background. Otherwise, each attempt creates one. */
  readonly responseId?: string;
  /** Set if the caller's operation is `compactResponse`, whose response has another form. */
  readonly compaction?: {
    /** The body as the caller sent it. */
    readonly received: JsonBody;
    /** The caller's fields that compaction doesn't have, for `x-modelgate-dropped`. */
    readonly dropped: readonly string[];
  };
}

/** The operation that the caller used. */
export const getOperationName = ({ operation, compaction }: ParsedRequest): CallName => (compaction ? 'compactResponse' : operation);

/** What a transcoder needs besides the request. */
interface TranscoderOptions {
  /** Creates the head of a response that the gateway writes. */
  createHead(): ResponseHead;
  /** Keeps the reasoning of a chat request over another protocol. */
  readonly chatReasoning?: ChatReasoning | null | undefined;
  /** Seals the summary of a compacted conversation for the caller's account. */
  readonly sealSummary: SealSummary;
}

export interface Transcoder {
  /** The operation to request from the upstream. */
  readonly operation: Operation;
  /** The body for the upstream. */
  readonly body: JsonBody | FormBody;
  /** Path below the base URL, if the protocol has a separate one. */
  readonly path?: string;
  /** Fields, items and tools not sent to the upstream, for `x-modelgate-dropped`. */
  readonly dropped: readonly string[];
  readResponse(bytes: Buffer): CompleteResponse;
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

/** The caller's protocol. */
export const getProtocol = ({ operation }: ParsedRequest): CallerProtocol => table[operation].protocol;

export const isImage = (parsed: ParsedRequest): boolean => getProtocol(parsed) === 'images';

/** Relays the request if the model supports the caller's protocol, and translates it otherwise. Throws `unsupported_value` if neither is possible. */
export function openTranscoder(parsed: ParsedRequest, model: Model, options: TranscoderOptions): Transcoder {
  const transcoder = openResponseTranscoder(parsed, model, options);
  if (!parsed.compaction) return transcoder;
  return {
    ...transcoder,
    dropped: [...parsed.compaction.dropped, ...transcoder.dropped],
    readResponse: (bytes) => toCompactedResponse(transcoder.readResponse(bytes), parsed.body.value, options.createHead()),
  };
}

function openResponseTranscoder(
  parsed: ParsedRequest,
  model: Model,
  { createHead, chatReasoning, sealSummary }: TranscoderOptions,
): Transcoder {
  const { protocol, relay } = table[parsed.operation];
  if (model.fields) rejectDeniedFields(parsed.body.value, model.fields);
  if (protocol === 'chat') checkProviderValues(parsed.body.value, model);
  if (protocol === 'images' && model.images) checkImageRules(toImageRequest(parsed), model.images, model.id);
  const isCompaction = protocol === 'responses' && isCompactionRequested(parsed.body.value);
  if (model.protocols.includes(protocol) && (!isCompaction || model.compacts)) {
    const { quirks } = model;
    const { body, dropped } = toAcceptedBody(parsed, model);
    const { operation } = parsed;
    const relayed =
      quirks && body.kind === 'json' ? openQuirkedRelay({ operation, body }, model, quirks) : openRelay({ operation, body }, relay, model);
    return dropped.length > 0 ? { ...relayed, dropped: [...dropped, ...relayed.dropped] } : relayed;
  }
  const upstreamProtocol = model.protocols.find(isUpstreamProtocol);
  if (protocol === 'images' || !upstreamProtocol || parsed.body.kind !== 'json') throw createWrongOperationError(model, parsed.operation);
  const caller = isCompaction ? createCompactionDialect(sealSummary) : callers[protocol];
  const { value: body, bytes } = parsed.body;
  const { openDialect, operation = parsed.operation, readFailure } = upstreamProtocols[upstreamProtocol];
  const upstream = renameErrorFields(openDialect(model), upstreamProtocol);
  const translation = translate({
    caller,
    upstream,
    body: readExactSchemas(parsed.body),
    bytes: bytes.length,
    model: model.upstreamModel,
    head: createHead(),
    reasoningHistory: chatReasoning ?? undefined,
  });
  const dropped = [
    ...translation.dropped,
    ...findDroppedFields(body, protocol, upstreamProtocol),
    ...(model.quirks ? findFieldsDroppedByQuirks(body, model.quirks) : []),
  ];
  return {
    ...translation,
    operation,
    dropped: protocol === 'chat' ? [...dropped, ...listChatOnlyFields(body, dropped)] : dropped,
    // Failures are rare, so reading the request again is cheaper than keeping the parsed one for every request.
    readFailure: (...answer) =>
      withCallerFieldNames(readFailure(...answer), upstreamProtocol, caller.readRequest(body, model.upstreamModel)),
  };
}

/** A form keeps its files outside `value`. */
const toImageRequest = ({ operation, body }: ParsedRequest) => ({
  ...(operation === 'editImages' && { images: true }),
  ...body.value,
  ...(body.kind === 'form' && body.overlays),
});

/** Removes fields that the upstream must not get. */
function toAcceptedBody(
  { operation, body }: ParsedRequest,
  { fields, rules }: Model,
): Pick<ParsedRequest, 'body'> & Pick<Transcoder, 'dropped'> {
  if (body.kind === 'json') {
    const known = fields ? withKnownFields(body, operation, fields) : { body, dropped: [] };
    if (!rules) return known;
    const accepted = withoutUnsupported(known.body, rules);
    return { body: accepted.body, dropped: [...known.dropped, ...accepted.dropped] };
  }
  if (!fields) return { body, dropped: [] };
  const { body: value, dropped } = withKnownTexts(body.value, operation, fields);
  return { body: { ...body, value }, dropped };
}

/** The caller dialects of text generation. */
const callers: Readonly<Record<Exclude<CallerProtocol, 'images'>, CallerDialect>> = {
  chat: chatCallerDialect,
  responses: responsesCallerDialect,
};

function openRelay({ operation, body }: ParsedRequest, relay: Relay, model: Model): Transcoder {
  const names = { requested: model.id, upstream: model.upstreamModel };
  return {
    operation,
    body: body.kind === 'json' ? relay.writeRequest(body, { model: model.upstreamModel }) : setFormModel(body, model),
    dropped: operation === 'createChatCompletion' ? listUnsentChatFields(body.value, model.quirks) : [],
    readResponse: (bytes) => relay.readResponse(bytes, names, body.value),
    readStream: () => relay.readStream(body.kind === 'json' ? body : createJsonBody(body.value), names),
    readFailure: readFailureStatus,
  };
}

type Quirks = NonNullable<Model['quirks']>;

/** Chat request fields not sent to a chat upstream. Includes `store`, because the upstream stores nothing. */
function listUnsentChatFields(body: ParsedRequest['body']['value'], quirks: Quirks | undefined): readonly string[] {
  const reasoning = quirks?.reasoningObject ? [] : findDroppedReasoningFields(body);
  const chatReasoning = findDroppedReasoningParts(body, quirks ? getReasoningFormat(quirks) : null);
  const unkept = findDroppedStore(body);
  return reasoning.length + chatReasoning.length === 0 ? unkept : [...unkept, ...toHeaderNames([...reasoning, ...chatReasoning])];
}

/** Chat request fields not sent over other protocols. */
const listChatOnlyFields = (body: ParsedRequest['body']['value'], dropped: readonly string[]): readonly string[] =>
  toHeaderNames([...findDroppedReasoningFields(body), ...findDroppedReasoningParts(body, null)].filter((name) => !dropped.includes(name)));

/** Relays chat to a provider whose chat protocol deviates from OpenAI's. */
function openQuirkedRelay(parsed: ParsedRequest & { readonly body: JsonBody }, model: Model, quirks: Quirks): Transcoder {
  const relayed = openRelay(parsed, createQuirkRelay(quirks), model);
  return {
    ...relayed,
    dropped: [...relayed.dropped, ...findFieldsDroppedByQuirks(parsed.body.value, quirks)],
    readFailure: (...answer) => withRenamedFields(readFailureStatus(...answer), getCallerNames(parsed.body.value, quirks)),
  };
}

const setFormModel = (form: FormBody, model: Model): FormBody => ({ ...form, value: { ...form.value, model: model.upstreamModel } });

function createWrongOperationError(model: Model, operation: Operation): GatewayError {
  const served = Object.values(table).filter(({ protocol }) => model.protocols.includes(protocol));
  const remedy = served.map(({ endpoint }) => endpoint).join(' or ');
  return new GatewayError<CallCode>('unsupported_value', {
    param: 'model',
    message: `'${model.id}' isn't available at ${table[operation].endpoint}. Use ${remedy}.`,
  });
}

/** Whether an image timed out. The provider finishes and bills the image anyway, so it isn't requested again. */
export const isImageTimeout = (parsed: ParsedRequest, { code }: GatewayError): boolean => isImage(parsed) && code === 'upstream_timeout';
