/** Reads the form of an image edit into the contract's JSON shape, and keeps the files alongside it, byte for byte. */
import type { Multipart, MultipartFile, MultipartValue } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { MAX_IMAGES } from '../../contract/images.ts';
import { type EditCode, type ErrorOf, GatewayError } from '../errors.ts';
import { type BodyShare, FORM_WEIGHT } from '../limits/body-memory.ts';
import { type FormBody, type ImageFile, type Overlay, overlays } from '../upstreams/upstream.ts';

const forms = new WeakMap<object, FormBody>();

/** The form that the body was made from; undefined if the body came as JSON. */
export function formOf(request: FastifyRequest): FormBody | undefined {
  return typeof request.body === 'object' && request.body !== null ? forms.get(request.body) : undefined;
}

type Read = (text: string, name: string) => unknown;

const wrongType = (name: string, type: string) =>
  new GatewayError<EditCode>('invalid_type', { param: name, message: `Invalid type for '${name}': expected ${type}.` });

const integer: Read = (text, name) => {
  if (!/^-?\d{1,15}$/.test(text)) throw wrongType(name, 'an integer');
  return Number(text);
};
const boolean: Read = (text, name) => {
  if (text !== 'true' && text !== 'false') throw wrongType(name, "'true' or 'false'");
  return text === 'true';
};
/** Form fields that aren't text in the contract. */
const readers: Readonly<Record<string, Read>> = {
  n: integer,
  partial_images: integer,
  output_compression: integer,
  frame_count: integer,
  frame_duration_ms: integer,
  stream: boolean,
};

function readField(name: string, value: unknown): unknown {
  const text = String(value);
  if (text === 'null' && name !== 'prompt') return null;
  const read = Object.hasOwn(readers, name) ? readers[name] : undefined;
  return read ? read(text, name) : text;
}

interface Parts {
  readonly fields: Map<string, unknown>;
  readonly images: MultipartUpload[];
  readonly overlays: Map<Overlay, MultipartUpload>;
}
interface MultipartUpload {
  readonly filename: string;
  readonly bytes: Buffer;
}

const isOverlay = (name: string): name is Overlay => overlays.some((each) => each === name);
const isImagePart = (name: string) => /^image(\[\d*\])?$/.test(name);

/** The memory for the parts of a form, and how many bytes of files may still come. */
interface Space {
  readonly share: BodyShare | null;
  left: number;
}

function take(bytes: number, { share }: Space): void {
  const refusal = share?.take(bytes * FORM_WEIGHT);
  if (refusal) throw refusal;
}

async function readFile(part: MultipartFile, space: Space): Promise<MultipartUpload> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of part.file as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > space.left)
      throw new GatewayError<EditCode>('request_too_large', { message: 'The files in this form are too large in total.' });
    take(chunk.length, space);
    chunks.push(chunk);
  }
  if (part.file.truncated) throw tooLarge(part.fieldname);
  space.left -= size;
  return { filename: part.filename || 'upload', bytes: Buffer.concat(chunks, size) };
}
const tooLarge = (name: string): ErrorOf<'editImages', 400> =>
  new GatewayError('image_file_too_large', { param: name, message: `'${name}' exceeds 50 MB.` });

/** Rejects a field that comes twice or was truncated: using part of it wouldn't be what the caller wrote. */
function checkField({ fieldname: param, valueTruncated }: MultipartValue, before: Parts['fields']): void {
  if (before.has(param))
    throw new GatewayError<EditCode>('invalid_value', { param, message: `'${param}' appears more than once in the form.` });
  if (valueTruncated)
    throw new GatewayError<EditCode>('string_above_max_length', { param, message: `'${param}' exceeds ${MAX_FIELD_KIB} KiB.` });
}

async function readParts(parts: AsyncIterable<Multipart>, space: Space): Promise<Parts> {
  const read: Parts = { fields: new Map(), images: [], overlays: new Map() };
  for await (const part of parts) {
    if (part.type === 'field') {
      checkField(part, read.fields);
      take(String(part.value).length, space);
      read.fields.set(part.fieldname, readField(part.fieldname, part.value));
      continue;
    }
    const { fieldname: param } = part;
    if (isImagePart(param)) read.images.push(await readFile(part, space));
    else if (!isOverlay(param)) throw new GatewayError<EditCode>('invalid_type', { param, message: `'${param}' can't be a file.` });
    else if (read.overlays.has(param))
      throw new GatewayError<EditCode>('array_above_max_length', { param, message: `'${param}' accepts only one file.` });
    else read.overlays.set(param, await readFile(part, space));
  }
  return read;
}

const asImage = (upload: MultipartUpload): ImageFile => ({ ...upload, contentType: checkImage(upload.bytes, 'image') });

function checkCounts({ images }: Parts): void {
  if (images.length === 0)
    throw new GatewayError<EditCode>('missing_required_parameter', { param: 'image', message: "Missing required parameter: 'image'." });
  if (images.length > MAX_IMAGES) {
    throw new GatewayError<EditCode>('array_above_max_length', { param: 'image', message: `'image' accepts at most ${MAX_IMAGES} files.` });
  }
}

