/** Checks the bytes of an uploaded image and of a mask: type, size, and equal sides; reads images from data URLs. */

import { type EditCode, GatewayError } from '../../primitives/errors.ts';
import type { ImageFile } from '../../providers/upstream.ts';

export const MAX_IMAGE_BYTES = 50 * 1024 * 1024;

const MAX_MASK_BYTES = 4 * 1024 * 1024;

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Null if the bytes have none of the three formats. */
function detectImageType(bytes: Buffer): ImageFile['contentType'] | null {
  if (bytes.subarray(0, 8).equals(PNG_SIGNATURE)) return 'image/png';
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'image/jpeg';
  if (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP') return 'image/webp';
  return null;
}

/** Returns the width and height of a PNG. Null for other formats and truncated files. */
function readPngSize(bytes: Buffer): readonly [number, number] | null {
  return detectImageType(bytes) === 'image/png' && bytes.length >= 24 ? [bytes.readUInt32BE(16), bytes.readUInt32BE(20)] : null;
}

export function checkImage(bytes: Buffer, param: string): ImageFile['contentType'] {
  if (bytes.length > MAX_IMAGE_BYTES)
    throw new GatewayError<EditCode>('image_file_too_large', { param, message: `'${param}' exceeds 50 MB.` });
  const type = detectImageType(bytes);
  if (!type) throw new GatewayError<EditCode>('invalid_image_format', { param, message: `'${param}' must be a PNG, JPEG, or WebP image.` });
  return type;
}

/** A mask must be a PNG of the same size as the first image. Sizes are compared only if both are PNG. */
export function checkMask(mask: Buffer, firstImage: Buffer | undefined): 'image/png' {
  if (mask.length > MAX_MASK_BYTES)
    throw new GatewayError<EditCode>('image_file_too_large', { param: 'mask', message: "'mask' exceeds 4 MB." });
  if (detectImageType(mask) !== 'image/png')
    throw new GatewayError<EditCode>('invalid_image_format', { param: 'mask', message: "'mask' must be a PNG image." });
  const [maskSize, imageSize] = [readPngSize(mask), firstImage ? readPngSize(firstImage) : null];
  if (maskSize && imageSize && (maskSize[0] !== imageSize[0] || maskSize[1] !== imageSize[1])) {
    const message = `'mask' must be the same size as the first image. 'mask' is ${maskSize.join('x')}, the image is ${imageSize.join('x')}.`;
    throw new GatewayError<EditCode>('invalid_value', { param: 'mask', message });
  }
  return 'image/png';
}

/** Returns the length without trailing padding. A loop from the end, because a regular expression would start at every `=` and take quadratic time. */
function getUnpaddedLength(base64: string): number {
  let length = base64.length;
  while (base64[length - 1] === '=') length--;
  return length;
}

/** Decodes a data URL that passed contract validation. */
export function readDataUrl(url: string, param: string): Buffer {
  const base64 = url.slice(url.indexOf(',') + 1);
  const bytes = Buffer.from(base64, 'base64');
  const expectedLength = Math.floor((getUnpaddedLength(base64) * 3) / 4);
  if (bytes.length !== expectedLength || bytes.length === 0) {
    throw new GatewayError<EditCode>('invalid_base64_image', { param, message: `'${param}' isn't valid base64.` });
  }
  return bytes;
}
