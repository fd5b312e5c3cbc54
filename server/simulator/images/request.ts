/** Reads an image request, generation or edit, into one job. */
import { type EditCode, GatewayError } from '../../errors.ts';
import type { UpstreamRequest } from '../../upstreams/upstream.ts';
import { type JsonRecord, toNumber, toRecord, toRecords, toText } from '../values.ts';

export interface ImageJob {
  readonly isEdit: boolean;
  readonly prompt: string;
  readonly count: number;
  /** null: the simulator chooses. */
  readonly size: { readonly width: number; readonly height: number } | null;
  readonly quality: 'low' | 'medium' | 'high';
  readonly background: 'opaque' | 'transparent';
  readonly format: 'png' | 'jpeg';
  /** 0 to 100, the higher the better the picture; JPEG only. */
  readonly compression: number;
  readonly partials: number;
  /** Bytes of the pictures to edit. */
  readonly originals: readonly Uint8Array[];
  readonly mask: Uint8Array | null;
}

const LONGEST_SIDE = 3840;
/** Of all pictures and previews of a request. */
const MOST_PIXELS = 64_000_000;

export function readImageRequest({ operation, body, stream }: UpstreamRequest): ImageJob {
  const { value } = body;
  const isEdit = operation === 'editImages';
  const count = toNumber(value.n) ?? 1;
  const size = readSize(value);
  const partials = stream ? (toNumber(value.partial_images) ?? 0) : 0;
  if (stream && count > 1) throw refuse('unsupported_value', 'A stream draws one image: leave n out.', 'n');
  requireFit(size, count, partials);
  return {
    isEdit,
    prompt: toText(value.prompt),
    count,
    size,
    quality: value.quality === 'low' || value.quality === 'high' ? value.quality : 'medium',
    ...readFormat(value),
    partials,
    originals: isEdit ? readOriginals(body) : [],
    mask: isEdit ? readMask(body) : null,
  };
}

function readSize(value: JsonRecord): ImageJob['size'] {
  const size = toText(value.size) || 'auto';
  if (size === 'auto') return null;
  const [width = 0, height = 0] = (/^(\d{2,4})x(\d{2,4})$/.exec(size) ?? []).slice(1).map(Number);
  const isFine = (side: number) => side > 0 && side <= LONGEST_SIDE && side % 16 === 0;
  if (isFine(width) && isFine(height)) return { width, height };
  throw refuse('invalid_value', `A size is auto or WIDTHxHEIGHT, both multiples of 16 and at most ${LONGEST_SIDE}.`, 'size');
}

/** Each image and each preview is drawn separately, and those of an unstreamed answer are held until the last is done. */
function requireFit(size: ImageJob['size'], count: number, partials: number): void {
  const { width, height } = size ?? { width: 1536, height: 1024 };
  const pixels = (count + partials) * width * height;
  if (pixels <= MOST_PIXELS) return;
  const asked = `${count} of ${width}x${height}${partials > 0 ? ` with ${partials} previews` : ''}`;
  throw refuse(
    'invalid_value',
    `The built-in simulator draws ${MOST_PIXELS / 1e6} megapixels for a request at most; this asks for ${asked}.`,
    'n',
  );
}

function readFormat(value: JsonRecord): Pick<ImageJob, 'background' | 'format' | 'compression'> {
  const format = value.output_format ?? 'png';
  if (format !== 'png' && format !== 'jpeg') {
    throw refuse('unsupported_value', 'The built-in simulator draws png and jpeg; it cannot encode this format.', 'output_format');
  }
  const background = value.background === 'transparent' ? 'transparent' : 'opaque';
  if (background === 'transparent' && format === 'jpeg') {
    throw refuse('invalid_value', 'A transparent background needs the output format png.', 'background');
  }
  return { format, background, compression: toNumber(value.output_compression) ?? 100 };
}

function readOriginals(body: UpstreamRequest['body']): ImageJob['originals'] {
  if (body.kind === 'form') return body.images.map(({ bytes }) => bytes);
  return toRecords(body.value.images).map((image, index) => readDataUrl(image, `images[${index}]`));
}

function readMask(body: UpstreamRequest['body']): ImageJob['mask'] {
  if (body.kind === 'form') return body.mask?.bytes ?? null;
  return body.value.mask ? readDataUrl(toRecord(body.value.mask), 'mask') : null;
}

/** The simulator fetches nothing: an image must be in the request itself. */
function readDataUrl(image: JsonRecord, param: string): Buffer {
  const found = /^data:image\/[\w.+-]+;base64,/i.exec(toText(image.image_url).slice(0, 64));
  if (!found) throw refuse('invalid_image_url', 'The built-in simulator accepts images as base64 data URLs only.', `${param}.image_url`);
  const bytes = Buffer.from(toText(image.image_url).slice(found[0].length), 'base64');
  if (bytes.length === 0) throw refuse('invalid_base64_image', 'The data URL holds no base64 data.', `${param}.image_url`);
  return bytes;
}

function refuse(
  code: 'unsupported_value' | 'invalid_value' | 'invalid_image_url' | 'invalid_base64_image',
  message: string,
  param: string,
) {
  return new GatewayError<EditCode>(code, { message, param });
}
