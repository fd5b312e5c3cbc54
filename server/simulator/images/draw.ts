/** Makes the pictures of a job: drawn for the prompt, and laid over the original where it is an edit. */
import { excerpt } from '../excerpt.ts';
import { createSeed } from '../seed.ts';
import { labelPicture } from './label.ts';
import type { OriginalSizes, Originals } from './originals.ts';
import { coarsen, copyPicture, coverPicture, type Picture, type Size } from './picture.ts';
import type { ImageJob } from './request.ts';
import { drawScene } from './scene.ts';

/** How much of an edited place is the drawing, the rest shows the original. */
const SHARE_OF_DRAWING = 0.55;

export function chooseSize({ size }: ImageJob, { first }: Pick<OriginalSizes, 'first'>): Size {
  if (size) return size;
  if (!first || Math.abs(first.width / first.height - 1) < 0.2) return { width: 1024, height: 1024 };
  return first.width > first.height ? { width: 1536, height: 1024 } : { width: 1024, height: 1536 };
}

/** Without its label: previews are made from it first. `index` tells the pictures of one job apart. */
export async function drawPicture(job: ImageJob, originals: Originals, index: number): Promise<Picture> {
  const { width, height } = chooseSize(job, originals);
  const seed = createSeed(job.prompt, String(index), originals.digest);
  const isTransparent = job.background === 'transparent';
  const scene = await drawScene({ width, height, seed, prompt: job.prompt, isTransparent });
  if (!originals.first) return scene;
  const below = coverPicture(originals.first, width, height);
  const mask = originals.mask ? coverPicture(originals.mask, width, height) : null;
  return layOver(below, scene, mask);
}

/** Ready to be encoded: the label is on it. */
export function finishPicture(picture: Picture, job: ImageJob): Picture {
  const finished = copyPicture(picture);
  const noun = job.originals.length > 1 ? `${job.originals.length} images` : 'an image';
  labelPicture(finished, `Built-in simulator${job.isEdit ? `, edit of ${noun}` : ', not a model'}`, excerpt(job.prompt, 200));
  return finished;
}

/** Like a picture that comes into focus: each preview has squares of half the side. */
export function drawPreview(picture: Picture, job: ImageJob, index: number): Picture {
  const cell = Math.max(2, Math.round(Math.min(picture.width, picture.height) / 12 / 2 ** index));
  return finishPicture(coarsen(picture, cell), job);
}

/** Mixes the drawing into the original; with a mask only where the mask is fully see-through, the rest stays as it was. */
function layOver(below: Picture, scene: Picture, mask: Picture | null): Picture {
  const mixed = copyPicture(scene);
  for (let at = 0; at < mixed.bytes.length; at += 4) {
    const isKept = mask !== null && mask.bytes[at + 3] !== 0;
    const drawn = (scene.bytes[at + 3] ?? 0) / 255;
    const share = ((below.bytes[at + 3] ?? 0) / 255) * (isKept ? 1 : 1 - SHARE_OF_DRAWING * drawn);
    const rest = drawn * (1 - share);
    const total = share + rest || 1;
    for (let channel = at; channel < at + 3; channel += 1) {
      mixed.bytes[channel] = Math.round(((below.bytes[channel] ?? 0) * share + (scene.bytes[channel] ?? 0) * rest) / total);
    }
    mixed.bytes[at + 3] = Math.round((share + rest) * 255);
  }
  return mixed;
}
