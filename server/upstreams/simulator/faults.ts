/** Failures on demand, for people who want to see how their client takes them: exactly as asked, once, and at nobody else's cost. */
import { setTimeout as pause } from 'node:timers/promises';
import { ErrorBody, type ErrorCode, errorTable } from '../../../contract/errors.ts';
import { GatewayError } from '../../errors.ts';
import type { UpstreamRequest } from '../upstream.ts';
import { answerBytes, answerJson, type SimulatorAnswer } from './answers.ts';
import type { Frames } from './frames.ts';
import { type Fault, knownFaults } from './plan/commands.ts';

export interface Timing {
  /** How long a slow answer waits; in a stream a tenth of it between two events, too. */
  readonly slowMs: number;
  /** How long a stalled answer says nothing before it is given up. */
  readonly stallMs: number;
}

/** One request that asks for a failure. */
export interface Failing extends Timing {
  readonly request: UpstreamRequest;
  /** Where the phrase stands, for a refusal. */
  readonly param: string;
  /** Aborted when no stall has to be sat out any more. */
  readonly closing: AbortSignal;
}

const framesBefore = 4;

/** The answer of an upstream that fails; null where it answers after all, or only fails midway through a stream. */
export async function answerFault(fault: Fault, failing: Failing): Promise<SimulatorAnswer | null> {
  const { request } = failing;
  if (fault.kind === 'unknown') throw unknownFault(failing.param);
  if (fault.kind === 'error') return answerJson(request, writeError(fault.status), fault.status);
  if (request.stream) return null;
  if (fault.kind === 'cut') throw new GatewayError('upstream_error', { cause: createCut() });
  if (fault.kind === 'stall') await stall(failing);
  if (fault.kind === 'slow') await pause(failing.slowMs, undefined, { signal: request.signal });
  return fault.kind === 'malformed' ? answerBytes(request, nonsense) : null;
}

/** The frames of a stream that fails. */
export async function* failMidway(frames: Frames, fault: Fault, failing: Failing): AsyncGenerator<Buffer> {
  if (fault.kind === 'slow') {
    await pause(failing.slowMs, undefined, { signal: failing.request.signal });
    yield* frames;
    return;
  }
  yield* beginning(frames);
  if (fault.kind === 'stall') await stall(failing);
  if (fault.kind === 'malformed') yield Buffer.concat([Buffer.from('data: '), nonsense, Buffer.from('\n\n')]);
  else throw createCut();
}

/** The first few, and never the last one: an answer that is there as a whole cannot fail any more. */
async function* beginning(frames: Frames): AsyncGenerator<Buffer> {
  let held: Buffer | null = null;
  let left = framesBefore;
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
  throw new GatewayError('upstream_timeout', { message: 'The prompt asked the built-in simulator to stall.', cause });
}

const nonsense = Buffer.from('{"simulated": "not JSON",');

const createCut = (): Error => new Error('The prompt asked the simulator to break off.');

const unknownFault = (param: string): GatewayError =>
  new GatewayError('invalid_value', {
    message: `The built-in simulator knows no such failure. Behind 'simulate:' may stand: ${knownFaults}.`,
    param,
  });

/** Where the table has several codes for a status, or none. */
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

function codeOf(status: number): ErrorCode {
  const found = Object.entries(errorTable).find(([, row]) => row.status === status)?.[0] as ErrorCode | undefined;
  return codes[status] ?? found ?? (status < 500 ? 'invalid_value' : 'upstream_error');
}

function writeError(status: number): ErrorBody {
  const message = `The prompt asked the built-in simulator to fail with status ${status}.`;
  return new GatewayError(codeOf(status), { message }).body;
}

/** What the simulator answers is the gateway's own word: unlike that of a vendor, it reaches the caller as it is. */
export function readAsked(status: number, body: string): GatewayError {
  const { message, param, code } = ErrorBody.parse(JSON.parse(body)).error;
  return new GatewayError(code, { message, status, ...(param !== null && { param }) });
}
