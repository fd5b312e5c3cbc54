/** Reads the form of an image edit into the contract's JSON shape, and keeps the files beside it, byte for byte. */
import type { Multipart, MultipartFile, MultipartValue } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { MAX_IMAGES } from '../../../contract/images.ts';
import { type EditCode, type ErrorOf, GatewayError } from '../../errors.ts';
import { type BodyShare, FORM_WEIGHT } from '../../limits/body-memory.ts';
import type { FormBody, ImageFile } from '../../upstreams/upstream.ts';
import { checkImage, checkMask, MAX_IMAGE_BYTES } from './image-type.ts';

const forms = new WeakMap<object, FormBody>();

/** The form that the body was made from; undefined when the body came as JSON. */
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
/** Form fields that are not text in the contract. */
const readers: Readonly<Record<string, Read>> = { n: integer, partial_images: integer, output_compression: integer, stream: boolean };

function readField(name: string, value: unknown): unknown {
  const text = String(value);
  if (text === 'null' && name !== 'prompt') return null;
  const read = Object.hasOwn(readers, name) ? readers[name] : undefined;
  return read ? read(text, name) : text;
}

interface Parts {
  readonly fields: Map<string, unknown>;
  readonly images: MultipartUpload[];
  readonly masks: MultipartUpload[];
}
interface MultipartUpload {
  readonly filename: string;
  readonly bytes: Buffer;
}

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
      throw new GatewayError<EditCode>('request_too_large', { message: 'The files of this form are too large together.' });
    take(chunk.length, space);
    chunks.push(chunk);
  }
  if (part.file.truncated) throw tooLarge(part.fieldname);
  space.left -= size;
  return { filename: part.filename || 'upload', bytes: Buffer.concat(chunks, size) };
}
const tooLarge = (name: string): ErrorOf<'editImages', 400> =>
  new GatewayError('image_file_too_large', { param: name, message: `'${name}' is over 50 MB.` });

/** Refuses a field that comes twice or was truncated: using part of it would not be what the caller wrote. */
function checkField({ fieldname: param, valueTruncated }: MultipartValue, before: Parts['fields']): void {
  if (before.has(param)) throw new GatewayError<EditCode>('invalid_value', { param, message: `'${param}' is in the form more than once.` });
  if (valueTruncated)
    throw new GatewayError<EditCode>('string_above_max_length', { param, message: `'${param}' is too long for a text field.` });
}

async function readParts(parts: AsyncIterable<Multipart>, space: Space): Promise<Parts> {
  const read: Parts = { fields: new Map(), images: [], masks: [] };
  for await (const part of parts) {
    if (part.type === 'field') {
      checkField(part, read.fields);
      take(String(part.value).length, space);
      read.fields.set(part.fieldname, readField(part.fieldname, part.value));
      continue;
    }
    const target = isImagePart(part.fieldname) ? read.images : part.fieldname === 'mask' ? read.masks : null;
    if (!target) throw new GatewayError<EditCode>('invalid_type', { param: part.fieldname, message: `'${part.fieldname}' takes no file.` });
    target.push(await readFile(part, space));
  }
  return read;
}

const asImage = (upload: MultipartUpload): ImageFile => ({ ...upload, contentType: checkImage(upload.bytes, 'image') });

function checkCounts({ images, masks }: Parts): void {
  if (images.length === 0)
    throw new GatewayError<EditCode>('missing_required_parameter', { param: 'image', message: "Missing required parameter: 'image'." });
  if (images.length > MAX_IMAGES) {
    throw new GatewayError<EditCode>('array_above_max_length', { param: 'image', message: `'image' takes at most ${MAX_IMAGES} files.` });
  }
  if (masks.length > 1) throw new GatewayError<EditCode>('array_above_max_length', { param: 'mask', message: "'mask' takes one file." });
}

/** Represents a file in the JSON shape. The contract checks only that it is an image, and its bytes have shown that. */
const standIn = ({ contentType }: ImageFile) => ({ image_url: `data:${contentType};base64,` });

/** Replaces the form by the contract's JSON body. Runs before validation. */
export async function readForm(request: FastifyRequest, uploadLimitBytes: number): Promise<void> {
  const limits = { fileSize: MAX_IMAGE_BYTES, files: MAX_IMAGES + 2, fields: 64, fieldSize: 256 * 1024, fieldNameSize: 128, parts: 96 };
  const { share } = request.call;
  const parts = await readParts(request.parts({ limits }), { share, left: uploadLimitBytes }).catch((thrown: unknown) => {
    // Read the rest of a refused form: otherwise the next request on the connection is never read.
    request.raw.unpipe();
    request.raw.resume();
    throw thrown;
  });
  share?.endReading();
  checkCounts(parts);
  const images = parts.images.map(asImage);
  const [maskUpload] = parts.masks;
  const mask: ImageFile | null = maskUpload ? { ...maskUpload, contentType: checkMask(maskUpload.bytes, images[0]?.bytes) } : null;
  const value = Object.fromEntries(parts.fields);
  const body = { ...value, images: images.map(standIn), ...(mask && { mask: standIn(mask) }) };
  forms.set(body, { kind: 'form', value, images, mask });
  request.body = body;
}
