/**
 * The built-in upstream of a gateway that has no other: answers in OpenAI's wire format, made up here, never by a model.
 *
 * The same request gives the same response (only IDs are fresh). It quotes the prompt, says what it is, fills JSON schemas and
 * draws images. Phrases at the start of the last user message drive it:
 *
 * - `repeat: TEXT` and `say TEXT`: exactly TEXT
 * - `count to N`: the numbers from 1 to N
 * - `write N words`: a text of so many words, to watch a long stream
 * - `call TOOL` (at the start of any line): a call of that tool; several names may be joined by commas and "and"
 * - `please refuse` (at the start of any line): a refusal
 * - `simulate: …`: fails, or behaves, as `scenarios.ts` lists it; so does the header `x-modelgate-scenario`
 */
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { type CallCode, GatewayError, toGatewayError } from '../../primitives/errors.ts';
import { waitForTurn } from '../../primitives/wait-for-turn.ts';
import type { Chunk, Completion as WrittenCompletion } from '../../protocols/chat/wire.ts';
import type { Event, ResponseObject } from '../../protocols/responses/wire.ts';
import { DONE, writeDataFrame, writeEventFrame } from '../../protocols/wire/frames.ts';
import type { Upstream, UpstreamRequest } from '../upstream.ts';
import { readChatRequest } from './chat-request.ts';
import { type Completion, writeChunks, writeCompletion } from './completion.ts';
import { FailTwiceCounter, hashRequest } from './fail-twice.ts';
import { createFaultResponse, type FaultContext, playScenario, type Timing } from './faults.ts';
import { type CreateHex, createId, createSeededIds, iterateWithIds, withIds } from './ids.ts';
import { type ImageEvent, type ImageResponse, readImageRequest, writeImageEvents, writeImages } from './images.ts';
import { isLarge, planResponse, planResponses, refusalText } from './plan.ts';
import { assignIds, type SimulatedResponse, writeEvents, writeFinalResponse } from './responses.ts';
import { readResponsesRequest } from './responses-request.ts';
import { applyScenario, type RequestedScenario, readRequestedScenario } from './scenarios.ts';
import { createErrorResponse, createJsonResponse, createStreamResponse, type SimulatorResponse } from './simulator-response.ts';
import { type Frames, streamFrames } from './stream-frames.ts';

interface SimulatorOptions extends Partial<Timing> {
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

interface Simulator extends Upstream {
  send(request: UpstreamRequest): Promise<SimulatorResponse>;
}

/** The response of an operation: complete or as frames. */
interface ResponseScript {
  /** Whether the complete response takes many milliseconds to write. */
  readonly isLarge: boolean;
  readonly whole: () => WrittenCompletion | ResponseObject | Promise<ImageResponse>;
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
  const getSeconds = () => Math.floor(now() / 1000);

  async function respond(request: UpstreamRequest): Promise<SimulatorResponse> {
    const requestedScenario = readRequestedScenario(request);
    const scenario = requestedScenario?.scenario;
    const hex = createHexFor?.(hashRequest(request)) ?? null;
    const script = await writeScript(request, { requested: requestedScenario, seconds: getSeconds, hex });
    const context: FaultContext = { request, twice: failTwiceCounter, slowMs, stallMs, closing: shutdownController.signal };
    const faultResponse = scenario && (await createFaultResponse(scenario, context));
    if (faultResponse) return faultResponse;
    if (!request.stream && script.isLarge) await waitForTurn();
    if (!request.stream) return createJsonResponse(request, await script.whole());
    const frames = scenario ? playScenario(script.frames(), scenario, context) : script.frames();
    const delayMs = scenario?.kind === 'slow' ? Math.max(slowMs / 10, eventDelayMs) : eventDelayMs;
    return createStreamResponse(request, trackBody(streamFrames(frames, { delayMs, signal: request.signal })));
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

/** Everything a script needs besides the request. */
interface ScriptContext {
  readonly requested: RequestedScenario | null;
  readonly seconds: () => number;
  /** Null if every ID is fresh. */
  readonly hex: CreateHex | null;
}

async function writeScript(request: UpstreamRequest, context: ScriptContext): Promise<ResponseScript> {
  switch (request.operation) {
    case 'createChatCompletion':
      return createChatScript(request, context);
    case 'createResponse':
      return createResponseScript(request, context);
    case 'generateImages':
    case 'editImages':
      return createImageScript(request, context);
  }
}

function createChatScript({ body: { value } }: UpstreamRequest, { requested, seconds, hex }: ScriptContext): ResponseScript {
  const simulatorRequest = applyScenario(readChatRequest(value), requested);
  const plans = planResponses(simulatorRequest);
  const completion: Completion = {
    ask: simulatorRequest,
    body: value,
    plans,
    id: withIds(hex, () => createId('chatcmpl-')),
    created: seconds(),
  };
  return {
    isLarge: isLarge(simulatorRequest, plans),
    whole: () => withIds(hex, () => writeCompletion(completion)),
    *frames() {
      for (const chunk of iterateWithIds(hex, writeChunks(completion))) yield writeDataFrame<Chunk>(chunk);
      yield DONE;
    },
  };
}

function createResponseScript({ body: { value } }: UpstreamRequest, { requested, seconds, hex }: ScriptContext): ResponseScript {
  const simulatorRequest = applyScenario(readResponsesRequest(value), requested);
  const plan = planResponse(simulatorRequest);
  const items = withIds(hex, () => plan.items.map(assignIds));
  const response: SimulatedResponse = {
    ask: simulatorRequest,
    body: value,
    plan,
    items,
    id: withIds(hex, () => createId('resp_')),
    createdAt: seconds(),
  };
  return {
    isLarge: isLarge(simulatorRequest, [plan]),
    whole: () => withIds(hex, () => writeFinalResponse(response, seconds())),
    *frames() {
      for (const event of iterateWithIds(hex, writeEvents(response, seconds))) yield writeEventFrame<Event>(event.type, event);
      yield DONE;
    },
  };
}

/** Checks the request first, because a started stream can't change its status. */
async function createImageScript(request: UpstreamRequest, { requested, seconds }: ScriptContext): Promise<ResponseScript> {
  const imageRequest = readImageRequest(request);
  if (requested?.scenario.kind === 'refusal') throw new GatewayError<CallCode>('moderation_blocked', { message: refusalText });
  const drawing = { job: imageRequest, signal: request.signal, created: seconds() };
  return {
    isLarge: false,
    whole: () => writeImages(drawing),
    async *frames() {
      for await (const event of writeImageEvents(drawing)) yield writeEventFrame<ImageEvent>(event.type, event);
    },
  };
}
