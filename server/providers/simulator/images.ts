/** Reads an image request, generation or edit, and writes its response with simulated images. It never decodes the images in the request. */
import { createHash } from 'node:crypto';
import type { ImageEditEvent, ImageEditRequest, ImageGenerationEvent, ImageList } from '../../../contract/images.ts';
import type { Exact } from '../../../contract/shared/exact.ts';
import { type EditCode, GatewayError } from '../../primitives/errors.ts';
import type { UpstreamRequest } from '../upstream.ts';
import { drawImage } from './draw-image.ts';
import { createExcerpt } from './excerpt.ts';
import { createSeed } from './random.ts';
import { estimateTokens } from './tokens.ts';

type ImageRequest = ReturnType<typeof readImageRequest>;

const MAX_SIDE = 3840;
/** Includes all images and previews of a request. */
const MAX_TOTAL_PIXELS = 64_000_000;

export function readImageRequest({ operation, body, stream }: UpstreamRequest) {
  // The contract has validated the body of every call.
  const value = body.value as Partial<ImageEditRequest>;
  if ((value.output_format ?? 'png') !== 'png')
    throw createImageError('unsupported_value', "The built-in simulator supports only 'png'.", 'output_format');
  const request = {
    isEdit: operation === 'editImages',
    prompt: value.prompt ?? '',
    count: value.n ?? 1,
    size: readSize(value.size ?? 'auto'),
    quality: value.quality === 'low' || value.quality === 'high' ? value.quality : 'medium',
    background: value.background === 'transparent' ? 'transparent' : 'opaque',
    partials: stream ? (value.partial_images ?? 0) : 0,
  } as const;
  rejectTooManyPixels(request);
  return { ...request, ...(request.isEdit ? readSourceImages(body) : { originals: [], mask: null }) };
}

interface SourceImages {
  /** The bytes of the images to edit. */
  readonly originals: readonly Uint8Array[];
  readonly mask: Uint8Array | null;
}

function readSourceImages(body: UpstreamRequest['body']): SourceImages {
  if (body.kind === 'form') return { originals: body.images.map(({ bytes }) => bytes), mask: body.overlays.mask?.bytes ?? null };
  const { images = [], mask } = body.value as Partial<ImageEditRequest>;
  const originals = images.map((image, index) => readDataUrl(image, `images[${index}]`));
  return { originals, mask: mask ? readDataUrl(mask, 'mask') : null };
}

function readSize(size: string): { readonly width: number; readonly height: number } {
  if (size === 'auto') return { width: 1024, height: 1024 };
  const [width = 0, height = 0] = (/^(\d{2,4})x(\d{2,4})$/.exec(size) ?? []).slice(1).map(Number);
  const isValidSide = (side: number) => side > 0 && side <= MAX_SIDE && side % 16 === 0;
  if (isValidSide(width) && isValidSide(height)) return { width, height };
  throw createImageError('invalid_value', `'size' must be 'auto' or WIDTHxHEIGHT, both multiples of 16 and at most ${MAX_SIDE}.`, 'size');
}

/** Each image and preview is drawn separately, and an unstreamed response keeps all images in memory until the last is drawn. */
function rejectTooManyPixels({ size: { width, height }, count, partials }: Omit<ImageRequest, keyof SourceImages>): void {
  if ((count + partials) * width * height <= MAX_TOTAL_PIXELS) return;
  const description = `${count} of ${width}x${height}${partials > 0 ? ` with ${partials} previews` : ''}`;
  throw createImageError(
    'invalid_value',
    `The built-in simulator draws at most ${MAX_TOTAL_PIXELS / 1e6} megapixels per request. This request asks for ${description}.`,
    'n',
  );
}

/** The simulator fetches nothing, so the request itself must contain the image. */
function readDataUrl({ image_url: url, file_id: file }: ImageEditRequest['images'][number], param: string): Buffer {
  const [start] = /^data:image\/[\w.+-]+;base64,/i.exec((url ?? '').slice(0, 64)) ?? [];
  if (!url || start === undefined)
    throw createImageError(
      'invalid_image_url',
      'The built-in simulator accepts images only as base64 data URLs.',
      `${param}.${file ? 'file_id' : 'image_url'}`,
    );
  const bytes = Buffer.from(url.slice(start.length), 'base64');
  if (bytes.length === 0) throw createImageError('invalid_base64_image', 'The data URL has no base64 data.', `${param}.image_url`);
  return bytes;
}

const createImageError = (code: EditCode, message: string, param: string) => new GatewayError<EditCode>(code, { message, param });

