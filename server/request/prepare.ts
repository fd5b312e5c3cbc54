/** Prepares a request for one candidate: its conversation, the body for the upstream, and the reader of its response. */
import { findPrice } from '../billing/hold.ts';
import type { Candidate, Model } from '../config/config.ts';
import { isWanted, offeredTools, offersFunctions, withOutputLimit, withoutTools } from '../dialects/asked.ts';
import { callsSinceUser } from '../dialects/chat/read-request.ts';
import { includingEncryptedIn } from '../dialects/responses/read-request.ts';
import type { AnswerHead } from '../dialects/turn/turn.ts';
import { fitForHeader } from '../dialects/turn/unsent-fields.ts';
import { type CallName, type ErrorOf, GatewayError } from '../errors.ts';
import type { Gateway } from '../gateway.ts';
import { type Conversation, openConversation } from '../history/history.ts';
import type { Recording } from '../history/recorder.ts';
import { type KeptThoughts, openKeptThoughts } from '../history/thoughts.ts';
import { unpricedOf } from '../ledger/charge.ts';
import { ownTurn, randomHex } from '../primitives/shared-timeout.ts';
import { isAskedToFail } from '../simulator/scenarios.ts';
import type { Marks } from '../upstreams/upstream.ts';
import { scenarioOf } from './attempt.ts';
import type { RequestContext } from './context.ts';
import { openTranscoder, type ParsedRequest, type Transcoder } from './transcoder.ts';

/** Makes the IDs and times of a response that we write; a simulator supplies its own. */
const freshMarks: Marks = { newHex: randomHex, now: () => Date.now() };

/** A request that is ready to be sent to one candidate. */
export interface Prepared {
  readonly model: Candidate;
  readonly transcoder: Transcoder;
  readonly conversation: LoadedConversation;
  readonly recording: Recording | null;
  /** The candidate as it is asked: with one protocol alone where the caller's is passed over. */
  readonly spoken: Candidate;
  /** Fields of the request that the candidate isn't sent. */
  readonly ignored: readonly string[];
  readonly marks: Marks;
}

interface Target {
  readonly model: Candidate;
  /** The output limit that the held money allows, in tokens; null if none is needed, or not known yet. */
  readonly limit: number | null;
  /** Whether it is asked over the other protocol, since its provider has rejected the caller's. */
  readonly isTurned?: boolean | undefined;
}

/** Throws 400 when the candidate can't take the request. */
export async function prepare(gateway: Gateway, call: RequestContext, parsed: ParsedRequest, target: Target): Promise<Prepared> {
  const { model, limit, isTurned = false } = target;
  const { protocols } = gateway;
  const spoken = (isTurned ? protocols.turned(model, parsed) : null) ?? protocols.narrow(model, parsed);
  const marks = gateway.upstreams.find(model.upstream).marksOf?.({ ...parsed, scenario: scenarioOf(call) }) ?? freshMarks;
  const conversation = await loadConversation(gateway, call, parsed, { spoken, marks });
  return await transcode(gateway, call, parsed, { model, spoken, conversation, marks, limit });
}

/** Loads what the request continues: the conversation of a responses request, or the reasoning kept for a chat call over responses. */
function loadConversation(
  gateway: Gateway,
  call: RequestContext,
  parsed: ParsedRequest,
  { spoken, marks }: Pick<Prepared, 'spoken' | 'marks'>,
): Promise<LoadedConversation> | LoadedConversation {
  const { operation, body } = parsed;
  const { protocols } = spoken;
  if (operation === 'createResponse' && body.kind === 'json')
    return openConversation(gateway.history, call, { body, model: spoken, marks });
  const isChatOverResponses = operation === 'createChatCompletion' && protocols.includes('responses') && !protocols.includes('chat');
  return isChatOverResponses ? openChatThoughts(gateway, call, parsed, spoken) : standAlone(body);
}

/** Size in bytes of a body that can take many milliseconds to translate. */
const LARGE_BODY = 256 * 1024;

/** Writes the body for the candidate. The grant's output limit, if any, is written as if the caller had set it. */
export async function transcode(
  gateway: Gateway,
  call: RequestContext,
  parsed: ParsedRequest,
  { model, spoken, conversation, marks, limit }: Target & Pick<Prepared, 'spoken' | 'conversation' | 'marks'>,
): Promise<Prepared> {
  const { recording, ignored, thoughts } = conversation;
  if (conversation.body.kind === 'json' && conversation.body.bytes.length >= LARGE_BODY) await ownTurn();
  const limited = (body: ParsedRequest['body']) =>
    limit !== null && body.kind === 'json' ? withOutputLimit(body, limit, parsed.operation) : body;
  const body = limited(conversation.body);
  const opened = openTranscoder(
    { ...parsed, body },
    spoken,
    () => headOf(parsed, { model, recording, asked: limited(parsed.body).value, marks }),
    thoughts,
  );
  const transcoder = await withoutUnpriced(gateway, call, model, opened);
  return { model, spoken, transcoder, recording, conversation, marks, ignored: [...ignored, ...transcoder.ignored] };
}

