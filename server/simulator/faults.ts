/** Failures on demand, for people who want to see how their client takes them: exactly as asked, and at nobody else's cost. */
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
  /** How long a slow or late answer waits; in a slow stream a tenth of it between two events, too. */
  readonly slowMs: number;
  /** How long a stalled answer says nothing before it is given up. */
  readonly stallMs: number;
}

/** One request that asks for a scenario. */
export interface Failing extends Timing {
  readonly request: UpstreamRequest;
  readonly twice: FailingTwice;
  /** Aborted when no stall has to be sat out any more. */
  readonly closing: AbortSignal;
}

const FRAMES_BEFORE = 4;

/** The answer of an upstream that fails; null where it answers after all, or only fails midway through a stream. */
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

/** The frames of a stream to which that happens. */
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

/** The first few, and never the last one: an answer that is there as a whole cannot fail any more. */
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

/** Until the caller has had enough, or until it is given up. */
async function stall({ request, stallMs, closing }: Failing): Promise<never> {
  const cause = await pause(stallMs, undefined, { signal: AbortSignal.any([request.signal, closing]) }).catch((error: unknown) => error);
  throw new GatewayError<CallCode>('upstream_timeout', { message: 'The built-in simulator was asked to stall.', cause });
}

const nonsense = Buffer.from('{"simulated": "not JSON",');
/** Neither a field of an event nor the blank line behind one. */
const noEvent = Buffer.from('<p>simulated: not an event stream</p>');

const createCut = (): Error => new Error('The simulator was asked to break off.');