/** One image request while its response is drawn. */
interface Drawing {
  readonly job: ImageRequest;
  /** Images in base64 that are returned instead. */
  readonly images: readonly string[] | null;
  readonly signal: AbortSignal;
  /** Seconds since 1970. */
  readonly created: number;
}

export type ImageResponse = Exact<ImageList>;
export type ImageEvent = Exact<ImageGenerationEvent | ImageEditEvent>;

/** Tokens per megapixel of an image, by quality, and tokens per input image and per preview. */
const tokensPerMegapixel = { low: 272, medium: 1056, high: 4160 } as const;
const TOKENS_PER_INPUT = 323;
const TOKENS_PER_PREVIEW = 100;

export async function writeImages(drawing: Drawing): Promise<ImageResponse> {
  const { job: imageRequest, created } = drawing;
  const data: { readonly b64_json: string }[] = [];
  const count = drawing.images?.length ?? imageRequest.count;
  for (let index = 0; index < count; index += 1) data.push({ b64_json: await drawPng(drawing, index) });
  const usage = writeUsage(drawing);
  const details = { image_tokens: usage.output_tokens, text_tokens: 0 };
  return { created, ...writeSettings(drawing), data, usage: { ...usage, output_tokens_details: details } };
}

const generationEvents = { partial: 'image_generation.partial_image', completed: 'image_generation.completed' } as const;
const editEvents = { partial: 'image_edit.partial_image', completed: 'image_edit.completed' } as const;

export async function* writeImageEvents(drawing: Drawing): AsyncGenerator<ImageEvent> {
  const { job: imageRequest, created } = drawing;
  const names = imageRequest.isEdit ? editEvents : generationEvents;
  const settings = { created_at: created, ...writeSettings(drawing) };
  for (let index = 0; index < imageRequest.partials; index += 1) {
    const b64_json = await drawPng(drawing, 0, index);
    yield { type: names.partial, partial_image_index: index, b64_json, ...settings };
  }
  const b64_json = await drawPng(drawing, 0);
  yield { type: names.completed, b64_json, ...settings, usage: writeUsage(drawing) };
}

/** Draws an image or a preview. Each preview has more shades than the previous one. */
async function drawPng({ job: imageRequest, images, signal }: Drawing, index: number, preview: number | null = null): Promise<string> {
  signal.throwIfAborted();
  const given = images?.[index];
  if (given !== undefined) return given;
  const image = await drawImage({
    ...imageRequest.size,
    seed: createSeed(imageRequest.prompt, String(index), ...(imageRequest.isEdit ? [hashImages(imageRequest)] : [])),
    shades: preview === null ? MAX_SHADES : 2 ** (preview + 2),
    isTransparent: imageRequest.background === 'transparent',
    label: [createCaption(imageRequest), createExcerpt(imageRequest.prompt, 200)],
  });
  return image.toString('base64');
}

const MAX_SHADES = 240;

function createCaption({ isEdit, originals: { length } }: ImageRequest): string {
  if (!isEdit) return 'Built-in simulator, not a model';
  return `Built-in simulator, edit of ${length > 1 ? `${length} images` : 'an image'}`;
}

/** In bytes. Hashing all of a large upload would block other requests. */
const MAX_HASHED_BYTES = 64 * 1024;

/** Other images or another mask result in another color. */
function hashImages({ originals: sourceImages, mask }: ImageRequest): string {
  const hash = createHash('sha256');
  const hashBytes = (name: string, bytes: Uint8Array) =>
    hash.update(`${name}:${bytes.length}:`).update(bytes.subarray(0, MAX_HASHED_BYTES)).update(bytes.subarray(-MAX_HASHED_BYTES));
  for (const bytes of sourceImages) hashBytes('image', bytes);
  if (mask) hashBytes('mask', mask);
  return hash.digest('hex');
}

function writeSettings({ job: imageRequest }: Drawing): Pick<ImageResponse, 'background' | 'output_format' | 'quality' | 'size'> {
  const { background, quality, size } = imageRequest;
  return { background, output_format: 'png', quality, size: `${size.width}x${size.height}` };
}

function writeUsage({ job: imageRequest }: Drawing): NonNullable<ImageResponse['usage']> {
  const { width, height } = imageRequest.size;
  const tokensPerImage = Math.ceil((tokensPerMegapixel[imageRequest.quality] * width * height) / 2 ** 20);
  const details = { text_tokens: estimateTokens(imageRequest.prompt), image_tokens: TOKENS_PER_INPUT * imageRequest.originals.length };
  const input = details.text_tokens + details.image_tokens;
  const output = tokensPerImage * imageRequest.count + TOKENS_PER_PREVIEW * imageRequest.partials;
  return { input_tokens: input, output_tokens: output, total_tokens: input + output, input_tokens_details: details };
}
