/** Detects the image type of a file by its bytes: file names and content types from callers are often wrong. */
import { type EditCode, GatewayError } from '../../errors.ts';
import type { ImageFile } from '../../upstreams/upstream.ts';

export const MAX_IMAGE_BYTES = 50 * 1024 * 1024;
export const MAX_MASK_BYTES = 4 * 1024 * 1024;

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Null when the bytes are none of the three formats. */
export function sniff(bytes: Buffer): ImageFile['contentType'] | null {
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
    throw new GatewayError<EditCode>('image_file_too_large', { param, message: `'${param}' is over 50 MB.` });
  const type = sniff(bytes);
  if (!type) throw new GatewayError<EditCode>('invalid_image_format', { param, message: `'${param}' is not a PNG, JPEG or WebP image.` });
  return type;
}

/** A mask is a PNG of the same size as the first image. The sizes are compared only when both are PNG. */
export function checkMask(mask: Buffer, first: Buffer | undefined): 'image/png' {
  if (mask.length > MAX_MASK_BYTES)
    throw new GatewayError<EditCode>('image_file_too_large', { param: 'mask', message: "'mask' is over 4 MB." });
  if (sniff(mask) !== 'image/png')
    throw new GatewayError<EditCode>('invalid_image_format', { param: 'mask', message: "'mask' has to be a PNG." });
  const [own, other] = [pngSize(mask), first ? pngSize(first) : null];
  if (own && other && (own[0] !== other[0] || own[1] !== other[1])) {
    const message = `'mask' is ${own.join('x')}, but the first image is ${other.join('x')}: they have to be of one size.`;
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
    throw new GatewayError<EditCode>('invalid_base64_image', { param, message: `'${param}' is not valid base64.` });
  }
  return bytes;
}
