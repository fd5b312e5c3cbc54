/** Replays a recorded response instead of calling an upstream. */

import { Readable } from 'node:stream';
import { GatewayError } from '../primitives/errors.ts';
import type { RecordableCall } from '../providers/recordings/match-key.ts';
import type { Player } from '../providers/recordings/player.ts';
import { type RecordedResponse, toPlayedResponse } from '../providers/recordings/recorded-call.ts';
import type { Log } from '../telemetry/log.ts';
import type { RequestContext } from './context.ts';
import type { ForwardedResponse } from './forwarded-response.ts';

export async function replayRecorded(player: Player, log: Log, call: RequestContext, request: RecordableCall): Promise<ForwardedResponse> {
  await call.idempotentRequest?.claimKey();
  call.outcome.beginAttempt('replay');
  const result = player.findResponse(request);
  if ('nearest' in result) {
    const { operation, body } = request;
    log.warn(
      { id: call.id, operation, model: String(body.value.model), nearest: result.nearest },
      'no recorded request matches this request',
    );
    call.outcome.endAttempt(null, result.error.code);
    throw result.error;
  }
  return await play(call, result);
}

async function play(call: RequestContext, recorded: RecordedResponse): Promise<ForwardedResponse> {
  const played = toPlayedResponse(recorded);
  if (played.kind === 'error') {
    const { status, headers = {}, error } = played.answer;
    call.outcome.endAttempt(status, error.code);
    throw new GatewayError(error.code, { message: error.message, status, headers, ...(error.param !== null && { param: error.param }) });
  }
  call.outcome.endAttempt(200, null);
  call.outcome.end = 'completed';
  if (played.kind === 'whole') {
    call.idempotentRequest?.setFinalBody(played.bytes);
    await call.idempotentRequest?.finishBody();
    return { kind: 'whole', bytes: played.bytes };
  }
  await call.idempotentRequest?.finishStream(Buffer.concat(played.frames));
  return { kind: 'stream', frames: Readable.from(played.frames, { objectMode: false }) };
}
