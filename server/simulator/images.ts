/** Reads an image request, generation or edit, and writes its response with images of the simulator. It looks at no image that it is sent. */
import { createHash } from 'node:crypto';
import type { ImageEditEvent, ImageGenerationEvent, ImageList } from '../../contract/images.ts';
import type { Exact } from '../../contract/shared/exact.ts';
import { type EditCode, GatewayError } from '../errors.ts';
import type { UpstreamRequest } from '../upstreams/upstream.ts';
import { drawImage } from './image-file.ts';
import { estimateTokens } from './plan.ts';
import { createSeed, excerpt } from './scenarios.ts';
import { type JsonRecord, toNumber, toRecord, toRecords, toText } from './schema.ts';

export interface ImageJob {
  readonly isEdit: boolean;
  readonly prompt: string;
  readonly count: number;
  readonly size: { readonly width: number; readonly height: number };
  readonly quality: 'low' | 'medium' | 'high';
  readonly background: 'opaque' | 'transparent';
  readonly partials: number;
  /** Bytes of the images to edit. */
  readonly originals: readonly Uint8Array[];
  readonly mask: Uint8Array | null;
}

const MAX_SIDE = 3840;
/** Of all images and previews of a request. */
const MAX_PIXELS = 64_000_000;

export function readImageRequest({ operation, body, stream }: UpstreamRequest): ImageJob {
  const { value } = body;
  const isEdit = operation === 'editImages';
  const count = toNumber(value.n) ?? 1;
  const size = readSize(value);
  const partials = stream ? (toNumber(value.partial_images) ?? 0) : 0;
  if (stream && count > 1) throw imageError('unsupported_value', "'n' must be 1 for a stream. Omit it.", 'n');
  requireFit(size, count, partials);
  return {
    isEdit,
    prompt: toText(value.prompt),
    count,
    size,
    quality: value.quality === 'low' || value.quality === 'high' ? value.quality : 'medium',
    background: readBackground(value),
    partials,
    originals: isEdit ? originalsOf(body) : [],
    mask: isEdit ? readMask(body) : null,
  };
}

function readSize(value: JsonRecord): ImageJob['size'] {
  const size = toText(value.size) || 'auto';
  if (size === 'auto') return { width: 1024, height: 1024 };
  const [width = 0, height = 0] = (/^(\d{2,4})x(\d{2,4})$/.exec(size) ?? []).slice(1).map(Number);
  const isFine = (side: number) => side > 0 && side <= MAX_SIDE && side % 16 === 0;
  if (isFine(width) && isFine(height)) return { width, height };
  throw imageError('invalid_value', `'size' must be 'auto' or WIDTHxHEIGHT, both multiples of 16 and at most ${MAX_SIDE}.`, 'size');
}

/** Each image and each preview is drawn separately, and those of an unstreamed response are held until the last is done. */
function requireFit(size: ImageJob['size'], count: number, partials: number): void {
  const { width, height } = size;
  const pixels = (count + partials) * width * height;
  if (pixels <= MAX_PIXELS) return;
  const asked = `${count} of ${width}x${height}${partials > 0 ? ` with ${partials} previews` : ''}`;
  throw imageError(
    'invalid_value',
    `The built-in simulator draws at most ${MAX_PIXELS / 1e6} megapixels per request. This request asks for ${asked}.`,
    'n',
  );
}

function readBackground({ output_format: format, background }: JsonRecord): ImageJob['background'] {
  if (format !== undefined && format !== null && format !== 'png') {
    throw imageError('unsupported_value', "The built-in simulator supports only 'png'.", 'output_format');
  }
  return background === 'transparent' ? 'transparent' : 'opaque';
}

function originalsOf(body: UpstreamRequest['body']): ImageJob['originals'] {
  if (body.kind === 'form') return body.images.map(({ bytes }) => bytes);
  return toRecords(body.value.images).map((image, index) => readDataUrl(image, `images[${index}]`));
}

function readMask(body: UpstreamRequest['body']): ImageJob['mask'] {
  if (body.kind === 'form') return body.overlays.mask?.bytes ?? null;
  return body.value.mask ? readDataUrl(toRecord(body.value.mask), 'mask') : null;
}

/** The simulator fetches nothing: an image must be in the request itself. */
function readDataUrl(image: JsonRecord, param: string): Buffer {
  const found = /^data:image\/[\w.+-]+;base64,/i.exec(toText(image.image_url).slice(0, 64));
  if (!found)
    throw imageError('invalid_image_url', 'The built-in simulator accepts images only as base64 data URLs.', `${param}.image_url`);
  const bytes = Buffer.from(toText(image.image_url).slice(found[0].length), 'base64');
  if (bytes.length === 0) throw imageError('invalid_base64_image', 'The data URL has no base64 data.', `${param}.image_url`);
  return bytes;
}

