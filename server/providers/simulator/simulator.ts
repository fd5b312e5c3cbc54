/**
 * The built-in upstream of a gateway that has no other: responds in OpenAI's wire format, made up here, never by a model.
 *
 * The same request always gets the same response, except for IDs. It quotes the prompt, says that it's simulated, fills JSON schemas, and draws images.
 * `commands.ts`, `tool-calls.ts` and `scenarios.ts` read the phrases in the last user message that drive it.
 */
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { errorTable } from '../../../contract/errors.ts';
import type { ScriptedAnswer } from '../../config/scripted-answer.ts';
import { type CallCode, GatewayError, toGatewayError } from '../../primitives/errors.ts';
import type { Fields } from '../../primitives/fields.ts';
import { randomHex } from '../../primitives/random-hex.ts';
import { waitForTurn } from '../../primitives/wait-for-turn.ts';
import type { CanonicalEvent } from '../../protocols/canonical/canonical-events.ts';
import type { Chunk, Completion } from '../../protocols/chat/wire.ts';
import type { ResponseHead } from '../../protocols/dialect.ts';
import type { Event, ResponseObject } from '../../protocols/responses/wire.ts';
import { ResponseBuilder, writeWholeResponse } from '../../protocols/responses/write-response.ts';
import { DONE, writeDataFrame, writeEventFrame } from '../../protocols/wire/frames.ts';
import type { Upstream, UpstreamRequest } from '../upstream.ts';
import { type PlannedCompletion, writeChunks, writeCompletion } from './completion.ts';
import { createEvents, getUsage } from './create-events.ts';
import { FailTwiceCounter, hashRequest } from './fail-twice.ts';
import { createFaultResponse, type FaultContext, playScenario, type Timing } from './faults.ts';
import { type ImageEvent, type ImageResponse, readImageRequest, writeImageEvents, writeImages } from './images.ts';
import { isLarge, planResponses, refusalText } from './plan.ts';
import { planAnswer, withScriptedUsage } from './plan-answer.ts';
import { applyScenario, isFailureRequested, type RequestedScenario, readRequestedScenario, type Scenario } from './scenarios.ts';
import { Script } from './script.ts';
import { type CreateHex, createSeededIds } from './seeded-ids.ts';
import { readSimulatorRequest } from './simulator-request.ts';
import { createErrorResponse, createJsonResponse, createStreamResponse, type SimulatorResponse } from './simulator-response.ts';
import { type Frames, streamFrames } from './stream-frames.ts';

