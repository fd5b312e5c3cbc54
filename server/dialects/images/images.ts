/** Counts the images of a response, and finds their size and quality, in its bytes: megabytes of base64 aren't parsed. */

import { type ImageEditEvent, type ImageGenerationEvent, imageFields } from '../../../contract/images.ts';
import type { EventOf } from '../../../contract/shared/exact.ts';
import { type CallCode, GatewayError } from '../../errors.ts';
import { type Fields, isSet } from '../../primitives/fields.ts';
import { type Relay, readFailure, type StreamReader } from '../failure.ts';
import { readUsage, type Usage } from '../usage.ts';
import { parseWhole, readWholeAnswer } from '../wire/complete-answer.ts';
import { eventFrame, frameObject, NOTHING, passEach, withoutData } from '../wire/frames.ts';
import { withFields } from '../wire/json-body.ts';

export interface ImageCount {
  readonly count: number;
  /** `size/quality`: as requested; when the request leaves one to the upstream, as the response says. */
  readonly kind: string;
  /** True if only a partial image was sent before a disconnect. */
  readonly isEstimated?: boolean;
}

const AUTO = 'auto';

/** `asked`: the caller's request. */
export function kindOf(asked: Fields, answer: Buffer): string {
  const part = (name: 'size' | 'quality'): string => {
    const word = asked[name];
    return typeof word === 'string' && word !== AUTO ? word : (lastWord(answer, name) ?? AUTO);
  };
  return `${part('size')}/${part('quality')}`;
}

/** The images of a complete response: at most as many as were requested, since no more are forwarded. */
export function countImages(asked: Fields, answer: Buffer): ImageCount {
  return { count: Math.min(countIn(answer), askedFor(asked)) * framesOf(asked), kind: kindOf(asked, answer) };
}

export const countIn = (answer: Buffer): number => Math.max(occurrences(answer, '"b64_json"'), occurrences(answer, '"url"'));

export const askedFor = ({ n }: Fields): number => (typeof n === 'number' ? n : 1);

/** As many as the provider makes of an animation that names no number. */
const USUAL_FRAMES = 9;

/** Number of images charged per requested image. Each frame of an animation counts as one. */
const framesOf = ({ output_format: format, frame_count: frames }: Fields): number =>
  format === 'gif' ? (typeof frames === 'number' ? frames : USUAL_FRAMES) : 1;

/** The most images that a request is charged for. */
export const chargedFor = (asked: Fields): number => askedFor(asked) * framesOf(asked);

const rejected = (param: string, message: string, code: CallCode = 'invalid_value') => new GatewayError<CallCode>(code, { param, message });

/** Values that a model accepts, as configured or known. Its provider decides about absent keys. */
interface ImageRules {
  readonly qualities?: readonly string[] | undefined;
  readonly formats?: readonly string[] | undefined;
  readonly fields?: readonly string[] | undefined;
  readonly sizes?: readonly string[] | SizeGrid | undefined;
  readonly edits?: boolean | undefined;
}

/** Limits of image sizes, in pixels. */
type SizeGrid = Readonly<Record<'multipleOf' | 'maxRatio' | 'longSide' | 'shortSide', number>>;

/** Throws 400 for what the model doesn't accept. `named`: its ID. */
export function checkImageRules(asked: Fields, rules: ImageRules, named: string): void {
  const { quality, output_format: format, size } = asked;
  const words = (param: string, value: unknown, known: readonly string[] | undefined): void => {
    if (typeof value !== 'string' || !known || known.includes(value)) return;
    throw rejected(
      param,
      `'${param}: ${value.slice(0, 16)}' isn't supported by '${named}'. Supported: ${known.map((word) => `'${word}'`).join(', ')}.`,
    );
  };
  words('quality', quality, rules.qualities && [AUTO, ...rules.qualities]);
  words('output_format', format, rules.formats);
  const wrong = typeof size === 'string' && size !== AUTO && rules.sizes ? sizeProblem(size, rules.sizes) : null;
  if (wrong !== null) throw rejected('size', `'size' ${wrong} for '${named}'. Got '${size}'.`);
  for (const field of imageFields) {
    // Its provider bills the model that it chooses apart, so only the operator can accept it.
    const isOpen = rules.fields?.includes(field) ?? field !== 'svg';
    if (!isOpen && isSet(asked[field]))
      throw rejected(field, `'${field}' isn't supported by '${named}'. Omit it.`, 'unsupported_parameter');
  }
  if (rules.edits === false && isSet(asked.images))
    throw rejected('model', `'${named}' can't edit images. Use POST /v1/images/generations.`, 'unsupported_value');
}

function sizeProblem(size: string, sizes: NonNullable<ImageRules['sizes']>): string | null {
  if (!('multipleOf' in sizes)) return sizes.includes(size) ? null : `must be 'auto' or one of ${sizes.join(', ')}`;
  const { multipleOf, maxRatio, longSide, shortSide } = sizes;
  const [width = 0, height = 0] = size.split('x').map(Number);
  const [short, long] = width < height ? [width, height] : [height, width];
  if (width % multipleOf !== 0 || height % multipleOf !== 0) return `must have sides that are multiples of ${multipleOf}`;
  if (long > short * maxRatio) return `can't have a side more than ${maxRatio} times the other`;
  return long > longSide || short > shortSide ? `can't exceed ${longSide}x${shortSide}` : null;
}

const PARTIAL = '.partial_image"';

/** Watches the images of a stream. */
export class ImageWatch {
  readonly #asked: Fields;
  #hasPartial = false;
  #kind: string;

  constructor(asked: Fields) {
    this.#asked = asked;
    this.#kind = kindOf(asked, Buffer.alloc(0));
  }

  /** Takes frames that are sent to the caller. */
  see(frames: Buffer): void {
    if (frames.length === 0) return;
    this.#hasPartial ||= frames.includes(PARTIAL);
    this.#kind = kindOf(this.#asked, frames);
  }

  /** The images to charge. A caller who disconnects after a partial image has received something; after a failure nothing is charged. */
  counted(end: 'completed' | 'failed' | 'client_disconnected'): ImageCount {
    if (end === 'completed') return { count: 1, kind: this.#kind };
    const isTaken = end === 'client_disconnected' && this.#hasPartial;
    return { count: isTaken ? 1 : 0, kind: this.#kind, isEstimated: isTaken };
  }
}

/** The last value of a string field. Base64 holds no quotes, and JSON escapes a quote inside a string, so a quoted name is a field name. */
function lastWord(bytes: Buffer, name: string): string | undefined {
  const at = bytes.lastIndexOf(`"${name}"`);
  if (at < 0) return undefined;
  const word = /^"\w+"\s*:\s*"([\w*.-]{1,32})"/.exec(bytes.toString('latin1', at, at + 96))?.[1];
  return word === AUTO ? undefined : word;
}

export function occurrences(bytes: Buffer, name: string): number {
  let count = 0;
  for (let at = bytes.indexOf(name); at >= 0; at = bytes.indexOf(name, at + name.length)) count += 1;
  return count;
}

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
      throw new GatewayError<CallCode>('upstream_error', { message: 'The upstream closed the connection before the image was complete.' });
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

/** The response without the images beyond the requested number, for which no money is held. Only a response with more is parsed. */
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
