/** Answers a request from a recording: no upstream is asked, no money is held, nothing is charged (docs/decisions/0049). */
import { Readable } from 'node:stream';
import { GatewayError } from '../errors.ts';
import { playAnswer, type RecordedAnswer } from '../tape/format.ts';
import type { Player } from '../tape/player.ts';
import type { AskedCall } from '../tape/request-matcher.ts';
import type { Log } from '../telemetry/log.ts';
import { type HandedOn, handOn, handOnFrames } from './answer.ts';
import type { RequestContext } from './context.ts';

export async function replay(player: Player, log: Log, call: RequestContext, asked: AskedCall): Promise<HandedOn> {
  call.outcome.beginAttempt('replay');
  const taken = player.take(asked);
  if ('nearest' in taken) {
    const { operation, body } = asked;
    log.warn({ id: call.id, operation, model: String(body.value.model), nearest: taken.nearest }, 'no recorded request matches this one');
    call.outcome.endAttempt(null, taken.error.code);
    throw taken.error;
  }
  return await play(call, taken);
}

async function play(call: RequestContext, recorded: RecordedAnswer): Promise<HandedOn> {
  const played = playAnswer(recorded);
  if (played.kind === 'error') {
    const { status, headers = {}, error } = played.answer;
    call.outcome.endAttempt(status, error.code);
    throw new GatewayError(error.code, { message: error.message, status, headers, ...(error.param !== null && { param: error.param }) });
  }
  call.outcome.endAttempt(200, null);
  call.outcome.ended('completed');
  if (played.kind === 'whole') {
    await call.once?.keepWhole(played.bytes);
    return handOn(played.bytes);
  }
  await call.once?.seal(Buffer.concat(played.frames));
  return handOnFrames(Readable.from(played.frames, { objectMode: false }));
}
