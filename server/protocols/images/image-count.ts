/** Counts the images of a response and finds their size and quality in its bytes, because parsing megabytes of base64 is costly. */
import type { Fields } from '../../primitives/fields.ts';

export interface ImageCount {
  readonly count: number;
  /** Partial images that were sent to the caller. Omitted if the response wasn't streamed. */
  readonly partials?: number;
  /** `size/quality` as requested. If the request leaves one to the upstream, the response's value. */
  readonly kind: string;
  /** True if the caller disconnected after receiving only partial images. */
  readonly isEstimated?: boolean;
}

export const AUTO = 'auto';

/** `request` is the caller's request. */
export function getImageKind(request: Fields, response: Buffer): string {
  const getValue = (name: 'size' | 'quality'): string => {
    const requestedValue = request[name];
    return typeof requestedValue === 'string' && requestedValue !== AUTO ? requestedValue : (findLastValue(response, name) ?? AUTO);
  };
  return `${getValue('size')}/${getValue('quality')}`;
}

/** The images of a complete response, at most the requested number, because extra images aren't forwarded. */
export function countImages(request: Fields, response: Buffer): ImageCount {
  return {
    count: Math.min(countResponseImages(response), getRequestedCount(request)) * countFrames(request),
    kind: getImageKind(request, response),
  };
}

export const countResponseImages = (response: Buffer): number =>
  Math.max(countOccurrences(response, '"b64_json"'), countOccurrences(response, '"url"'));

export const getRequestedCount = ({ n }: Fields): number => (typeof n === 'number' ? n : 1);

/** The provider's default frame count for an animation. */
const DEFAULT_FRAMES = 9;

/** The number of images billed per requested image. Each frame of an animation counts as one. */
const countFrames = ({ output_format: format, frame_count: frames }: Fields): number =>
  format === 'gif' ? (typeof frames === 'number' ? frames : DEFAULT_FRAMES) : 1;

/** The maximum number of images that a request can be billed for. */
export const getMaxBilledImages = (request: Fields): number => getRequestedCount(request) * countFrames(request);

/** The maximum number of partial images for a request. */
export const getRequestedPartials = ({ stream, partial_images: partials }: Fields): number =>
  stream === true && typeof partials === 'number' ? partials : 0;

/** Tokens per 1,000 pixels, from OpenAI's table of sizes and qualities: 1,056 for 1024x1024 in medium quality. */
const tokensByQuality: Readonly<Record<string, number>> = { low: 0.26, medium: 1.01 };
const HIGH_QUALITY_TOKENS = 3.97;
/** The maximum size in pixels if the model chooses the size. */
const MAX_AUTO_PIXELS = 2048 * 2048;

/** Tokens of an image with this `size/quality`. Assumes the highest quality if it's open. */
export function estimateImageTokens(kind: string): number {
  const [size = '', quality = ''] = kind.split('/');
  const [width = 0, height = 0] = size.split('x').map(Number);
  const pixels = width > 0 && height > 0 ? width * height : MAX_AUTO_PIXELS;
  return Math.ceil((pixels / 1000) * (tokensByQuality[quality] ?? HIGH_QUALITY_TOKENS));
}

const PARTIAL_IMAGE_EVENT = '.partial_image"';

/** Counts the images of a stream. */
export class ImageStreamCounter {
  readonly #request: Fields;
  #partials = 0;
  #kind: string;

  constructor(request: Fields) {
    this.#request = request;
    this.#kind = getImageKind(request, Buffer.alloc(0));
  }

  /** Observes frames that are sent to the caller. */
  observe(frames: Buffer): void {
    if (frames.length === 0) return;
    this.#partials += countOccurrences(frames, PARTIAL_IMAGE_EVENT);
    this.#kind = getImageKind(this.#request, frames);
  }

  /** The images to bill. A caller who disconnects after a partial image has received something. A failure is free. */
  getImageCount(outcome: 'completed' | 'failed' | 'client_disconnected'): ImageCount {
    const imageFields = { kind: this.#kind, partials: this.#partials };
    if (outcome === 'completed') return { count: 1, ...imageFields };
    const isBilledPartial = outcome === 'client_disconnected' && this.#partials > 0;
    return { count: isBilledPartial ? 1 : 0, ...imageFields, isEstimated: isBilledPartial };
  }
}

/** The last value of a string field. Base64 has no quotes, and JSON escapes quotes in strings, so a quoted name is a field name. */
function findLastValue(bytes: Buffer, name: string): string | undefined {
  const at = bytes.lastIndexOf(`"${name}"`);
  if (at < 0) return undefined;
  const fieldValue = /^"\w+"\s*:\s*"([\w*.-]{1,32})"/.exec(bytes.toString('latin1', at, at + 96))?.[1];
  return fieldValue === AUTO ? undefined : fieldValue;
}

function countOccurrences(bytes: Buffer, name: string): number {
  let count = 0;
  for (let at = bytes.indexOf(name); at >= 0; at = bytes.indexOf(name, at + name.length)) count += 1;
  return count;
}