function imageError(
  code: 'unsupported_value' | 'invalid_value' | 'invalid_image_url' | 'invalid_base64_image',
  message: string,
  param: string,
) {
  return new GatewayError<EditCode>(code, { message, param });
}

/** One image request on its way to a response. */
interface Drawing {
  readonly job: ImageJob;
  readonly signal: AbortSignal;
  /** Seconds. */
  readonly created: number;
}

export type ImageAnswer = Exact<ImageList>;
export type ImageEvent = Exact<ImageGenerationEvent | ImageEditEvent>;

/** Tokens of an image of one megapixel, by quality; those of an image that came in, and of a preview. */
const tokensPerMegapixel = { low: 272, medium: 1056, high: 4160 } as const;
const TOKENS_PER_INPUT = 323;
const TOKENS_PER_PREVIEW = 100;

export async function writeImages(drawing: Drawing): Promise<ImageAnswer> {
  const { job, created } = drawing;
  const data: { readonly b64_json: string }[] = [];
  for (let index = 0; index < job.count; index += 1) {
    data.push({ b64_json: await draw(drawing, index) });
  }
  const usage = writeUsage(drawing);
  const details = { image_tokens: usage.output_tokens, text_tokens: 0 };
  return { created, ...writeSettings(drawing), data, usage: { ...usage, output_tokens_details: details } };
}

const generationEvents = { partial: 'image_generation.partial_image', completed: 'image_generation.completed' } as const;
const editEvents = { partial: 'image_edit.partial_image', completed: 'image_edit.completed' } as const;

export async function* writeImageEvents(drawing: Drawing): AsyncGenerator<ImageEvent> {
  const { job, created } = drawing;
  const names = job.isEdit ? editEvents : generationEvents;
  const settings = { created_at: created, ...writeSettings(drawing) };
  for (let index = 0; index < job.partials; index += 1) {
    const b64_json = await draw(drawing, 0, index);
    yield { type: names.partial, partial_image_index: index, b64_json, ...settings };
  }
  const b64_json = await draw(drawing, 0);
  yield { type: names.completed, b64_json, ...settings, usage: writeUsage(drawing) };
}

/** Each preview has more shades than the one before. */
async function draw({ job, signal }: Drawing, index: number, preview: number | null = null): Promise<string> {
  signal.throwIfAborted();
  const image = await drawImage({
    ...job.size,
    seed: createSeed(job.prompt, String(index), ...(job.isEdit ? [digestOf(job)] : [])),
    shades: preview === null ? MAX_SHADES : 2 ** (preview + 2),
    isTransparent: job.background === 'transparent',
    label: [captionOf(job), excerpt(job.prompt, 200)],
  });
  return image.toString('base64');
}

const MAX_SHADES = 240;

function captionOf({ isEdit, originals: { length } }: ImageJob): string {
  if (!isEdit) return 'Built-in simulator, not a model';
  return `Built-in simulator, edit of ${length > 1 ? `${length} images` : 'an image'}`;
}

/** In bytes: hashing all of a large upload would hold up other calls. */
const HASHED = 64 * 1024;

/** Other images or another mask result in another color. */
function digestOf({ originals, mask }: ImageJob): string {
  const hash = createHash('sha256');
  const add = (name: string, bytes: Uint8Array) =>
    hash.update(`${name}:${bytes.length}:`).update(bytes.subarray(0, HASHED)).update(bytes.subarray(-HASHED));
  for (const bytes of originals) add('image', bytes);
  if (mask) add('mask', mask);
  return hash.digest('hex');
}

function writeSettings({ job }: Drawing): Pick<ImageAnswer, 'background' | 'output_format' | 'quality' | 'size'> {
  const { background, quality, size } = job;
  return { background, output_format: 'png', quality, size: `${size.width}x${size.height}` };
}

function writeUsage({ job }: Drawing): NonNullable<ImageAnswer['usage']> {
  const { width, height } = job.size;
  const perImage = Math.ceil((tokensPerMegapixel[job.quality] * width * height) / 2 ** 20);
  const details = { text_tokens: estimateTokens(job.prompt), image_tokens: TOKENS_PER_INPUT * job.originals.length };
  const input = details.text_tokens + details.image_tokens;
  const output = perImage * job.count + TOKENS_PER_PREVIEW * job.partials;
  return { input_tokens: input, output_tokens: output, total_tokens: input + output, input_tokens_details: details };
}
