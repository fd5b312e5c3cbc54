/** Failures on demand, for people who want to see how their client takes them. */
import { GatewayError } from '../../errors.ts';
import type { UpstreamRequest } from '../upstream.ts';
import { answerJson, type SimulatorAnswer } from './answers.ts';
import type { Frames } from './frames.ts';
import type { Fault } from './plan/commands.ts';

const framesBeforeCut = 4;

/** The answer of an upstream that fails; null where the failure only comes midway through a stream. */
export function answerFault(request: UpstreamRequest, fault: Fault | null): SimulatorAnswer | null {
  if (fault?.kind === 'error') return answerJson(request, writeError(fault.status), fault.status);
  if (fault?.kind === 'cut' && !request.stream) throw new GatewayError('upstream_error', { cause: createCut() });
  return null;
}

/** Only the first few frames, then a broken connection. */
export async function* breakOff(frames: Frames): AsyncGenerator<Buffer> {
  let left = framesBeforeCut;
  for await (const frame of frames) {
    if (left === 0) break;
    left -= 1;
    yield frame;
  }
  throw createCut();
}

function createCut(): Error {
  return new Error('The prompt asked the simulator to break off.');
}

function writeError(status: number): unknown {
  const type = status === 429 ? 'rate_limit_error' : status >= 500 ? 'server_error' : 'invalid_request_error';
  const message = `The prompt asked the built-in simulator to fail with status ${status}.`;
  return { error: { message, type, param: null, code: status === 429 ? 'rate_limit_exceeded' : null } };
}
