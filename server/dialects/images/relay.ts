/** Images to images: hands pictures on; a stream ends in one completed or one error event. */
import { GatewayError } from '../../errors.ts';
import type { Relay, StreamReader } from '../dialect.ts';
import { readFailure } from '../failure.ts';
import { eventFrame, frameObject, NOTHING, passEach, withoutData } from '../frames.ts';
import { withFields } from '../json-body.ts';
import { readUsage, type Usage } from '../usage.ts';
import { readWholeAnswer } from '../whole.ts';

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
    if (!this.isComplete) throw new GatewayError('upstream_error', { message: 'The upstream broke off before the picture was complete.' });
    return NOTHING;
  }

  failing(error: GatewayError): Buffer {
    return eventFrame('error', { type: 'error', ...error.body });
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

export const imagesRelay: Relay = {
  writeRequest: (body, { model }) => withFields(body, { model }),
  readWhole: (bytes, names) => readWholeAnswer(bytes, 'data', names),
  readStream: () => new ImageStream(),
};
