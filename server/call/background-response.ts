/** Runs a response in the background: responds as soon as its money is held, and completes it without its caller. */

import { finished } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { Response } from '../../contract/responses.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { generateResponseId } from '../history/history.ts';
import type { ResponseRun } from '../history/response-run.ts';
import { type CallCode, type CreateResponseCode, GatewayError, toGatewayError } from '../primitives/errors.ts';
import type { Fields } from '../primitives/fields.ts';
import { randomHex } from '../primitives/random-hex.ts';
import { waitForTurn } from '../primitives/wait-for-turn.ts';
import { BackgroundEvents } from '../protocols/responses/background-events.ts';
import { NO_PROGRESS, readEchoedSettings } from '../protocols/responses/echoed-settings.ts';
import { toFailedError } from '../protocols/responses/errors.ts';
import type { FailedError } from '../protocols/responses/partial-output.ts';
import { writeResponse } from '../protocols/responses/write-response.ts';
import { type JsonBody, withFields } from '../protocols/wire/json-body.ts';
import { getAccountId, type RequestContext } from './context.ts';
import type { GrantedRequest } from './failover.ts';
import type { ForwardedResponse } from './forwarded-response.ts';
import { completeCall, openCall } from './pipeline.ts';
import { streamEvents } from './stream-events.ts';
import type { ParsedRequest } from './transcoder.ts';

/** How long the end of a response waits before it's stored again, if the store is down. */
const RETRY_MS = 1_000;

export const isBackground = ({ operation, body }: ParsedRequest): boolean =>
  operation === 'createResponse' && body.kind === 'json' && body.value.background === true;

/** Throws as a call in the foreground does, until the money is held. Later errors end the response as `failed`. */
export async function startBackgroundResponse(gateway: Gateway, call: RequestContext, received: ParsedRequest): Promise<ForwardedResponse> {
  // `as`: checked by `isBackground`.
  const body = received.body as JsonBody;
  assertMayStore(call);
  const responseId = generateResponseId({ newHex: randomHex });
  const streamed = withFields(body, { stream: true, background: undefined, background_options: undefined });
  const granted = await openCall(gateway, call, { operation: received.operation, body: streamed, responseId });
  const key = { accountId: getAccountId(call), responseId };
  const queued = writeQueued(granted, body.value, responseId);
  const run = await begin(gateway, granted, { key, queued });
  const bytes = Buffer.from(JSON.stringify(queued));
  call.idempotentRequest?.answer(bytes);
  const events = new BackgroundEvents(queued);
  const completion = waitForTurn().then(() => complete(gateway, call, granted, { run, events }));
  call.detach(completion);
  // At the end of the drain time, a stream that has started gets its own error.
  gateway.draining.add({ settled: completion, cut: () => (events.hasBegun ? undefined : call.cancel()) });
  if (body.value.stream !== true) return { kind: 'whole', bytes };
  return { kind: 'stream', frames: streamEvents(gateway, key) };
}

/** The contract has rejected `store: false`. */
function assertMayStore({ principal }: RequestContext): void {
  if (principal?.permissions.mayStore) return;
  throw new GatewayError<CreateResponseCode>('unsupported_value', {
    param: 'background',
    message: "'background: true' needs a stored response, and this key can't store responses.",
  });
}

function writeQueued({ first }: GrantedRequest, request: Fields, id: string): Response {
  const now = (): number => Math.floor(Date.now() / 1_000);
  const head = { id, createdAt: now(), model: first.model.id, request, newId: () => id, now };
  // `as`: the contract's type of a response, whose lists can be changed.
  return writeResponse(head, readEchoedSettings(head), { ...NO_PROGRESS, status: 'queued' }) as Response;
}

interface Started {
  readonly run: ResponseRun;
  readonly events: BackgroundEvents;
}

/** Stores the response before its caller gets the ID. */
async function begin(
  { runs }: Gateway,
  { first: { recording }, grant }: GrantedRequest,
  { key, queued }: { readonly key: { readonly accountId: string; readonly responseId: string }; readonly queued: Response },
): Promise<ResponseRun> {
  let run: ResponseRun | null = null;
  try {
    run = await runs.begin(key);
    recording?.save?.({ ...queued, status: 'in_progress' });
    await recording?.saved();
    return run;
  } catch (error) {
    run?.discard();
    await grant.settle(null, 'failed');
    throw error;
  }
}

/** Never rejects. */
async function complete(gateway: Gateway, call: RequestContext, granted: GrantedRequest, { run, events }: Started): Promise<void> {
  const acquired = gateway.acquire();
  run.add(events.writeOpening());
  run.cancellation.signal.addEventListener('abort', () => call.cancel());
  try {
    const error = await relay(gateway, call, granted, { run, events });
    if (!events.isComplete) await endEarly(call, granted, { run, events, error });
  } catch (cause) {
    gateway.log.error({ id: call.id, err: cause }, 'background response not completed');
  } finally {
    acquired.release();
    await run.end();
  }
}

/** Adds the events of the stream to the run. Returns why it ended without its last event, or null if it was canceled or is complete. */
async function relay(
  gateway: Gateway,
  call: RequestContext,
  granted: GrantedRequest,
  { run, events }: Started,
): Promise<EarlyError | null> {
  try {
    const response = await completeCall(gateway, call, granted);
    if (response.kind === 'whole')
      throw new GatewayError<CallCode>('internal_error', { cause: new Error('a background response is a stream') });
    const { frames } = response;
    const stop = (): void => void frames.destroy();
    run.cancellation.signal.addEventListener('abort', stop);
    if (run.cancellation.signal.aborted) stop();
    // An iterator would keep the last block until the next one, and with it Node's buffer pool.
    frames.on('data', (block: Buffer) => {
      try {
        run.add(events.read(block));
      } catch (cause) {
        frames.destroy(toGatewayError(cause));
      }
    });
    await finished(frames);
    return events.failure;
  } catch (thrown) {
    if (run.cancellation.signal.aborted) return null;
    const error = toGatewayError(thrown);
    Object.assign(call.outcome, { end: 'failed', code: error.code, failure: error });
    return error;
  }
}

type EarlyError = GatewayError | FailedError;

interface EarlyEnd extends Started {
  /** Null if it was canceled. */
  readonly error: EarlyError | null;
}

/** Ends a failed or canceled response: stores its partial output, because it's charged. */
async function endEarly(call: RequestContext, { first: { recording } }: GrantedRequest, { run, events, error }: EarlyEnd): Promise<void> {
  await call.admission?.settled;
  const { response, frames } = events.end(error instanceof GatewayError ? toFailedError(error) : error);
  for (let isStored = false; !isStored; ) {
    recording?.save?.(response);
    isStored = await (recording?.saved() ?? Promise.resolve()).then(
      () => true,
      () => wait(RETRY_MS, false, { ref: false }),
    );
  }
  run.add(frames);
}