/** The protocol of the upstream, where the caller's is passed over although the upstream serves it. */
export const passedTo = ({ model, spoken }: Prepared): string | undefined => (spoken === model ? undefined : spoken.protocols[0]);

/** Prepares the first candidate that can take the request. When none can, throws the refusal of the first one. */
export async function prepareFirst(
  gateway: Gateway,
  call: RequestContext,
  parsed: ParsedRequest,
  candidates: readonly Candidate[],
): Promise<Prepared> {
  let refusal: unknown;
  for (const [index, model] of candidates.entries()) {
    try {
      return await prepare(gateway, call, parsed, { model, limit: null });
    } catch (thrown) {
      if (index === 0) refusal = thrown;
      if (!isRefusal(thrown)) throw thrown;
    }
  }
  throw refusal ?? noCandidate();
}

const noCandidate = (): ErrorOf<CallName, 503> => new GatewayError('no_upstream_available', { headers: { 'retry-after': '30' } });

/** Whether the candidate can't take the request, and another one perhaps can. */
export const isRefusal = (thrown: unknown): boolean => thrown instanceof GatewayError && thrown.status === 400;

/**
 * Removes offered tools of the upstream that have no price, and names them in `x-modelgate-ignored`: agents offer them in every request. Where the model is
 * told to use one of them, the request stays as it is, and is rejected when the money is held.
 */
async function withoutUnpriced(
  { money }: Gateway,
  { principal }: RequestContext,
  model: Candidate,
  transcoder: Transcoder,
): Promise<Transcoder> {
  const { body } = transcoder;
  if (!money || !principal || body.kind === 'form') return transcoder;
  const offered = offeredTools(body.value);
  if (offered.length === 0) return transcoder;
  const price = await findPrice(money, principal.accountId, model.id);
  const unpriced = price ? offered.filter(({ call, path }) => unpricedOf(price.prices, [{ kind: 'tool', name: call, path }])) : [];
  if (unpriced.length === 0 || unpriced.some((tool) => isWanted(body.value, tool))) return transcoder;
  const paths = unpriced.map(({ path }) => path);
  const left = withoutTools(body, paths);
  return left === null ? transcoder : { ...transcoder, body: left, ignored: [...transcoder.ignored, ...fitForHeader(paths)] };
}

interface Heading {
  readonly model: Model;
  readonly recording: Recording | null;
  /** The body as the caller wrote it, with the output limit. */
  readonly asked: Readonly<Record<string, unknown>>;
  readonly marks: Marks;
}

/** The head of a response that we write: a response has the ID under which it is stored, and a stored one keeps its encrypted reasoning. */
function headOf({ operation }: ParsedRequest, { model, recording, asked, marks }: Heading): AnswerHead {
  const now = () => Math.floor(marks.now() / 1000);
  const newId = (prefix: string) => `${prefix}_${marks.newHex(24)}`;
  const id = operation === 'createResponse' ? String(recording?.echo.id ?? newId('resp')) : `chatcmpl-${marks.newHex(16)}`;
  return { id, createdAt: now(), model: model.id, request: recording?.save ? includingEncryptedIn(asked) : asked, newId, now };
}

type LoadedConversation = Omit<Conversation, 'body'> & Pick<ParsedRequest, 'body'> & { readonly thoughts?: KeptThoughts | null };

/** The reasoning of a turn is kept for the next one, unless the caller or the key wants nothing kept. */
async function openChatThoughts(
  { history }: Gateway,
  { principal }: RequestContext,
  { body }: ParsedRequest,
  { upstream }: Candidate,
): Promise<LoadedConversation> {
  if (!offersFunctions(body.value) || body.value.store === false || !principal?.permissions.mayStore) return standAlone(body);
  const thoughts = await openKeptThoughts(history.thoughts, { accountId: principal.accountId, upstream }, callsSinceUser(body.value));
  return { body, recording: thoughts.recording, thoughts, ignored: [] };
}

const standAlone = (body: ParsedRequest['body']): LoadedConversation => ({ body, recording: null, ignored: [] });

/** Whether the request asks a simulator to fail. Such a request is free, so no money is held for it (docs/decisions/0024). */
export const failsOnDemand = (
  { config }: Gateway,
  call: RequestContext,
  { model, transcoder }: { readonly model: Candidate; readonly transcoder: Transcoder },
): boolean =>
  config.upstreams[model.upstream]?.kind === 'simulator' &&
  isAskedToFail({ operation: transcoder.operation, body: transcoder.body, scenario: scenarioOf(call) });
