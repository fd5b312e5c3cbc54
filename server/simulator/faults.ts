/** Failures on demand, to test how a client handles them. */

import { createHash } from 'node:crypto';
import { addAbortSignal, Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { type ErrorCode, errorTable } from '../../contract/errors.ts';
import { ErrorBody } from '../../contract/shared/error-bodies.ts';
import { type CallCode, type ErrorDetails, GatewayError } from '../errors.ts';
import { filesOf, type UpstreamAnswer, type UpstreamRequest } from '../upstreams/upstream.ts';
import type { Scenario } from './scenarios.ts';

export interface Timing {
  /** Delay of a slow or late answer; a slow stream also waits a tenth of it between two events. */
  readonly slowMs: number;
  /** How long a stalled answer stays silent before it fails. */
  readonly stallMs: number;
}

/** One request with a scenario. */
export interface Failing extends Timing {
  readonly request: UpstreamRequest;
  readonly twice: FailingTwice;
  /** Aborted when the gateway stops, so that no stall delays it. */
  readonly closing: AbortSignal;
}

const FRAMES_BEFORE = 4;

/** The response of an upstream that fails; null if it answers normally, or fails in the middle of a stream. */
export async function answerFault(scenario: Scenario, failing: Failing): Promise<SimulatorAnswer | null> {
  const { request, twice } = failing;
  if (scenario.kind === 'error') return answerStatus(request, scenario.status, scenario.retryAfterSeconds);
  if (scenario.kind === 'fail-twice') return twice.failsNow(request) ? answerStatus(request, scenario.status) : null;
  return request.stream ? null : await answerWholeFault(scenario, failing);
}

async function answerWholeFault({ kind }: Scenario, failing: Failing): Promise<SimulatorAnswer | null> {
  const { request, slowMs } = failing;
  switch (kind) {
    case 'cut':
      throw new GatewayError<CallCode>('upstream_error', { cause: createCut() });
    case 'stall':
      return await stall(failing);
    case 'slow':
    case 'late':
      await pause(slowMs, undefined, { signal: request.signal });
      return null;
    case 'malformed-json':
      return answerBytes(request, nonsense);
    case 'malformed-sse':
      return answerStream(request, Readable.from([noEvent]));
    default:
      return null;
  }
}

/** The frames of a stream with the scenario applied. */
export async function* playScenario(frames: Frames, scenario: Scenario, failing: Failing): AsyncGenerator<Buffer> {
  switch (scenario.kind) {
    case 'slow':
    case 'late':
      await pause(failing.slowMs, undefined, { signal: failing.request.signal });
      yield* frames;
      return;
    case 'cut':
      yield* beginning(frames, scenario.events ?? FRAMES_BEFORE);
      throw createCut();
    case 'stall':
      yield* beginning(frames);
      return await stall(failing);
    case 'malformed-json':
      yield* beginning(frames);
      yield Buffer.concat([Buffer.from('data: '), nonsense, Buffer.from('\n\n')]);
      return;
    case 'malformed-sse':
      yield* beginning(frames);
      yield noEvent;
      return;
    default:
      yield* frames;
  }
}

/** The first frames, never the last one: a complete response can't fail. */
async function* beginning(frames: Frames, most = FRAMES_BEFORE): AsyncGenerator<Buffer> {
  let held: Buffer | null = null;
  let left = most;
  for await (const frame of frames) {
    if (held) yield held;
    if (left === 0) return;
    left -= 1;
    held = frame;
  }
}

/** Waits until the caller disconnects or the stall ends. */
async function stall({ request, stallMs, closing }: Failing): Promise<never> {
  const cause = await pause(stallMs, undefined, { signal: AbortSignal.any([request.signal, closing]) }).catch((error: unknown) => error);
  throw new GatewayError<CallCode>('upstream_timeout', { message: 'The built-in simulator was asked to stall.', cause });
}

const nonsense = Buffer.from('{"simulated": "not JSON",');
/** Neither a field of an event nor the blank line after one. */
const noEvent = Buffer.from('<p>simulated: not an event stream</p>');

const createCut = (): Error => new Error('The simulator was asked to close the connection.');

type Headers = NonNullable<ErrorDetails['headers']>;

/** For statuses for which the table has several codes, or none. */
const codes: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid_value',
  402: 'insufficient_balance',
  403: 'permission_denied',
  404: 'model_not_found',
  409: 'conflict',
  429: 'rate_limit_exceeded',
  503: 'overloaded',
  529: 'overloaded',
};

/** As the gateway itself sends them; 429 and 503 always have `retry-after`. */
const headers: Readonly<Record<number, Headers>> = {
  401: { 'www-authenticate': 'Bearer' },
  405: { allow: 'POST' },
  426: { upgrade: 'HTTP/1.1' },
};

