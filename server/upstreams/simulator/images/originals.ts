/** Reads the pictures that an edit starts from, as far as the simulator can. */
import jpeg from 'jpeg-js';
import { createPicture, type Picture, type Size } from './picture.ts';
import { readPng } from './png-reader.ts';
import type { ImageJob } from './request.ts';

/** Bounds for pictures that claim to be larger than they should be. */
const mostMegapixels = 12;
const mostMegabytes = 256;

export interface Originals {
  /** The first picture; null where it is of a kind that cannot be read here. */
  readonly first: Picture | null;
  /** The same. */
  readonly mask: Picture | null;
}

export async function readOriginals({ originals, mask }: ImageJob): Promise<Originals> {
  const [file] = originals;
  return { first: file ? await readPicture(asBuffer(file)) : null, mask: mask ? await readPng(asBuffer(mask)) : null };
}

/** What is known of them outside their thread: large ones take long to copy. */
export type OriginalSizes = { readonly [K in keyof Originals]: Size | null };

export const sizesOf = ({ first, mask }: Originals): OriginalSizes => ({ first: first && sizeOf(first), mask: mask && sizeOf(mask) });

const sizeOf = ({ width, height }: Picture): Size => ({ width, height });

async function readPicture(file: Buffer): Promise<Picture | null> {
  return file[0] === 0xff && file[1] === 0xd8 ? readJpeg(file) : readPng(file);
}

function readJpeg(file: Buffer): Picture | null {
  try {
    const { width, height, data } = jpeg.decode(file, {
      useTArray: true,
      maxResolutionInMP: mostMegapixels,
      maxMemoryUsageInMB: mostMegabytes,
    });
    return createPicture(width, height, data);
  } catch {
    // Broken or too large: the edit is then drawn without it, as with every kind that cannot be read.
    return null;
  }
}

/** What comes from another thread is plain bytes. */
const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, byteLength);
