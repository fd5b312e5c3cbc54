/** Prepares a request for one candidate: its conversation, the body for the upstream, and the transcoder of its response. */

import type { Model } from '../config/config.ts';
import type { Candidate } from '../config/model-catalog.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { type ChatReasoning, openChatReasoning } from '../history/chat-reasoning.ts';
import { type Conversation, openConversation } from '../history/history.ts';
import type { Recording } from '../history/recording-reader.ts';
import { findPrice } from '../money/find-price.ts';
import { findUnpricedOption } from '../money/hold-range.ts';
import { type CallName, GatewayError, type OperationError } from '../primitives/errors.ts';
import { randomHex } from '../primitives/random-hex.ts';
import { waitForTurn } from '../primitives/wait-for-turn.ts';
import { toHeaderNames } from '../protocols/canonical/dropped-fields.ts';
import { findCallsSinceUser, hasFunctions } from '../protocols/chat/read-request.ts';
import type { ResponseHead } from '../protocols/dialect.ts';
import { findHostedTools, isToolRequested, withoutHostedTools } from '../protocols/hosted-tools.ts';
import { omitFields } from '../protocols/optional-fields.ts';
import { withOutputLimit } from '../protocols/output-limits.ts';
import { withEncryptedReasoning } from '../protocols/responses/continuation.ts';
import type { IdsAndClock } from '../providers/upstream.ts';
import { getAccountId, type RequestContext } from './context.ts';
import { openTranscoder, type ParsedRequest, type Transcoder } from './transcoder.ts';
import { getScenario } from './upstream-request.ts';

/** Creates the IDs and timestamps of responses that the gateway writes. A simulator supplies its own. */
const freshMarks: IdsAndClock = { newHex: randomHex, now: () => Date.now() };

/** A request ready to send to one candidate. */
export interface PreparedRequest {
  readonly model: Candidate;
  readonly transcoder: Transcoder;
  readonly conversation: LoadedConversation;
  readonly recording: Recording | null;
  /** The candidate, restricted to one protocol if the caller's protocol is skipped. */
  readonly narrowed: Candidate;
  /** Request fields not sent to the candidate. */
  readonly dropped: readonly string[];
  readonly idsAndClock: IdsAndClock;
}

interface PrepareTarget {
  readonly model: Candidate;
  /** The output limit that the held money allows, in tokens. Null if no limit is needed or known yet. */
  readonly limit: number | null;
  /** Whether to use the other protocol, because the provider rejected the caller's. */
  readonly usesOtherProtocol?: boolean | undefined;
}

/** Throws 400 if the candidate can't serve the request. */
export async function prepare(
  gateway: Gateway,
  call: RequestContext,
  parsed: ParsedRequest,
  target: PrepareTarget,
): Promise<PreparedRequest> {
  const { model, limit, usesOtherProtocol = false } = target;
  const { protocols } = gateway;
  const narrowed = (usesOtherProtocol ? protocols.toOtherProtocol(model, parsed) : null) ?? protocols.narrow(model, parsed);
  const idsAndClock = gateway.upstreams.find(model.upstream).getIdsAndClock?.({ ...parsed, scenario: getScenario(call) }) ?? freshMarks;
  const conversation = await loadConversation(gateway, call, parsed, { narrowed, idsAndClock });
  return await transcode(gateway, call, parsed, { model, narrowed, conversation, idsAndClock, limit });
}

/** Loads the conversation of a responses request, or the reasoning stored for a chat request over another protocol. */
function loadConversation(
  gateway: Gateway,
  call: RequestContext,
  parsed: ParsedRequest,
  { narrowed, idsAndClock }: Pick<PreparedRequest, 'narrowed' | 'idsAndClock'>,
): Promise<LoadedConversation> | LoadedConversation {
  const { operation, body, responseId } = parsed;
  const { protocols } = narrowed;
  if (operation === 'createResponse' && body.kind === 'json')
    return openConversation(
      gateway.history,
      { accountId: getAccountId(call), share: call.share },
      { body, model: narrowed, seal: gateway.summarySeal, marks: idsAndClock, responseId },
    );
  const isTranslatedChat = operation === 'createChatCompletion' && !protocols.includes('chat');
  return isTranslatedChat ? loadChatReasoning(gateway, call, parsed, narrowed) : createStandaloneConversation(body);
}

/** A body of this size can take many milliseconds to translate. */
const LARGE_BODY_BYTES = 256 * 1024;

/** Writes the body for the candidate. Writes the grant's output limit, if any, as if the caller had set it. */
export async function transcode(
  gateway: Gateway,
  call: RequestContext,
  parsed: ParsedRequest,
  { model, narrowed, conversation, idsAndClock, limit }: PrepareTarget & Pick<PreparedRequest, 'narrowed' | 'conversation' | 'idsAndClock'>,
): Promise<PreparedRequest> {
  const { recording, dropped, chatReasoning } = conversation;
  if (conversation.body.kind === 'json' && conversation.body.bytes.length >= LARGE_BODY_BYTES) await waitForTurn();
  const applyOutputLimit = (body: ParsedRequest['body']) =>
    limit !== null && body.kind === 'json' ? withOutputLimit(body, limit, parsed.operation) : body;
  const limited = applyOutputLimit(conversation.body);
  const rejected = gateway.rejectedFields.find(model, parsed.body.value);
  const omitted = limited.kind === 'json' ? omitFields(limited, rejected) : { body: limited, dropped: [] };
  const opened = openTranscoder({ ...parsed, body: omitted.body }, narrowed, {
    createHead: () => createHead(parsed, { model, recording, request: applyOutputLimit(parsed.body).value, idsAndClock }),
    chatReasoning,
    sealSummary: (summary) => gateway.summarySeal.seal(getAccountId(call), summary),
  });
  const transcoder = await withoutUnpriced(gateway, call, model, opened);
  return {
    model,
    narrowed,
    transcoder,
    recording,
    conversation,
    idsAndClock,
    dropped: [...dropped, ...omitted.dropped, ...transcoder.dropped],
  };
}

