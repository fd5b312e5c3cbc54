/** The end of a stream that came well and could not be kept: what lies before its last word is told, and a failure in place of that. */
import type { ErrorBody } from '../../../contract/errors.ts';
import type { ImageEditEvent, ImageGenerationEvent } from '../../../contract/images.ts';
import { isFields } from '../../../contract/rule.ts';
import type { EventOf } from '../../../contract/written.ts';
import type { GatewayError } from '../../errors.ts';
import { writeFailedEnd } from '../responses/failed-end.ts';
import { dataFrame, eachFrame, eventFrame, frameObject, isDone } from './frames.ts';

const ENDS = new Set(['response.completed', 'response.incomplete']);

/** `untold`: the frames that nobody was shown, the last word among them. */
export function complain(protocol: 'chat' | 'responses' | 'images', error: GatewayError, untold: Buffer): Buffer {
  // A picture is its own last word.
  if (protocol === 'images')
    return eventFrame<EventOf<ImageGenerationEvent | ImageEditEvent, 'error'>>('error', { type: 'error', ...error.body });
  const told: Buffer[] = [];
  eachFrame(untold, (frame) => {
    if (!isDone(frame)) told.push((protocol === 'responses' && insteadOf(frame, error)) || frame);
  });
  return Buffer.concat(protocol === 'chat' ? [...told, dataFrame<ErrorBody>(error.body)] : told);
}

/** Where the frame is the end of a response: its failure, under its number. */
function insteadOf(frame: Buffer, error: GatewayError): Buffer | null {
  const event = frameObject(frame);
  if (event === null || !ENDS.has(String(event.type)) || !isFields(event.response)) return null;
  return writeFailedEnd(error, { response: event.response, sequence: Number(event.sequence_number) });
}
