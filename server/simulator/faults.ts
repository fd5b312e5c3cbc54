/** Failures on demand, to test how a client handles them. */
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { type CallCode, GatewayError } from '../errors.ts';
import type { UpstreamRequest } from '../upstreams/upstream.ts';
import { answerBytes, answerStream, type SimulatorAnswer } from './answers.ts';
import { answerStatus } from './error-answers.ts';
import type { FailingTwice } from './failing-twice.ts';
import type { Frames } from './frames.ts';
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

/** The answer of an upstream that fails; null when it answers normally, or fails in the middle of a stream. */
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

/** The first frames, never the last one: a complete answer cannot fail. */
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

const createCut = (): Error => new Error('The simulator was asked to break off.');
