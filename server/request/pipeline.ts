/** Runs a request through all steps, in order: model and permission, candidates, conversation, money and limits, attempts, settling. docs/lifecycle.md draws them. */
import { mustNotStore, permitCall } from '../access/permissions.ts';
import { boundsOf, roughTokens } from '../billing/cost-ceiling.ts';
import type { Candidate, Model } from '../config/catalog.ts';
import { withOutputLimit } from '../dialects/asked/output-limit.ts';
import { includingEncryptedIn, withoutStoring } from '../dialects/responses/continuation.ts';
import type { AnswerHead } from '../dialects/turn/turn.ts';
import { type CallCode, type CallName, type ErrorOf, GatewayError, shown } from '../errors.ts';
import type { Gateway } from '../gateway.ts';
import { type Conversation, openConversation } from '../history/conversation.ts';
import type { Recording } from '../history/recorder.ts';
import { ownTurn } from '../primitives/serial-work.ts';
import type { Marks } from '../upstreams/upstream.ts';
import { type Grant, openGrant } from './admission.ts';
import type { HandedOn } from './answer.ts';
import { type Attempt, isAborted, runAttempt } from './attempt.ts';
import { chooseCandidates, sessionOf } from './candidates.ts';
import type { RequestContext } from './context.ts';
import { AttemptFailed, runFailover } from './failover.ts';
import { replay } from './replay.ts';
import { failsOnDemand } from './simulated-failure.ts';
import { isImage, openTranscoder, type ParsedRequest } from './transcoder.ts';
import { withoutUnpriced } from './unpriced-tools.ts';
import { scenarioOf } from './upstream-request.ts';

export async function run(gateway: Gateway, call: RequestContext, asked: ParsedRequest): Promise<HandedOn> {
  const { model, parsed } = admit(gateway, call, asked);
  call.model = model;
  const { tape, log } = gateway;
  if (tape?.kind === 'replay') return await replay(tape, log, call, asked);
  call.taping = tape?.begin(asked, secretsOf(call)) ?? null;
  const session = sessionOf(gateway, call, parsed);
  const candidates = await chooseCandidates(gateway, call, { parsed, model, session });
  const first = await prepareFirst(gateway, call, parsed, candidates);
  const grant = await openGrant(gateway, call, grantOrderOf(parsed, first, failsOnDemand(gateway, call, first)));
  call.outputLimit = grant.outputLimit;
  try {
    const ready = grant.outputLimit === null ? first : await transcode(gateway, call, parsed, first);
    const answer = await tryCandidates(gateway, call, { parsed, session, candidates, first: ready, grant });
    if (answer.kind === 'whole') call.taping?.whole(answer.bytes);
    return answer;
  } catch (thrown) {
    const error = await endGrant(grant, call, thrown);
    if (error instanceof GatewayError && !call.isGone) call.taping?.failed(error);
    throw error;
  }
}

/** The caller's secrets, which a recording must not hold. */
const secretsOf = ({ headers: { authorization = '' } }: RequestContext): readonly string[] => [authorization.replace(/^Bearer\s+/i, '')];

/** Ends the grant of a failed request: charges what the last attempt used, and nothing for the attempts before it. A grant that has ended already stays as it is. */
async function endGrant(grant: Grant, call: RequestContext, thrown: unknown): Promise<unknown> {
  const failed = thrown instanceof AttemptFailed ? thrown : null;
  if (failed?.evidence) await grant.settle(failed.evidence, 'failed');
  else await grant.release(isAborted(call) ? 'client_gone' : 'failed');
  return failed?.error ?? thrown;
}

/** A request that is ready to be sent to one candidate. */
type Prepared = Pick<Attempt, 'model' | 'transcoder' | 'recording'> & {
  readonly conversation: LoadedConversation;
  readonly ignored: readonly string[];
};

async function prepare(gateway: Gateway, call: RequestContext, parsed: ParsedRequest, model: Candidate): Promise<Prepared> {
  call.marks = gateway.upstreams.find(model.upstream).marksOf?.({ ...parsed, scenario: scenarioOf(call) }) ?? call.marks;
  const conversation = await loadConversation(gateway, call, parsed, model);
  return await transcode(gateway, call, parsed, { model, conversation });
}

/** In bytes: translating a body of this size may take many milliseconds. */
const LARGE_BODY = 256 * 1024;

/** Writes the body for the candidate. The grant's output limit, if any, is written as if the caller had set it. */
async function transcode(
  gateway: Gateway,
  call: RequestContext,
  parsed: ParsedRequest,
  { model, conversation }: Pick<Prepared, 'model' | 'conversation'>,
): Promise<Prepared> {
  const { recording, ignored } = conversation;
  const { outputLimit: limit } = call;
  if (conversation.body.kind === 'json' && conversation.body.bytes.length >= LARGE_BODY) await ownTurn();
  const limited = (body: ParsedRequest['body']) =>
    limit !== null && body.kind === 'json' ? withOutputLimit(body, limit, parsed.operation) : body;
  const body = limited(conversation.body);
  const opened = openTranscoder({ ...parsed, body }, model, () =>
    headOf(parsed, { model, recording, asked: limited(parsed.body).value, marks: call.marks }),
  );
  const transcoder = await withoutUnpriced(gateway, call, model, opened);
  return { model, transcoder, recording, conversation, ignored: [...ignored, ...transcoder.ignored] };
}