function codeOf(status: number): ErrorCode {
  // `as`: Object.entries widens the keys of the table to strings.
  const found = Object.entries(errorTable).find(([, row]) => row.status === status)?.[0] as ErrorCode | undefined;
  return codes[status] ?? found ?? (status < 500 ? 'invalid_value' : 'upstream_error');
}

export function answerStatus(request: UpstreamRequest, status: number, retryAfterSeconds: number | null = null): SimulatorAnswer {
  const message = `The built-in simulator was asked to fail with status ${status}.`;
  const answer = answerJson(request, new GatewayError(codeOf(status), { message }).body, status);
  if (retryAfterSeconds === null) return answer;
  return { ...answer, headers: { ...answer.headers, 'retry-after': String(retryAfterSeconds) } };
}

/** An error of the simulator is trusted: unlike one of a provider, it reaches the caller unchanged. */
export function readAsked(status: number, body: string, retryAfter: string | undefined): GatewayError {
  const { message, param, code } = ErrorBody.parse(JSON.parse(body)).error;
  const wait: Headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter, 'retry-after-ms': `${retryAfter}000` };
  return new GatewayError(code, { message, status, headers: { ...headers[status], ...wait }, ...(param !== null && { param }) });
}

export type Frames = Iterable<Buffer> | AsyncIterable<Buffer>;

export interface Pace {
  /** Wait before every frame but the first; 0 for none. */
  readonly delayMs: number;
  readonly signal: AbortSignal;
}

/** Each chunk is one whole frame. An abort or a frame that throws destroys the stream: it then never looks complete. */
export function streamFrames(frames: Frames, pace: Pace): Readable {
  const iterator = Symbol.asyncIterator in frames ? frames[Symbol.asyncIterator]() : frames[Symbol.iterator]();
  let timer: NodeJS.Timeout | undefined;
  let isFirst = true;

  async function push(stream: Readable): Promise<void> {
    try {
      const next = await iterator.next();
      if (!stream.destroyed) stream.push(next.done ? null : next.value);
    } catch (error) {
      stream.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  }

  const stream = new Readable({
    // Objects, so that neighbouring frames are never joined into one chunk.
    objectMode: true,
    highWaterMark: 4,
    read() {
      if (isFirst || pace.delayMs === 0) void push(this);
      else timer = setTimeout(() => void push(this), pace.delayMs);
      isFirst = false;
    },
    destroy(error, callback) {
      clearTimeout(timer);
      void iterator.return?.();
      callback(error);
    },
  });
  // A reader that is gone has no error listener, so the error of the abort must not end the process.
  stream.on('error', () => {});
  return addAbortSignal(pace.signal, stream);
}

/** Its body is a whole stream of Node's. */
export interface SimulatorAnswer extends UpstreamAnswer {
  readonly body: Readable;
}

export function answerJson(request: UpstreamRequest, value: object, status = 200): SimulatorAnswer {
  return answerBytes(request, Buffer.from(JSON.stringify(value)), status);
}

export function answerBytes(request: UpstreamRequest, bytes: Buffer, status = 200): SimulatorAnswer {
  const headers = {
    'content-type': 'application/json',
    'content-length': String(bytes.length),
    'x-request-id': request.requestId,
  };
  return { status, headers, body: Readable.from([bytes]) };
}

export function answerStream(request: UpstreamRequest, body: Readable): SimulatorAnswer {
  const headers = {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'x-request-id': request.requestId,
  };
  return { status: 200, headers, body };
}

/** An error in OpenAI's envelope, with its HTTP status. */
export function answerError(request: UpstreamRequest, error: GatewayError): SimulatorAnswer {
  return answerJson(request, error.body, error.status);
}

const FAILURES = 2;
/** The calls that are remembered; those that failed longest ago are forgotten first. */
const MOST = 10_000;

export class FailingTwice {
  readonly #failed = new Map<string, number>();

  /** Whether this attempt fails. After one that succeeds, the count begins again. */
  failsNow(request: UpstreamRequest): boolean {
    const key = `${request.account}\n${printOf(request)}`;
    const failed = this.#failed.get(key) ?? 0;
    this.#failed.delete(key);
    if (failed === FAILURES) return false;
    this.#failed.set(key, failed + 1);
    const [oldest] = this.#failed.keys();
    if (oldest !== undefined && this.#failed.size > MOST) this.#failed.delete(oldest);
    return true;
  }
}

/** Identifies equal requests of any caller. */
export function printOf({ operation, scenario = '', body }: Pick<UpstreamRequest, 'operation' | 'scenario' | 'body'>): string {
  const hash = createHash('sha256').update(JSON.stringify([operation, scenario]));
  if (body.kind === 'json') return hash.update(body.bytes).digest('base64');
  hash.update(JSON.stringify(body.value));
  for (const { bytes } of filesOf(body)) hash.update(`${bytes.length}:`).update(bytes);
  return hash.digest('base64');
}