function readOverlays(parts: Parts, first: Buffer | undefined): FormBody['overlays'] {
  const checked = (name: Overlay, bytes: Buffer) => (name === 'mask' ? checkMask(bytes, first) : checkImage(bytes, name));
  const read = [...parts.overlays].map(([name, upload]) => [name, { ...upload, contentType: checked(name, upload.bytes) }] as const);
  return Object.fromEntries(read);
}

/** Represents a file in the JSON shape. The contract checks only that it is an image, and its bytes have shown that. */
const placeholder = ({ contentType }: ImageFile) => ({ image_url: `data:${contentType};base64,` });

/** Replaces the form by the contract's JSON body. Runs before validation. */
export async function readForm(request: FastifyRequest, uploadLimitBytes: number): Promise<void> {
  const limits = {
    fileSize: MAX_IMAGE_BYTES,
    files: MAX_IMAGES + 2,
    fields: 64,
    fieldSize: MAX_FIELD_KIB * 1024,
    fieldNameSize: 128,
    parts: 96,
  };
  const { share } = request.call;
  const parts = await readParts(request.parts({ limits }), { share, left: uploadLimitBytes }).catch((thrown: unknown) => {
    // Read the rest of a rejected form: otherwise the next request on the connection is never read.
    request.raw.unpipe();
    request.raw.resume();
    throw thrown;
  });
  share?.endReading();
  checkCounts(parts);
  const images = parts.images.map(asImage);
  const files = readOverlays(parts, images[0]?.bytes);
  const value = Object.fromEntries(parts.fields);
  const placeholders = Object.entries(files).map(([name, file]) => [name, placeholder(file)]);
  const body = { ...value, images: images.map(placeholder), ...Object.fromEntries(placeholders) };
  forms.set(body, { kind: 'form', value, images, overlays: files });
  request.body = body;
}

/** Of a text field. */
const MAX_FIELD_KIB = 256;
const MAX_IMAGE_BYTES = 50 * 1024 * 1024;
const MAX_MASK_BYTES = 4 * 1024 * 1024;

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Null if the bytes are none of the three formats. */
function sniff(bytes: Buffer): ImageFile['contentType'] | null {
  if (bytes.subarray(0, 8).equals(PNG)) return 'image/png';
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'image/jpeg';
  if (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP') return 'image/webp';
  return null;
}

/** Width and height of a PNG; null for other formats and for a truncated file. */
function pngSize(bytes: Buffer): readonly [number, number] | null {
  return sniff(bytes) === 'image/png' && bytes.length >= 24 ? [bytes.readUInt32BE(16), bytes.readUInt32BE(20)] : null;
}

export function checkImage(bytes: Buffer, param: string): ImageFile['contentType'] {
  if (bytes.length > MAX_IMAGE_BYTES)
    throw new GatewayError<EditCode>('image_file_too_large', { param, message: `'${param}' exceeds 50 MB.` });
  const type = sniff(bytes);
  if (!type) throw new GatewayError<EditCode>('invalid_image_format', { param, message: `'${param}' must be a PNG, JPEG, or WebP image.` });
  return type;
}

/** A mask is a PNG of the same size as the first image. The sizes are compared only when both are PNG. */
export function checkMask(mask: Buffer, first: Buffer | undefined): 'image/png' {
  if (mask.length > MAX_MASK_BYTES)
    throw new GatewayError<EditCode>('image_file_too_large', { param: 'mask', message: "'mask' exceeds 4 MB." });
  if (sniff(mask) !== 'image/png')
    throw new GatewayError<EditCode>('invalid_image_format', { param: 'mask', message: "'mask' must be a PNG image." });
  const [own, other] = [pngSize(mask), first ? pngSize(first) : null];
  if (own && other && (own[0] !== other[0] || own[1] !== other[1])) {
    const message = `'mask' must be the same size as the first image. 'mask' is ${own.join('x')}, the image is ${other.join('x')}.`;
    throw new GatewayError<EditCode>('invalid_value', { param: 'mask', message });
  }
  return 'image/png';
}

/** The length without the padding at the end. A loop from the end: a regular expression would start at every `=` and take quadratic time. */
function unpaddedLength(base64: string): number {
  let length = base64.length;
  while (base64[length - 1] === '=') length--;
  return length;
}

/** Decodes a data URL that the contract has validated. */
export function readDataUrl(url: string, param: string): Buffer {
  const base64 = url.slice(url.indexOf(',') + 1);
  const bytes = Buffer.from(base64, 'base64');
  const expected = Math.floor((unpaddedLength(base64) * 3) / 4);
  if (bytes.length !== expected || bytes.length === 0) {
    throw new GatewayError<EditCode>('invalid_base64_image', { param, message: `'${param}' isn't valid base64.` });
  }
  return bytes;
}
