/** Simulates failures on demand, to test how a client handles them. */

import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { type ErrorCode, errorTable } from '../../../contract/errors.ts';
import { ErrorBody } from '../../../contract/shared/error-bodies.ts';
import { type CallCode, type ErrorDetails, GatewayError } from '../../primitives/errors.ts';
import type { UpstreamRequest } from '../upstream.ts';
import type { FailTwiceCounter } from './fail-twice.ts';
import type { Scenario } from './scenarios.ts';
import { createBytesResponse, createJsonResponse, createStreamResponse, type SimulatorResponse } from './simulator-response.ts';
import type { Frames } from './stream-frames.ts';

export interface Timing {
  /** Delay of a slow or late response. A slow stream also waits a tenth of it between events. */
  readonly slowMs: number;
  /** How long a stalled response stays silent before it fails. */
  readonly stallMs: number;
}

/** One request with a scenario. */
export interface FaultContext extends Timing {
  readonly request: UpstreamRequest;
  readonly twice: FailTwiceCounter;
  /** Aborts when the gateway shuts down, so that no stall delays it. */
  readonly closing: AbortSignal;
}

const FRAMES_BEFORE_FAULT = 4;

/** Returns the response of a failing upstream, or null if it responds normally or fails midway through a stream. */
export async function createFaultResponse(scenario: Scenario, context: FaultContext): Promise<SimulatorResponse | null> {
  const { request, twice } = context;
  if (scenario.kind === 'error') return createStatusResponse(request, scenario.status, scenario);
  if (scenario.kind === 'fail-twice') return twice.shouldFail(request) ? createStatusResponse(request, scenario.status) : null;
  return request.stream ? null : await createNonStreamingFault(scenario, context);
}

async function createNonStreamingFault({ kind }: Scenario, context: FaultContext): Promise<SimulatorResponse | null> {
  const { request, slowMs } = context;
  switch (kind) {
    case 'cut':
      throw new GatewayError<CallCode>('upstream_error', { cause: createCutError() });
    case 'stall':
      return await stallResponse(context);
    case 'slow':
    case 'late':
      await pause(slowMs, undefined, { signal: request.signal });
      return null;
    case 'malformed-json':
      return createBytesResponse(request, malformedJson);
    case 'malformed-sse':
      return createStreamResponse(request, Readable.from([malformedEvent]));
    default:
      return null;
  }
}

/** Yields the stream frames with the scenario applied. */
export async function* playScenario(frames: Frames, scenario: Scenario, context: FaultContext): AsyncGenerator<Buffer> {
  switch (scenario.kind) {
    case 'slow':
    case 'late':
      await pause(context.slowMs, undefined, { signal: context.request.signal });
      yield* frames;
      return;
    case 'cut':
      yield* limitFrames(frames, scenario.events ?? FRAMES_BEFORE_FAULT);
      throw createCutError();
    case 'stall':
      yield* limitFrames(frames);
      return await stallResponse(context);
    case 'malformed-json':
      yield* limitFrames(frames);
      yield Buffer.concat([Buffer.from('data: '), malformedJson, Buffer.from('\n\n')]);
      return;
    case 'malformed-sse':
      yield* limitFrames(frames);
      yield malformedEvent;
      return;
    default:
      yield* frames;
  }
}

/** Yields the first frames, but never the last one: a complete response can't fail. */
async function* limitFrames(frames: Frames, maxFrames = FRAMES_BEFORE_FAULT): AsyncGenerator<Buffer> {
  let heldFrame: Buffer | null = null;
  let remainingFrames = maxFrames;
  for await (const frame of frames) {
    if (heldFrame) yield heldFrame;
    if (remainingFrames === 0) return;
    remainingFrames -= 1;
    heldFrame = frame;
  }
}

/** Waits until the caller disconnects or the stall ends. */
async function stallResponse({ request, stallMs, closing }: FaultContext): Promise<never> {
  const cause = await pause(stallMs, undefined, { signal: AbortSignal.any([request.signal, closing]) }).catch((error: unknown) => error);
  throw new GatewayError<CallCode>('upstream_timeout', { message: 'The built-in simulator was asked to stall.', cause });
}

const malformedJson = Buffer.from('{"simulated": "not JSON",');
/** Contains neither an event field nor the blank line that ends an event. */
const malformedEvent = Buffer.from('<p>simulated: not an event stream</p>');

const createCutError = (): Error => new Error('The simulator was asked to close the connection.');

type ErrorHeaders = NonNullable<ErrorDetails['headers']>;

/** For statuses with several codes in the table, or none. */
const codes: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid_value',
  402: 'insufficient_balance',
  403: 'permission_denied',
  404: 'model_not_found',
  409: 'conflict',
  429: 'rate_limit_exceeded',
  503: 'upstream_unavailable',
  529: 'upstream_unavailable',
};

/** Same headers as the gateway itself sends. 429 and 503 always have `retry-after`. */
const headers: Readonly<Record<number, ErrorHeaders>> = {
  401: { 'www-authenticate': 'Bearer' },
  405: { allow: 'POST' },
  426: { upgrade: 'HTTP/1.1' },
};

function toErrorCode(status: number): ErrorCode {
  // `as`: Object.entries widens the table's keys to strings.
  const tableCode = Object.entries(errorTable).find(([, row]) => row.status === status)?.[0] as ErrorCode | undefined;
  return codes[status] ?? tableCode ?? (status < 500 ? 'invalid_value' : 'upstream_error');
}

interface StatusResponseOptions {
  readonly code?: ErrorCode;
  readonly retryAfterSeconds: number | null;
}

function createStatusResponse(
  request: UpstreamRequest,
  status: number,
  { code = toErrorCode(status), retryAfterSeconds }: StatusResponseOptions = { retryAfterSeconds: null },
): SimulatorResponse {
  const message = `The built-in simulator was asked to fail with status ${status}.`;
  const response = createJsonResponse(request, new GatewayError(code, { message }).body, status);
  if (retryAfterSeconds === null) return response;
  return { ...response, headers: { ...response.headers, 'retry-after': String(retryAfterSeconds) } };
}

/** Simulator errors are trusted: unlike a provider's errors, they reach the caller unchanged. */
export function readSimulatedError(status: number, body: string, retryAfter: string | undefined): GatewayError {
  const { message, param, code } = ErrorBody.parse(JSON.parse(body)).error;
  const retryHeaders: ErrorHeaders = retryAfter === undefined ? {} : { 'retry-after': retryAfter, 'retry-after-ms': `${retryAfter}000` };
  return new GatewayError(code, { message, status, headers: { ...headers[status], ...retryHeaders }, ...(param !== null && { param }) });
}
