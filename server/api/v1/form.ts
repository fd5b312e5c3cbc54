/** Reads the form of an image edit into the contract's JSON shape, and keeps the files beside it, byte for byte. */

import type { Multipart, MultipartFile, MultipartValue } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { MAX_IMAGES } from '../../../contract/images.ts';
import { type BodyShare, FORM_WEIGHT } from '../../limits/body-memory.ts';
import { type EditCode, GatewayError, type OperationError } from '../../primitives/errors.ts';
import { type FormBody, type ImageFile, type Overlay, overlays } from '../../providers/upstream.ts';
import { checkImage, checkMask, MAX_IMAGE_BYTES } from './image-checks.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The form that the body was created from. Null if the body was JSON. */
    form: FormBody | null;
  }
}

type FieldReader = (text: string, name: string) => unknown;

const createInvalidTypeError = (name: string, type: string) =>
  new GatewayError<EditCode>('invalid_type', { param: name, message: `Invalid type for '${name}': expected ${type}.` });

const readInteger: FieldReader = (text, name) => {
  if (!/^-?\d{1,15}$/.test(text)) throw createInvalidTypeError(name, 'an integer');
  return Number(text);
};
const readBoolean: FieldReader = (text, name) => {
  if (text !== 'true' && text !== 'false') throw createInvalidTypeError(name, "'true' or 'false'");
  return text === 'true';
};
/** Form fields that aren't strings in the contract. */
const fieldReaders: Readonly<Record<string, FieldReader>> = {
  n: readInteger,
  partial_images: readInteger,
  output_compression: readInteger,
  frame_count: readInteger,
  frame_duration_ms: readInteger,
  stream: readBoolean,
};

function readField(name: string, value: unknown): unknown {
  const text = String(value);
  if (text === 'null' && name !== 'prompt') return null;
  const readValue = Object.hasOwn(fieldReaders, name) ? fieldReaders[name] : undefined;
  return readValue ? readValue(text, name) : text;
}

interface FormParts {
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

/** The body memory for a form, and the remaining bytes for its files. */
interface FormBudget {
  readonly share: BodyShare | null;
  left: number;
}

function reserveMemory(bytes: number, { share }: FormBudget): void {
  const error = share?.acquire(bytes * FORM_WEIGHT);
  if (error) throw error;
}

async function readUpload(part: MultipartFile, budget: FormBudget): Promise<MultipartUpload> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of part.file as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > budget.left)
      throw new GatewayError<EditCode>('request_too_large', { message: 'The files in this form are too large in total.' });
    reserveMemory(chunk.length, budget);
    chunks.push(chunk);
  }
  if (part.file.truncated) throw createFileTooLargeError(part.fieldname);
  budget.left -= size;
  return { filename: part.filename || 'upload', bytes: Buffer.concat(chunks, size) };
}
const createFileTooLargeError = (name: string): OperationError<'editImages', 400> =>
  new GatewayError('image_file_too_large', { param: name, message: `'${name}' exceeds 50 MB.` });

/** Rejects a duplicate or truncated field, because using part of it would change the caller's request. */
function checkField({ fieldname: param, valueTruncated }: MultipartValue, fields: FormParts['fields']): void {
  if (fields.has(param))
    throw new GatewayError<EditCode>('invalid_value', { param, message: `'${param}' appears more than once in the form.` });
  if (valueTruncated)
    throw new GatewayError<EditCode>('string_above_max_length', { param, message: `'${param}' exceeds ${MAX_FIELD_KIB} KiB.` });
}

async function readParts(parts: AsyncIterable<Multipart>, budget: FormBudget): Promise<FormParts> {
  const form: FormParts = { fields: new Map(), images: [], overlays: new Map() };
  for await (const part of parts) {
    if (part.type === 'field') {
      checkField(part, form.fields);
      reserveMemory(String(part.value).length, budget);
      form.fields.set(part.fieldname, readField(part.fieldname, part.value));
      continue;
    }
    const { fieldname: param } = part;
    if (isImagePart(param)) form.images.push(await readUpload(part, budget));
    else if (!isOverlay(param)) throw new GatewayError<EditCode>('invalid_type', { param, message: `'${param}' can't be a file.` });
    else if (form.overlays.has(param))
      throw new GatewayError<EditCode>('array_above_max_length', { param, message: `'${param}' accepts only one file.` });
    else form.overlays.set(param, await readUpload(part, budget));
  }
  return form;
}

const toImageFile = (upload: MultipartUpload): ImageFile => ({ ...upload, contentType: checkImage(upload.bytes, 'image') });

function checkImageCount({ images }: FormParts): void {
  if (images.length === 0)
    throw new GatewayError<EditCode>('missing_required_parameter', { param: 'image', message: "Missing required parameter: 'image'." });
  if (images.length > MAX_IMAGES) {
    throw new GatewayError<EditCode>('array_above_max_length', { param: 'image', message: `'image' accepts at most ${MAX_IMAGES} files.` });
  }
}

function readOverlays(parts: FormParts, firstImage: Buffer | undefined): FormBody['overlays'] {
  const checkOverlay = (name: Overlay, bytes: Buffer) => (name === 'mask' ? checkMask(bytes, firstImage) : checkImage(bytes, name));
  const entries = [...parts.overlays].map(
    ([name, upload]) => [name, { ...upload, contentType: checkOverlay(name, upload.bytes) }] as const,
  );
  return Object.fromEntries(entries);
}

/** Represents a file in the JSON shape. The contract checks only that it's an image, which its bytes have already shown. */
const toPlaceholder = ({ contentType }: ImageFile) => ({ image_url: `data:${contentType};base64,` });

/** Replaces the form with the contract's JSON body. Runs before validation. */
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
    // Reads the remainder of a rejected form, otherwise the next request on the connection is never read.
    request.raw.unpipe();
    request.raw.resume();
    throw thrown;
  });
  share?.endReading();
  checkImageCount(parts);
  const images = parts.images.map(toImageFile);
  const overlayFiles = readOverlays(parts, images[0]?.bytes);
  const value = Object.fromEntries(parts.fields);
  const placeholders = Object.entries(overlayFiles).map(([name, file]) => [name, toPlaceholder(file)]);
  const body = { ...value, images: images.map(toPlaceholder), ...Object.fromEntries(placeholders) };
  request.form = { kind: 'form', value, images, overlays: overlayFiles };
  request.body = body;
}

/** Maximum size of a text field. */
const MAX_FIELD_KIB = 256;
