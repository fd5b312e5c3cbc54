/** The end of a complete stream whose outcome could not be stored: its last frames, with an error in place of the terminal event. */

import type { ImageEditEvent, ImageGenerationEvent } from '../../../contract/images.ts';
import type { ErrorBody } from '../../../contract/shared/error-bodies.ts';
import type { EventOf } from '../../../contract/shared/exact.ts';
import type { GatewayError } from '../../errors.ts';
import { isFields } from '../../primitives/fields.ts';
import { writeFailedEnd } from '../responses/relay.ts';
import { dataFrame, eachFrame, eventFrame, frameObject, isDone } from './frames.ts';

const ENDS = new Set(['response.completed', 'response.incomplete']);

/** `untold`: the frames that weren't sent yet, the terminal event among them. */
export function writeErrorFrames(protocol: 'chat' | 'responses' | 'images', error: GatewayError, untold: Buffer): Buffer {
  // The last event of an image stream is the image itself.
  if (protocol === 'images')
    return eventFrame<EventOf<ImageGenerationEvent | ImageEditEvent, 'error'>>('error', { type: 'error', ...error.body });
  const told: Buffer[] = [];
  eachFrame(untold, (frame) => {
    if (!isDone(frame)) told.push((protocol === 'responses' && insteadOf(frame, error)) || frame);
  });
  return Buffer.concat(protocol === 'chat' ? [...told, dataFrame<ErrorBody>(error.body)] : told);
}

/** Replaces the terminal event of a response by a failure with the same sequence number. Null for other frames. */
function insteadOf(frame: Buffer, error: GatewayError): Buffer | null {
  const event = frameObject(frame);
  if (event === null || !ENDS.has(String(event.type)) || !isFields(event.response)) return null;
  return writeFailedEnd(error, { response: event.response, sequence: Number(event.sequence_number) });
}
