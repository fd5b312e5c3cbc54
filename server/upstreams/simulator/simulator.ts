/**
 * The built-in upstream of a gateway that has no other: answers in OpenAI's wire format, made up here, never by a model.
 *
 * The same request gives the same answer (only ids are fresh). It quotes the prompt, says what it is, calls the tools that
 * the prompt mentions, fills JSON schemas and draws pictures. Phrases at the start of the last user message drive it:
 *
 * - `repeat: TEXT` and `say TEXT`: exactly TEXT
 * - `count to N`: the numbers from 1 to N
 * - `write N words`: a text of so many words, to watch a long stream
 * - `please refuse` (anywhere): a refusal
 * - `simulate: error STATUS`: fails with that status (400 to 599)
 * - `simulate: cut`: breaks off, midway where the answer is streamed
 * - `simulate: stall`: says no more, midway where the answer is streamed
 * - `simulate: slow`: takes its time
 * - `simulate: malformed`: answers what is no JSON, midway where the answer is streamed
 */
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Chunk, Completion as WrittenCompletion } from '../../dialects/chat/wire.ts';
import { DONE, dataFrame, eventFrame } from '../../dialects/frames.ts';
import type { Event, ResponseObject } from '../../dialects/responses/wire.ts';
import { asGatewayError, GatewayError } from '../../errors.ts';
import type { Upstream, UpstreamRequest } from '../upstream.ts';
import { answerError, answerJson, answerStream, type SimulatorAnswer } from './answers.ts';
import { readChatRequest } from './chat/request.ts';
import { type Completion, writeCompletion } from './chat/response.ts';
import { writeChunks } from './chat/stream.ts';
import { answerFault, type Failing, failMidway, type Timing } from './faults.ts';
import { type Frames, streamFrames } from './frames.ts';
import { createId } from './ids.ts';
import { openPainter, type Painter } from './images/painter.ts';
import { readImageRequest } from './images/request.ts';
import { type ImageAnswer, type ImageEvent, writeImageEvents, writeImages } from './images/response.ts';
import { readFault } from './plan/commands.ts';
import { planAnswer, planAnswers } from './plan/plan.ts';
import { nameItem } from './responses/items.ts';
import { readResponsesRequest } from './responses/request.ts';
import { type Answer, writeFinal } from './responses/response.ts';
import { writeEvents } from './responses/stream.ts';

export interface SimulatorOptions extends Partial<Timing> {
  /** Its name in logs. */
  readonly name?: string;
  /** Wait between streamed events, so that a person sees them come; 0 for none. */
  readonly eventDelayMs?: number;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

export interface Simulator extends Upstream {
  send(request: UpstreamRequest): Promise<SimulatorAnswer>;
}

/** What an operation makes of a request: all at once, or frame by frame. */
interface Script {
  /** Searched for a failure on demand. */
  readonly prompt: string;
  /** The field that the prompt stands in. */
  readonly param: string;
  readonly whole: () => WrittenCompletion | ResponseObject | Promise<ImageAnswer>;
  readonly frames: () => Frames;
}

const standard = { name: 'simulator', eventDelayMs: 15, slowMs: 3_000, stallMs: 60_000, now: Date.now };

export function openSimulator(options: SimulatorOptions = {}): Simulator {
  const { name, eventDelayMs, slowMs, stallMs, now } = { ...standard, ...options };
  const closing = new AbortController();
  const running = new Set<Promise<void>>();
  const painter = openPainter();
  const seconds = () => Math.floor(now() / 1000);

  async function answer(request: UpstreamRequest): Promise<SimulatorAnswer> {
    const script = await writeScript(request, seconds, painter);
    const fault = readFault(script.prompt);
    const failing: Failing = { request, param: script.param, slowMs, stallMs, closing: closing.signal };
    const failed = fault && (await answerFault(fault, failing));
    if (failed) return failed;
    if (!request.stream) return answerJson(request, await script.whole());
    const frames = fault ? failMidway(script.frames(), fault, failing) : script.frames();
    const delayMs = fault?.kind === 'slow' ? Math.max(slowMs / 10, eventDelayMs) : eventDelayMs;
    return answerStream(request, watch(streamFrames(frames, { delayMs, signal: request.signal })));
  }

  function watch(body: Readable): Readable {
    note(finished(body));
    return body;
  }

  function note(work: Promise<unknown>): void {
    // How it ends is the business of whoever asked; here only that it does.
    const end: Promise<void> = work.then(nothing, nothing).then(() => void running.delete(end));
    running.add(end);
  }

  return {
    name,
    async send(request) {
      try {
        request.signal.throwIfAborted();
        const answering = answer(request);
        note(answering);
        return await answering;
      } catch (thrown) {
        if (request.signal.aborted) throw new GatewayError('upstream_error', { cause: request.signal.reason });
        const error = asGatewayError(thrown);
        if (error.status === 400) return answerError(request, error);
        throw error;
      }
    },
    async close() {
      closing.abort();
      // An answer that is made may be a stream that has yet to end.
      while (running.size > 0) await Promise.all(running);
      await painter.close();
    },
  };
}

const nothing = (): void => {};

async function writeScript(request: UpstreamRequest, seconds: () => number, painter: Painter): Promise<Script> {
  switch (request.operation) {
    case 'createChatCompletion':
      return scriptChat(request, seconds);
    case 'createResponse':
      return scriptResponse(request, seconds);
    case 'generateImages':
    case 'editImages':
      return scriptImages(request, seconds, painter);
  }
}

function scriptChat({ body: { value } }: UpstreamRequest, seconds: () => number): Script {
  const ask = readChatRequest(value);
  const plans = planAnswers(ask);
  const completion: Completion = { ask, body: value, plans, id: createId('chatcmpl-'), created: seconds() };
  return {
    prompt: ask.prompt,
    param: 'messages',
    whole: () => writeCompletion(completion),
    *frames() {
      for (const chunk of writeChunks(completion)) yield dataFrame<Chunk>(chunk);
      yield DONE;
    },
  };
}

function scriptResponse({ body: { value } }: UpstreamRequest, seconds: () => number): Script {
  const ask = readResponsesRequest(value);
  const plan = planAnswer(ask);
  const items = plan.items.map(nameItem);
  const answer: Answer = { ask, body: value, plan, items, id: createId('resp_'), createdAt: seconds() };
  return {
    prompt: ask.prompt,
    param: 'input',
    whole: () => writeFinal(answer, seconds()),
    *frames() {
      for (const event of writeEvents(answer, seconds)) yield eventFrame<Event>(event.type, event);
      yield DONE;
    },
  };
}

/** What can be refused is read first: once a stream has begun it has no status left to refuse with. */
async function scriptImages(request: UpstreamRequest, seconds: () => number, painter: Painter): Promise<Script> {
  const job = readImageRequest(request);
  const { signal, account } = request;
  const drawing = { job, originals: await painter.read(job, { signal, account }), painter, signal, account, created: seconds() };
  return {
    prompt: job.prompt,
    param: 'prompt',
    whole: () => writeImages(drawing),
    async *frames() {
      for await (const event of writeImageEvents(drawing)) yield eventFrame<ImageEvent>(event.type, event);
    },
  };
}
