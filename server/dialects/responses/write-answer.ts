/** Writes a response as one JSON object: the terminal event of its stream, without the stream. */
import { type CallCode, GatewayError } from '../../errors.ts';
import type { AnswerHead, TurnEvent } from '../turn/turn.ts';
import { ResponseAnswer } from './answer.ts';
import type { ResponseObject } from './wire.ts';

/** Throws what a stream would have told as its failure. */
export function writeWholeResponse(events: readonly TurnEvent[], head: AnswerHead): ResponseObject {
  const answer = new ResponseAnswer(head);
  for (const event of events) answer.take(event);
  answer.end();
  if (answer.failure) throw answer.failure;
  if (answer.result === null) throw new GatewayError<CallCode>('internal_error', { cause: new Error('a response ended without a result') });
  return answer.result;
}
