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
 * - `please reject` (at the start of any line): a refusal
 * - `simulate: …`: fails, or behaves, as `scenarios.ts` lists it; so does the header `x-modelgate-scenario`
 */
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Chunk, Completion as WrittenCompletion } from '../dialects/chat/provider-answer.ts';
import type { Event, ResponseObject } from '../dialects/responses/output.ts';
import { DONE, dataFrame, eventFrame } from '../dialects/wire/frames.ts';
import { asGatewayError, type CallCode, GatewayError } from '../errors.ts';
import { ownTurn } from '../primitives/shared-timeout.ts';
import type { Upstream, UpstreamRequest } from '../upstreams/upstream.ts';
import {
  type Completion,
  createId,
  eachWithIds,
  type Hex,
  openSeededIds,
  readChatRequest,
  withIds,
  writeChunks,
  writeCompletion,
} from './chat.ts';
import {
  answerError,
  answerFault,
  answerJson,
  answerStream,
  type Failing,
  FailingTwice,
  type Frames,
  playScenario,
  printOf,
  type SimulatorAnswer,
  streamFrames,
  type Timing,
} from './faults.ts';
import { type ImageAnswer, type ImageEvent, readImageRequest, writeImageEvents, writeImages } from './images.ts';
import { isLarge, planAnswer, planAnswers, refusalText, shapeAsk } from './plan.ts';
import { type Answer, nameItem, readResponsesRequest, writeEvents, writeFinal } from './responses.ts';
import { type AskedScenario, readAskedScenario } from './scenarios.ts';

export interface SimulatorOptions extends Partial<Timing> {
  /** Its name in logs. */
  readonly name?: string;
  /** Wait between streamed events, so that a person sees them come; 0 for none. */
  readonly eventDelayMs?: number;
  /** Fixes the IDs: the same requests get the same responses, byte for byte. */
  readonly seed?: string | undefined;
  /** An ISO time at which the clock of all responses stands still. */
  readonly clock?: string | undefined;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

export interface Simulator extends Upstream {
  send(request: UpstreamRequest): Promise<SimulatorAnswer>;
}

/** The response of an operation: complete, or frame by frame. */
interface Script {
  /** Whether the complete response takes many milliseconds to write. */
  readonly isLarge: boolean;
  readonly whole: () => WrittenCompletion | ResponseObject | Promise<ImageAnswer>;
  readonly frames: () => Frames;
}

const standard = { name: 'simulator', eventDelayMs: 15, slowMs: 3_000, stallMs: 60_000, now: Date.now };

export function openSimulator(options: SimulatorOptions = {}): Simulator {
  const { name, eventDelayMs, slowMs, stallMs, seed, clock } = { ...standard, ...options };
  const stands = clock === undefined ? null : Date.parse(clock);
  const now = stands === null ? (options.now ?? standard.now) : () => stands;
  const idsOf = seed === undefined ? null : openSeededIds(seed);
  const closing = new AbortController();
  const running = new Set<Promise<void>>();
  const twice = new FailingTwice();
  const seconds = () => Math.floor(now() / 1000);

  async function answer(request: UpstreamRequest): Promise<SimulatorAnswer> {
    const asked = readAskedScenario(request);
    const scenario = asked?.scenario;
    const hex = idsOf?.(printOf(request)) ?? null;
    const script = await writeScript(request, { asked, seconds, hex });
    const failing: Failing = { request, twice, slowMs, stallMs, closing: closing.signal };
    const failed = scenario && (await answerFault(scenario, failing));
    if (failed) return failed;
    if (!request.stream && script.isLarge) await ownTurn();
    if (!request.stream) return answerJson(request, await script.whole());
    const frames = scenario ? playScenario(script.frames(), scenario, failing) : script.frames();
    const delayMs = scenario?.kind === 'slow' ? Math.max(slowMs / 10, eventDelayMs) : eventDelayMs;
    return answerStream(request, watch(streamFrames(frames, { delayMs, signal: request.signal })));
  }

  function watch(body: Readable): Readable {
    note(finished(body));
    return body;
  }

  function note(work: Promise<unknown>): void {
    // Only the end matters here; the caller of this function handles the result.
    const end: Promise<void> = work.then(nothing, nothing).then(() => void running.delete(end));
    running.add(end);
  }

  return {
    name,
    ...(idsOf && { marksOf: (asked) => ({ newHex: idsOf(`asked ${printOf(asked)}`), now }) }),
    async send(request) {
      try {
        request.signal.throwIfAborted();
        const answering = answer(request);
        note(answering);
        return await answering;
      } catch (thrown) {
        if (request.signal.aborted) throw new GatewayError<CallCode>('upstream_error', { cause: request.signal.reason });
        const error = asGatewayError(thrown);
        if (error.status === 400) return answerError(request, error);
        throw error;
      }
    },
    async close() {
      closing.abort();
      // The response may be a stream that hasn't ended yet.
      while (running.size > 0) await Promise.all(running);
    },
  };
}

const nothing = (): void => {};

/** What a script is written with, besides the request. */
interface Stage {
  readonly asked: AskedScenario | null;
  readonly seconds: () => number;
  /** Null: every ID is fresh. */
  readonly hex: Hex | null;
}

async function writeScript(request: UpstreamRequest, stage: Stage): Promise<Script> {
  switch (request.operation) {
    case 'createChatCompletion':
      return scriptChat(request, stage);
    case 'createResponse':
      return scriptResponse(request, stage);
    case 'generateImages':
    case 'editImages':
      return scriptImages(request, stage);
  }
}

function scriptChat({ body: { value } }: UpstreamRequest, { asked, seconds, hex }: Stage): Script {
  const ask = shapeAsk(readChatRequest(value), asked);
  const plans = planAnswers(ask);
  const completion: Completion = { ask, body: value, plans, id: withIds(hex, () => createId('chatcmpl-')), created: seconds() };
  return {
    isLarge: isLarge(ask, plans),
    whole: () => withIds(hex, () => writeCompletion(completion)),
    *frames() {
      for (const chunk of eachWithIds(hex, writeChunks(completion))) yield dataFrame<Chunk>(chunk);
      yield DONE;
    },
  };
}

function scriptResponse({ body: { value } }: UpstreamRequest, { asked, seconds, hex }: Stage): Script {
  const ask = shapeAsk(readResponsesRequest(value), asked);
  const plan = planAnswer(ask);
  const items = withIds(hex, () => plan.items.map(nameItem));
  const answer: Answer = { ask, body: value, plan, items, id: withIds(hex, () => createId('resp_')), createdAt: seconds() };
  return {
    isLarge: isLarge(ask, [plan]),
    whole: () => withIds(hex, () => writeFinal(answer, seconds())),
    *frames() {
      for (const event of eachWithIds(hex, writeEvents(answer, seconds))) yield eventFrame<Event>(event.type, event);
      yield DONE;
    },
  };
}

/** The request is checked first: a stream that has begun can no longer change its status. */
async function scriptImages(request: UpstreamRequest, { asked, seconds }: Stage): Promise<Script> {
  const job = readImageRequest(request);
  if (asked?.scenario.kind === 'refusal') throw new GatewayError<CallCode>('moderation_blocked', { message: refusalText });
  const drawing = { job, signal: request.signal, created: seconds() };
  return {
    isLarge: false,
    whole: () => writeImages(drawing),
    async *frames() {
      for await (const event of writeImageEvents(drawing)) yield eventFrame<ImageEvent>(event.type, event);
    },
  };
}
