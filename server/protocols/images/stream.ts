/** Reads the stream of an image, and converts between a stream and a whole response. */

import type { ImageEditEvent, ImageGenerationEvent } from '../../../contract/images.ts';
import type { EventOf } from '../../../contract/shared/exact.ts';
import { type CallCode, GatewayError } from '../../primitives/errors.ts';
import { type Fields, isFields } from '../../primitives/fields.ts';
import { readFailure } from '../errors.ts';
import { withoutProviderPrices } from '../provider-prices.ts';
import type { StreamReader } from '../stream-reader.ts';
import { readUsage, type Usage } from '../usage.ts';
import { parseJsonObject, readCompleteResponse } from '../wire/complete-response.ts';
import { dropEmptyData, FrameJoiner, forEachFrame, NOTHING, parseFrame, transformFrames, writeEventFrame } from '../wire/frames.ts';

const createIncompleteError = () =>
  new GatewayError<CallCode>('upstream_error', { message: 'The upstream closed the connection before the image was complete.' });

const isCompleted = ({ type }: Fields): boolean => type === 'image_generation.completed' || type === 'image_edit.completed';

function throwIfFailed(event: Fields): void {
  if (event.type === 'error' || (typeof event.error === 'object' && event.error !== null)) throw readFailure(event.error ?? event);
}

/** Converts a complete stream to a response without streaming. Throws the failure that the stream reports. */
export function toImageList(stream: Buffer): Buffer {
  let completedEvent: Fields | null = null;
  const frames = new FrameJoiner(Number.POSITIVE_INFINITY).push(Buffer.concat([stream, Buffer.from('\n\n')]));
  forEachFrame(frames ?? NOTHING, (frame) => {
    const event = completedEvent ? null : parseFrame(frame);
    if (event) throwIfFailed(event);
    if (event && isCompleted(event)) completedEvent = event;
  });
  if (!completedEvent) throw createIncompleteError();
  const { type: _, created_at: created, b64_json, ...imageFields }: Fields = completedEvent;
  return Buffer.from(JSON.stringify({ created, ...imageFields, data: [{ b64_json }] }));
}

/** Converts a response without streaming to the stream's completed event. A stream has one image. */
export function toImageStream(response: Buffer, operation: string): Buffer {
  const { bytes } = readCompleteResponse(response, { required: 'data' });
  const { created, data, ...imageFields } = parseJsonObject(bytes.toString());
  const image: unknown = Array.isArray(data) ? data[0] : null;
  if (!isFields(image) || typeof image.b64_json !== 'string')
    throw new GatewayError<CallCode>('upstream_error', { message: 'The upstream returned a response without an image in base64.' });
  const type = operation === 'editImages' ? 'image_edit.completed' : 'image_generation.completed';
  return writeEventFrame<Fields>(type, { type, ...imageFields, created_at: created, ...image });
}

export class ImageStream implements StreamReader {
  usage: Usage | null = null;
  failure: GatewayError | null = null;
  hasBegun = false;
  isComplete = false;

  transform(block: Buffer): Buffer {
    const { out, failure } = transformFrames(block, (frame) => (this.isComplete ? NOTHING : this.#transformFrame(frame)));
    this.failure = failure;
    return out;
  }

  flush(): Buffer {
    if (!this.isComplete) throw createIncompleteError();
    return NOTHING;
  }

  fail(error: GatewayError): Buffer {
    return writeEventFrame<EventOf<ImageGenerationEvent | ImageEditEvent, 'error'>>('error', { type: 'error', ...error.body });
  }

  #transformFrame(frame: Buffer): Buffer {
    const event = parseFrame(frame);
    if (event === null) return dropEmptyData(frame);
    throwIfFailed(event);
    this.hasBegun = true;
    const unpricedEvent = withoutProviderPrices(event);
    this.isComplete = isCompleted(event);
    if (this.isComplete) this.usage = readUsage(event.usage);
    return unpricedEvent === event ? frame : writeEventFrame<Fields>(String(event.type), unpricedEvent);
  }
}
