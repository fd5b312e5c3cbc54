/** Reads the pictures that an edit starts from, as far as the simulator can. */
import { createHash } from 'node:crypto';
import { readJpeg } from './jpeg-reader.ts';
import type { Picture, Size } from './picture.ts';
import { readPng } from './png-reader.ts';
import type { ImageJob } from './request.ts';

export interface Originals {
  /** The first picture; null where it is of a kind that cannot be read here. */
  readonly first: Picture | null;
  /** The same. */
  readonly mask: Picture | null;
  /** Stands for the bytes of all of them. */
  readonly digest: string;
}

export async function readOriginals({ originals, mask }: ImageJob): Promise<Originals> {
  const [file] = originals;
  return {
    first: file ? await readPicture(asBuffer(file)) : null,
    mask: mask ? await readPng(asBuffer(mask)) : null,
    digest: digestOf(originals),
  };
}

function digestOf(originals: ImageJob['originals']): string {
  const hash = createHash('sha256');
  for (const { length } of originals) hash.update(`${length}:`);
  for (const bytes of originals) hash.update(bytes);
  return hash.digest('hex');
}

/** What the main thread keeps of them: large images take long to copy. */
export type OriginalSizes = { readonly [K in 'first' | 'mask']: Size | null };

export const sizesOf = ({ first, mask }: Originals): OriginalSizes => ({ first: first && sizeOf(first), mask: mask && sizeOf(mask) });

const sizeOf = ({ width, height }: Picture): Size => ({ width, height });

async function readPicture(file: Buffer): Promise<Picture | null> {
  return file[0] === 0xff && file[1] === 0xd8 ? readJpeg(file) : readPng(file);
}

/** What comes from another thread is plain bytes. */
const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, byteLength);
