/** Reads the pictures that an edit starts from, as far as the simulator can. */
import jpeg from 'jpeg-js';
import { GatewayError } from '../../../errors.ts';
import { createPicture, type Picture } from './picture.ts';
import { readPng } from './png-reader.ts';
import type { ImageJob } from './request.ts';

/** Bounds for pictures that claim to be larger than they should be. */
const mostMegapixels = 12;
const mostMegabytes = 256;

export interface Originals {
  /** The first picture; null where it is of a kind that cannot be read here. */
  readonly first: Picture | null;
  readonly mask: Picture | null;
}

export async function readOriginals({ originals, mask }: ImageJob): Promise<Originals> {
  const [file] = originals;
  return { first: file ? await readPicture(file) : null, mask: mask ? await readMask(mask) : null };
}

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

/** A mask that cannot be read must not be ignored: the edit would then change what the caller wanted kept. */
async function readMask(file: Buffer): Promise<Picture> {
  const mask = await readPng(file);
  if (mask) return mask;
  const message = 'The built-in simulator reads masks as PNG with eight bits a channel, not interlaced and without a palette.';
  throw new GatewayError('unsupported_value', { message, param: 'mask' });
}