/** The upstream protocol, if the caller's protocol was skipped although the upstream serves it. */
export const getSwitchedProtocol = ({ model, narrowed }: PreparedRequest): string | undefined =>
  narrowed === model ? undefined : narrowed.protocols[0];

/** Prepares the first candidate that can serve the request. If none can, throws the first candidate's error. */
export async function prepareFirst(
  gateway: Gateway,
  call: RequestContext,
  parsed: ParsedRequest,
  candidates: readonly Candidate[],
): Promise<PreparedRequest> {
  let firstError: unknown;
  for (const [index, model] of candidates.entries()) {
    try {
      return await prepare(gateway, call, parsed, { model, limit: null });
    } catch (thrown) {
      if (index === 0) firstError = thrown;
      if (!isRejected(thrown)) throw thrown;
    }
  }
  throw firstError ?? createNoCandidateError();
}

const createNoCandidateError = (): OperationError<CallName, 503> =>
  new GatewayError('no_upstream_available', { headers: { 'retry-after': '30' } });

/** Whether this candidate can't serve the request, but another one might. */
export const isRejected = (thrown: unknown): boolean => thrown instanceof GatewayError && thrown.status === 400;

/**
 * Removes offered hosted tools without a price, and names them in `x-modelgate-dropped`: agents offer them in every request. If the request forces one of
 * these tools, it stays unchanged and is rejected when the money is held.
 */
async function withoutUnpriced(
  { money }: Gateway,
  { principal }: RequestContext,
  model: Candidate,
  transcoder: Transcoder,
): Promise<Transcoder> {
  const { body } = transcoder;
  if (!money || !principal || body.kind === 'form') return transcoder;
  const offered = findHostedTools(body.value);
  if (offered.length === 0) return transcoder;
  const price = await findPrice(money, principal.accountId, model.id);
  const unpriced = price ? offered.filter(({ call, path }) => findUnpricedOption(price.prices, [{ kind: 'tool', name: call, path }])) : [];
  if (unpriced.length === 0 || unpriced.some((tool) => isToolRequested(body.value, tool))) return transcoder;
  const paths = unpriced.map(({ path }) => path);
  const left = withoutHostedTools(body, paths);
  return left === null ? transcoder : { ...transcoder, body: left, dropped: [...transcoder.dropped, ...toHeaderNames(paths)] };
}

interface HeadParams {
  readonly model: Model;
  readonly recording: Recording | null;
  /** The caller's body, with the output limit applied. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly idsAndClock: IdsAndClock;
}

/**
 * Creates the head of a response that the gateway writes. A response gets the ID under which it's stored, and a stored one includes its encrypted
 * reasoning.
 */
function createHead({ operation, responseId }: ParsedRequest, { model, recording, request, idsAndClock }: HeadParams): ResponseHead {
  const now = () => Math.floor(idsAndClock.now() / 1000);
  const generateId = (prefix: string) => `${prefix}_${idsAndClock.newHex(24)}`;
  const id = operation === 'createResponse' ? String(recording?.echo.id ?? generateId('resp')) : `chatcmpl-${idsAndClock.newHex(16)}`;
  const echoed = recording?.save ? withEncryptedReasoning(request) : request;
  return {
    id,
    createdAt: now(),
    model: model.id,
    request: responseId === undefined ? echoed : { ...echoed, background: true },
    newId: generateId,
    now,
  };
}

type LoadedConversation = Omit<Conversation, 'body'> & Pick<ParsedRequest, 'body'> & { readonly chatReasoning?: ChatReasoning | null };

/** Stores the reasoning of a turn for the next one, unless the caller or the key disables storage. */
async function loadChatReasoning(
  { history }: Gateway,
  { principal }: RequestContext,
  { body }: ParsedRequest,
  { upstream }: Candidate,
): Promise<LoadedConversation> {
  if (!hasFunctions(body.value) || body.value.store === false || !principal?.permissions.mayStore)
    return createStandaloneConversation(body);
  const chatReasoning = await openChatReasoning(
    history.thoughts,
    { accountId: principal.accountId, upstream },
    findCallsSinceUser(body.value),
  );
  return { body, recording: chatReasoning.recording, chatReasoning, dropped: [] };
}

const createStandaloneConversation = (body: ParsedRequest['body']): LoadedConversation => ({ body, recording: null, dropped: [] });

/** Whether the request asks a simulator to fail. Such requests are free, so no money is held (docs/decisions/0024). */
export function failsOnDemand(
  { upstreams }: Gateway,
  call: RequestContext,
  { model, transcoder }: { readonly model: Candidate; readonly transcoder: Transcoder },
): boolean {
  const upstream = upstreams.find(model.upstream);
  return upstream.isFailureRequested?.({ operation: transcoder.operation, body: transcoder.body, scenario: getScenario(call) }) === true;
}
