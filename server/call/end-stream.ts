/** Ends a stream: settles it, and writes its last frames, or the error that the caller gets if the upstream dies midway. */

import type { Gateway } from '../gateway/gateway.ts';
import type { ResponseRun } from '../history/response-run.ts';
import type { MeteredReader } from '../money/metered-reader.ts';
import { type GatewayError, toGatewayError } from '../primitives/errors.ts';
import { findProviderErrorInfo } from '../primitives/provider-error.ts';
import { addCostToFrames, isCostRequested } from '../protocols/response-cost.ts';
import type { StreamReader } from '../protocols/stream-reader.ts';
import { NOTHING } from '../protocols/wire/frames.ts';
import { replaceLastFrames } from '../protocols/wire/replace-last-frames.ts';
import type { StreamEnd } from '../providers/relay-stream.ts';
import type { RespondedAttempt } from './attempt-context.ts';
import { AttemptFailed } from './attempt-failed.ts';
import { isAborted, type RequestContext } from './context.ts';
import { getProtocol, isImageTimeout } from './transcoder.ts';

interface EndedStream extends RespondedAttempt {
  readonly end: StreamEnd;
  readonly meter: MeteredReader;
  /** The reader that the caller's frames come from. */
  readonly reader: StreamReader;
  /** Keeps the events of a stored response. Null if they aren't kept. */
  readonly run: ResponseRun | null;
}

/** Settles a stream that has ended, and returns its last frames. Throws if the caller received nothing, so that the error becomes a status. */
export async function endStream(gateway: Gateway, call: RequestContext, ended: EndedStream): Promise<Buffer> {
  const { end, run } = ended;
  try {
    const frames = await settleAndWrite(gateway, call, ended);
    if (end.kind === 'completed') run?.add(frames);
    else run?.discard();
    void run?.end();
    return frames;
  } catch (error) {
    run?.discard();
    throw error;
  }
}

async function settleAndWrite(gateway: Gateway, call: RequestContext, ended: EndedStream): Promise<Buffer> {
  const { response, drain, end, meter, model, parsed } = ended;
  const outcome = (end.kind === 'failed' || drain) && isAborted(call) ? 'client_disconnected' : end.kind;
  if (end.kind === 'failed' && outcome === 'failed' && !end.isShown) {
    call.idempotentRequest?.forget();
    const isOver = end.isFinal || isImageTimeout(parsed, end.error);
    const evidence = meter.getEvidence(outcome);
    throw new AttemptFailed(end.error, { status: response.status, evidence, ...(isOver && { verdict: 'caller' }) });
  }
  call.outcome.endAttempt(response.status, null);
  if (end.kind === 'failed') call.outcome.failLastAttempt(end.error.code, findProviderErrorInfo(end.error));
  if (end.kind === 'failed' && !call.isGone) gateway.upstreams.find(model.upstream).noteFailure?.(response.status, end.error);
  call.outcome.usage = meter.usage;
  recordEnd(gateway, call, end);
  try {
    const frames = await settleStream(call, ended, outcome);
    await call.idempotentRequest?.finishStream(frames);
    return frames;
  } catch (thrown) {
    const error = toGatewayError(thrown);
    if (end.kind === 'client_disconnected' || !end.isShown) throw error;
    return await writeStreamError(call, ended, error);
  }
}

/** Charges the stream and returns its last frames, with the cost if the caller asked for it. */
async function settleStream(call: RequestContext, ended: EndedStream, outcome: StreamEnd['kind']): Promise<Buffer> {
  const { end, grant, meter, parsed, reader, recording } = ended;
  const evidence = meter.getEvidence(outcome, end.kind === 'completed');
  if (end.kind !== 'completed') {
    await grant.settle(evidence, outcome);
    if (end.kind === 'client_disconnected') return NOTHING;
    if (!end.isShown) throw end.error;
    return reader.fail(end.error);
  }
  const isPriced = isCostRequested(parsed.body.value);
  if (!isPriced) call.idempotentRequest?.setFinalChunk(end.frames);
  try {
    await recording?.saved();
  } catch (error) {
    // The response can't be stored. A caller who received part of it is charged; a caller who gets an error status isn't.
    await (end.isShown ? grant.settle(evidence, outcome) : grant.settle(null, 'failed'));
    throw error;
  }
  const settled = await grant.settle(evidence, outcome);
  return isPriced && settled ? addCostToFrames(end.frames, settled.cost) : end.frames;
}

/**
 * Writes the frames that end a stream with an error after the caller received part of it. They replace the last frames of a complete stream. Throws if that
 * fails: then the connection is cut, because an end without an error would look complete.
 */
async function writeStreamError(call: RequestContext, { end, parsed, reader }: EndedStream, error: GatewayError): Promise<Buffer> {
  try {
    const frames = end.kind === 'completed' ? replaceLastFrames(getProtocol(parsed), error, end.frames) : reader.fail(error);
    await call.idempotentRequest?.finishStream(frames);
    return frames;
  } catch (thrown) {
    await call.idempotentRequest?.release();
    throw thrown;
  }
}

function recordEnd({ log }: Gateway, call: RequestContext, end: StreamEnd): void {
  call.outcome.end = end.kind;
  if (end.kind !== 'failed') return;
  const { error, isShown } = end;
  call.outcome.code = error.code;
  if (!call.isGone) call.outcome.failure = error;
  // The error handler logs errors that become a status. Internal errors inside a stream are logged only here.
  if (isShown && error.code === 'internal_error') log.error({ id: call.id, code: error.code, err: error }, 'stream failed');
}
