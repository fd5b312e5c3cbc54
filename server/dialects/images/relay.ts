/** Images to images: forwards images; a stream ends in one completed or one error event. */

import type { EventOf } from '../../../contract/exact.ts';
import type { ImageEditEvent, ImageGenerationEvent } from '../../../contract/images.ts';
import type { Fields } from '../../../contract/rule.ts';
import { type CallCode, GatewayError } from '../../errors.ts';
import { type Relay, readFailure, type StreamReader } from '../failure.ts';
import { readUsage, type Usage } from '../usage.ts';
import { parseWhole, readWholeAnswer } from '../wire/complete-answer.ts';
import { eventFrame, frameObject, NOTHING, passEach, withoutData } from '../wire/frames.ts';
import { withFields } from '../wire/json-body.ts';
import { askedFor, countIn } from './pictures.ts';

class ImageStream implements StreamReader {
  usage: Usage | null = null;
  failure: GatewayError | null = null;
  hasBegun = false;
  isComplete = false;

  pass(block: Buffer): Buffer {
    const { out, failure } = passEach(block, (frame) => (this.isComplete ? NOTHING : this.#passFrame(frame)));
    this.failure = failure;
    return out;
  }

  closing(): Buffer {
    if (!this.isComplete)
      throw new GatewayError<CallCode>('upstream_error', { message: 'The upstream broke off before the picture was complete.' });
    return NOTHING;
  }

  failing(error: GatewayError): Buffer {
    return eventFrame<EventOf<ImageGenerationEvent | ImageEditEvent, 'error'>>('error', { type: 'error', ...error.body });
  }

  #passFrame(frame: Buffer): Buffer {
    const event = frameObject(frame);
    if (event === null) return withoutData(frame);
    if (event.type === 'error' || (typeof event.error === 'object' && event.error !== null)) throw readFailure(event.error ?? event);
    this.hasBegun = true;
    this.isComplete = event.type === 'image_generation.completed' || event.type === 'image_edit.completed';
    if (this.isComplete) this.usage = readUsage(event.usage);
    return frame;
  }
}

/** The answer without the images beyond the requested number, for which no money is held. Only an answer with more is parsed. */
function asManyAsAsked(asked: Fields, bytes: Buffer): Buffer {
  const most = askedFor(asked);
  if (countIn(bytes) <= most) return bytes;
  const answer = parseWhole(bytes.toString());
  return Array.isArray(answer.data) && answer.data.length > most
    ? Buffer.from(JSON.stringify({ ...answer, data: answer.data.slice(0, most) }))
    : bytes;
}

export const imagesRelay: Relay = {
  writeRequest: (body, { model }) => withFields(body, { model }),
  readWhole(received, _names, asked) {
    const { bytes, usage } = readWholeAnswer(received, { required: 'data' });
    return { bytes: asManyAsAsked(asked, bytes), usage };
  },
  readStream: () => new ImageStream(),
};