/** Prepares the first candidate that can take the request. When none can, throws the refusal of the first one. */
async function prepareFirst(
  gateway: Gateway,
  call: RequestContext,
  parsed: ParsedRequest,
  candidates: readonly Candidate[],
): Promise<Prepared> {
  let refusal: unknown;
  for (const [index, candidate] of candidates.entries()) {
    try {
      return await prepare(gateway, call, parsed, candidate);
    } catch (thrown) {
      if (index === 0) refusal = thrown;
      if (!isRefusal(thrown)) throw thrown;
    }
  }
  throw refusal ?? noCandidate();
}

const noCandidate = (): ErrorOf<CallName, 503> => new GatewayError('no_upstream_available', { headers: { 'retry-after': '30' } });

const isRefusal = (thrown: unknown): boolean => thrown instanceof GatewayError && thrown.status === 400;

function grantOrderOf(parsed: ParsedRequest, { model, transcoder }: Prepared, isFree: boolean) {
  const sent = { asked: parsed.body.value, body: transcoder.body, isImage: isImage(parsed), operation: parsed.operation };
  return { model, operation: parsed.operation, isFree, bounds: () => boundsOf(sent, model), tokens: () => roughTokens(sent) };
}

interface Admitted {
  readonly parsed: ParsedRequest;
  readonly session: string | null;
  readonly candidates: readonly Candidate[];
  readonly first: Prepared;
  readonly grant: Grant;
}

function tryCandidates(gateway: Gateway, call: RequestContext, { parsed, session, candidates, first, grant }: Admitted): Promise<HandedOn> {
  const { health, config } = gateway;
  const isStream = parsed.body.value.stream === true;
  const fitting = candidates.slice(candidates.indexOf(first.model));
  let ready: Prepared | null = first;
  return runFailover({
    call,
    health,
    routing: config.routing,
    candidates: fitting,
    prepare(candidate) {
      // An attempt uses up what was prepared for it: the next one needs an id and a reader of its own.
      const given = ready;
      ready = null;
      return given?.model === candidate ? given : prepare(gateway, call, parsed, candidate).catch(unlessRefused);
    },
    attempt({ model, transcoder, recording, ignored }) {
      call.model = model;
      call.ignored = ignored;
      return runAttempt(gateway, call, { parsed, model, transcoder, recording, grant, isStream, session });
    },
    isAbandoned: () => isAborted(call),
  });
}

function unlessRefused(thrown: unknown): null {
  if (isRefusal(thrown)) return null;
  throw thrown;
}

/** Checks that this key may read a kept answer: another key of the account may have made the request. Throws 403. */
export function permitReplay({ catalog }: Gateway, { principal }: RequestContext, { operation, body }: ParsedRequest): void {
  const model = catalog.find(String(body.value.model));
  if (principal && model) permitCall(principal, model, operation);
}

/** Finds the model (404) and checks the permission (403). A key that must not store responses gets `store: false`. */
function admit(gateway: Gateway, call: RequestContext, parsed: ParsedRequest): { readonly model: Model; readonly parsed: ParsedRequest } {
  const { operation, body } = parsed;
  const id = String(body.value.model);
  const model = gateway.catalog.find(id);
  if (!model) throw unknownModel(id);
  if (!call.principal) throw new GatewayError<CallCode>('invalid_api_key');
  permitCall(call.principal, model, operation);
  if (operation !== 'createResponse' || body.kind !== 'json' || !mustNotStore(call.principal, body.value.store)) return { model, parsed };
  return { model, parsed: { operation, body: withoutStoring(body) } };
}

function unknownModel(id: string): ErrorOf<CallName, 404> {
  const message = `There is no model '${shown(id)}'. GET /v1/models lists what this key can call.`;
  return new GatewayError('model_not_found', { param: 'model', message });
}

interface Heading {
  readonly model: Model;
  readonly recording: Recording | null;
  /** The body as the caller wrote it, with the output limit. */
  readonly asked: Readonly<Record<string, unknown>>;
  readonly marks: Marks;
}

/** The head of an answer that we write: a response has the id under which it is stored, and a stored one keeps its encrypted reasoning. */
function headOf({ operation }: ParsedRequest, { model, recording, asked, marks }: Heading): AnswerHead {
  const now = () => Math.floor(marks.now() / 1000);
  const newId = (prefix: string) => `${prefix}_${marks.newHex(24)}`;
  const id = operation === 'createResponse' ? String(recording?.echo.id ?? newId('resp')) : `chatcmpl-${marks.newHex(16)}`;
  return { id, createdAt: now(), model: model.id, request: recording?.save ? includingEncryptedIn(asked) : asked, newId, now };
}

type LoadedConversation = Omit<Conversation, 'body'> & Pick<ParsedRequest, 'body'>;

/** Loads the conversation that a responses request continues; every other request stands for itself. */
async function loadConversation(
  { history }: Gateway,
  call: RequestContext,
  parsed: ParsedRequest,
  model: Candidate,
): Promise<LoadedConversation> {
  const { operation, body } = parsed;
  if (operation !== 'createResponse' || body.kind !== 'json') return { body, recording: null, ignored: [] };
  return openConversation(history, call, body, model);
}