interface SimulatorOptions extends Partial<Timing> {
  readonly answers?: readonly ScriptedAnswer[] | undefined;
  /** Rejects requests without a remaining answer. */
  readonly strict?: boolean | undefined;
  /** The name in logs. */
  readonly name?: string;
  /** Milliseconds between streamed events, so that people can watch them arrive. 0 for no delay. */
  readonly eventDelayMs?: number;
  /** Fixes the IDs, so that equal requests get equal responses, byte for byte. */
  readonly seed?: string | undefined;
  /** A fixed ISO time for all responses. */
  readonly clock?: string | undefined;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

export interface Simulator extends Upstream {
  /** The test's scripted answers. */
  readonly script: Script;
  send(request: UpstreamRequest): Promise<SimulatorResponse>;
}

/** The response of an operation: complete or as frames. */
interface PlannedResponse {
  /** Whether the complete response takes many milliseconds to write. */
  readonly isLarge: boolean;
  readonly whole: () => Completion | ResponseObject | Promise<ImageResponse>;
  readonly frames: () => Frames;
}

const defaultOptions = { name: 'simulator', eventDelayMs: 15, slowMs: 3_000, stallMs: 60_000, now: Date.now };

export function openSimulator(options: SimulatorOptions = {}): Simulator {
  const { name, eventDelayMs, slowMs, stallMs, seed, clock } = { ...defaultOptions, ...options };
  const fixedTime = clock === undefined ? null : Date.parse(clock);
  const now = fixedTime === null ? (options.now ?? defaultOptions.now) : () => fixedTime;
  const createHexFor = seed === undefined ? null : createSeededIds(seed);
  const shutdownController = new AbortController();
  const runningWork = new Set<Promise<void>>();
  const failTwiceCounter = new FailTwiceCounter();
  const script = new Script(options.answers);
  const getSeconds = () => Math.floor(now() / 1000);

  async function respond(request: UpstreamRequest): Promise<SimulatorResponse> {
    const requested = readRequestedScenario(request);
    const answer = requested ? null : takeAnswer(script, request, options.strict);
    if (answer?.delayMs) await delayResponse(answer.delayMs, request.signal);
    const scenario = requested?.scenario ?? (answer && toScenario(answer));
    const hex = createHexFor?.(hashRequest(request)) ?? randomHex;
    const { isLarge, whole, frames } = await planResponse(request, { requested, answer, seconds: getSeconds, hex });
    const context: FaultContext = { request, twice: failTwiceCounter, slowMs, stallMs, closing: shutdownController.signal };
    const faultResponse = scenario && (await createFaultResponse(scenario, context));
    if (faultResponse) return faultResponse;
    if (!request.stream && isLarge) await waitForTurn();
    if (!request.stream) return createJsonResponse(request, await whole());
    const played = scenario ? playScenario(frames(), scenario, context) : frames();
    const delayMs = scenario?.kind === 'slow' ? Math.max(slowMs / 10, eventDelayMs) : eventDelayMs;
    return createStreamResponse(request, trackBody(streamFrames(played, { delayMs, signal: request.signal })));
  }

  /** A stop of the gateway ends the delay. */
  async function delayResponse(delayMs: number, signal: AbortSignal): Promise<void> {
    await pause(delayMs, undefined, { signal: AbortSignal.any([signal, shutdownController.signal]) }).catch(() => signal.throwIfAborted());
  }

  function trackBody(body: Readable): Readable {
    trackWork(finished(body));
    return body;
  }

  function trackWork(work: Promise<unknown>): void {
    // Only the end matters here; the caller of this function handles the result.
    const completion: Promise<void> = work.then(ignore, ignore).then(() => void runningWork.delete(completion));
    runningWork.add(completion);
  }

  return {
    name,
    script,
    isFailureRequested(request) {
      if (isFailureRequested(request)) return true;
      const answer = readRequestedScenario(request) === null ? script.find(request) : null;
      return (answer?.error ?? answer?.cutAfter) !== undefined;
    },
    ...(createHexFor && { getIdsAndClock: (requested) => ({ newHex: createHexFor(`requested ${hashRequest(requested)}`), now }) }),
    async send(request) {
      try {
        request.signal.throwIfAborted();
        const pendingResponse = respond(request);
        trackWork(pendingResponse);
        return await pendingResponse;
      } catch (cause) {
        if (request.signal.aborted) throw new GatewayError<CallCode>('upstream_error', { cause: request.signal.reason });
        const error = toGatewayError(cause);
        if (error.status === 400) return createErrorResponse(request, error);
        throw error;
      }
    },
    async close() {
      shutdownController.abort();
      // Responding may start a stream that hasn't ended yet, so check again.
      while (runningWork.size > 0) await Promise.all(runningWork);
    },
  };
}

const ignore = (): void => {};

/** Null without a script, or if none of its answers is for this request. */
function takeAnswer(script: Script, request: UpstreamRequest, isStrict = false): ScriptedAnswer | null {
  const answer = script.take(request);
  if (answer === null && isStrict && script.isUsed) throw new GatewayError<CallCode>('unsupported_value', { message: NO_ANSWER_MESSAGE });
  return answer;
}

const NO_ANSWER_MESSAGE = 'No scripted answer is left for this request. Add one, or check the conditions of the others.';

function toScenario({ error, cutAfter }: ScriptedAnswer): Scenario | null {
  if (error !== undefined) {
    const { status } = errorTable[error];
    return { kind: 'error', status, code: error, retryAfterSeconds: null };
  }
  return cutAfter === undefined ? null : { kind: 'cut', events: cutAfter };
}

/** Everything a response needs besides the request. */
interface PlanContext {
  readonly answer: ScriptedAnswer | null;
  readonly requested: RequestedScenario | null;
  readonly seconds: () => number;
  readonly hex: CreateHex;
}

async function planResponse(request: UpstreamRequest, context: PlanContext): Promise<PlannedResponse> {
  switch (request.operation) {
    case 'createChatCompletion':
    case 'createResponse':
      return planTextResponse(request.operation, request.body.value, context);
    case 'generateImages':
    case 'editImages':
      return planImageResponse(request, context);
  }
}

function planTextResponse(
  operation: 'createChatCompletion' | 'createResponse',
  body: Fields,
  { requested, answer, seconds, hex }: PlanContext,
): PlannedResponse {
  const request = applyScenario(readSimulatorRequest(operation, body), requested);
  const plans = answer ? planAnswer(request, answer) : planResponses(request);
  const head: ResponseHead = {
    id: `${operation === 'createResponse' ? 'resp_' : 'chatcmpl-'}${hex(16)}`,
    createdAt: seconds(),
    model: String(body.model),
    request: body,
    newId: (prefix) => `${prefix}_${hex(16)}`,
    now: seconds,
  };
  const usage = withScriptedUsage(getUsage(request, plans), answer);
  const text = { request, plans, head, usage };
  return { isLarge: isLarge(request, plans), ...(operation === 'createResponse' ? planResponseObject(text) : planChatCompletion(text)) };
}

const planChatCompletion = (completion: PlannedCompletion): Omit<PlannedResponse, 'isLarge'> => ({
  whole: () => writeCompletion(completion),
  *frames() {
    for (const chunk of writeChunks(completion)) yield writeDataFrame<Chunk>(chunk);
    yield DONE;
  },
});

function planResponseObject({ request, plans, head, usage }: PlannedCompletion): Omit<PlannedResponse, 'isLarge'> {
  function* createAllEvents(): Generator<CanonicalEvent> {
    for (const plan of plans) yield* createEvents(plan, request, head.newId);
    yield { kind: 'usage', usage };
  }
  return {
    whole: () => writeWholeResponse([...createAllEvents()], head),
    *frames() {
      const builder = new ResponseBuilder(head);
      for (const event of createAllEvents()) yield* builder.handleEvent(event).map(toFrame);
      yield* builder.end().map(toFrame);
      yield DONE;
    },
  };
}

const toFrame = (event: Event): Buffer => writeEventFrame<Event>(event.type, event);

/** Checks the request first, because a started stream can't change its status. */
async function planImageResponse(request: UpstreamRequest, { requested, answer, seconds }: PlanContext): Promise<PlannedResponse> {
  const imageRequest = readImageRequest(request);
  if (requested?.scenario.kind === 'refusal') throw new GatewayError<CallCode>('moderation_blocked', { message: refusalText });
  const drawing = { job: imageRequest, images: answer?.images ?? null, signal: request.signal, created: seconds() };
  return {
    isLarge: false,
    whole: () => writeImages(drawing),
    async *frames() {
      for await (const event of writeImageEvents(drawing)) yield writeEventFrame<ImageEvent>(event.type, event);
    },
  };
}
