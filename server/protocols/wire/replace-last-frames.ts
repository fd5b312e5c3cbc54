/** Writes the last frames of a complete stream whose outcome couldn't be stored, with an error in place of the terminal event. */

import type { ImageEditEvent, ImageGenerationEvent } from '../../../contract/images.ts';
import type { ErrorBody } from '../../../contract/shared/error-bodies.ts';
import type { EventOf } from '../../../contract/shared/exact.ts';
import type { GatewayError } from '../../primitives/errors.ts';
import { isFields } from '../../primitives/fields.ts';
import { FINAL_EVENTS } from '../responses/echoed-fields.ts';
import { writeFailedEnd } from '../responses/errors.ts';
import { forEachFrame, isDone, parseFrame, writeDataFrame, writeEventFrame } from './frames.ts';

/** `unsentFrames` contains the frames that weren't sent yet, including the terminal event. */
export function replaceLastFrames(protocol: 'chat' | 'responses' | 'images', error: GatewayError, unsentFrames: Buffer): Buffer {
  // The last event of an image stream is the image itself.
  if (protocol === 'images')
    return writeEventFrame<EventOf<ImageGenerationEvent | ImageEditEvent, 'error'>>('error', { type: 'error', ...error.body });
  const outputFrames: Buffer[] = [];
  forEachFrame(unsentFrames, (frame) => {
    if (!isDone(frame)) outputFrames.push((protocol === 'responses' && replaceTerminalEvent(frame, error)) || frame);
  });
  return Buffer.concat(protocol === 'chat' ? [...outputFrames, writeDataFrame<ErrorBody>(error.body)] : outputFrames);
}

/** Replaces the terminal event of a response with a failure that has the same sequence number. Null for other frames. */
function replaceTerminalEvent(frame: Buffer, error: GatewayError): Buffer | null {
  const event = parseFrame(frame);
  if (event === null || !FINAL_EVENTS.has(event.type) || !isFields(event.response)) return null;
  return writeFailedEnd(error, { response: event.response, sequence: Number(event.sequence_number) });
}
