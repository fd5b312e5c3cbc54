/** Runs a request through all steps, in order: model and permission, candidates, conversation, money and limits, attempts, settling. docs/lifecycle.md draws them. */
import { mustNotStore, permitCall } from '../access/permissions.ts';
import { boundsOf, roughTokens } from '../billing/cost-ceiling.ts';
import type { Candidate, Model } from '../config/catalog.ts';
import { withoutStoring } from '../dialects/responses/continuation.ts';
import { type CallCode, type CallName, type ErrorOf, GatewayError, shown } from '../errors.ts';
import type { Gateway } from '../gateway.ts';
import type { CallRecording } from '../tape/recorder.ts';
import { type Grant, type GrantOrder, openGrant } from './admission.ts';
import type { HandedOn } from './answer.ts';
import { isAborted, runAttempt } from './attempt.ts';
import { chooseCandidates, sessionOf } from './candidates.ts';
import type { RequestContext } from './context.ts';
import { AttemptFailed, runFailover } from './failover.ts';
import { failsOnDemand, isRefusal, type Prepared, prepare, prepareFirst, transcode } from './prepare.ts';
import { replay } from './replay.ts';
import { isImage, type ParsedRequest } from './transcoder.ts';

/** A request whose model is known and allowed. */
interface Admitted {
  readonly model: Model;
  readonly parsed: ParsedRequest;
}

/** One whose candidates are in order, the first of which can take it. */
interface Routed {
  readonly parsed: ParsedRequest;
  readonly session: string | null;
  readonly candidates: readonly Candidate[];
  readonly first: Prepared;
  readonly taping: CallRecording | null;
}

/** One whose money is held and whose limits are taken. */
type Granted = Routed & { readonly grant: Grant };

export async function run(gateway: Gateway, call: RequestContext, asked: ParsedRequest): Promise<HandedOn> {
  const { model, parsed } = admit(gateway, call, asked);
  const { tape, log } = gateway;
  if (tape?.kind === 'replay') return await replay(tape, log, call, asked);
  const taping = tape?.begin(asked, secretsOf(call)) ?? null;
  const session = sessionOf(gateway, call, parsed);
  const choosing = chooseCandidates(gateway, call, { parsed, model, session });
  const candidates = choosing instanceof Promise ? await choosing : choosing;
  const preparing = prepareFirst(gateway, call, parsed, candidates);
  const first = preparing instanceof Promise ? await preparing : preparing;
  const opening = openGrant(gateway, call, grantOrderOf(parsed, first, failsOnDemand(gateway, call, first)));
  const grant = opening instanceof Promise ? await opening : opening;
  try {
    const ready = grant.outputLimit === null ? first : await transcode(gateway, call, parsed, { ...first, limit: grant.outputLimit });
    const answer = await tryCandidates(gateway, call, { parsed, session, candidates, first: ready, taping, grant });
    if (answer.kind === 'whole') taping?.whole(answer.bytes);
    return answer;
  } catch (thrown) {
    const error = await endGrant(grant, call, thrown);
    if (error instanceof GatewayError && !call.isGone) taping?.failed(error);
    throw error;
  }
}

/** What would be asked of admission for the request, by the same steps; nothing is held and nothing is sent. */
export async function weighable(gateway: Gateway, call: RequestContext, asked: ParsedRequest): Promise<GrantOrder> {
  const { model, parsed } = admit(gateway, call, asked);
  const session = sessionOf(gateway, call, parsed);
  const candidates = await chooseCandidates(gateway, call, { parsed, model, session });
  const first = await prepareFirst(gateway, call, parsed, candidates);
  return grantOrderOf(parsed, first, failsOnDemand(gateway, call, first));
}

/** Finds the model (404) and checks the permission (403). A key that must not store responses gets `store: false`. */
function admit(gateway: Gateway, call: RequestContext, parsed: ParsedRequest): Admitted {
  const { operation, body } = parsed;
  const id = String(body.value.model);
  const model = gateway.catalog.find(id);
  if (!model) throw unknownModel(id);
  const { principal } = call;
  if (!principal) throw new GatewayError<CallCode>('invalid_api_key');
  // Before the permission is checked, so that the log of a refused call names the model.
  call.outcome.found(model);
  permitCall(principal, model, operation);
  if (operation !== 'createResponse' || body.kind !== 'json' || !mustNotStore(principal, body.value.store)) return { model, parsed };
  return { model, parsed: { operation, body: withoutStoring(body) } };
}

function unknownModel(id: string): ErrorOf<CallName, 404> {
  const message = `There is no model '${shown(id)}'. GET /v1/models lists what this key can call.`;
  return new GatewayError('model_not_found', { param: 'model', message });
}

/** Checks that this key may read a kept answer: another key of the account may have made the request. Throws 403. */
export function permitReplay({ catalog }: Gateway, { principal }: RequestContext, { operation, body }: ParsedRequest): void {
  const model = catalog.find(String(body.value.model));
  if (principal && model) permitCall(principal, model, operation);
}

/** The caller's secrets, which a recording must not hold. */
const secretsOf = ({ headers: { authorization = '' } }: RequestContext): readonly string[] => [authorization.replace(/^Bearer\s+/i, '')];

function grantOrderOf(parsed: ParsedRequest, { model, transcoder }: Prepared, isFree: boolean): GrantOrder {
  const sent = { asked: parsed.body.value, body: transcoder.body, isImage: isImage(parsed), operation: parsed.operation };
  return { model, operation: parsed.operation, isFree, bounds: () => boundsOf(sent, model), tokens: () => roughTokens(sent) };
}

function tryCandidates(gateway: Gateway, call: RequestContext, granted: Granted): Promise<HandedOn> {
  const { parsed, session, candidates, first, taping, grant } = granted;
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
      if (given?.model === candidate) return given;
      return prepareUnlessRefused(gateway, call, parsed, { model: candidate, limit: grant.outputLimit });
    },
    attempt({ model, transcoder, recording, ignored }) {
      call.outcome.tried(model, ignored);
      return runAttempt(gateway, call, { parsed, model, transcoder, recording, taping, grant, isStream, session });
    },
    isAbandoned: () => isAborted(call),
  });
}

/** Null when the candidate cannot take the request. */
async function prepareUnlessRefused(...request: Parameters<typeof prepare>): Promise<Prepared | null> {
  try {
    return await prepare(...request);
  } catch (thrown) {
    if (isRefusal(thrown)) return null;
    throw thrown;
  }
}

/** Ends the grant of a failed request: charges what the last attempt used, and nothing for the attempts before it. A grant that has ended already stays as it is. */
async function endGrant(grant: Grant, call: RequestContext, thrown: unknown): Promise<unknown> {
  const failed = thrown instanceof AttemptFailed ? thrown : null;
  if (failed?.evidence) await grant.settle(failed.evidence, 'failed');
  else await grant.release(isAborted(call) ? 'client_gone' : 'failed');
  return failed?.error ?? thrown;
}
