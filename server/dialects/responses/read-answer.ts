/** A whole response as events: read as the last event of a stream, which tells all. */
import { type Fields, isFields } from '../../../contract/rule.ts';
import { type CallCode, GatewayError } from '../../errors.ts';
import { readFailure } from '../failure.ts';
import type { TurnEvent } from '../turn/turn.ts';
import { openResponseStream } from './read-stream.ts';

const ended = new Set(['completed', 'incomplete']);

export function readResponseAnswer(answer: Fields): TurnEvent[] {
  if (isFields(answer.error)) throw readFailure(answer.error);
  if (!Array.isArray(answer.output))
    throw new GatewayError<CallCode>('upstream_error', { message: "The upstream answered without 'output'." });
  const status = typeof answer.status === 'string' ? answer.status : 'completed';
  if (!ended.has(status)) throw new GatewayError<CallCode>('upstream_error', { message: 'The upstream answered before it was done.' });
  return openResponseStream().read({ type: `response.${status}`, response: answer }, null);
}
